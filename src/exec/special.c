/* special.c - lanes one by one: access to single lanes, the drivers of scalar executors, special registers that change. */
#include "exec/child.h"
#include "exec/lane_math.h"
#include "exec/scalar.h"

#include <fenv.h>
#include <string.h>

uint8_t *frame_params(const struct warp *w, uint32_t level, uint32_t lane)
{
    const struct frame *frame = &w->frames[level];
    const struct routine *routine = &w->run->image->routines[frame->routine];
    return frame->regs + routine->param_area + lane * routine->param_stride;
}

uint64_t operand_lane(const struct warp *w, struct operand o, uint32_t lane)
{
    const uint8_t *at = operand_at(w, o);
    switch (o.width) {
    case 0: return (operand_predicate(w, o) >> lane) & 1;
    case 2: return ((const uint16_t *)(const void *)at)[lane];
    case 4: return ((const uint32_t *)(const void *)at)[lane];
    case 8: return ((const uint64_t *)(const void *)at)[lane];
    default: return ((const uint64_t *)(const void *)at)[2 * lane]; /* 128-bit registers: the low half */
    }
}

void frame_set_lane(struct warp *w, uint32_t offset, uint32_t width, uint32_t lane, uint64_t bits)
{
    void *at = frame_at(w, offset);
    switch (width) {
    case 0: *(uint32_t *)at = (*(uint32_t *)at & ~(1u << lane)) | ((uint32_t)(bits & 1) << lane); break;
    case 2: ((uint16_t *)at)[lane] = (uint16_t)bits; break;
    case 4: ((uint32_t *)at)[lane] = (uint32_t)bits; break;
    case 8: ((uint64_t *)at)[lane] = bits; break;
    default:
        ((uint64_t *)at)[2 * lane] = bits;
        ((uint64_t *)at)[2 * lane + 1] = 0;
        break;
    }
}

/* All lanes of a source, and of a result into the lanes of the mask. */
static void sources_of(const struct warp *w, struct operand o, uint64_t *to)
{
    const void *from = operand_at(w, o);
    for (uint32_t i = 0; i < LANES && o.width == 4; i++)
        to[i] = ((const uint32_t *)from)[i];
    for (uint32_t i = 0; i < LANES && o.width == 8; i++)
        to[i] = ((const uint64_t *)from)[i];
    for (uint32_t i = 0; i < LANES && o.width == 2; i++)
        to[i] = ((const uint16_t *)from)[i];
    for (uint32_t i = 0; i < LANES && (o.width == 0 || o.width == 16); i++)
        to[i] = operand_lane(w, o, i);
}

static void results_to(struct warp *w, uint32_t offset, uint32_t width, uint32_t mask, const uint64_t *from)
{
    void *to = frame_at(w, offset);
    if (width != 4 && width != 8) {
        for (uint32_t left = mask; left; left &= left - 1)
            frame_set_lane(w, offset, width, (uint32_t)__builtin_ctz(left), from[__builtin_ctz(left)]);
        return;
    }
    for (uint32_t i = 0; i < LANES && width == 4; i++)
        ((uint32_t *)to)[i] = mask >> i & 1 ? (uint32_t)from[i] : ((uint32_t *)to)[i];
    for (uint32_t i = 0; i < LANES && width == 8; i++)
        ((uint64_t *)to)[i] = mask >> i & 1 ? from[i] : ((uint64_t *)to)[i];
}

void scalar_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint64_t a[LANES], b[LANES] = { 0 }, c[LANES] = { 0 };
    const lane_fn fn = x->lane;
    sources_of(w, x->src[0], a);
    if (x->source_count > 1)
        sources_of(w, x->src[1], b);
    if (x->source_count > 2)
        sources_of(w, x->src[2], c);
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        a[lane] = fn(a[lane], b[lane], c[lane], x);
    }
    results_to(w, x->dst, x->dst_width, mask, a);
}

/* The lane function is called through a pointer, so the compiler cannot move its arithmetic across the mode changes. */
void scalar_execute_rounded(struct warp *w, const struct xop *x, uint32_t mask)
{
    int mode = FE_TONEAREST;
    switch (x->rounding) {
    case ROUND_RZ:
    case ROUND_RZI: mode = FE_TOWARDZERO; break;
    case ROUND_RM:
    case ROUND_RMI: mode = FE_DOWNWARD; break;
    case ROUND_RP:
    case ROUND_RPI: mode = FE_UPWARD; break;
    default: break;
    }
    (void)fesetround(mode);
    scalar_execute(w, x, mask);
    (void)fesetround(FE_TONEAREST);
}

