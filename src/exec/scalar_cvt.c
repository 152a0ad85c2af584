/* scalar_cvt.c - cvt: between any two types, with rounding, saturation and flushing. */
#include "exec/lane_math.h"
#include "exec/scalar.h"

static uint64_t clamp_integer(uint64_t value, bool value_signed, uint8_t to)
{
    uint32_t bits = type_bits(to);
    bool negative = value_signed && (int64_t)value < 0;
    if (type_is_signed(to)) {
        int64_t high = (int64_t)(UINT64_MAX >> (65 - bits)), low = -high - 1;
        if (negative)
            return (uint64_t)((int64_t)value < low ? low : (int64_t)value);
        return value > (uint64_t)high ? (uint64_t)high : value;
    }
    uint64_t high = UINT64_MAX >> (64 - bits);
    return negative ? 0 : value > high ? high : value;
}

static double float_from_bits(uint64_t a, uint8_t type)
{
    switch (type) {
    case T_F16: return (double)half_to_float((uint16_t)a);
    case T_BF16: return (double)bf16_to_float((uint16_t)a);
    case T_F32:
    case T_TF32: return (double)float_of((uint32_t)a);
    default: return double_of(a);
    }
}

static int narrow_rounding(uint8_t rounding)
{
    switch (rounding) {
    case ROUND_RZI: return ROUND_RZ;
    case ROUND_RMI: return ROUND_RM;
    case ROUND_RPI: return ROUND_RP;
    case ROUND_RNI:
    case ROUND_NONE: return ROUND_RN;
    default: return rounding;
    }
}

static bool rounds_to_integer(uint8_t rounding)
{
    return rounding == ROUND_RNI || rounding == ROUND_RZI || rounding == ROUND_RMI || rounding == ROUND_RPI;
}

static double to_integer(double value, uint8_t rounding)
{
    switch (rounding) {
    case ROUND_RZI:
    case ROUND_RZ: return trunc(value);
    case ROUND_RMI:
    case ROUND_RM: return floor(value);
    case ROUND_RPI:
    case ROUND_RP: return ceil(value);
    default: {
        double down = floor(value), rest = value - down;
        double r = rest > 0.5 || (rest == 0.5 && fmod(down, 2.0) != 0) ? down + 1.0 : down;
        return copysign(r, value);
    }
    }
}

/* Out of range clamps, NaN is zero. */
static uint64_t integer_from_float(double value, uint8_t to, uint8_t rounding)
{
    uint32_t bits = type_bits(to);
    if (value != value)
        return 0;
    value = to_integer(value, rounding);
    double limit = ldexp(1.0, (int)bits - (type_is_signed(to) ? 1 : 0));
    if (type_is_signed(to)) {
        if (value >= limit)
            return UINT64_MAX >> (65 - bits);
        return value < -limit ? UINT64_MAX << (bits - 1) : (uint64_t)(int64_t)value;
    }
    if (value >= limit)
        return UINT64_MAX >> (64 - bits);
    return value <= 0 ? 0 : (uint64_t)value;
}

/* The host's rounding mode is set to the instruction's, so that conversions from 64 bits round once. */
static uint64_t f32_from_integer(uint64_t a, bool is_signed)
{
    volatile float r;
    if (is_signed)
        r = (float)(int64_t)a;
    else
        r = (float)a;
    return bits_of(r);
}

static uint64_t f64_from_integer(uint64_t a, bool is_signed)
{
    volatile double r;
    if (is_signed)
        r = (double)(int64_t)a;
    else
        r = (double)a;
    return bits_of_double(r);
}

static uint64_t f32_result(float value, const struct ptx_modifiers *mod)
{
    if (mod->ftz)
        value = flush_f32(value);
    if (mod->saturate)
        value = value > 1.0f ? 1.0f : value > 0.0f ? value : 0.0f;
    return bits_of(canonical_f32(value));
}

