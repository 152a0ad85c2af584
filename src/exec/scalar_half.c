/* scalar_half.c - f16 and bf16, alone and in pairs: what half_math.h has no vector row for, such as .ftz, .sat and .relu.
 *
 * Sums and products of halves are exact in double, or rounded once in a way that cannot change the final rounding; fma rounds to
 * odd first (half_math.h). */
#include "exec/half_math.h"
#include "exec/scalar.h"

float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return float_of(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0)
        return float_of(sign) + (float_of(sign) < 0 || sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
    return float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

float bf16_to_float(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

/* Rounds |value| = m * 2^shift to an integer by the mode; value / unit is exact because unit is a power of two. */
static double round_to_unit(double value, double unit, int rounding)
{
    double scaled = value / unit, down = floor(scaled), rest = scaled - down;
    switch (rounding) {
    case ROUND_RZ: return trunc(scaled) * unit;
    case ROUND_RM: return down * unit;
    case ROUND_RP: return ceil(scaled) * unit;
    default:
        if (rest > 0.5 || (rest == 0.5 && fmod(down, 2.0) != 0))
            down += 1.0;
        return down * unit;
    }
}

/* A small float format with `precision` bits of significand (with the hidden one) and exponents from `lowest` up. */
static double round_to_format(double value, int precision, int lowest, int rounding)
{
    int exponent;
    if (value == 0 || value != value || value - value != 0)
        return value;
    (void)frexp(value, &exponent);
    int unit = exponent - precision;
    if (unit < lowest - precision + 1)
        unit = lowest - precision + 1;
    return round_to_unit(value, ldexp(1.0, unit), rounding);
}

static bool overflow_stays_finite(double value, int rounding)
{
    return rounding == ROUND_RZ || (rounding == ROUND_RM && value > 0) || (rounding == ROUND_RP && value < 0);
}

uint16_t half_from_double(double value, int rounding)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (value != value)
        return 0x7fff;
    double r = fabs(round_to_format(value, 11, -14, rounding));
    if (r > 65504.0)
        return (uint16_t)(sign | (overflow_stays_finite(value, rounding) && value - value == 0 ? 0x7bff : 0x7c00));
    if (r < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)(r * 0x1p24));
    int exponent;
    double fraction = frexp(r, &exponent); /* [0.5, 1) */
    return (uint16_t)(sign | (uint16_t)((exponent + 14) << 10) | ((uint16_t)(fraction * 2048.0) & 0x3ff));
}

uint16_t bf16_from_double(double value, int rounding)
{
    if (value != value)
        return 0x7fff;
    double r = round_to_format(value, 8, -126, rounding);
    if (fabs(r) > 0x1.fep127)
        return (uint16_t)((signbit(value) ? 0x8000 : 0) |
                          (overflow_stays_finite(value, rounding) && value - value == 0 ? 0x7f7f : 0x7f80));
    return (uint16_t)(bits_of(copysignf((float)r, (float)value)) >> 16); /* a value that rounds to zero keeps its sign */
}

/* e4m3 has no infinity and one NaN, e5m2 is the upper half of f16. */
uint8_t eighth_from_double(double value, bool is_e5m2)
{
    const int lowest = is_e5m2 ? -14 : -6, fraction_bits = is_e5m2 ? 2 : 3;
    const uint8_t sign = signbit(value) ? 0x80 : 0, largest = is_e5m2 ? 0x7b : 0x7e;
    if (value != value)
        return 0x7f;
    const double r = fabs(round_to_format(value, fraction_bits + 1, lowest, ROUND_RN));
    if (r > (is_e5m2 ? 57344.0 : 448.0))
        return sign | largest;
    if (r < ldexp(1.0, lowest))
        return (uint8_t)(sign | (uint8_t)ldexp(r, fraction_bits - lowest));
    int exponent;
    const double fraction = frexp(r, &exponent); /* [0.5, 1) */
    const int steps = (int)ldexp(fraction, fraction_bits + 1) - (1 << fraction_bits);
    return (uint8_t)(sign | (uint8_t)((exponent - lowest) << fraction_bits) | (uint8_t)steps);
}

float eighth_to_float(uint8_t bits, bool is_e5m2)
{
    if (is_e5m2)
        return half_to_float((uint16_t)(bits << 8));
    const int magnitude = bits & 0x7f, exponent = magnitude >> 3, fraction = magnitude & 7;
    const double value = magnitude == 0x7f ? NAN : exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
    return (float)(bits & 0x80 ? -value : value);
}

static bool is_bf16(uint8_t type)
{
    return type == T_BF16 || type == T_BF16X2;
}

