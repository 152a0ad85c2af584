/* instruction_words.h - the words that the rows of instruction_rows.def and convert_rows.def are written in: what an instruction
 * does, as C. */
#ifndef WARPLINE_TESTS_INSTRUCTION_WORDS_H
#define WARPLINE_TESTS_INSTRUCTION_WORDS_H
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define U16(v) ((uint16_t)(v))
#define U32(v) ((uint32_t)(v))
#define S8(v) ((int8_t)(v))
#define S16(v) ((int16_t)(v))
#define S32(v) ((int32_t)(uint32_t)(v))
#define S64(v) ((int64_t)(v))
#define ORDERED(a, b) (!isnan(F32(a)) && !isnan(F32(b)))
#define SAT32(v) ((uint64_t)(uint32_t)saturate32(v))
#define NAN_SKIP UINT64_C(0xdeadbeefdeadbeef) /* a result that is not compared */

static float F32(uint64_t bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, 4);
    return f;
}
static double F64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, 8);
    return f;
}
static uint64_t BITS(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}
static uint64_t BITS64(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return b;
}
static uint64_t R32(float f)
{
    return isnan(f) ? 0x7fffffff : BITS(f);
}
static float flush(float f)
{
    return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
static float FTZ(uint64_t bits)
{
    return flush(F32(bits));
}
static uint64_t SATF(float f)
{
    return BITS(f >= 1 ? 1.0f : f > 0 ? f : 0.0f);
}
static int64_t saturate32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/* f64 results keep the first NaN operand's payload, made quiet */
static uint64_t R64(double r, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t operands[3] = { a, b, c };
    if (!isnan(r))
        return BITS64(r);
    for (int i = 0; i < 3; i++)
        if (isnan(F64(operands[i])))
            return operands[i] | UINT64_C(1) << 51;
    return UINT64_C(0xfff8000000000000);
}

/* An independent half: found by searching the 2^16 values for the nearest, ties to even. */
static float F16(uint64_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return (float)(bits & 0x8000 ? -v : v);
}

static uint64_t H16(double v)
{
    if (isnan(v))
        return 0x7fff;
    uint64_t sign = signbit(v) ? 0x8000 : 0;
    double m = fabs(v);
    if (m >= 65520)
        return sign | 0x7c00;
    uint32_t low = 0, high = 0x7bff; /* largest half not above m */
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if ((double)F16(middle) <= m)
            low = middle;
        else
            high = middle - 1;
    }
    double below = (double)F16(low), above = low == 0x7bff ? 65536.0 : (double)F16(low + 1);
    if (m - below > above - m || (m - below == above - m && (low & 1)))
        low++;
    return sign | low;
}
/* Negative numbers and zeros become zero; what is not a number stays so. */
static uint64_t relu16(uint64_t bits)
{
    return (bits & 0x7fff) > 0x7c00 || !(bits & 0x8000) ? bits : 0;
}

#define ROUNDED(name, T, arguments, expression)                                                                                    \
    static T __attribute__((noinline)) name arguments                                                                              \
    {                                                                                                                              \
        fesetround(mode);                                                                                                          \
        volatile T r = (expression);                                                                                               \
        fesetround(FE_TONEAREST);                                                                                                  \
        return r;                                                                                                                  \
    }
ROUNDED(rounded_add, float, (volatile float a, volatile float b, int mode), a + b)
ROUNDED(rounded_mul, float, (volatile float a, volatile float b, int mode), a *b)
ROUNDED(rounded_div, float, (volatile float a, volatile float b, int mode), a / b)
ROUNDED(rounded_fma, float, (volatile float a, volatile float b, volatile float c, int mode), fmaf(a, b, c))
ROUNDED(rounded_sqrt, float, (volatile float a, int mode), sqrtf(a))
ROUNDED(rounded_to_float, float, (volatile double a, int mode), (float)a)
ROUNDED(long_to_float, float, (volatile long double a, int mode), (float)a)
ROUNDED(long_to_double, double, (volatile long double a, int mode), (double)a)
ROUNDED(rounded_add64, double, (volatile double a, volatile double b, int mode), a + b)
ROUNDED(rounded_mul64, double, (volatile double a, volatile double b, int mode), a *b)

static float flush16(float f)
{
    return fabsf(f) < 0x1p-14f ? 0.0f : f;
}

