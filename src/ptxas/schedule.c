/* schedule.c - a list scheduler for one block. Of the ops that are ready it takes the one with the longest way to the block's end.
 *
 * The way through a load is long. So loads gather at the top of a block, and their results are live together. Memory is ordered
 * by space: stores keep their order, and loads stay on their side of stores to the same space and of fences. */
#include "ptxas/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NO_OP UINT32_MAX
enum { SCHEDULE_MOST_OPS = 6000, MEMORY_ISSUE = 2, SINK_LEAD = 4, MEMORY_WINDOW = 256 };

struct edge {
    uint32_t to, next, weight;
};
struct node {
    uint32_t first_edge, waiting; /* waiting: predecessors not yet placed */
    uint32_t height, earliest;    /* earliest: first bound, then the cycle that it was placed in */
};
struct scheduler {
    const struct lower *l;
    uint32_t first, count;
    struct node *nodes;
    struct edge *edges;
    uint32_t edge_count, edge_capacity;
    uint32_t *writer;               /* per value: node + 1 that wrote it last in this block */
    uint32_t *reader, *reader_next; /* per value: chain of (node, value) since it was written; of rewritten values only */
    uint32_t *reader_node, reader_count, reader_capacity;
};

static void add_edge(struct scheduler *s, uint32_t from, uint32_t to, uint32_t weight)
{
    if (from == to)
        return;
    if (s->edge_count == s->edge_capacity) {
        s->edge_capacity = s->edge_capacity * 2 + 256;
        s->edges = must_realloc(s->edges, s->edge_capacity * sizeof *s->edges);
    }
    s->edges[s->edge_count] = (struct edge){ to, s->nodes[from].first_edge, weight };
    s->nodes[from].first_edge = s->edge_count++;
    s->nodes[to].waiting++;
}

static void note_reader(struct scheduler *s, uint32_t value, uint32_t node)
{
    if (s->reader_count == s->reader_capacity) {
        s->reader_capacity = s->reader_capacity * 2 + 64;
        s->reader_next = must_realloc(s->reader_next, s->reader_capacity * sizeof *s->reader_next);
        s->reader_node = must_realloc(s->reader_node, s->reader_capacity * sizeof *s->reader_node);
    }
    s->reader_next[s->reader_count] = s->reader[value];
    s->reader_node[s->reader_count] = node;
    s->reader[value] = ++s->reader_count;
}

static void order_registers(struct scheduler *s, uint32_t n)
{
    const struct lower *l = s->l;
    const struct lower_op *op = &l->ops[s->first + n];
    const uint32_t *defs = l->operands + op->operands, *uses = defs + op->def_count;
    for (uint32_t u = 0; u < op->use_count; u++) {
        if (s->writer[uses[u]])
            add_edge(s, s->writer[uses[u]] - 1, n, l->ops[s->first + s->writer[uses[u]] - 1].latency);
        if (l->values[uses[u]].rewritten)
            note_reader(s, uses[u], n);
    }
    for (uint32_t d = 0; d < op->def_count; d++) {
        if (s->writer[defs[d]])
            add_edge(s, s->writer[defs[d]] - 1, n, 1);
        for (uint32_t r = s->reader[defs[d]]; r; r = s->reader_next[r - 1])
            add_edge(s, s->reader_node[r - 1], n, 0);
        s->reader[defs[d]] = 0;
        s->writer[defs[d]] = n + 1;
    }
}

static bool may_overlap(const struct lower_op *a, const struct lower_op *b)
{
    if (a->space != b->space && a->space != SPACE_GENERIC && b->space != SPACE_GENERIC)
        return false;
    return a->base != b->base || a->base == LOWER_NO_BASE || (uint64_t)a->offset - (uint64_t)b->offset < b->bytes ||
           (uint64_t)b->offset - (uint64_t)a->offset < a->bytes;
}

