/* half_math.h - f16 and bf16 of one lane, without branches, so that a loop over lanes becomes vector code.
 *
 * Sums of two halves are rounded first to float's 24 bits and then to the format's: 24 are at least twice f16's 11 (bf16's 8)
 * plus two, so the first rounding never turns the second. Products of two f16 are exact in float. Some results do not fit: a
 * fused product and sum, and the tiny products of bf16. These go through double and are rounded to odd on the way. The last bit
 * of the float then says that something was cut off, so that the one rounding to the format sees on which side of a tie the
 * exact value lies. A fused f16 is found so in float alone. */
#ifndef WARPLINE_EXEC_HALF_MATH_H
#define WARPLINE_EXEC_HALF_MATH_H
#include "exec/lane_math.h"

LANE_INLINE float float_of_f16(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    const uint32_t normal = (magnitude << 13) + (112u << 23);
    const float small = float_of((113u << 23) | magnitude << 13) - 0x1p-14f; /* its fraction above 2^-14 */
    const uint32_t finite = magnitude < 0x400u ? bits_of(small) : normal;
    return float_of(sign | (magnitude >= 0x7c00u ? normal + (112u << 23) : finite));
}

LANE_INLINE float float_of_bf16(uint32_t bits)
{
    return float_of(bits << 16);
}

/* To nearest, ties to even. */
LANE_INLINE uint32_t f16_of_float(float value)
{
    const uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    const uint32_t small = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f); /* a float at 0.5 counts steps of 2^-24 */
    const uint32_t large = magnitude > 0x7f800000u ? 0x7fffu : 0x7c00u;
    const uint32_t finite = magnitude < (113u << 23) ? small : normal;
    return magnitude > 0x7f800000u ? 0x7fffu : sign | (magnitude >= 0x477ff000u ? large : finite);
}

LANE_INLINE uint32_t bf16_of_float(float value)
{
    const uint32_t bits = bits_of(value), rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded;
}

/* The float nearest to sum + rest, but with an odd last bit when it is not exact. `rest` is what rounding `sum` has cut off. */
LANE_INLINE float odd_float(double sum, double rest)
{
    const float near = (float)sum;
    const double missing = sum - (double)near, toward = missing != 0 ? missing : rest;
    const uint32_t bits = bits_of(near), sign = bits & 0x80000000u, step = (toward < 0) == (sign != 0) ? 1u : UINT32_MAX;
    /* a zero has no neighbour below, so it takes the sign of what it has lost */
    const uint32_t moved = bits << 1 == 0 ? (bits_of_double(toward) >> 63 ? 0x80000001u : 1u) : bits + step;
    const int exact = (int)(toward == 0) | (int)(toward != toward) | (int)(bits & 1);
    return exact ? near : float_of(moved);
}

LANE_INLINE float fused_float(float a, float b, float c)
{
    const double product = (double)a * (double)b, addend = (double)c, sum = product + addend;
    const double part = sum - product, rest = (product - (sum - part)) + (addend - part); /* exact: what the sum has lost */
    return odd_float(sum, rest);
}

/* The same for f16, whose products are exact in float, and the rest of their sums with another f16 too: all lie between 2^-48 and
 * 2^33. A sum that is not exact is no zero. */
LANE_INLINE float fused_half(float a, float b, float c)
{
    const float product = a * b, sum = product + c, part = sum - product;
    const float rest = (product - (sum - part)) + (c - part);
    const uint32_t bits = bits_of(sum), step = (rest < 0) == (bits >> 31 != 0) ? 1u : UINT32_MAX;
    const int exact = (int)(rest == 0) | (int)(rest != rest) | (int)(bits & 1);
    return exact ? sum : float_of(bits + step);
}

LANE_INLINE float product_float(float a, float b)
{
    return odd_float((double)a * (double)b, 0.0);
}

/* Both halves of a register by one expression of its lower half. */
#define HALF_PAIR(name, one, declare, pass_low, pass_high)                                                                         \
    LANE_INLINE uint32_t name declare                                                                                              \
    {                                                                                                                              \
        return one pass_low | one pass_high << 16;                                                                                 \
    }
