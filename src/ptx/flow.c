/* flow.c - the control-flow graph, post-dominators, and where the paths of a branch meet again.
 *
 * A branch reconverges at its immediate post-dominator, as in GPGPU-Sim. When some path leaves early (return, exit, trap), that
 * is only the end of the function. Lanes that leave need not be waited for, so the branch then reconverges at its immediate
 * post-dominator in the graph without early ends, as SSY does on hardware. GPGPU-Sim reconverges at the end there, runs the rest
 * once per path, and cannot meet at a barrier on the way. */
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
    uint32_t *last_from; /* per block: the block + 1 that led to it last */
};

static void add_edge(void *context, uint32_t instruction)
{
    struct edge_builder *e = context;
    uint32_t target = e->flow->block_of[instruction];
    struct flow_block *b = &e->flow->blocks[e->block];
    if (e->store) {
        if (e->last_from[target] == e->block + 1)
            return;
        e->last_from[target] = e->block + 1;
        e->flow->successors[b->successor_start + b->successor_count++] = target;
    }
    e->total++;
}

/* Fills predecessors from successors. */
static void link_predecessors(struct flow *flow)
{
    uint32_t start = 0;
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++)
            flow->blocks[flow->successors[flow->blocks[b].successor_start + k]].predecessor_count++;
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

static void find_edges(struct flow *flow, const struct ptx_function *fn)
{
    struct edge_builder e = { .flow = flow, .last_from = must_calloc(flow->count + 1, sizeof *e.last_from) };
    for (e.block = 0; e.block < flow->count; e.block++) {
        flow->blocks[e.block].successor_start = e.total;
        each_follower(fn, flow->blocks[e.block].end - 1, add_edge, &e);
    }
    flow->successors = must_calloc(e.total, sizeof *flow->successors);
    flow->predecessors = must_calloc(e.total, sizeof *flow->predecessors);
    e.store = true;
    for (e.block = 0; e.block < flow->count; e.block++)
        each_follower(fn, flow->blocks[e.block].end - 1, add_edge, &e);
    free(e.last_from);
    link_predecessors(flow);
}

/* Orders the blocks by a walk from the exit against the edges: every block comes after what it can reach. Blocks in endless
 * loops are walked as if their last block led to the exit. */
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

/* Walks along the edges from each block that no walk has met yet, the entry first. A block is done when all that it leads to is
 * done. */
static void find_order(struct flow *flow)
{
    uint32_t *stack = must_calloc(flow->count + 1, sizeof *stack), *next = must_calloc(flow->count + 1, sizeof *next);
    bool *seen = must_calloc(flow->count + 1, sizeof *seen);
    uint32_t done = 0;
    flow->ends_first = must_calloc(flow->count + 1, sizeof *flow->ends_first);
    seen[flow->count] = true;
    for (uint32_t root = 0; root < flow->count; root++) {
        uint32_t depth = 0;
        if (!seen[root])
            stack[depth++] = root;
        seen[root] = true;
        while (depth) {
            const uint32_t b = stack[depth - 1];
            const struct flow_block *block = &flow->blocks[b];
            if (next[b] == block->successor_count) {
                flow->ends_first[done++] = b;
                depth--;
                continue;
            }
            const uint32_t to = flow->successors[block->successor_start + next[b]++];
            if (!seen[to])
                stack[depth++] = to;
            seen[to] = true;
        }
    }
    free(stack);
    free(next);
    free(seen);
}

struct flow *flow_new(const struct ptx_function *fn)
{
    struct flow *flow = must_calloc(1, sizeof *flow);
    find_blocks(flow, fn);
    find_edges(flow, fn);
    find_order(flow);
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
    free(flow->ends_first);
    free(flow);
}

