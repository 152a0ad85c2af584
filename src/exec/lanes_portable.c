/* lanes_portable.c - the vector executors for any host. */
#define LANES_VARIANT lanes_portable
#define LANES_NAME "portable"
#define LANES_TARGET
#define LANES_GATHER(host, offset, to)                                                                                             \
    for (uint32_t i = 0; i < LANES; i++)                                                                                           \
        memcpy((to) + i, (host) + (offset)[i], 4);
#define LANES_FLOATS 4
#define LANES_FUSED(a, b, c) ((a) * (b) + (c)) /* where the product is exact */
#define LANES_CANONICAL canonical_four
#define LANES_CAN_MULTIPLY(p, left, right) products_are_exact(p, left, right)
#include "exec/half_math.h"
#include "exec/lanes.h"

typedef float four_floats __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t eight_portable __attribute__((vector_size(32), aligned(4), may_alias));

static inline four_floats canonical_four(four_floats value)
{
    typedef int32_t four_integers __attribute__((vector_size(16), aligned(4), may_alias));
    const four_integers none = ((four_integers)value & 0x7fffffff) > 0x7f800000; /* no numbers */
    return (four_floats)(((four_integers)value & ~none) | (none & 0x7fffffff));
}
/* Numbers whose products neither overflow nor lose bits below float's least one, if they have 11 bits, as tf32. */
static inline bool products_fit(const float *cells, uint32_t count)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t magnitude = bits_of(cells[i]) & 0x7fffffffu, exponent = magnitude >> 23;
        bad |= (uint32_t)(magnitude != 0) & (uint32_t)(exponent != 255) & ((uint32_t)(exponent < 63) | (uint32_t)(exponent > 189));
    }
    return !bad;
}
static bool products_are_exact(const struct product *p, const float *left, const float *right)
{
    return p->a_type == T_F16 || (products_fit(left, p->rows * p->depth) && products_fit(right, p->columns * p->depth));
}

static inline void widen_f16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = float_of_f16(from[i]);
}
static inline void split_f16(const eight_portable *words, float *low, float *high)
{
    const uint32_t *from = (const uint32_t *)words;
    for (uint32_t i = 0; i < 8; i++) {
        low[i] = float_of_f16(from[i] & 0xffff);
        high[i] = float_of_f16(from[i] >> 16);
    }
}
static inline void widen_bf16(const uint16_t *from, float *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = float_of_bf16(from[i]);
}
static inline void pair_halves(const uint16_t *low, const uint16_t *high, eight_portable *words)
{
    for (uint32_t i = 0; i < 8; i++)
        ((uint32_t *)words)[i] = low[i] | (uint32_t)high[i] << 16;
}
static inline void narrow_halves(const float *from, uint16_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (uint16_t)f16_of_float(from[i]);
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
