/* lane_math.h - one lane's arithmetic where PTX and C differ: NaN rules, flushing, minima, approximations.
 *
 * Approximations are polynomials evaluated in double with plain multiply and add in a fixed order, so that every host gives
 * the same bits. Each is checked against libm over its range in tests/unit/exec; error bounds stand with each. */
#ifndef WARPLINE_EXEC_LANE_MATH_H
#define WARPLINE_EXEC_LANE_MATH_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LANE_INLINE static inline __attribute__((always_inline, unused))

LANE_INLINE float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
LANE_INLINE uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
LANE_INLINE double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
LANE_INLINE uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define CANONICAL_NAN_F32 0x7fffffffu
#define DEFAULT_NAN_F64 UINT64_C(0xfff8000000000000)
#define QUIET_BIT_F64 UINT64_C(0x0008000000000000)

LANE_INLINE float canonical_f32(float value)
{
    return value != value ? float_of(CANONICAL_NAN_F32) : value;
}
LANE_INLINE double nan_f64(double result, double a, double b)
{
    uint64_t payload = a != a ? bits_of_double(a) | QUIET_BIT_F64 : b != b ? bits_of_double(b) | QUIET_BIT_F64 : DEFAULT_NAN_F64;
    return result != result ? double_of(payload) : result;
}
LANE_INLINE double nan3_f64(double result, double a, double b, double c)
{
    return a != a || b != b ? nan_f64(result, a, b) : nan_f64(result, c, c);
}
LANE_INLINE double widen_f64(float a)
{
    /* a float NaN keeps its payload; the sign too */
    return a != a ? double_of(((uint64_t)(bits_of(a) & 0x80000000u) << 32) | UINT64_C(0x7ff8000000000000) |
                              ((uint64_t)(bits_of(a) & 0x007fffffu) << 29))
                  : (double)a;
}
LANE_INLINE float flush_f32(float value)
{
    return fabsf(value) < 0x1p-126f ? float_of(bits_of(value) & 0x80000000u) : value;
}
LANE_INLINE bool is_number_f32(float a, float b)
{
    return a == a && b == b;
}
LANE_INLINE bool is_number_f64(double a, double b)
{
    return a == a && b == b;
}
/* Of two zeros, -0 is the smaller; a NaN loses against a number. */
LANE_INLINE float min_f32(float a, float b)
{
    float lesser = a < b ? a : b;
    float same = float_of(bits_of(a) | bits_of(b));
    float number = a == b ? same : lesser;
    return a != a ? canonical_f32(b) : b != b ? a : number;
}
LANE_INLINE float max_f32(float a, float b)
{
    float greater = a > b ? a : b;
    float same = float_of(bits_of(a) & bits_of(b));
    float number = a == b ? same : greater;
    return a != a ? canonical_f32(b) : b != b ? a : number;
}
LANE_INLINE double min_f64(double a, double b)
{
    double number = a == b ? double_of(bits_of_double(a) | bits_of_double(b)) : a < b ? a : b;
    return a != a ? b : b != b ? a : number;
}
LANE_INLINE double max_f64(double a, double b)
{
    double number = a == b ? double_of(bits_of_double(a) & bits_of_double(b)) : a > b ? a : b;
    return a != a ? b : b != b ? a : number;
}

/* The truth table's bit (a<<2 | b<<1 | c) for every bit position. */
LANE_INLINE uint32_t lop3_32(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    r |= table & 0x01 ? ~a & ~b & ~c : 0;
    r |= table & 0x02 ? ~a & ~b & c : 0;
    r |= table & 0x04 ? ~a & b & ~c : 0;
    r |= table & 0x08 ? ~a & b & c : 0;
    r |= table & 0x10 ? a & ~b & ~c : 0;
    r |= table & 0x20 ? a & ~b & c : 0;
    r |= table & 0x40 ? a & b & ~c : 0;
    r |= table & 0x80 ? a & b & c : 0;
    return r;
}

/* 2^a, at most 1 ulp (PTX allows 2^-22.5 relative). Taylor series of e^y to y^9 for |y| <= ln2/2: the first term left out,
 * y^10/10!, is below 7e-12. */
LANE_INLINE float approx_ex2(float a)
{
    double x = (double)a;
    x = x > 200.0 ? 200.0 : x;
    x = x < -200.0 ? -200.0 : x;
    x = x != x ? 0.0 : x;
    double shifted = x + 0x1.8p52; /* round to nearest integer in the low mantissa bits */
    double f = x - (shifted - 0x1.8p52);
    double y = f * 0.69314718055994530942;
    double p = 1.0 / 362880;
    p = p * y + 1.0 / 40320;
    p = p * y + 1.0 / 5040;
    p = p * y + 1.0 / 720;
    p = p * y + 1.0 / 120;
    p = p * y + 1.0 / 24;
    p = p * y + 1.0 / 6;
    p = p * y + 0.5;
    p = p * y + 1.0;
    p = p * y + 1.0;
    double scale = double_of((bits_of_double(shifted) + 1023) << 52);
    return a != a ? float_of(CANONICAL_NAN_F32) : (float)(p * scale);
}

/* log2(a), correctly rounded except for rare last bits (PTX allows 2^-22 absolute outside [0.5, 2], relative inside): the
 * mantissa is brought into [sqrt(1/2), sqrt(2)), then 2/ln2 * atanh((m-1)/(m+1)) by its series; s <= 0.172, so the terms after
 * s^15/15 are below 1e-14. */
