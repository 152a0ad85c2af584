/* lanes_portable.c - the vector executors for any host. */
#define LANES_VARIANT lanes_portable
#define LANES_NAME "portable"
#define LANES_TARGET
#define LANES_DOUBLES 2
#define LANES_FUSED(a, b, c) ((a) * (b) + (c))
#define LANES_WIDEN_F16(from, to)                                                                                                  \
    for (uint32_t half = 0; half < 8; half++)                                                                                      \
    (to)[half] = (double)float_of_f16((from)[half])
#include "exec/lanes_body.h"

#if defined(__x86_64__)
#include <cpuid.h>
/* Not every compiler's __builtin_cpu_supports knows it. */
static bool has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}
#endif

static bool is_asked(const struct lanes *lanes, const char *name)
{
    return !name || strcmp(lanes->name, name) == 0;
}

const struct lanes *lanes_choose(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") && has_f16c();
    bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && is_asked(&lanes_avx512, name))
        return &lanes_avx512;
    if (has_avx2 && is_asked(&lanes_avx2, name))
        return &lanes_avx2;
#endif
    return is_asked(&lanes_portable, name) ? &lanes_portable : NULL;
}