void special_nothing(struct warp *w, const struct xop *x, uint32_t mask)
{
    (void)w;
    (void)x;
    (void)mask;
}

static uint64_t nanoseconds(const struct run *run)
{
    return run->clock ? run->clock->cycle * 1000000 / run->clock->khz : run->instructions;
}

static uint64_t read_now(const struct warp *w, uint32_t sreg)
{
    const struct run *run = w->run;
    uint64_t cycle = run->clock ? run->clock->cycle : run->instructions;
    switch (sreg) {
    case SREG_CLOCK: return cycle & UINT32_MAX;
    case SREG_CLOCK_HI: return cycle >> 32;
    case SREG_CLOCK64: return cycle;
    case SREG_GLOBALTIMER: return nanoseconds(run);
    case SREG_GLOBALTIMER_LO: return nanoseconds(run) & UINT32_MAX;
    case SREG_GLOBALTIMER_HI: return nanoseconds(run) >> 32;
    case SREG_SMID: return run->clock ? run->clock->sm : 0;
    case SREG_CURRENT_GRAPH_EXEC: return child_running_graph(run->device);
    case SREG_ENVREG1: return run->grid_workspace >> 32;
    case SREG_ENVREG2: return run->grid_workspace & UINT32_MAX;
    default: return 0; /* performance monitors and driver-defined words read as zero */
    }
}

void special_read(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint64_t value = read_now(w, x->target);
    for (uint32_t left = mask; left; left &= left - 1)
        frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), value);
}

void special_local_address(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint64_t value = w->frames[w->level].local_base + (uint64_t)x->target;
    for (uint32_t left = mask; left; left &= left - 1)
        frame_set_lane(w, x->dst, x->dst_width, (uint32_t)__builtin_ctz(left), value);
}

/* mov.b64 {a,b}, d and the like: the pieces are as wide as the vector's registers. */
void special_unpack(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    uint32_t bits = site->bytes * 8u;
    if (x->src[0].width <= 8) {
        uint64_t whole[LANES], part[LANES];
        sources_of(w, x->src[0], whole);
        for (uint32_t e = 0; e < site->elements; e++) {
            for (uint32_t i = 0; i < LANES; i++)
                part[i] = whole[i] >> (e * bits % 64);
            if (!site->sink[e])
                results_to(w, site->value[e].offset, site->value[e].width, mask, part);
        }
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t value[2] = { operand_lane(w, x->src[0], lane), 0 };
        if (x->src[0].width == 16)
            value[1] = ((const uint64_t *)operand_at(w, x->src[0]))[2 * lane + 1];
        for (uint32_t e = 0; e < site->elements; e++)
            if (!site->sink[e])
                frame_set_lane(w, site->value[e].offset, site->value[e].width, lane, value[e * bits / 64] >> (e * bits % 64));
    }
}

void special_move_vector(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t value[4] = { 0 };
        for (uint32_t e = 0; e < site->elements; e++)
            value[e] = operand_lane(w, x->src[e], lane);
        for (uint32_t e = 0; e < site->elements; e++)
            if (!site->sink[e])
                frame_set_lane(w, site->value[e].offset, site->value[e].width, lane, value[e]);
    }
}

void special_pack(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct site *site = x->site;
    uint32_t bits = site->bytes * 8u;
    if (x->dst_width <= 8 && bits < 64) {
        uint64_t whole[LANES] = { 0 }, part[LANES];
        for (uint32_t e = 0; e < site->elements; e++) {
            sources_of(w, site->value[e], part);
            for (uint32_t i = 0; i < LANES; i++)
                whole[i] |= (part[i] & ((UINT64_C(1) << bits) - 1)) << (e * bits % 64);
        }
        results_to(w, x->dst, x->dst_width, mask, whole);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t value[2] = { 0, 0 };
        for (uint32_t e = 0; e < site->elements; e++) {
            uint64_t piece = operand_lane(w, site->value[e], lane);
            if (bits < 64)
                piece &= (UINT64_C(1) << bits) - 1;
            value[e * bits / 64] |= piece << (e * bits % 64);
        }
        frame_set_lane(w, x->dst, x->dst_width, lane, value[0]);
        if (x->dst_width == 16)
            ((uint64_t *)frame_at(w, x->dst))[2 * lane + 1] = value[1];
    }
}

void special_move_wide(struct warp *w, const struct xop *x, uint32_t mask)
{
    const uint64_t *from = operand_at(w, x->src[0]);
    uint64_t *to = frame_at(w, x->dst);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        to[2 * lane] = from[2 * lane];
        to[2 * lane + 1] = from[2 * lane + 1];
    }
}

