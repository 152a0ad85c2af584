/* assigned.c - which registers may be read before they are written, and so must begin as zero.
 *
 * Only a lane's own path through the code counts. A register is safe when every path to each of its uses passes a write that no
 * guard can skip. Instructions that read the registers of lanes that are not active make their sources unsafe. */
#include "ptx/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct assigned {
    struct ptx_function *fn;
    uint64_t *now;    /* registers written on every path to here */
    bool other_lanes; /* the instruction reads other lanes' registers */
};

static void note_read(void *context, uint32_t reg, bool is_address)
{
    struct assigned *a = context;
    (void)is_address;
    if (a->other_lanes || !(a->now[reg / 64] >> reg % 64 & 1))
        a->fn->regs[reg].begins_as_zero = true;
}

static void note_write(void *context, uint32_t reg, bool is_address)
{
    struct assigned *a = context;
    if (is_address)
        return;
    a->now[reg / 64] |= UINT64_C(1) << reg % 64;
}

static bool reads_other_lanes(const struct ptx_inst *i)
{
    return i->op == OP_SHFL || i->op == OP_WMMA || i->op == OP_MMA || i->op == OP_LDMATRIX || i->op == OP_STMATRIX ||
           i->op == OP_MOVMATRIX;
}

/* Takes `a->now` from the beginning of a block to its end. */
static void pass_block(struct assigned *a, const struct flow_block *block, bool noting)
{
    for (uint32_t k = block->first; k < block->end; k++) {
        const struct ptx_inst *i = &a->fn->code[k];
        a->other_lanes = reads_other_lanes(i);
        if (noting)
            visit_uses(a->fn, i, note_read, a);
        if (i->guard < 0)
            visit_definitions(a->fn, i, note_write, a);
    }
}

/* What every predecessor of `b` has written. The entry block has no predecessor, so nothing is written there. */
static void meet(const struct flow *flow, uint32_t b, const uint64_t *out, uint32_t words, uint64_t *in)
{
    const struct flow_block *block = &flow->blocks[b];
    memset(in, b && block->predecessor_count ? 0xFF : 0, words * sizeof *in);
    for (uint32_t k = 0; b && k < block->predecessor_count; k++) {
        const uint64_t *from = out + (size_t)flow->predecessors[block->predecessor_start + k] * words;
        for (uint32_t w = 0; w < words; w++)
            in[w] &= from[w];
    }
}

/* Visits blocks from the beginning, and again only when something before them changed: see liveness.c. */
static void settle(struct assigned *a, const struct flow *flow, uint64_t *out, uint32_t words)
{
    bool *due = must_calloc(flow->count + 1, sizeof *due);
    memset(due, true, flow->count);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = flow->count; i-- > 0;) {
            const uint32_t b = flow->ends_first[i];
            const struct flow_block *block = &flow->blocks[b];
            if (!due[b])
                continue;
            due[b] = false;
            meet(flow, b, out, words, a->now);
            pass_block(a, block, false);
            if (!memcmp(out + (size_t)b * words, a->now, words * sizeof *out))
                continue;
            memcpy(out + (size_t)b * words, a->now, words * sizeof *out);
            again = true;
            for (uint32_t k = 0; k < block->successor_count; k++)
                due[flow->successors[block->successor_start + k]] = true;
        }
    }
    free(due);
}

void assigned_set_zeros(struct ptx_function *fn, const struct flow *flow)
{
    const uint32_t words = fn->reg_count / 64 + 1;
    if (live_sets_are_too_large(flow, fn->reg_count)) {
        for (uint32_t r = 0; r < fn->reg_count; r++)
            fn->regs[r].begins_as_zero = true;
        return;
    }
    uint64_t *out = must_calloc((size_t)(flow->count + 1) * words, sizeof *out);
    memset(out, 0xFF, (size_t)flow->count * words * sizeof *out);
    struct assigned a = { .fn = fn, .now = out + (size_t)flow->count * words };
    settle(&a, flow, out, words);
    for (uint32_t b = 0; b < flow->count; b++) {
        meet(flow, b, out, words, a.now);
        pass_block(&a, &flow->blocks[b], true);
    }
    free(out);
}