static double widen(uint16_t bits, const struct xop *x)
{
    float value = is_bf16(x->inst->type[0]) ? bf16_to_float(bits) : half_to_float(bits);
    if (x->inst->mod.ftz && fabsf(value) < 0x1p-14f && !is_bf16(x->inst->type[0]))
        value = copysignf(0.0f, value);
    return (double)value;
}

static uint16_t narrow(double value, const struct xop *x)
{
    if (x->inst->mod.saturate)
        value = value > 1.0 ? 1.0 : value > 0.0 ? value : 0.0;
    if (x->inst->mod.relu)
        value = value <= 0.0 ? 0.0 : value; /* a NaN stays a NaN */
    uint16_t bits = is_bf16(x->inst->type[0]) ? bf16_from_double(value, ROUND_RN) : half_from_double(value, ROUND_RN);
    if (x->inst->mod.ftz && !is_bf16(x->inst->type[0]) && (bits & 0x7c00) == 0)
        bits &= 0x8000;
    return bits;
}

static double lesser(double a, double b, bool want_min, bool nan_wins)
{
    if (nan_wins && (a != a || b != b))
        return NAN;
    return want_min ? min_f64(a, b) : max_f64(a, b);
}

static uint16_t one(uint16_t ba, uint16_t bb, uint16_t bc, const struct xop *x)
{
    double a = widen(ba, x), b = widen(bb, x), c = widen(bc, x);
    switch (x->inst->op) {
    case OP_ADD: return narrow(a + b, x);
    case OP_SUB: return narrow(a - b, x);
    case OP_MUL: return narrow(a * b, x);
    case OP_FMA: return narrow((double)fused_float((float)a, (float)b, (float)c), x);
    case OP_MIN: return narrow(lesser(a, b, true, x->inst->mod.nan), x);
    case OP_MAX: return narrow(lesser(a, b, false, x->inst->mod.nan), x);
    case OP_NEG: return (uint16_t)(ba ^ 0x8000);
    case OP_ABS: return ba & 0x7fff;
    case OP_EX2: return narrow((double)approx_ex2((float)a), x);
    default: return narrow((double)approx_tanh((float)a), x); /* tanh */
    }
}

SCALAR(scalar_half_arith)
{
    uint64_t r = one((uint16_t)a, (uint16_t)b, (uint16_t)c, x);
    if (x->inst->type[0] == T_F16X2 || x->inst->type[0] == T_BF16X2)
        r |= (uint64_t)one((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16), x) << 16;
    return r;
}

static bool holds(double a, double b, uint8_t compare)
{
    bool unordered = a != a || b != b;
    switch (compare) {
    case CMP_EQ: return a == b;
    case CMP_NE: return !unordered && a != b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    case CMP_GE: return a >= b;
    case CMP_EQU: return unordered || a == b;
    case CMP_NEU: return unordered || a != b;
    case CMP_LTU: return unordered || a < b;
    case CMP_LEU: return unordered || a <= b;
    case CMP_GTU: return unordered || a > b;
    case CMP_GEU: return unordered || a >= b;
    case CMP_NUM: return !unordered;
    default: return unordered;
    }
}

/* Bit 0: the comparison of the lower (or only) halves; bit 1: that of the upper ones. */
uint32_t half_compare(uint64_t a, uint64_t b, const struct xop *x)
{
    const uint8_t type = x->inst->op == OP_SET ? x->inst->type[1] : x->inst->type[0];
    uint32_t result = 0;
    for (uint32_t k = 0; k < (type == T_F16X2 || type == T_BF16X2 ? 2u : 1u); k++) {
        float f[2];
        const uint16_t bits[2] = { (uint16_t)(a >> 16 * k), (uint16_t)(b >> 16 * k) };
        for (uint32_t i = 0; i < 2; i++) {
            f[i] = is_bf16(type) ? bf16_to_float(bits[i]) : half_to_float(bits[i]);
            if (x->inst->mod.ftz && !is_bf16(type) && fabsf(f[i]) < 0x1p-14f)
                f[i] = 0.0f;
        }
        result |= (uint32_t)holds((double)f[0], (double)f[1], x->inst->mod.compare) << k;
    }
    return result;
}

/* True is 1.0 in a half type, else all ones: of each half where there are two. */
SCALAR(scalar_half_set)
{
    const uint8_t to = x->inst->type[0], from = x->inst->type[1];
    const uint32_t held = half_compare(a, b, x);
    const uint64_t one = to == T_F16 || to == T_F16X2 ? 0x3c00u : to == T_BF16 || to == T_BF16X2 ? 0x3f80u : 0xffffu;
    (void)c;
    if (from == T_F16X2 || from == T_BF16X2)
        return (held & 1 ? one : 0) | (held & 2 ? one << 16 : 0);
    return !held ? 0 : one == 0xffffu ? UINT64_MAX : one;
}