/* Predicates are masks: logic on them is one operation. */
void special_predicate_logic(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint32_t a = operand_predicate(w, x->src[0]), r = a;
    switch (x->inst->op) {
    case OP_AND: r = a & operand_predicate(w, x->src[1]); break;
    case OP_OR: r = a | operand_predicate(w, x->src[1]); break;
    case OP_XOR: r = a ^ operand_predicate(w, x->src[1]); break;
    case OP_NOT: r = ~a; break;
    default: break; /* mov */
    }
    uint32_t *d = frame_at(w, x->dst);
    *d = (*d & ~mask) | (r & mask);
}

static uint32_t combine(const struct warp *w, const struct xop *x, uint32_t r)
{
    switch (x->inst->mod.boolean) {
    case BOOL_AND: return r & operand_predicate(w, x->src[2]);
    case BOOL_OR: return r | operand_predicate(w, x->src[2]);
    case BOOL_XOR: return r ^ operand_predicate(w, x->src[2]);
    default: return r;
    }
}

static void write_setp(struct warp *w, const struct xop *x, uint32_t mask, uint32_t compared)
{
    uint32_t r = combine(w, x, compared), q = combine(w, x, ~compared);
    uint32_t *d = frame_at(w, x->dst);
    *d = (*d & ~mask) | (r & mask);
    if (x->dst2) {
        uint32_t *d2 = frame_at(w, x->dst2);
        *d2 = (*d2 & ~mask) | (q & mask);
    }
}

/* set: a comparison's result as all ones, or 1.0, in a register. */
static void write_set(struct warp *w, const struct xop *x, uint32_t mask, uint32_t compared)
{
    uint32_t r = combine(w, x, compared);
    uint64_t truth = x->inst->type[0] == T_F32    ? 0x3f800000u
                     : x->inst->type[0] == T_F16  ? 0x3c00u
                     : x->inst->type[0] == T_BF16 ? 0x3f80u
                                                  : UINT64_MAX;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        frame_set_lane(w, x->dst, x->dst_width, lane, r >> lane & 1 ? truth : 0);
    }
}

/* setp with a combined predicate or two results. */
void special_setp(struct warp *w, const struct xop *x, uint32_t mask)
{
    write_setp(w, x, mask, x->compare(operand_at(w, x->src[0]), operand_at(w, x->src[1])));
}

/* For a pair the first predicate belongs to the lower half and the second to the upper half. For one number the second is the
 * opposite of the first. */
void special_setp_half(struct warp *w, const struct xop *x, uint32_t mask)
{
    const bool pair = x->inst->type[0] == T_F16X2 || x->inst->type[0] == T_BF16X2;
    uint32_t held[2] = { 0 };
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint32_t bits = half_compare(operand_lane(w, x->src[0], lane), operand_lane(w, x->src[1], lane), x);
        held[0] |= (bits & 1) << lane;
        held[1] |= (pair ? bits >> 1 & 1 : ~bits & 1) << lane;
    }
    for (uint32_t k = 0; k < 2; k++)
        if (k == 0 || x->dst2) {
            uint32_t *predicate = frame_at(w, k ? x->dst2 : x->dst);
            *predicate = (*predicate & ~mask) | (combine(w, x, held[k]) & mask);
        }
}

void special_set(struct warp *w, const struct xop *x, uint32_t mask)
{
    write_set(w, x, mask, x->compare(operand_at(w, x->src[0]), operand_at(w, x->src[1])));
}

static uint32_t compare_flushed(const struct warp *w, const struct xop *x)
{
    float flushed[2][LANES];
    for (uint32_t k = 0; k < 2; k++) {
        const float *from = operand_at(w, x->src[k]);
        for (uint32_t lane = 0; lane < LANES; lane++)
            flushed[k][lane] = flush_f32(from[lane]);
    }
    return x->compare(flushed[0], flushed[1]);
}

void special_setp_flushed(struct warp *w, const struct xop *x, uint32_t mask)
{
    write_setp(w, x, mask, compare_flushed(w, x));
}

void special_set_flushed(struct warp *w, const struct xop *x, uint32_t mask)
{
    write_set(w, x, mask, compare_flushed(w, x));
}

