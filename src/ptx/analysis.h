/* analysis.h - what follows from a function's code: control flow, reconvergence, liveness. */
#ifndef WARPLINE_PTX_ANALYSIS_H
#define WARPLINE_PTX_ANALYSIS_H
#include "base/arena.h"
#include "ptx/ptx.h"

/* Basic blocks in the order of the code; block `count` is the one exit that all ends lead to. */
struct flow_block {
    uint32_t first, end;                           /* instructions [first, end) */
    uint32_t successor_start, successor_count;     /* in flow.successors */
    uint32_t predecessor_start, predecessor_count; /* in flow.predecessors */
    uint32_t post_dominator;                       /* immediate; the exit block has itself; UINT32_MAX: cannot reach the exit */
};
struct flow {
    struct flow_block *blocks; /* count + 1, the last being the exit */
    uint32_t count;
    uint32_t *successors, *predecessors;
    uint32_t *block_of;   /* per instruction */
    uint32_t *ends_first; /* all blocks but the exit, each behind those that it leads to, loops aside */
};

/* The graph of a defined function, with post-dominators; from malloc'ed memory, freed by flow_free. */
struct flow *flow_new(const struct ptx_function *fn);
void flow_free(struct flow *flow);

/* Which of a function's values live where, as bit sets of `words` words, one per block. The caller gives what each block reads
 * before writing it, and what it writes. This fills what lives at the block's beginning and, in sets that are empty, at its end.
 * (liveness.c) */
struct live_sets {
    uint32_t words;
    uint64_t *read, *written, *in, *out;
};
void live_sets_new(struct live_sets *sets, const struct flow *flow, uint32_t values);
void live_sets_solve(struct live_sets *sets, const struct flow *flow);
void live_sets_free(struct live_sets *sets);
#define LIVE_MOST_WORDS (UINT64_C(1) << 21) /* the limit for one kind of set: more would take too much memory and time */
bool live_sets_are_too_large(const struct flow *flow, uint32_t values);

/* Fills `reconverge` of every branch. */
void flow_set_reconvergence(const struct flow *flow, struct ptx_function *fn);

/* Every register that an instruction reads (its guard's included), or writes. `is_address`: as the base of an address. (analysis.c)
 */
typedef void visit_register(void *context, uint32_t reg, bool is_address);
void visit_uses(const struct ptx_function *fn, const struct ptx_inst *i, visit_register *visit, void *context);
void visit_definitions(const struct ptx_function *fn, const struct ptx_inst *i, visit_register *visit, void *context);

/* Fills `begins_as_zero` of every register. */
void assigned_set_zeros(struct ptx_function *fn, const struct flow *flow);

/* Fills `first_live` and `last_live` of every register. */
void live_ranges_set(struct ptx_function *fn, const struct flow *flow);

/* Everything, for every function of a module. */
void analysis_run(struct ptx_module *module);
#endif
