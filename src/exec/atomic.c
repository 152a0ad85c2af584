/* atomic.c - atom and red: read, combine, write, lane after lane in ascending order, which fixes the result of float sums. */
#include "exec/lane_math.h"
#include "exec/later.h"
#include "exec/scalar.h"

bool atomic_is_supported(uint8_t op, uint8_t type)
{
    uint32_t bytes = ptx_type_bytes(type);
    switch (op) {
    case ATOMIC_ADD: return bytes == 4 || bytes == 8 || type == T_F16 || type == T_BF16;
    case ATOMIC_MIN:
    case ATOMIC_MAX: return (bytes == 4 || bytes == 8) && type != T_F32 && type != T_F64;
    case ATOMIC_INC:
    case ATOMIC_DEC: return bytes == 4;
    case ATOMIC_AND:
    case ATOMIC_OR:
    case ATOMIC_XOR: return bytes == 4 || bytes == 8;
    case ATOMIC_EXCH: return bytes == 4 || bytes == 8 || bytes == 2;
    case ATOMIC_CAS: return bytes == 2 || bytes == 4 || bytes == 8;
    default: return false;
    }
}

static uint64_t add_half_pair(uint64_t old, uint64_t b, bool is_bf16, uint32_t count)
{
    uint64_t r = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t x = (uint16_t)(old >> (16 * i)), y = (uint16_t)(b >> (16 * i));
        uint16_t sum = is_bf16 ? bf16_from_double((double)bf16_to_float(x) + (double)bf16_to_float(y), ROUND_RN)
                               : half_from_double((double)half_to_float(x) + (double)half_to_float(y), ROUND_RN);
        r |= (uint64_t)sum << (16 * i);
    }
    return r;
}

static uint64_t add(uint64_t old, uint64_t b, uint8_t type)
{
    switch (type) {
    case T_F32: return bits_of(canonical_f32(float_of((uint32_t)old) + float_of((uint32_t)b)));
    case T_F64: return bits_of_double(nan_f64(double_of(old) + double_of(b), double_of(old), double_of(b)));
    case T_F16:
    case T_F16X2: return add_half_pair(old, b, false, type == T_F16 ? 1 : 2);
    case T_BF16:
    case T_BF16X2: return add_half_pair(old, b, true, type == T_BF16 ? 1 : 2);
    default: return old + b;
    }
}

static uint64_t combine(uint64_t old, uint64_t b, uint64_t c, const struct site *site)
{
    switch (site->op) {
    case ATOMIC_ADD: return add(old, b, site->type);
    case ATOMIC_MIN:
    case ATOMIC_MAX: {
        bool less = type_is_signed(site->type) ? (int64_t)extend(b, site->type) < (int64_t)extend(old, site->type) : b < old;
        return (site->op == ATOMIC_MIN) == less ? b : old;
    }
    case ATOMIC_INC: return old >= b ? 0 : old + 1;
    case ATOMIC_DEC: return old == 0 || old > b ? b : old - 1;
    case ATOMIC_AND: return old & b;
    case ATOMIC_OR: return old | b;
    case ATOMIC_XOR: return old ^ b;
    case ATOMIC_EXCH: return b;
    default: return old == b ? c : old; /* cas */
    }
}

uint64_t atomic_combine(uint8_t op, uint8_t type, uint64_t old, uint64_t b)
{
    const struct site site = { .op = op, .type = type };
    return combine(old, b, 0, &site);
}

/* The commonest ones, with the operation known to the loop. */
#define EACH_LANE(T, result)                                                                                                       \
    do {                                                                                                                           \
        for (uint32_t left = mask; left; left &= left - 1) {                                                                       \
            const uint32_t lane = (uint32_t)__builtin_ctz(left);                                                                   \
            const T b = ((const T *)source)[lane];                                                                                 \
            T old, next;                                                                                                           \
            memcpy(&old, run->host[lane], sizeof old);                                                                             \
            next = (T)(result);                                                                                                    \
            memcpy(run->host[lane], &next, sizeof next);                                                                           \
            ((T *)to)[lane] = old;                                                                                                 \
        }                                                                                                                          \
        return true;                                                                                                               \
    } while (0)
