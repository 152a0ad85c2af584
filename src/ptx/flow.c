/* flow.c - the control-flow graph, post-dominators, and where the paths of a branch meet again.
 *
 * A branch reconverges at its immediate post-dominator, as in the reference. Where that is only the end of the function,
 * because some path leaves early (return, exit, trap, a call that does not come back), lanes that leave need not be waited
 * for: then the branch reconverges at the block through which all paths that do meet go, if there is one such block. The
 * reference reconverges at the end there, and runs the rest once per path; so do we where no such block exists. */
#include "ptx/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NO_BLOCK UINT32_MAX

static bool ends_block(const struct ptx_inst *i)
{
    return i->op == OP_BRA || i->op == OP_BRX || i->op == OP_RET || i->op == OP_EXIT || i->op == OP_TRAP;
}

/* Calls `visit` with every instruction that can follow `index`; the number of instructions stands for the exit. */
static void each_follower(const struct ptx_function *fn, uint32_t index, void (*visit)(void *, uint32_t), void *context)
{
    const struct ptx_inst *i = &fn->code[index];
    bool falls_through = i->guard >= 0 || !ends_block(i);
    if (i->op == OP_BRA) {
        visit(context, i->src[0].index);
    } else if (i->op == OP_BRX) {
        const struct ptx_table *t = &fn->tables[i->src[1].index];
        for (uint32_t k = 0; k < t->count; k++)
            visit(context, t->targets[k]);
    } else if (ends_block(i)) {
        visit(context, fn->code_count);
    }
    if (falls_through)
        visit(context, index + 1);
}

static void mark_leader(void *context, uint32_t instruction)
{
    ((bool *)context)[instruction] = true;
}

static void find_blocks(struct flow *flow, const struct ptx_function *fn)
{
    bool *leader = must_calloc(fn->code_count + 1, sizeof *leader);
    leader[0] = true;
    for (uint32_t i = 0; i < fn->code_count; i++)
        if (ends_block(&fn->code[i])) {
            each_follower(fn, i, mark_leader, leader);
            leader[i + 1] = true;
        }
    for (uint32_t i = 0; i < fn->code_count; i++)
        flow->count += leader[i];
    flow->blocks = must_calloc(flow->count + 1, sizeof *flow->blocks);
    flow->block_of = must_calloc(fn->code_count + 1, sizeof *flow->block_of);
    uint32_t block = NO_BLOCK;
    for (uint32_t i = 0; i < fn->code_count; i++) {
        if (leader[i])
            flow->blocks[++block].first = i;
        flow->block_of[i] = block;
        flow->blocks[block].end = i + 1;
    }
    flow->block_of[fn->code_count] = flow->count;
    flow->blocks[flow->count].first = flow->blocks[flow->count].end = fn->code_count;
    free(leader);
}

struct edge_builder {
    struct flow *flow;
    uint32_t block, total;
    bool store;
};

static void add_edge(void *context, uint32_t instruction)
{
    struct edge_builder *e = context;
    uint32_t target = e->flow->block_of[instruction];
    struct flow_block *b = &e->flow->blocks[e->block];
    if (e->store) {
        for (uint32_t k = 0; k < b->successor_count; k++)
            if (e->flow->successors[b->successor_start + k] == target)
                return;
        e->flow->successors[b->successor_start + b->successor_count++] = target;
        e->flow->blocks[target].predecessor_count++;
    }
    e->total++;
}

