/* scalar_video.c - the video instructions: arithmetic in 34 bits on selected bytes or halves, then saturation, then a secondary
 * operation with c. Done step by step as the ISA describes them. */
#include "exec/scalar.h"

static int64_t select(uint64_t value, uint8_t selector, bool is_signed)
{
    switch (selector) {
    case SELECT_B0:
    case SELECT_B1:
    case SELECT_B2:
    case SELECT_B3: {
        uint64_t byte = value >> (8 * (selector - SELECT_B0));
        return is_signed ? sign_extend(byte, 8) : (int64_t)zero_extend(byte, 8);
    }
    case SELECT_H0:
    case SELECT_H1: {
        uint64_t half = value >> (16 * (selector - SELECT_H0));
        return is_signed ? sign_extend(half, 16) : (int64_t)zero_extend(half, 16);
    }
    default: return is_signed ? sign_extend(value, 32) : (int64_t)zero_extend(value, 32);
    }
}

static int64_t saturate(int64_t value, uint32_t bits, bool is_signed)
{
    int64_t high = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1, low = is_signed ? -high - 1 : 0;
    return value > high ? high : value < low ? low : value;
}

static bool compare_holds(int64_t a, int64_t b, uint8_t compare)
{
    switch (compare) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a != b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    default: return a >= b;
    }
}

static int64_t shift(int64_t a, int64_t b, bool left, bool wrap)
{
    uint32_t amount = (uint32_t)b;
    amount = wrap ? amount & 31 : amount > 32 ? 32 : amount;
    return left ? (int64_t)((uint64_t)a << amount) : a >> amount;
}

static int64_t operate(int64_t a, int64_t b, const struct ptx_inst *inst)
{
    switch (inst->op) {
    case OP_VADD:
    case OP_VADD2:
    case OP_VADD4: return a + b;
    case OP_VSUB:
    case OP_VSUB2:
    case OP_VSUB4: return a - b;
    case OP_VABSDIFF:
    case OP_VABSDIFF2:
    case OP_VABSDIFF4: return a < b ? b - a : a - b;
    case OP_VMIN:
    case OP_VMIN2:
    case OP_VMIN4: return a < b ? a : b;
    case OP_VMAX:
    case OP_VMAX2:
    case OP_VMAX4: return a > b ? a : b;
    case OP_VSHL: return shift(a, b, true, inst->mod.mode2 == CLAMP_WRAP);
    case OP_VSHR: return shift(a, b, false, inst->mod.mode2 == CLAMP_WRAP);
    case OP_VAVRG2:
    case OP_VAVRG4: return (a + b + 1) >> 1;                /* rounds up */
    default: return compare_holds(a, b, inst->mod.compare); /* vset */
    }
}

SCALAR(scalar_video)
{
    const struct ptx_inst *inst = x->inst;
    /* types: d, a, b in the order written; the result is signed if asked for by d's type */
    int64_t r = operate(select(a, inst->src[0].select, type_is_signed(inst->type[1])),
                        select(b, inst->src[1].select, type_is_signed(inst->type[2])), inst);
    bool is_signed = type_is_signed(inst->type[0]);
    if (inst->mod.saturate)
        r = saturate(r, 32, is_signed);
    if (x->source_count < 3)
        return (uint64_t)r;
    int64_t third = select(c, SELECT_ALL, is_signed),
            value = is_signed ? sign_extend((uint64_t)r, 32) : (int64_t)zero_extend((uint64_t)r, 32);
    switch (inst->mod.mode) {
    case VIDEO_ADD: return (uint64_t)(value + third);
    case VIDEO_MIN: return (uint64_t)(value < third ? value : third);
    case VIDEO_MAX: return (uint64_t)(value > third ? value : third);
    default: { /* merge: the destination's selector says which part of c is replaced */
        uint8_t selector = inst->dst[0].select;
        uint32_t bits = selector >= SELECT_H0 ? 16 : 8,
                 at = bits * (uint32_t)(selector >= SELECT_H0 ? selector - SELECT_H0 : selector - SELECT_B0);
        if (selector == SELECT_ALL)
            return (uint64_t)r;
        uint64_t field = zero_extend(UINT64_MAX, bits) << at;
        int64_t part = inst->mod.saturate ? saturate(r, bits, is_signed) : r;
        return (c & ~field) | (((uint64_t)part << at) & field);
    }
    }
}

SCALAR(scalar_vmad)
{
    const struct ptx_inst *inst = x->inst;
    bool a_signed = type_is_signed(inst->type[1]), b_signed = type_is_signed(inst->type[2]);
    __int128 sum = (__int128)select(a, inst->src[0].select, a_signed) * select(b, inst->src[1].select, b_signed);
    bool is_signed = type_is_signed(inst->type[0]) || a_signed || b_signed;
    if (inst->src[0].negated != inst->src[1].negated)
        sum = -sum;
    int64_t third = select(c, SELECT_ALL, is_signed);
    sum += inst->src[2].negated ? -third : third;
    if (inst->mod.mode2 & VIDEO_PLUS_ONE)
        sum += 1;
    if (inst->mod.mode2 & VIDEO_SHR7)
        sum >>= 7;
    else if (inst->mod.mode2 & VIDEO_SHR15)
        sum >>= 15;
    int64_t r = (int64_t)sum;
    return (uint64_t)(inst->mod.saturate ? saturate(r, 32, is_signed) : r);
}

/* Lane i of an operand pair: selectors are nibbles that pick among the bytes (or halves) of both sources. */
static int64_t pick(uint64_t a, uint64_t b, const struct ptx_operand *o, uint32_t lane, uint32_t bits, uint32_t own, bool is_signed)
{
    uint32_t lanes = 32 / bits, at = o->select == SELECT_LANES ? (uint32_t)(o->bits >> (4 * lane) & 7) : lane + own;
    uint64_t from = at < lanes ? a : b;
    uint64_t value = from >> (bits * (at % lanes));
    return is_signed ? sign_extend(value, bits) : (int64_t)zero_extend(value, bits);
}

static bool has_two_lanes(uint16_t op)
{
    return op == OP_VADD2 || op == OP_VSUB2 || op == OP_VAVRG2 || op == OP_VABSDIFF2 || op == OP_VMIN2 || op == OP_VMAX2 ||
           op == OP_VSET2;
}

SCALAR(scalar_simd_video)
{
    const struct ptx_inst *inst = x->inst;
    uint32_t bits = has_two_lanes(inst->op) ? 16 : 8, lanes = 32 / bits;
    bool d_signed = type_is_signed(inst->type[0]);
    uint64_t mask = inst->dst[0].select == SELECT_LANES ? inst->dst[0].bits : UINT64_MAX; /* lanes that are written */
    uint64_t result = x->source_count > 2 ? c : 0, sum = x->source_count > 2 ? c : 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (!(mask >> lane & 1))
            continue;
        int64_t r = operate(pick(a, b, &inst->src[0], lane, bits, 0, type_is_signed(inst->type[1])),
                            pick(a, b, &inst->src[1], lane, bits, lanes, type_is_signed(inst->type[2])), inst);
        if (inst->mod.saturate)
            r = saturate(r, bits, d_signed);
        if (inst->mod.mode == VIDEO_ADD) {
            sum += (uint64_t)r;
            continue;
        }
        uint64_t field = zero_extend(UINT64_MAX, bits) << (lane * bits);
        result = (result & ~field) | (((uint64_t)r << (lane * bits)) & field);
    }
    return inst->mod.mode == VIDEO_ADD ? sum : result;
}