#define HALF_TYPE(T)                                                                                                               \
    LANE_INLINE uint32_t add_##T(uint32_t a, uint32_t b)                                                                           \
    {                                                                                                                              \
        return T##_of_float(float_of_##T(a) + float_of_##T(b));                                                                    \
    }                                                                                                                              \
    LANE_INLINE uint32_t sub_##T(uint32_t a, uint32_t b)                                                                           \
    {                                                                                                                              \
        return T##_of_float(float_of_##T(a) - float_of_##T(b));                                                                    \
    }                                                                                                                              \
    LANE_INLINE uint32_t min_##T(uint32_t a, uint32_t b)                                                                           \
    {                                                                                                                              \
        return T##_of_float(min_f32(float_of_##T(a), float_of_##T(b)));                                                            \
    }                                                                                                                              \
    LANE_INLINE uint32_t max_##T(uint32_t a, uint32_t b)                                                                           \
    {                                                                                                                              \
        return T##_of_float(max_f32(float_of_##T(a), float_of_##T(b)));                                                            \
    }
HALF_TYPE(f16)
HALF_TYPE(bf16)
#undef HALF_TYPE
LANE_INLINE uint32_t mul_f16(uint32_t a, uint32_t b)
{
    return f16_of_float(float_of_f16(a) * float_of_f16(b));
}
LANE_INLINE uint32_t mul_bf16(uint32_t a, uint32_t b)
{
    return bf16_of_float(product_float(float_of_bf16(a), float_of_bf16(b)));
}
LANE_INLINE uint32_t fma_f16(uint32_t a, uint32_t b, uint32_t c)
{
    return f16_of_float(fused_half(float_of_f16(a), float_of_f16(b), float_of_f16(c)));
}
LANE_INLINE uint32_t fma_bf16(uint32_t a, uint32_t b, uint32_t c)
{
    return bf16_of_float(fused_float(float_of_bf16(a), float_of_bf16(b), float_of_bf16(c)));
}
LANE_INLINE uint32_t ex2_f16(uint32_t a)
{
    return f16_of_float(approx_ex2(float_of_f16(a)));
}
LANE_INLINE uint32_t ex2_bf16(uint32_t a)
{
    return bf16_of_float(approx_ex2(float_of_bf16(a)));
}
LANE_INLINE uint32_t tanh_f16(uint32_t a)
{
    return f16_of_float(approx_tanh(float_of_f16(a)));
}
LANE_INLINE uint32_t tanh_bf16(uint32_t a)
{
    return bf16_of_float(approx_tanh(float_of_bf16(a)));
}
/* What is below zero, and -0, becomes +0. Results that are no number have no sign. */
LANE_INLINE uint32_t relu_half(uint32_t half)
{
    return half & 0x8000u ? 0 : half;
}
LANE_INLINE uint32_t relu_pair(uint32_t both)
{
    return relu_half(both & 0xffff) | relu_half(both >> 16) << 16;
}
#define HALF_PAIRS(op)                                                                                                             \
    HALF_PAIR(op##_f16x2, op##_f16, (uint32_t a, uint32_t b), (a & 0xffff, b & 0xffff), (a >> 16, b >> 16))                        \
    HALF_PAIR(op##_bf16x2, op##_bf16, (uint32_t a, uint32_t b), (a & 0xffff, b & 0xffff), (a >> 16, b >> 16))
HALF_PAIRS(add)
HALF_PAIRS(sub)
HALF_PAIRS(mul)
HALF_PAIRS(min)
HALF_PAIRS(max)
#undef HALF_PAIRS
HALF_PAIR(fma_f16x2, fma_f16, (uint32_t a, uint32_t b, uint32_t c), (a & 0xffff, b & 0xffff, c & 0xffff),
          (a >> 16, b >> 16, c >> 16))
HALF_PAIR(fma_bf16x2, fma_bf16, (uint32_t a, uint32_t b, uint32_t c), (a & 0xffff, b & 0xffff, c & 0xffff),
          (a >> 16, b >> 16, c >> 16))
#undef HALF_PAIR
#endif
