/* lanes_portable.c - the vector executors for any host. */
#define LANES_VARIANT lanes_portable
#define LANES_NAME "portable"
#define LANES_TARGET
#include "exec/lanes_body.h"

static bool is_asked(const struct lanes *lanes, const char *name)
{
    return !name || strcmp(lanes->name, name) == 0;
}

const struct lanes *lanes_choose(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && is_asked(&lanes_avx512, name))
        return &lanes_avx512;
    if (has_avx2 && is_asked(&lanes_avx2, name))
        return &lanes_avx2;
#endif
    return is_asked(&lanes_portable, name) ? &lanes_portable : NULL;
}
