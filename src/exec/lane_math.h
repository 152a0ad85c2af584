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
#endif
