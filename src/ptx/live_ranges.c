/* live_ranges.c - from which instruction to which a register holds something that a lane may still read.
 *
 * A range is the hull of all places where the register is live, written or read, in the order of the code. Compilers write PTX with a
 * register for every value; registers whose ranges do not meet can lie in one place, which keeps the registers of a warp in few
 * cache lines of the host. What holds for a lane's own path holds for a warp: a write changes the lanes that execute it alone. */
#include "ptx/analysis.h"

#include <stdlib.h>

#include "base/error.h"

#define RANGES_MOST_WORDS (UINT64_C(1) << 21) /* of one bit set per block: beyond this every register lives everywhere */

struct liveness {
    struct ptx_function *fn;
    uint32_t words;
    uint64_t *read, *written, *in, *out; /* per block: read before written, written, live at its beginning and end */
    uint64_t *read_here, *written_here;
    uint32_t at;                         /* the instruction being looked at */
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
        l->read_here = l->read + (size_t)b * l->words;
        l->written_here = l->written + (size_t)b * l->words;
        for (l->at = flow->blocks[b].first; l->at < flow->blocks[b].end; l->at++) {
            visit_uses(l->fn, &l->fn->code[l->at], note_read, l);
            visit_definitions(l->fn, &l->fn->code[l->at], note_write, l);
        }
    }
}

/* One block from its end to its beginning; says whether more is live there than was known. */
static bool pass_back(struct liveness *l, const struct flow *flow, uint32_t b)
{
    uint64_t *out = l->out + (size_t)b * l->words, *in = l->in + (size_t)b * l->words;
    const uint64_t *read = l->read + (size_t)b * l->words, *written = l->written + (size_t)b * l->words;
    for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++) {
        const uint32_t s = flow->successors[flow->blocks[b].successor_start + k];
        for (uint32_t w = 0; s != flow->count && w < l->words; w++)
            out[w] |= l->in[(size_t)s * l->words + w];
    }
    bool changed = false;
    for (uint32_t w = 0; w < l->words; w++) {
        const uint64_t now = read[w] | (out[w] & ~written[w]);
        changed |= now != in[w];
        in[w] = now;
    }
    return changed;
}

static void widen_all(struct liveness *l, const uint64_t *live, uint32_t at)
{
    for (uint32_t w = 0; w < l->words; w++)
        for (uint64_t m = live[w]; m; m &= m - 1)
            widen(l->fn, w * 64 + (uint32_t)__builtin_ctzll(m), at);
}

static void live_everywhere(struct ptx_function *fn, uint32_t reg)
{
    fn->regs[reg].first_live = 0;
    fn->regs[reg].last_live = UINT32_MAX;
}

/* Parameters and return values that are registers belong to the caller, too. */
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
    struct liveness l = { .fn = fn, .words = fn->reg_count / 64 + 1 };
    const size_t set_words = (size_t)flow->count * l.words;
    if (set_words > RANGES_MOST_WORDS) {
        for (uint32_t r = 0; r < fn->reg_count; r++)
            live_everywhere(fn, r);
        return;
    }
    for (uint32_t r = 0; r < fn->reg_count; r++) {
        fn->regs[r].first_live = UINT32_MAX;
        fn->regs[r].last_live = 0;
    }
    uint64_t *sets = must_calloc(4 * set_words + 1, sizeof *sets);
    l.read = sets;
    l.written = sets + set_words;
    l.in = sets + 2 * set_words;
    l.out = sets + 3 * set_words;
    look_at_blocks(&l, flow);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;)
            changed |= pass_back(&l, flow, b);
    }
    for (uint32_t b = 0; b < flow->count; b++) {
        widen_all(&l, l.in + (size_t)b * l.words, flow->blocks[b].first);
        widen_all(&l, l.out + (size_t)b * l.words, flow->blocks[b].end - 1);
    }
    free(sets);
    keep_interface(fn);
}