/* bf16, by steps of its last bit. */
static float BF(uint64_t bits)
{
    return F32((bits & 0xffff) << 16);
}
static uint64_t B16(double v)
{
    int exponent;
    if (isnan(v))
        return 0x7fff;
    (void)frexp(v, &exponent);
    const double unit = ldexp(1, (exponent < -125 ? -125 : exponent) - 8), r = isinf(v) ? v : rint(v / unit) * unit;
    return BITS(fabs(r) > 0x1.fep127 ? copysignf(INFINITY, (float)v) : copysignf((float)r, (float)v)) >> 16;
}

static uint64_t to_int(double v, int bits, bool is_signed)
{
    double high = ldexp(1, is_signed ? bits - 1 : bits);
    if (isnan(v))
        return 0;
    if (v >= high)
        return (is_signed ? UINT64_MAX >> 1 : UINT64_MAX) >> (64 - bits);
    if (is_signed)
        return v < -high ? UINT64_MAX << (bits - 1) : (uint64_t)(int64_t)v;
    return v <= 0 ? 0 : (uint64_t)v;
}

static uint64_t least(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? R32(b) : BITS(a);
    if (a == b)
        return signbit(a) ? BITS(a) : BITS(b);
    return BITS(a < b ? a : b);
}
static uint64_t greatest(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? R32(b) : BITS(a);
    if (a == b)
        return signbit(a) ? BITS(b) : BITS(a);
    return BITS(a > b ? a : b);
}
static uint64_t least64(uint64_t a, uint64_t b)
{
    if (isnan(F64(a)) || isnan(F64(b)))
        return isnan(F64(a)) ? b : a;
    return F64(a) == F64(b) ? (signbit(F64(a)) ? a : b) : F64(a) < F64(b) ? a : b;
}
static uint64_t greatest64(uint64_t a, uint64_t b)
{
    if (isnan(F64(a)) || isnan(F64(b)))
        return isnan(F64(a)) ? b : a;
    return F64(a) == F64(b) ? (signbit(F64(a)) ? b : a) : F64(a) > F64(b) ? a : b;
}

static uint64_t reverse(uint64_t v, int bits)
{
    uint64_t r = 0;
    for (int i = 0; i < bits; i++, v >>= 1)
        r = r << 1 | (v & 1);
    return r;
}
static uint64_t highest_unlike_sign(int32_t v)
{
    /* Not (v >> i & 1) != (v < 0): gcc 12 compiles that wrongly with -fsanitize=undefined -O1. */
    const uint32_t unlike = v < 0 ? ~(uint32_t)v : (uint32_t)v;
    for (int i = 31; i >= 0; i--)
        if (unlike >> i & 1u)
            return (uint64_t)i;
    return UINT32_MAX;
}
/* bit by bit, as the ISA's pseudo-code */
static uint64_t extract(uint64_t a, uint64_t position, uint64_t length, uint64_t bits, bool is_signed)
{
    uint64_t msb = bits - 1, end = position + length - 1 < msb ? position + length - 1 : msb, r = 0;
    bool sign = is_signed && length ? a >> end & 1 : 0;
    for (uint64_t i = 0; i <= msb; i++) {
        bool bit = i < length && position + i <= msb ? a >> (position + i) & 1 : sign;
        r |= (uint64_t)bit << i;
    }
    return r;
}
static uint64_t insert(uint64_t a, uint64_t b, uint64_t position, uint64_t length, uint64_t bits)
{
    for (uint64_t i = 0; i < length && position + i < bits; i++) {
        b &= ~(UINT64_C(1) << (position + i));
        b |= (i < 64 ? a >> i & 1 : 0) << (position + i);
    }
    return b;
}
static uint64_t mask_bits(uint32_t start, uint32_t width)
{
    uint64_t r = 0;
    for (uint32_t i = start; i < start + width && i < 32; i++)
        r |= UINT64_C(1) << i;
    return r;
}
static uint64_t permute(uint32_t a, uint32_t b, uint32_t control)
{
    uint8_t bytes[8];
    uint32_t r = 0;
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    for (int i = 3; i >= 0; i--) {
        uint32_t s = control >> (4 * i) & 15, byte = bytes[s & 7];
        r = r << 8 | (s & 8 ? (byte >> 7 ? 255u : 0u) : byte);
    }
    return r;
}
static uint64_t next_set(uint32_t mask, uint32_t base)
{
    for (; base < 32; base++)
        if (mask >> base & 1)
            return base;
    return UINT32_MAX;
}
static uint64_t dot4(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (int i = 0; i < 4; i++) {
        int x = a_signed ? (int8_t)(a >> (8 * i)) : (uint8_t)(a >> (8 * i)),
            y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}
#endif
