/* pipes.c - arithmetic units. An instruction that enters a unit at t writes back at t + latency + 2: one cycle in the dispatch
 * register, `latency` stages, one in the result register. It enters only if the unit's dispatch register is free (it stays there
 * for the initiation interval), nothing in the unit ends in the same cycle, and a result bus is free for that cycle. */
#include "sm/sm_state.h"

static inline uint32_t ring(uint64_t cycle)
{
    return (uint32_t)(cycle % SM_CALENDAR);
}

/* When several results end in one cycle the one issued first is written first; the second finds its banks taken. */
static void schedule(struct sm *sm, struct sm_op *op, uint64_t now)
{
    const uint32_t at = ring(now + op->latency + 2);
    struct sm_op **place = &sm->calendar[at].first;
    while (*place && (*place)->order < op->order)
        place = &(*place)->next;
    op->next = *place;
    *place = op;
    sm->calendar_used[at / 64] |= 1ull << (at % 64);
    sm->in_units++;
}

void pipes_write_back(struct sm *sm, uint64_t now)
{
    const uint32_t at = ring(now);
    if (!(sm->calendar_used[at / 64] >> at % 64 & 1))
        return;
    struct sm_op *op = sm->calendar[at].first;
    sm->calendar[at] = (struct sm_ending){ 0 };
    sm->calendar_used[at / 64] &= ~(1ull << (at % 64));
    while (op) {
        struct sm_op *next = op->next;
        /* A bank that is already written in this cycle does not hold the result up, because conflicts were resolved at issue. */
        for (uint32_t i = 0; i < op->inst->nwrite; i++)
            if (!operands_write(sm, op->warp, op->inst->write[i]))
                break;
        warp_release_all(sm, op->warp, op->inst);
        warp_leave_pipe(sm, op->warp);
        op_free(sm, op);
        sm->in_units--;
        op = next;
    }
}

inline bool pipes_enter_unit(struct sm *sm, struct sm_op *op, uint32_t u, uint64_t now)
{
    const uint32_t pipe = op->pipe;
    if (sm->unit_free_at[pipe][u] > now)
        return false;
    struct sm_ending *ending = &sm->calendar[ring(now + op->latency + 2)];
    const uint32_t unit = 1u << (pipe * SM_UNITS_MAX + u);
    if (ending->units & unit || ending->buses >= sm->config->result_buses)
        return false;
    ending->units |= unit;
    ending->buses++;
    sm->unit_free_at[pipe][u] = now + op->interval;
    op->unit = (uint8_t)u;
    schedule(sm, op, now);
    return true;
}

static void execute_pipe(struct sm *sm, uint32_t pipe, uint64_t now)
{
    for (uint32_t u = 0; u < sm->collectors[pipe].units && sm->execute_regs[pipe].used; u++)
        if (pipes_enter_unit(sm, op_slots_oldest(&sm->execute_regs[pipe]), u, now))
            execute_take_oldest(sm, pipe);
}

void pipes_execute(struct sm *sm, uint64_t now)
{
    for (uint32_t used = sm->execute_used & PIPES_ARITHMETIC; used; used &= used - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(used);
        if (seldom(sm->subcore_mask == SUBCORES))
            subcores_execute(sm, p, now);
        else
            execute_pipe(sm, p, now);
    }
    lsu_cycle(sm, now);
    if (sm->execute_used >> PIPE_MEM & 1 && lsu_can_take(sm)) {
        struct sm_op *op = op_slots_oldest(&sm->execute_regs[PIPE_MEM]);
        sm->subcore_executes[op->scheduler % SM_UNITS_MAX] &= ~(1u << PIPE_MEM);
        execute_take_oldest(sm, PIPE_MEM);
        lsu_take(sm, op);
    }
}

uint64_t pipes_next_event(const struct sm *sm, uint64_t now)
{
    if (!sm->in_units)
        return UINT64_MAX;
    const uint32_t from = ring(now + 1);
    for (uint32_t n = 0; n <= SM_CALENDAR / 64; n++) {
        const uint32_t word = (from / 64 + n) % (SM_CALENDAR / 64);
        uint64_t used = sm->calendar_used[word];
        if (n == 0)
            used &= UINT64_MAX << (from % 64);
        if (used) {
            const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(used);
            return now + 1 + (at - from) % SM_CALENDAR;
        }
    }
    panic("instructions in units, but nothing in the calendar");
}