/* Edges from the memory ops before `n` that it may not pass. */
static void order_memory(struct scheduler *s, uint32_t n)
{
    const struct lower_op *op = &s->l->ops[s->first + n];
    bool fence = op->flags & LOWER_FENCE, store = op->flags & LOWER_STORE, load = op->flags & LOWER_LOAD;
    if ((!fence && !store && !load) || op->constant)
        return;
    uint32_t seen = 0;
    for (uint32_t k = n; k-- > 0;) {
        const struct lower_op *before = &s->l->ops[s->first + k];
        bool was_fence = before->flags & LOWER_FENCE, was_store = before->flags & LOWER_STORE;
        bool was_load = (before->flags & LOWER_LOAD) && !before->constant;
        seen += was_store || was_load;
        if (was_fence || seen > MEMORY_WINDOW) { /* farther back everything keeps its order, since the edges would be too many */
            add_edge(s, k, n, 1);
            break;
        }
        if ((fence && (was_store || was_load)) || ((was_store || (store && was_load)) && may_overlap(op, before)))
            add_edge(s, k, n, was_load ? 0 : 1);
        if (was_store && store && before->space == op->space && may_overlap(op, before)) /* it waits for what stands before it */
            break;
    }
}

static void find_heights(struct scheduler *s)
{
    for (uint32_t n = s->count; n-- > 0;) {
        uint32_t height = 1;
        for (uint32_t e = s->nodes[n].first_edge; e != NO_OP; e = s->edges[e].next) {
            uint32_t through = s->nodes[s->edges[e].to].height + s->edges[e].weight;
            height = through > height ? through : height;
        }
        s->nodes[n].height = height;
    }
}

/* The best of what is ready at `now`; else what is ready first. */
static uint32_t choose(const struct scheduler *s, const uint32_t *ready, uint32_t ready_count, uint32_t now)
{
    uint32_t best = 0;
    for (uint32_t r = 1; r < ready_count; r++) {
        const struct node *a = &s->nodes[ready[r]], *b = &s->nodes[ready[best]];
        uint32_t at = a->earliest > now ? a->earliest : now, bt = b->earliest > now ? b->earliest : now;
        if (at < bt || (at == bt && (a->height > b->height || (a->height == b->height && ready[r] < ready[best]))))
            best = r;
    }
    return best;
}

static void place_all(struct scheduler *s, uint32_t *order)
{
    uint32_t *ready = must_calloc(s->count + 1, sizeof *ready), ready_count = 0, now = 0;
    for (uint32_t n = 0; n < s->count; n++)
        if (!s->nodes[n].waiting)
            ready[ready_count++] = n;
    for (uint32_t placed = 0; placed < s->count; placed++) {
        uint32_t at = choose(s, ready, ready_count, now), n = ready[at];
        ready[at] = ready[--ready_count];
        now = s->nodes[n].earliest > now ? s->nodes[n].earliest : now;
        order[placed] = s->first + n;
        s->nodes[n].earliest = now;
        for (uint32_t e = s->nodes[n].first_edge; e != NO_OP; e = s->edges[e].next) {
            struct node *to = &s->nodes[s->edges[e].to];
            uint32_t then = now + s->edges[e].weight;
            to->earliest = then > to->earliest ? then : to->earliest;
            if (--to->waiting == 0)
                ready[ready_count++] = s->edges[e].to;
        }
        now += s->l->ops[s->first + n].flags & (LOWER_LOAD | LOWER_STORE) ? MEMORY_ISSUE : 1;
    }
    free(ready);
}

