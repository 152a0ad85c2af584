/* lanes_portable.c - the vector executors for any host. */
#define LANES_VARIANT lanes_portable
#define LANES_NAME "portable"
#define LANES_TARGET
#include "exec/lanes_body.h"

const struct lanes *lanes_choose(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return &lanes_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lanes_avx2;
#endif
    return &lanes_portable;
}
