/* scalar_int.c - integer instructions that are too rare for vector code. */
#include "exec/scalar.h"

static uint8_t type_of(const struct xop *x)
{
    return x->inst->type[0];
}

SCALAR(scalar_copy)
{
    (void)b;
    (void)c;
    (void)x;
    return a;
}

static uint64_t clamp_s32(int64_t value)
{
    return (uint32_t)(int32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

SCALAR(scalar_add_sat)
{
    (void)c;
    (void)x;
    return clamp_s32((int64_t)(int32_t)a + (int32_t)b);
}

SCALAR(scalar_sub_sat)
{
    (void)c;
    (void)x;
    return clamp_s32((int64_t)(int32_t)a - (int32_t)b);
}

static unsigned __int128 product(uint64_t a, uint64_t b, uint8_t type)
{
    if (type_is_signed(type))
        return (unsigned __int128)((__int128)(int64_t)extend(a, type) * (int64_t)extend(b, type));
    return (unsigned __int128)extend(a, type) * extend(b, type);
}

SCALAR(scalar_mul)
{
    (void)c;
    unsigned __int128 p = product(a, b, type_of(x));
    return (uint64_t)(x->inst->mod.part == PART_HI ? p >> type_bits(type_of(x)) : p);
}

SCALAR(scalar_mad)
{
    uint64_t p = scalar_mul(a, b, 0, x);
    if (x->inst->mod.saturate && x->inst->mod.part == PART_HI) /* only mad.hi.sat.s32 exists */
        return clamp_s32((int64_t)(int32_t)p + (int32_t)c);
    return p + c;
}

static uint64_t product24(uint64_t a, uint64_t b, const struct xop *x)
{
    uint64_t p =
        type_is_signed(type_of(x)) ? (uint64_t)(sign_extend(a, 24) * sign_extend(b, 24)) : zero_extend(a, 24) * zero_extend(b, 24);
    return x->inst->mod.part == PART_HI ? p >> 16 : p;
}

SCALAR(scalar_mul24)
{
    (void)c;
    return product24(a, b, x);
}

SCALAR(scalar_mad24)
{
    uint64_t p = product24(a, b, x);
    if (x->inst->mod.saturate)
        return clamp_s32((int64_t)(int32_t)p + (int32_t)c);
    return p + c;
}

SCALAR(scalar_sad)
{
    uint8_t type = type_of(x);
    if (type_is_signed(type)) {
        int64_t sa = (int64_t)extend(a, type), sb = (int64_t)extend(b, type);
        return c + (sa < sb ? (uint64_t)sb - (uint64_t)sa : (uint64_t)sa - (uint64_t)sb);
    }
    a = extend(a, type);
    b = extend(b, type);
    return c + (a < b ? b - a : a - b);
}

SCALAR(scalar_div)
{
    (void)c;
    uint8_t type = type_of(x);
    a = extend(a, type);
    b = extend(b, type);
    if (b == 0)
        return UINT64_MAX;
    if (!type_is_signed(type))
        return a / b;
    return b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

SCALAR(scalar_rem)
{
    (void)c;
    uint8_t type = type_of(x);
    a = extend(a, type);
    b = extend(b, type);
    if (b == 0)
        return a;
    if (!type_is_signed(type))
        return a % b;
    return b == UINT64_MAX ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

SCALAR(scalar_abs)
{
    (void)b;
    (void)c;
    int64_t value = sign_extend(a, type_bits(type_of(x)));
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

SCALAR(scalar_popc)
{
    (void)b;
    (void)c;
    return (uint64_t)__builtin_popcountll(zero_extend(a, type_bits(type_of(x))));
}

SCALAR(scalar_clz)
{
    (void)b;
    (void)c;
    uint32_t bits = type_bits(type_of(x));
    a = zero_extend(a, bits);
    return a ? (uint64_t)__builtin_clzll(a) - (64 - bits) : bits;
}

SCALAR(scalar_bfind)
{
    (void)b;
    (void)c;
    uint8_t type = type_of(x);
    uint32_t bits = type_bits(type);
    a = extend(a, type);
    if (type_is_signed(type) && (int64_t)a < 0)
        a = ~a;
    a = zero_extend(a, bits);
    if (a == 0)
        return UINT32_MAX;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(a);
    return x->inst->mod.shiftamt ? bits - 1 - at : at;
}

/* The n-th set bit from `base` upwards (n > 0) or downwards (n < 0); n = 0: base itself if set. */
SCALAR(scalar_fns)
{
    (void)x;
    uint32_t mask = (uint32_t)a, base = (uint32_t)b & 31;
    int32_t n = (int32_t)c;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int32_t at = (int32_t)base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
        if (mask >> at & 1 && (n > 0 ? --n : ++n) == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}

SCALAR(scalar_brev)
{
    (void)b;
    (void)c;
    uint64_t r = 0;
    uint32_t bits = type_bits(type_of(x));
    for (uint32_t i = 0; i < bits; i++)
        r |= (a >> i & 1) << (bits - 1 - i);
    return r;
}

SCALAR(scalar_bfe)
{
    uint8_t type = type_of(x);
    uint32_t bits = type_bits(type), position = b & 0xff, length = c & 0xff;
    a = zero_extend(a, bits);
    uint64_t field = position < bits ? a >> position : 0;
    field = length < 64 ? zero_extend(field, length) : field;
    if (!type_is_signed(type) || length == 0)
        return field;
    uint32_t sign_at = position + length - 1 < bits ? position + length - 1 : bits - 1;
    bool sign = a >> sign_at & 1;
    if (sign)
        field |= ~UINT64_C(0) << (sign_at >= position ? sign_at - position : 0);
    return field;
}

SCALAR(scalar_bmsk)
{
    (void)c;
    uint32_t start = (uint32_t)a, width = (uint32_t)b;
    if (x->inst->mod.mode == CLAMP_WRAP) {
        start &= 31;
        width &= 31;
    } else {
        start = start > 32 ? 32 : start;
        width = width > 32 ? 32 : width;
    }
    return (uint32_t)(((UINT64_C(1) << width) - 1) << start);
}

SCALAR(scalar_szext)
{
    (void)c;
    uint32_t width = x->inst->mod.mode == CLAMP_WRAP ? (uint32_t)b & 31 : (uint32_t)b > 32 ? 32 : (uint32_t)b;
    if (width == 0)
        return 0;
    return type_is_signed(type_of(x)) ? (uint64_t)sign_extend(a, width) : zero_extend(a, width);
}

static int64_t piece(uint64_t value, uint32_t index, uint32_t bits, uint8_t type)
{
    uint64_t p = value >> (index * bits);
    return type_is_signed(type) ? sign_extend(p, bits) : (int64_t)zero_extend(p, bits);
}

SCALAR(scalar_dp4a)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        sum += piece(a, i, 8, x->inst->type[0]) * piece(b, i, 8, x->inst->type[1]);
    return c + (uint64_t)sum;
}

SCALAR(scalar_dp2a)
{
    int64_t sum = 0;
    uint32_t half = x->inst->mod.part == PART_HI ? 2 : 0;
    for (uint32_t i = 0; i < 2; i++)
        sum += piece(a, i, 16, x->inst->type[0]) * piece(b, i + half, 8, x->inst->type[1]);
    return c + (uint64_t)sum;
}

SCALAR(scalar_cnot)
{
    (void)b;
    (void)c;
    return zero_extend(a, type_bits(type_of(x))) == 0;
}

SCALAR(scalar_slct)
{
    if (x->inst->type[1] == T_F32) {
        float value = 0;
        uint32_t bits = (uint32_t)c;
        __builtin_memcpy(&value, &bits, sizeof value);
        if (x->inst->mod.ftz && (bits & 0x7f800000u) == 0)
            value = 0;
        return value >= 0 ? a : b;
    }
    return (int32_t)c >= 0 ? a : b;
}

SCALAR(scalar_shf)
{
    uint64_t both = (b & UINT32_MAX) << 32 | (a & UINT32_MAX);
    uint32_t amount = (uint32_t)c;
    amount = x->inst->mod.mode2 == CLAMP_WRAP ? amount & 31 : amount > 32 ? 32 : amount;
    return x->inst->mod.mode == SHF_LEFT ? (amount == 32 ? a & UINT32_MAX : (both << amount) >> 32) : (both >> amount) & UINT32_MAX;
}

SCALAR(scalar_prmt)
{
    uint64_t both = (b & UINT32_MAX) << 32 | (a & UINT32_MAX);
    uint32_t r = 0, control = (uint32_t)c & 3;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at;
        switch (x->inst->mod.mode) {
        case PRMT_F4E: at = control + i; break;
        case PRMT_B4E: at = (control - i) & 7; break;
        case PRMT_RC8: at = control; break;
        case PRMT_ECL: at = control > i ? control : i; break;
        case PRMT_ECR: at = control < i ? control : i; break;
        case PRMT_RC16: at = (control & 1) * 2 + (i & 1); break;
        default: at = c >> (4 * i) & 15; break;
        }
        uint32_t byte = both >> (8 * (at & 7)) & 0xff;
        if (at & 8) /* the sign of the byte, over all of it */
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << (8 * i);
    }
    return r;
}

SCALAR(scalar_cvta)
{
    (void)b;
    (void)c;
    static const uint64_t window[] = {
        [SPACE_SHARED] = SHARED_WINDOW, [SPACE_LOCAL] = LOCAL_WINDOW, [SPACE_PARAM] = PARAM_WINDOW, [SPACE_TEXTURE] = 0
    };
    uint64_t base = window[x->inst->mod.space];
    return x->inst->mod.to_space ? a - base : a + base;
}

SCALAR(scalar_isspacep)
{
    (void)b;
    (void)c;
    switch (x->inst->mod.space) {
    case SPACE_SHARED: return a - SHARED_WINDOW < SHARED_WINDOW_BYTES;
    case SPACE_LOCAL: return a - LOCAL_WINDOW < LOCAL_WINDOW_BYTES;
    case SPACE_PARAM: return a - PARAM_WINDOW < PARAM_WINDOW_BYTES;
    case SPACE_GLOBAL: return a >= SYMBOL_REGION;
    default: return 0; /* constants share the symbols' region and count as global */
    }
}

static uint64_t half_of_pair(uint64_t a, uint64_t b, const struct xop *x)
{
    const bool is_signed = x->inst->type[0] == T_S16X2;
    const int64_t left = is_signed ? sign_extend(a, 16) : (int64_t)zero_extend(a, 16);
    const int64_t right = is_signed ? sign_extend(b, 16) : (int64_t)zero_extend(b, 16);
    int64_t r = x->inst->op == OP_ADD ? left + right : (x->inst->op == OP_MIN) == (left < right) ? left : right;
    if (x->inst->mod.relu && r < 0)
        r = 0;
    return (uint64_t)r & 0xffff;
}

SCALAR(scalar_int_pair)
{
    (void)c;
    return half_of_pair(a, b, x) | half_of_pair(a >> 16, b >> 16, x) << 16;
}

SCALAR(scalar_int_relu)
{
    const int64_t left = sign_extend(a, 32), right = sign_extend(b, 32);
    const int64_t r = (x->inst->op == OP_MIN) == (left < right) ? left : right;
    (void)c;
    return r < 0 ? 0 : (uint64_t)r;
}