/* True when the op takes more registers than it frees, so that it had better wait. */
static bool gains_by_waiting(const struct scheduler *s, const struct lower_op *op)
{
    uint32_t made = 0, ended = 0;
    for (uint32_t d = 0; d < op->def_count; d++)
        made += s->l->values[s->l->operands[op->operands + d]].width;
    for (uint32_t u = 0; u < op->use_count; u++) {
        const struct lower_value *v = &s->l->values[s->l->operands[op->operands + op->def_count + u]];
        ended += v->uses == 1 && !v->rewritten ? v->width : 0;
    }
    return made > ended;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* An op that was placed early because there was nothing better to do moves down again: a load until its latency is just hidden,
 * anything else until shortly before its first reader. */
static void sink(struct scheduler *s, uint32_t *order)
{
    uint64_t *keys = must_calloc(s->count, sizeof *keys);
    uint32_t *old = must_calloc(s->count, sizeof *old), end = s->nodes[order[s->count - 1] - s->first].earliest + 1;
    memcpy(old, order, s->count * sizeof *old);
    for (uint32_t p = s->count; p-- > 0;) {
        struct node *node = &s->nodes[order[p] - s->first];
        const struct lower_op *op = &s->l->ops[order[p]];
        bool load = op->flags & LOWER_LOAD, moves = load || (!op->flags && gains_by_waiting(s, op));
        end = op->flags & LOWER_FENCE ? node->earliest : end; /* not past the next fence */
        uint32_t latest = load ? node->earliest : end;        /* read in another block */
        for (uint32_t e = node->first_edge, first = 1; e != NO_OP; e = s->edges[e].next, first = 0) {
            uint32_t lead = load ? s->edges[e].weight : SINK_LEAD, reader = s->nodes[s->edges[e].to].earliest;
            uint32_t by = reader > lead ? reader - lead : 0;
            latest = first || by < latest ? by : latest;
        }
        latest = latest < end ? latest : end;
        if (moves && latest > node->earliest)
            node->earliest = latest;
        keys[p] = (uint64_t)node->earliest << 32 | p;
    }
    qsort(keys, s->count, sizeof *keys, by_key);
    for (uint32_t p = 0; p < s->count; p++)
        order[p] = old[(uint32_t)keys[p]];
    free(keys);
    free(old);
}

/* Clears what the ops of a stretch left in the per-value arrays. All stretches share these arrays, each as long as the function. */
static void forget_stretch(struct scheduler *s)
{
    const struct lower *l = s->l;
    for (uint32_t n = 0; n < s->count; n++) {
        const struct lower_op *op = &l->ops[s->first + n];
        for (uint32_t k = 0; k < (uint32_t)op->def_count + op->use_count; k++)
            s->writer[l->operands[op->operands + k]] = s->reader[l->operands[op->operands + k]] = 0;
    }
    s->edge_count = s->reader_count = 0;
}

static void schedule_stretch(struct scheduler *s, uint32_t first, uint32_t end, uint32_t *order)
{
    uint32_t count = end - first;
    if (count < 2 || count > SCHEDULE_MOST_OPS)
        return;
    s->first = first;
    s->count = count;
    s->nodes = must_calloc(count, sizeof *s->nodes);
    for (uint32_t n = 0; n < count; n++)
        s->nodes[n].first_edge = NO_OP;
    for (uint32_t n = 0; n < count; n++) {
        order_registers(s, n);
        order_memory(s, n);
    }
    find_heights(s);
    place_all(s, order);
    sink(s, order);
    free(s->nodes);
    forget_stretch(s);
}

static void schedule_block(struct scheduler *s, uint32_t first, uint32_t end, uint32_t *order)
{
    for (uint32_t k = first, start = first; k < end; k++) {
        bool ends = (s->l->ops[k].flags & (LOWER_LAST | LOWER_SPLIT)) != 0;
        if (!ends && k + 1 < end)
            continue;
        schedule_stretch(s, start, k + !ends, order + start);
        start = k + 1;
    }
}

void schedule_blocks(const struct lower *l, uint32_t block_count, uint32_t *order)
{
    struct scheduler s = { .l = l,
                           .writer = must_calloc(l->value_count, sizeof *s.writer),
                           .reader = must_calloc(l->value_count, sizeof *s.reader) };
    for (uint32_t b = 0; b < block_count; b++)
        schedule_block(&s, l->blocks[b].first, l->blocks[b].end, order);
    free(s.edges);
    free(s.writer);
    free(s.reader);
    free(s.reader_next);
    free(s.reader_node);
}