static uint64_t from_float(uint64_t a, uint8_t from, uint8_t to, const struct ptx_modifiers *mod)
{
    double value = float_from_bits(a, from);
    if (mod->ftz && from == T_F32)
        value = (double)flush_f32((float)value);
    if (!type_is_float(to))
        return integer_from_float(value, to, mod->rounding);
    if (rounds_to_integer(mod->rounding))
        value = to_integer(value, mod->rounding);
    switch (to) {
    case T_F64:
        if (from == T_F32 && value != value)
            return bits_of_double(widen_f64(float_of((uint32_t)a)));
        if (mod->saturate)
            value = value > 1.0 ? 1.0 : value > 0.0 ? value : 0.0;
        return bits_of_double(value);
    case T_F32: {
        volatile float r = (float)value; /* in the host's rounding mode */
        return f32_result(r, mod);
    }
    case T_TF32: {
        uint32_t bits = bits_of((float)value);
        return value != value ? CANONICAL_NAN_F32 : (bits + 0x1000u) & ~0x1fffu; /* to nearest, ties away */
    }
    default:
        if (mod->saturate)
            value = value > 1.0 ? 1.0 : value > 0.0 ? value : 0.0;
        if (mod->relu && value <= 0.0)
            value = 0.0; /* -0 too */
        return to == T_F16 ? half_from_double(value, narrow_rounding(mod->rounding))
                           : bf16_from_double(value, narrow_rounding(mod->rounding));
    }
}

static uint64_t from_integer(uint64_t a, uint8_t from, uint8_t to, const struct ptx_modifiers *mod)
{
    a = extend(a, from);
    switch (to) {
    case T_F32: return f32_result(float_of((uint32_t)f32_from_integer(a, type_is_signed(from))), mod);
    case T_F64: return f64_from_integer(a, type_is_signed(from));
    case T_F16:
    case T_BF16: {
        double value = type_is_signed(from) ? (double)(int64_t)a : (double)a;
        return to == T_F16 ? half_from_double(value, narrow_rounding(mod->rounding))
                           : bf16_from_double(value, narrow_rounding(mod->rounding));
    }
    default:
        if (mod->saturate)
            a = clamp_integer(a, type_is_signed(from), to);
        return extend(a, to);
    }
}

/* cvt.pack: a and b clamped to a narrow type, side by side, a above b. What c holds moves up above both. */
static uint64_t pack(uint64_t a, uint64_t b, uint64_t c, uint8_t to)
{
    uint32_t bits = type_bits(to);
    uint64_t high = zero_extend(clamp_integer((uint64_t)sign_extend(a, 32), true, to), bits);
    uint64_t low = zero_extend(clamp_integer((uint64_t)sign_extend(b, 32), true, to), bits);
    return (bits == 16 ? 0 : c << (2 * bits)) | high << bits | low;
}

static bool is_eighth(uint8_t type)
{
    return type == T_E4M3X2 || type == T_E5M2X2;
}

/* Pairs of numbers of eight bits: from two floats, the first of which is the upper one, and from and to a pair of halves. */
static uint64_t to_eighths(uint64_t a, uint64_t b, const struct ptx_inst *inst)
{
    double pair[2] = { (double)float_of((uint32_t)b), (double)float_of((uint32_t)a) };
    uint64_t r = 0;
    for (uint32_t i = 0; i < 2; i++) {
        if (inst->type[1] == T_F16X2)
            pair[i] = (double)half_to_float((uint16_t)(a >> 16 * i));
        if (inst->mod.relu && pair[i] <= 0.0)
            pair[i] = 0.0; /* -0 too */
        r |= (uint64_t)eighth_from_double(pair[i], inst->type[0] == T_E5M2X2) << 8 * i;
    }
    return r;
}

static uint64_t from_eighths(uint64_t a, const struct ptx_inst *inst)
{
    uint64_t r = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const double value = (double)eighth_to_float((uint8_t)(a >> 8 * i), inst->type[1] == T_E5M2X2);
        r |= (uint64_t)half_from_double(inst->mod.relu && value <= 0.0 ? 0.0 : value, ROUND_RN) << 16 * i;
    }
    return r;
}

SCALAR(scalar_cvt)
{
    const struct ptx_inst *inst = x->inst;
    uint8_t to = inst->type[0], from = inst->type[1];
    if (is_eighth(to) || is_eighth(from))
        return is_eighth(to) ? to_eighths(a, b, inst) : from_eighths(a, inst);
    if (x->source_count > 1 && !type_is_float(to))
        return pack(a, b, c, to);
    if (to == T_F16X2 || to == T_BF16X2) { /* the first source is the upper half */
        uint8_t half = to == T_F16X2 ? T_F16 : T_BF16;
        return from_float(a, from, half, &inst->mod) << 16 | from_float(b, from, half, &inst->mod);
    }
    return type_is_float(from) ? from_float(a, from, to, &inst->mod) : from_integer(a, from, to, &inst->mod);
}