static bool carry_out_known(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    const struct run *run = w->run;
    const void *source = operand_at(w, x->src[0]), *other = x->source_count > 1 ? operand_at(w, x->src[1]) : NULL;
    void *to = frame_at(w, x->dst);
    const bool is_signed = type_is_signed(site->type), is_float = type_is_float(site->type);
    if (site->bytes != x->src[0].width || site->bytes != x->dst_width || (other && x->src[1].width != site->bytes))
        return false;
    if (site->bytes == 8 && site->op == ATOMIC_ADD && !is_float)
        EACH_LANE(uint64_t, old + b);
    if (site->type == T_F64 && site->op == ATOMIC_ADD)
        EACH_LANE(uint64_t, bits_of_double(nan_f64(double_of(old) + double_of(b), double_of(old), double_of(b))));
    if (site->bytes == 8 && site->op == ATOMIC_CAS) /* as programs for older machines add doubles */
        EACH_LANE(uint64_t, old == b ? ((const uint64_t *)other)[lane] : old);
    if (site->bytes != 4 || (is_float && (site->type != T_F32 || site->op != ATOMIC_ADD)))
        return false;
    switch (site->op) {
    case ATOMIC_ADD:
        if (is_float)
            EACH_LANE(uint32_t, bits_of(canonical_f32(float_of(old) + float_of(b))));
        EACH_LANE(uint32_t, old + b);
    case ATOMIC_MIN:
        if (is_signed)
            EACH_LANE(int32_t, b < old ? b : old);
        EACH_LANE(uint32_t, b < old ? b : old);
    case ATOMIC_MAX:
        if (is_signed)
            EACH_LANE(int32_t, b < old ? old : b);
        EACH_LANE(uint32_t, b < old ? old : b);
    case ATOMIC_AND: EACH_LANE(uint32_t, old & b);
    case ATOMIC_OR: EACH_LANE(uint32_t, old | b);
    case ATOMIC_EXCH: EACH_LANE(uint32_t, b);
    case ATOMIC_CAS: EACH_LANE(uint32_t, old == b ? ((const uint32_t *)other)[lane] : old);
    default: return false;
    }
}
#undef EACH_LANE

void atomic_carry_out(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    const struct run *run = w->run;
    if (carry_out_known(w, x, mask))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t old = 0, b = operand_lane(w, x->src[0], lane), c = x->source_count > 1 ? operand_lane(w, x->src[1], lane) : 0;
        memcpy(&old, run->host[lane], site->bytes);
        b = zero_extend(b, site->bytes * 8u);
        uint64_t new = combine(old, b, c, site);
        memcpy(run->host[lane], &new, site->bytes);
        frame_set_lane(w, x->dst, x->dst_width, lane, old);
    }
}

void atomic_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (!access_resolve(w, x, mask))
        return;
    if (w->run->front.late_atomics) {
        w->late = x;
        w->late_lanes = mask;
        w->late_regs = w->base[BASE_REGS];
    } else {
        if (seldom(w->run->later))
            mask &= ~later_atomic(w, x, access_device_lanes(w, x->site, mask));
        atomic_carry_out(w, x, mask);
    }
}

/* The warp has waited since, so its registers are unchanged. But it may be in another frame by now. */
void atomic_finish(struct warp *w, uint32_t mask)
{
    const uint8_t *regs = w->base[BASE_REGS];
    mask &= w->late_lanes; /* none for an atomic of another kind, on a surface */
    w->late_lanes &= ~mask;
    if (!mask)
        return;
    w->base[BASE_REGS] = w->late_regs;
    if (access_resolve(w, w->late, mask))
        atomic_carry_out(w, w->late, mask);
    w->base[BASE_REGS] = regs;
}
