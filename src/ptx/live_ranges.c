/* live_ranges.c - from which instruction to which a register holds something that a lane may still read.
 *
 * A range goes from the first to the last place where the register is live, written or read, in the order of the code. Compilers
 * write PTX with a register for every value. Registers whose ranges do not overlap can share one place, which keeps the
 * registers of a warp in few cache lines of the host. What holds for a lane's own path holds for a warp, since a write changes
 * only the lanes that execute it. */
#include "ptx/analysis.h"

#include <stdlib.h>

#include "base/error.h"

struct liveness {
    struct ptx_function *fn;
    struct live_sets sets;
    uint64_t *read_here, *written_here;
    uint32_t at; /* the instruction being looked at */
};

static void widen(struct ptx_function *fn, uint32_t reg, uint32_t at)
{
    struct ptx_reg *r = &fn->regs[reg];
    r->first_live = at < r->first_live ? at : r->first_live;
    r->last_live = at > r->last_live ? at : r->last_live;
}

static void note_read(void *context, uint32_t reg, bool is_address)
{
    struct liveness *l = context;
    (void)is_address;
    widen(l->fn, reg, l->at);
    if (!(l->written_here[reg / 64] >> reg % 64 & 1))
        l->read_here[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void note_write(void *context, uint32_t reg, bool is_address)
{
    struct liveness *l = context;
    widen(l->fn, reg, l->at);
    if (is_address)
        note_read(context, reg, true);
    else if (l->fn->code[l->at].guard < 0) /* a guarded write leaves the old value to the other lanes */
        l->written_here[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void look_at_blocks(struct liveness *l, const struct flow *flow)
{
    for (uint32_t b = 0; b < flow->count; b++) {
        l->read_here = l->sets.read + (size_t)b * l->sets.words;
        l->written_here = l->sets.written + (size_t)b * l->sets.words;
        for (l->at = flow->blocks[b].first; l->at < flow->blocks[b].end; l->at++) {
            visit_uses(l->fn, &l->fn->code[l->at], note_read, l);
            visit_definitions(l->fn, &l->fn->code[l->at], note_write, l);
        }
    }
}

static void widen_all(struct liveness *l, const uint64_t *live, uint32_t at)
{
    for (uint32_t w = 0; w < l->sets.words; w++)
        for (uint64_t m = live[w]; m; m &= m - 1)
            widen(l->fn, w * 64 + (uint32_t)__builtin_ctzll(m), at);
}

static void live_everywhere(struct ptx_function *fn, uint32_t reg)
{
    fn->regs[reg].first_live = 0;
    fn->regs[reg].last_live = UINT32_MAX;
}

/* Parameters and return values that are registers belong to the caller as well. */
static void keep_interface(struct ptx_function *fn)
{
    for (uint32_t i = 0; i < fn->param_count; i++)
        if (~fn->params[i] < fn->reg_count)
            live_everywhere(fn, ~fn->params[i]);
    for (uint32_t i = 0; i < fn->return_count; i++)
        if (~fn->returns[i] < fn->reg_count)
            live_everywhere(fn, ~fn->returns[i]);
}

void live_ranges_set(struct ptx_function *fn, const struct flow *flow)
{
    struct liveness l = { .fn = fn };
    if (live_sets_are_too_large(flow, fn->reg_count)) {
        for (uint32_t r = 0; r < fn->reg_count; r++)
            live_everywhere(fn, r);
        return;
    }
    for (uint32_t r = 0; r < fn->reg_count; r++) {
        fn->regs[r].first_live = UINT32_MAX;
        fn->regs[r].last_live = 0;
    }
    live_sets_new(&l.sets, flow, fn->reg_count);
    look_at_blocks(&l, flow);
    live_sets_solve(&l.sets, flow);
    for (uint32_t b = 0; b < flow->count; b++) {
        widen_all(&l, l.sets.in + (size_t)b * l.sets.words, flow->blocks[b].first);
        widen_all(&l, l.sets.out + (size_t)b * l.sets.words, flow->blocks[b].end - 1);
    }
    live_sets_free(&l.sets);
    keep_interface(fn);
}
