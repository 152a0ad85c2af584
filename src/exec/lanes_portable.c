/* lanes_portable.c - the vector executors for any host. */
#define LANES_VARIANT lanes_portable
#define LANES_NAME "portable"
#define LANES_TARGET
#define LANES_DOUBLES 2
#define LANES_FUSED(a, b, c) ((a) * (b) + (c))
#define LANES_LOAD_SUM(from) ((some_doubles){ (double)(from)[0], (double)(from)[1] })
#define LANES_STORE_SUM_8(vector, s, count, to)                                                                                    \
    for (uint32_t v = 0; v < (count); v++) {                                                                                       \
        (to)[2 * v] = bits_of(canonical_f32((float)(s)[v][0]));                                                                    \
        (to)[2 * v + 1] = bits_of(canonical_f32((float)(s)[v][1]));                                                                \
    }
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t i = 0; i < LANES; i++)                                                                                           \
        memcpy((to) + i, (host) + (offset)[i], 4);
#define LANES_FUSED_FLOATS LANES_FUSED
#include "exec/half_math.h"

static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = float_of_f16(from[i]);
}
static inline void widen_floats(const float *from, double *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}
static inline void split_words(const uint32_t *words, uint16_t *low, uint16_t *high, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        low[i] = (uint16_t)words[i];
        high[i] = (uint16_t)(words[i] >> 16);
    }
}
static inline void widen_bf16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = float_of_bf16(from[i]);
}
static inline void pair_halves(const uint16_t *low, const uint16_t *high, uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = low[i] | (uint32_t)high[i] << 16;
}
static inline void widen_bytes(const uint8_t *from, bool is_signed, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = is_signed ? (float)(int8_t)from[i] : (float)from[i];
}
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
