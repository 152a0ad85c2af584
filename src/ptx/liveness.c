/* liveness.c - where values live, from what every block reads and writes.
 *
 * Blocks are visited from the end, and visited again only when something behind them changed. Without that, code whose blocks
 * stand in an unlucky order, or nested loops, would take as many rounds as there are blocks. */
#include "ptx/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static uint32_t words_for(uint32_t values)
{
    return values / 64 + 1;
}

bool live_sets_are_too_large(const struct flow *flow, uint32_t values)
{
    return (uint64_t)flow->count * words_for(values) > LIVE_MOST_WORDS;
}

void live_sets_new(struct live_sets *sets, const struct flow *flow, uint32_t values)
{
    const uint32_t words = words_for(values);
    const size_t each = (size_t)flow->count * words;
    uint64_t *all = must_calloc(4 * each + 1, sizeof *all);
    *sets = (struct live_sets){ .words = words, .read = all, .written = all + each, .in = all + 2 * each, .out = all + 3 * each };
}

void live_sets_free(struct live_sets *sets)
{
    free(sets->read);
}

/* Walks one block from its end to its beginning. True when more lives there than was known. */
static bool pass_back(struct live_sets *s, const struct flow *flow, uint32_t b)
{
    const struct flow_block *block = &flow->blocks[b];
    uint64_t *out = s->out + (size_t)b * s->words, *in = s->in + (size_t)b * s->words;
    const uint64_t *read = s->read + (size_t)b * s->words, *written = s->written + (size_t)b * s->words;
    for (uint32_t k = 0; k < block->successor_count; k++) {
        const uint32_t to = flow->successors[block->successor_start + k];
        for (uint32_t w = 0; to != flow->count && w < s->words; w++)
            out[w] |= s->in[(size_t)to * s->words + w];
    }
    bool changed = false;
    for (uint32_t w = 0; w < s->words; w++) {
        const uint64_t now = read[w] | (out[w] & ~written[w]);
        changed |= now != in[w];
        in[w] = now;
    }
    return changed;
}

void live_sets_solve(struct live_sets *sets, const struct flow *flow)
{
    bool *due = must_calloc(flow->count + 1, sizeof *due);
    memset(due, true, flow->count);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < flow->count; i++) {
            const uint32_t b = flow->ends_first[i];
            if (!due[b])
                continue;
            due[b] = false;
            if (!pass_back(sets, flow, b))
                continue;
            again = true;
            for (uint32_t k = 0; k < flow->blocks[b].predecessor_count; k++)
                due[flow->predecessors[flow->blocks[b].predecessor_start + k]] = true;
        }
    }
    free(due);
}