/* How many blocks can reach `to`; marks them. */
static uint32_t mark_reaching(const struct flow *flow, uint32_t to, bool *reaches)
{
    uint32_t *stack = must_calloc(flow->count + 1, sizeof *stack), depth = 0, count = 0;
    memset(reaches, 0, flow->count + 1);
    stack[depth++] = to;
    reaches[to] = true;
    while (depth) {
        const struct flow_block *b = &flow->blocks[stack[--depth]];
        count++;
        for (uint32_t k = 0; k < b->predecessor_count; k++) {
            uint32_t p = flow->predecessors[b->predecessor_start + k];
            if (!reaches[p]) {
                reaches[p] = true;
                stack[depth++] = p;
            }
        }
    }
    free(stack);
    return count;
}

/* Only this many ends are weighed. Functions have a few. */
enum { MOST_ENDS = 16 };

/* The end that most blocks lead to is taken for the main end; the others are early ends. Marks what leads to the main end. */
static uint32_t find_main_end(const struct flow *flow, bool *leads_there)
{
    uint32_t best = NO_BLOCK, best_count = 0, ends = 0;
    for (uint32_t b = flow->count; b-- > 0 && ends < MOST_ENDS;) {
        const struct flow_block *block = &flow->blocks[b];
        if (block->successor_count != 1 || flow->successors[block->successor_start] != flow->count)
            continue;
        uint32_t count = mark_reaching(flow, b, leads_there);
        if (count > best_count) {
            best = b;
            best_count = count;
        }
        ends++;
    }
    if (best != NO_BLOCK)
        (void)mark_reaching(flow, best, leads_there);
    return best;
}

/* The graph without early ends: the edges between blocks that lead to the main end, and from there to the exit. */
static struct flow *without_early_ends(const struct flow *flow, uint32_t main_end, const bool *leads_there)
{
    struct flow *f = must_calloc(1, sizeof *f);
    const struct flow_block *last = &flow->blocks[flow->count - 1];
    uint32_t edges = last->successor_start + last->successor_count;
    f->count = flow->count;
    f->blocks = must_calloc(f->count + 1, sizeof *f->blocks);
    f->successors = must_calloc(edges, sizeof *f->successors);
    f->predecessors = must_calloc(edges, sizeof *f->predecessors);
    for (uint32_t b = 0; b < f->count; b++) {
        const struct flow_block *from = &flow->blocks[b];
        f->blocks[b].successor_start = from->successor_start;
        for (uint32_t k = 0; leads_there[b] && k < from->successor_count; k++) {
            uint32_t s = flow->successors[from->successor_start + k];
            if (s == flow->count ? b == main_end : leads_there[s])
                f->successors[from->successor_start + f->blocks[b].successor_count++] = s;
        }
    }
    link_predecessors(f);
    find_post_dominators(f);
    return f;
}

static bool branches_only_meet_at_the_end(const struct flow *flow, const struct ptx_function *fn)
{
    for (uint32_t b = 0; b < flow->count; b++)
        if (flow->blocks[b].successor_count > 1 && flow->blocks[b].post_dominator >= flow->count &&
            (fn->code[flow->blocks[b].end - 1].op == OP_BRA || fn->code[flow->blocks[b].end - 1].op == OP_BRX))
            return true;
    return false;
}

void flow_set_reconvergence(const struct flow *flow, struct ptx_function *fn)
{
    struct flow *late = NULL;
    if (branches_only_meet_at_the_end(flow, fn)) {
        bool *leads_there = must_calloc(flow->count + 1, sizeof *leads_there);
        uint32_t main_end = find_main_end(flow, leads_there);
        if (main_end != NO_BLOCK)
            late = without_early_ends(flow, main_end, leads_there);
        free(leads_there);
    }
    for (uint32_t b = 0; b < flow->count; b++) {
        struct ptx_inst *last = &fn->code[flow->blocks[b].end - 1];
        last->reconverge = PTX_END;
        if (last->op != OP_BRA && last->op != OP_BRX)
            continue;
        uint32_t point = flow->blocks[b].post_dominator;
        if (point >= flow->count && late && late->blocks[b].successor_count > 0) {
            point = late->blocks[b].post_dominator;
            last->early_end = true;
        }
        if (point < flow->count)
            last->reconverge = flow->blocks[point].first;
    }
    flow_free(late);
}