static void find_edges(struct flow *flow, const struct ptx_function *fn)
{
    struct edge_builder e = { .flow = flow };
    for (e.block = 0; e.block < flow->count; e.block++) {
        flow->blocks[e.block].successor_start = e.total;
        each_follower(fn, flow->blocks[e.block].end - 1, add_edge, &e);
    }
    flow->successors = must_calloc(e.total, sizeof *flow->successors);
    flow->predecessors = must_calloc(e.total, sizeof *flow->predecessors);
    e.store = true;
    for (e.block = 0; e.block < flow->count; e.block++)
        each_follower(fn, flow->blocks[e.block].end - 1, add_edge, &e);
    uint32_t start = 0;
    for (uint32_t b = 0; b <= flow->count; b++) {
        flow->blocks[b].predecessor_start = start;
        start += flow->blocks[b].predecessor_count;
        flow->blocks[b].predecessor_count = 0;
    }
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++) {
            struct flow_block *to = &flow->blocks[flow->successors[flow->blocks[b].successor_start + k]];
            flow->predecessors[to->predecessor_start + to->predecessor_count++] = b;
        }
}

/* Order of the blocks by a walk from the exit against the edges: every block after what it can reach. Blocks in loops without
 * an end are walked as if their last block led to the exit. */
struct reverse_order {
    uint32_t *order, *number; /* number: place of a block in the order */
    bool *pseudo_exit;        /* blocks treated as leading to the exit */
    uint32_t count;
};

static void walk_back(const struct flow *flow, struct reverse_order *r, uint32_t from, bool *seen)
{
    uint32_t *stack = must_calloc(flow->count + 1, sizeof *stack), *next = must_calloc(flow->count + 1, sizeof *next);
    uint32_t depth = 0;
    seen[from] = true;
    stack[depth++] = from;
    while (depth) {
        uint32_t b = stack[depth - 1];
        const struct flow_block *block = &flow->blocks[b];
        if (next[b] < block->predecessor_count) {
            uint32_t p = flow->predecessors[block->predecessor_start + next[b]++];
            if (!seen[p]) {
                seen[p] = true;
                stack[depth++] = p;
            }
        } else {
            r->order[r->count++] = b;
            depth--;
        }
    }
    free(stack);
    free(next);
}

static void order_blocks(const struct flow *flow, struct reverse_order *r)
{
    uint32_t n = flow->count + 1;
    bool *seen = must_calloc(n, sizeof *seen);
    r->order = must_calloc(n, sizeof *r->order);
    r->number = must_calloc(n, sizeof *r->number);
    r->pseudo_exit = must_calloc(n, sizeof *r->pseudo_exit);
    /* endless loops first, so that the exit, walked last, comes first in the reversed order */
    bool *reaches = must_calloc(n, sizeof *reaches);
    walk_back(flow, r, flow->count, reaches);
    r->count = 0;
    memcpy(seen, reaches, n * sizeof *seen);
    for (uint32_t b = flow->count; b-- > 0;)
        if (!seen[b]) {
            r->pseudo_exit[b] = true;
            walk_back(flow, r, b, seen);
        }
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t b = 0; b < flow->count; b++)
        seen[b] = !reaches[b];
    walk_back(flow, r, flow->count, seen);
    for (uint32_t i = 0; i < n; i++)
        r->number[r->order[i]] = i;
    free(reaches);
    free(seen);
}

/* Cooper, Harvey and Kennedy's iteration over immediate dominators, on the reversed graph. */
static uint32_t meet(const struct flow *flow, const struct reverse_order *r, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (r->number[a] < r->number[b])
            a = flow->blocks[a].post_dominator;
        else
            b = flow->blocks[b].post_dominator;
    }
    return a;
}

static void find_post_dominators(struct flow *flow)
{
    struct reverse_order r = { 0 };
    order_blocks(flow, &r);
    for (uint32_t b = 0; b < flow->count; b++)
        flow->blocks[b].post_dominator = NO_BLOCK;
    flow->blocks[flow->count].post_dominator = flow->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = r.count; i-- > 0;) {
            uint32_t b = r.order[i];
            if (b == flow->count)
                continue;
            uint32_t found = r.pseudo_exit[b] ? flow->count : NO_BLOCK;
            for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++) {
                uint32_t s = flow->successors[flow->blocks[b].successor_start + k];
                if (flow->blocks[s].post_dominator != NO_BLOCK)
                    found = found == NO_BLOCK ? s : meet(flow, &r, found, s);
            }
            changed |= found != flow->blocks[b].post_dominator;
            flow->blocks[b].post_dominator = found;
        }
    }
    free(r.order);
    free(r.number);
    free(r.pseudo_exit);
}