/* As special_carry(), for words in registers of words: all lanes at once. */
static void carry_words(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct ptx_inst *inst = x->inst;
    const bool subtracts = inst->op == OP_SUB || inst->op == OP_SUBC, multiplies = inst->op == OP_MAD || inst->op == OP_MADC;
    const bool takes_carry = inst->op == OP_ADDC || inst->op == OP_SUBC || inst->op == OP_MADC;
    const uint32_t *a = operand_at(w, x->src[0]), *b = operand_at(w, x->src[1]), *c = operand_at(w, x->src[multiplies ? 2 : 1]);
    uint32_t *carry = frame_at(w, FRAME_CARRY), *d = frame_at(w, x->dst), first[LANES], out = 0;
    const uint32_t in = takes_carry ? *carry : 0;
    for (uint32_t i = 0; i < LANES; i++)
        first[i] = a[i];
    for (uint32_t i = 0; i < LANES && multiplies && inst->mod.part == PART_LO; i++)
        first[i] = a[i] * b[i];
    for (uint32_t i = 0; i < LANES && multiplies && inst->mod.part == PART_HI && inst->type[0] == T_S32; i++)
        first[i] = (uint32_t)(((int64_t)(int32_t)a[i] * (int32_t)b[i]) >> 32);
    for (uint32_t i = 0; i < LANES && multiplies && inst->mod.part == PART_HI && inst->type[0] != T_S32; i++)
        first[i] = (uint32_t)(((uint64_t)a[i] * b[i]) >> 32);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint64_t one = in >> i & 1, wide = subtracts ? (uint64_t)first[i] - c[i] - one : (uint64_t)first[i] + c[i] + one;
        out |= (uint32_t)(wide >> 32 & 1) << i;
        d[i] = mask >> i & 1 ? (uint32_t)wide : d[i];
    }
    if (inst->mod.carry_out)
        *carry = (*carry & ~mask) | (out & mask);
}

/* d = a +- b +- carry, or a product's half + c + carry; the carry mask is the frame's. A borrow is kept as carry = 1, as in
 * the ISA's "borrow-out". */
void special_carry(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct ptx_inst *inst = x->inst;
    bool words = x->dst_width == 4 && ptx_type_bytes(inst->type[0]) == 4;
    for (uint32_t i = 0; i < x->source_count; i++)
        words = words && x->src[i].width == 4;
    if (words) {
        carry_words(w, x, mask);
        return;
    }
    uint32_t *carry = frame_at(w, FRAME_CARRY), out = *carry, bits = ptx_type_bytes(inst->type[0]) * 8;
    bool takes_carry = inst->op == OP_ADDC || inst->op == OP_SUBC || inst->op == OP_MADC;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t in = takes_carry ? *carry >> lane & 1 : 0;
        uint64_t a = operand_lane(w, x->src[0], lane), b = operand_lane(w, x->src[1], lane);
        unsigned __int128 wide;
        if (inst->op == OP_SUB || inst->op == OP_SUBC)
            wide = (unsigned __int128)a - b - in;
        else if (inst->op == OP_MAD || inst->op == OP_MADC)
            wide = (unsigned __int128)zero_extend(scalar_mul(a, b, 0, x), bits) + operand_lane(w, x->src[2], lane) + in;
        else
            wide = (unsigned __int128)a + b + in;
        uint32_t carried = (uint32_t)(wide >> bits) & 1;
        out = (out & ~(1u << lane)) | carried << lane;
        frame_set_lane(w, x->dst, x->dst_width, lane, (uint64_t)wide);
    }
    if (inst->mod.carry_out)
        *carry = out;
}

/* bfi d, a, b, position, length: a's low bits into b. */
void special_bfi(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint32_t bits = ptx_type_bytes(x->inst->type[0]) * 8;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t a = operand_lane(w, x->src[0], lane), b = operand_lane(w, x->src[1], lane);
        uint32_t position = operand_lane(w, x->src[2], lane) & 0xff, length = operand_lane(w, x->src[3], lane) & 0xff;
        uint64_t field = zero_extend(UINT64_MAX, length < 64 ? length : 64);
        field = position < bits && length > 0 ? field << position : 0;
        uint64_t moved = position < bits ? a << position : 0;
        frame_set_lane(w, x->dst, x->dst_width, lane, (b & ~field) | (moved & field));
    }
}

/* lop3.BOOL d|p: p says whether any bit of d is set, combined with another predicate. */
void special_lop3_predicate(struct warp *w, const struct xop *x, uint32_t mask)
{
    const uint32_t *a = operand_at(w, x->src[0]), *b = operand_at(w, x->src[1]), *c = operand_at(w, x->src[2]);
    uint32_t *d = frame_at(w, x->dst), *p = frame_at(w, x->dst2), q = operand_predicate(w, x->src[3]), any = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        d[lane] = lop3_32(a[lane], b[lane], c[lane], x->target);
        any |= (uint32_t)(d[lane] != 0) << lane;
    }
    uint32_t r = x->inst->mod.boolean == BOOL_AND ? any & q : x->inst->mod.boolean == BOOL_OR ? any | q : any ^ q;
    *p = (*p & ~mask) | (r & mask);
}