LANE_INLINE float approx_lg2(float a)
{
    double x = (double)a;
    uint64_t bits = bits_of_double(x);
    uint64_t biased = bits - UINT64_C(0x3fe6a09e667f3bcd); /* bits of sqrt(1/2) */
    int64_t exponent = (int64_t)biased >> 52;
    double m = double_of(bits - ((uint64_t)exponent << 52));
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    float r = (float)((double)(int32_t)exponent + 2.88539008177792681472 * s * p);
    r = a == 0.0f ? float_of(0xff800000u) : r;
    r = bits_of(a) == 0x7f800000u ? a : r;
    return a != a || a < 0.0f ? float_of(CANONICAL_NAN_F32) : r;
}

/* 1/sqrt(a): rounded from double, at most 1 ulp (PTX allows 2^-22.4 relative). */
LANE_INLINE float approx_rsqrt(float a)
{
    return canonical_f32((float)(1.0 / sqrt((double)a)));
}

/* Whole numbers from floats: out of range clamps, NaN is zero. */
LANE_INLINE int32_t s32_of_double(double whole)
{
    const double number = whole != whole ? 0.0 : whole, high = number < 0x1p31 - 1 ? number : 0x1p31 - 1;
    return (int32_t)(high > -0x1p31 ? high : -0x1p31);
}
LANE_INLINE uint32_t u32_of_double(double whole)
{
    const double high = whole < 0x1p32 - 1 ? whole : whole != whole ? 0.0 : 0x1p32 - 1;
    return (uint32_t)(int64_t)(high > 0.0 ? high : 0.0);
}

LANE_INLINE int32_t clamp_s32(int32_t a, int32_t low, int32_t high)
{
    const int32_t above = a < low ? low : a;
    return above > high ? high : above;
}

LANE_INLINE uint32_t bfe_u32(uint32_t a, uint32_t position, uint32_t length)
{
    const uint32_t at = position & 0xff, bits = length & 0xff, field = at < 32 ? a >> at : 0;
    return bits < 32 ? field & ((1u << (bits & 31)) - 1) : field;
}
LANE_INLINE uint32_t bfe_s32(uint32_t a, uint32_t position, uint32_t length)
{
    const uint32_t at = position & 0xff, bits = length & 0xff, last = at + bits - 1;
    const uint32_t sign_at = last < 31 ? last : 31, from = sign_at >= at ? sign_at - at : 0;
    const uint32_t ones = a >> sign_at & 1 ? ~0u << from : 0;
    return bits ? bfe_u32(a, position, length) | ones : 0;
}
LANE_INLINE uint32_t brev_u32(uint32_t a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}
/* Each nibble of the selector names a byte of the two words; its upper bit asks for that byte's sign. */
LANE_INLINE uint32_t prmt_byte(uint64_t both, uint32_t selector)
{
    const uint32_t byte = both >> (8 * (selector & 7)) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
LANE_INLINE uint32_t prmt_u32(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    return prmt_byte(both, selector) | prmt_byte(both, selector >> 4) << 8 | prmt_byte(both, selector >> 8) << 16 |
           prmt_byte(both, selector >> 12) << 24;
}
LANE_INLINE float saturated_f32(float a)
{
    return a > 1.0f ? 1.0f : a > 0.0f ? a : 0.0f;
}

/* Sine and cosine on [-pi/4, pi/4] by their Taylor series to x^13 and x^14: remainders below 1e-13. */
LANE_INLINE double sine_core(double r)
{
    double z = r * r, p = 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r + r * z * p;
}
LANE_INLINE double cosine_core(double r)
{
    double z = r * r, p = -1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}
/* sin, or cos with a quarter of 1: 2^-23 absolute for |a| <= 2^15 and as good as the argument allows beyond. Reduction by multiples
 * of pi/2 in three parts of 33 bits each: exact products up to 2^20 multiples. */
LANE_INLINE float approx_sine(float a, uint64_t quarter)
{
    const double value = (double)a;
    const double shifted = value * 0.63661977236758134308 + 0x1.8p52;
    const double n = shifted - 0x1.8p52;
    const double reduced = ((value - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    const double r = fabs(reduced) > 2.0 ? 0.0 : reduced; /* an argument beyond reduction: PTX promises nothing */
    const uint64_t part = (bits_of_double(shifted) + quarter) & 3;
    const double s = part & 1 ? cosine_core(r) : sine_core(r), signed_s = part & 2 ? -s : s;
    const float far = value - value == 0 ? 0.0f : float_of(CANONICAL_NAN_F32);
    return fabs(value) <= 0x1p60 ? (float)signed_s : far;
}
/* tanh x = 1 - 2/(e^2x + 1), by the odd series where that cancels; at most 1 ulp. */
LANE_INLINE float approx_tanh(float a)
{
    const double d = (double)a, size = fabs(d), z = d * d;
    const double series = d * (1.0 - z * (1.0 / 3 - z * (2.0 / 15 - z * (17.0 / 315 - z * (62.0 / 2835)))));
    const double y = size <= 20.0 ? 2.0 * size : 0.0, n = floor(y * 1.44269504088896340736 + 0.5);
    const double f = y - n * 0.69314718055994530942;
    double e = 1.0;
#if defined(__clang__)
#pragma unroll
#else
#pragma GCC unroll 14
#endif
    for (int i = 14; i > 0; i--)
        e = 1.0 + e * f / i;
    e *= double_of((bits_of_double(n + 0x1.8p52) + 1023) << 52);
    const double t = 1.0 - 2.0 / (e + 1.0), large = size > 20.0 ? 1.0 : t;
    const float result = (float)(size < 0.1 ? series : d < 0 ? -large : large);
    return a != a ? float_of(CANONICAL_NAN_F32) : result;
}
#endif