struct flow *flow_new(const struct ptx_function *fn)
{
    struct flow *flow = must_calloc(1, sizeof *flow);
    find_blocks(flow, fn);
    find_edges(flow, fn);
    find_post_dominators(flow);
    return flow;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    free(flow->blocks);
    free(flow->successors);
    free(flow->predecessors);
    free(flow->block_of);
    free(flow);
}

/* Blocks reachable from `from` without passing `barrier` again; adds 1 to hits of each. Returns the steps taken. */
static uint64_t count_reachable(const struct flow *flow, uint32_t from, uint32_t barrier, uint8_t *hits, uint32_t *mark,
                                uint32_t round, uint32_t *stack)
{
    uint32_t depth = 0;
    uint64_t steps = 0;
    if (from == flow->count)
        return 1;
    stack[depth++] = from;
    mark[from] = round;
    while (depth) {
        uint32_t b = stack[--depth];
        hits[b] = (uint8_t)(hits[b] < 2 ? hits[b] + 1 : 2);
        steps++;
        if (b == barrier)
            continue;
        for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++) {
            uint32_t s = flow->successors[flow->blocks[b].successor_start + k];
            if (s != flow->count && mark[s] != round) {
                mark[s] = round;
                stack[depth++] = s;
            }
        }
    }
    return steps;
}

/* Bounds the search below, which is quadratic in the number of early exits. */
#define MOST_MEETING_STEPS UINT64_C(20000000)

struct meeting {
    uint8_t *hits;
    uint32_t *mark, *stack, round;
    uint64_t steps;
};

/* The one block through which all paths from `branch` that meet at all enter the part they share; NO_BLOCK: none. */
static uint32_t find_meeting(const struct flow *flow, uint32_t branch, struct meeting *m)
{
    const struct flow_block *b = &flow->blocks[branch];
    if (m->steps > MOST_MEETING_STEPS)
        return NO_BLOCK;
    memset(m->hits, 0, flow->count);
    for (uint32_t k = 0; k < b->successor_count; k++)
        m->steps += count_reachable(flow, flow->successors[b->successor_start + k], branch, m->hits, m->mark, ++m->round, m->stack);
    m->steps += flow->count;
    uint32_t entry = NO_BLOCK;
    for (uint32_t c = 0; c < flow->count; c++) {
        if (m->hits[c] < 2)
            continue;
        bool entered = false;
        for (uint32_t k = 0; k < flow->blocks[c].predecessor_count && !entered; k++) {
            uint32_t p = flow->predecessors[flow->blocks[c].predecessor_start + k];
            entered = p == branch || m->hits[p] == 1;
        }
        if (entered && entry != NO_BLOCK)
            return NO_BLOCK;
        if (entered)
            entry = c;
    }
    return entry;
}

void flow_set_reconvergence(const struct flow *flow, struct ptx_function *fn)
{
    struct meeting m = { .hits = must_calloc(flow->count + 1, 1), .mark = must_calloc(flow->count + 1, sizeof *m.mark),
                         .stack = must_calloc(flow->count + 1, sizeof *m.stack) };
    for (uint32_t b = 0; b < flow->count; b++) {
        struct ptx_inst *last = &fn->code[flow->blocks[b].end - 1];
        last->reconverge = PTX_END;
        if (last->op != OP_BRA && last->op != OP_BRX)
            continue;
        uint32_t point = flow->blocks[b].post_dominator;
        if ((point == flow->count || point == NO_BLOCK) && flow->blocks[b].successor_count > 1)
            point = find_meeting(flow, b, &m);
        if (point != NO_BLOCK && point < flow->count)
            last->reconverge = flow->blocks[point].first;
    }
    free(m.hits);
    free(m.mark);
    free(m.stack);
}
