/* subcores.c - collector units that serve all pipes (Volta and later), and what else goes with them.
 *
 * With sub-cores, each scheduler has collector units of its own, its own share of the register banks, one register before and one
 * behind operand collection for each pipe, and one unit of each pipe. The load/store unit alone is common to all. Without
 * (sm.shared_collectors), collectors, registers and units are everybody's.
 *
 * All collector units are kept as those of the first pipe: unit k of sub-core s is number s * subcore_collectors + k. */
#include "sm/sm_state.h"

#include <string.h>

void subcores_make(struct sm *sm)
{
    const struct sm_config *c = sm->config;
    const bool divided = c->subcore_collectors != 0;
    const uint32_t collectors = divided ? c->schedulers * c->subcore_collectors : c->shared_collectors;
    sm->subcore_mask = divided ? SUBCORES : NO_SUBCORES;
    sm->subcore_banks = c->register_banks / c->schedulers;
    for (uint32_t p = 0; p < PIPE_COUNT; p++) {
        const bool listed = !divided && p < PIPE_LISTED; /* what lists do not name has one of everything for each scheduler */
        sm->issue_regs[p].width = listed ? (uint32_t)c->issue_width.value[p] : c->schedulers;
        sm->execute_regs[p].width = listed ? (uint32_t)c->execute_width.value[p] : c->schedulers;
        sm->collectors[p] = (struct sm_collectors){ .units = (uint8_t)(listed ? c->units.value[p] : c->schedulers) };
    }
    sm->collectors[0].all = (uint32_t)((1ull << collectors) - 1);
    for (uint32_t i = 0; i < collectors; i++)
        sm->collector_pipe[i] = 0;
    if (divided)
        memset(sm->issue_full, 0, sizeof sm->issue_full);
}

static bool can_dispatch(const struct sm *sm, const struct sm_op *op)
{
    if (sm->subcore_mask != SUBCORES)
        return !op_slots_full(&sm->execute_regs[op->pipe]);
    return !(sm->subcore_executes[op->scheduler] >> op->pipe & 1);
}

static void leave_collector(struct sm *sm, uint32_t c)
{
    sm->collectors[0].busy &= ~(1u << c);
    sm->collectors[0].ready &= ~(1u << c);
    sm->collecting--;
}

static void execute_put_own(struct sm *sm, struct sm_op *op)
{
    struct op_slots *regs = &sm->execute_regs[op->pipe];
    sm->subcore_executes[op->scheduler] |= 1u << op->pipe;
    if (op->pipe == PIPE_MEM) { /* the oldest goes first, whosever it is */
        execute_put(sm, op);
        return;
    }
    regs->slot[op->scheduler] = op;
    regs->used++;
    sm->execute_used |= 1u << op->pipe;
}

/* Of two that wait for the same register of a sub-core, the first unit's goes. */
static void dispatch_own(struct sm *sm)
{
    for (uint32_t ready = sm->collectors[0].ready; ready; ready &= ready - 1) {
        const uint32_t c = (uint32_t)__builtin_ctz(ready);
        if (!can_dispatch(sm, sm->collector[c]))
            continue;
        execute_put_own(sm, sm->collector[c]);
        leave_collector(sm, c);
    }
}

/* The unit that goes out by a way: the next one that can, after the last that did. UINT32_MAX: none. */
static uint32_t next_by_way(const struct sm *sm, uint32_t last)
{
    const uint32_t ready = sm->collectors[0].ready, after = ready & (uint32_t)(UINT64_MAX << (last + 1));
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t rest = turn ? ready & ~after : after; rest; rest &= rest - 1)
            if (can_dispatch(sm, sm->collector[__builtin_ctz(rest)]))
                return (uint32_t)__builtin_ctz(rest);
    return UINT32_MAX;
}

/* Without sub-cores each way out serves all units in turn. */
static void dispatch_in_turn(struct sm *sm)
{
    for (uint32_t way = 0; way < sm->config->shared_collectors && sm->collectors[0].ready; way++) {
        const uint32_t c = next_by_way(sm, sm->last_by_way[way]);
        if (c == UINT32_MAX)
            return; /* nor has a later way anything */
        sm->last_by_way[way] = (uint8_t)c;
        execute_put(sm, sm->collector[c]);
        leave_collector(sm, c);
    }
}

/* There are as many ways out of the collectors as collectors. */
void subcores_dispatch(struct sm *sm)
{
    if (sm->subcore_mask == SUBCORES)
        dispatch_own(sm);
    else
        dispatch_in_turn(sm);
    sm->collected = sm->collectors[0].ready != 0;
}

/* The collector units of the sub-core that has the oldest instruction in the registers before `pipe`, or without sub-cores all:
 * those that are unused. */
static uint32_t unused_for_oldest(const struct sm *sm, uint32_t pipe)
{
    if (sm->subcore_mask != SUBCORES)
        return sm->collectors[0].all & ~sm->collectors[0].busy;
    const uint32_t per = sm->config->subcore_collectors;
    const struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    const uint32_t own = (uint32_t)((1ull << per) - 1) << (op->scheduler * per);
    return own & ~sm->collectors[0].busy;
}

/* Before a pipe, the instruction that was issued first is taken up first. When its sub-core has no collector unused, those behind
 * it wait, too, whosever they are. Pipes are served in turn, so that none of them takes all units. */
static bool take_up_one(struct sm *sm, uint32_t pipe)
{
    const uint32_t unused = unused_for_oldest(sm, pipe);
    if (!unused)
        return false;
    struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    const uint32_t c = (uint32_t)__builtin_ctz(unused);
    issue_take_oldest(sm, pipe);
    sm->collectors[0].busy |= 1u << c;
    operands_collect(sm, op, c);
    return true;
}

void subcores_take_up(struct sm *sm)
{
    static const uint8_t order[PIPE_COUNT] = { PIPE_SP,  PIPE_SFU,    PIPE_MEM,     PIPE_DP,
                                               PIPE_INT, PIPE_BRANCH, PIPE_TEXTURE, PIPE_TENSOR }; /* the reference's */
    bool more = sm->issue_used != 0;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < PIPE_COUNT; i++)
            if (sm->issue_used >> order[i] & 1)
                more |= take_up_one(sm, order[i]);
    }
}

void subcores_execute(struct sm *sm, uint32_t pipe, uint64_t now)
{
    struct op_slots *regs = &sm->execute_regs[pipe];
    for (uint32_t s = 0; s < sm->config->schedulers; s++) {
        if (!(sm->subcore_executes[s] >> pipe & 1) || !pipes_enter_unit(sm, regs->slot[s], s, now))
            continue;
        sm->subcore_executes[s] &= ~(1u << pipe);
        if (--regs->used == 0)
            sm->execute_used &= ~(1u << pipe);
    }
}

bool subcores_move(const struct sm *sm)
{
    for (uint32_t ready = sm->collectors[0].ready; ready; ready &= ready - 1)
        if (can_dispatch(sm, sm->collector[__builtin_ctz(ready)]))
            return true;
    for (uint32_t pipes = sm->issue_used; pipes; pipes &= pipes - 1)
        if (unused_for_oldest(sm, (uint32_t)__builtin_ctz(pipes)))
            return true;
    return false;
}
