/* ideal.c - the SM of textbook examples (sm.ideal): instructions are always there, arithmetic takes a cycle, a load takes
 * `sm.ideal_load` cycles and a slot of `sm.ideal_loads`, and each scheduler may issue one memory and one other instruction per
 * cycle. A result, and a slot, can be used in the cycle after the one in which the load ends. */
#include "sm/sm_state.h"

static inline uint32_t ring(uint64_t cycle)
{
    return (uint32_t)(cycle % SM_CALENDAR);
}

static void end_at(struct sm *sm, struct sm_op *op, uint64_t when)
{
    const uint32_t at = ring(when);
    op->next = sm->calendar[at].first;
    sm->calendar[at].first = op;
    sm->calendar_used[at / 64] |= 1ull << (at % 64);
    sm->in_units++;
}

static void end_instructions(struct sm *sm, uint64_t now)
{
    const uint32_t at = ring(now);
    struct sm_op *op = sm->calendar[at].first;
    sm->calendar[at].first = NULL;
    sm->calendar_used[at / 64] &= ~(1ull << (at % 64));
    while (op) {
        struct sm_op *next = op->next;
        const uint32_t w = op->warp;
        sm->in_units--;
        sm->ideal_loads -= op->pipe == PIPE_MEM;
        warp_release_all(sm, w, op->inst);
        if (op->inst->class == CLASS_ATOMIC) {
            sm->warp[w].atomics = 0;
            warp_look_at_waiting(sm, w);
        }
        warp_leave_pipe(sm, w);
        op_free(sm, op);
        op = next;
    }
}

static void supply_instructions(struct sm *sm)
{
    for (uint64_t rest = sm->resident & ~sm->done & ~sm->has_inst; rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        struct sm_warp *warp = &sm->warp[w];
        warp->buffer[0] = warp->front->next;
        warp->next = 0;
        warp->valid = 1;
        warp->in_pipe++;
        warp_look_at_next(sm, w);
    }
}

static bool issue_one(struct sm *sm, uint32_t s, bool memory, uint64_t now, struct error *err)
{
    const uint64_t considered = sm->scheduler_warps[s] & sm->has_inst & ~sm->waiting & sm->gate.run;
    const uint64_t mine = considered & (memory ? sm->next_pipe[PIPE_MEM] : ~sm->next_pipe[PIPE_MEM]);
    uint64_t candidates = mine & sm->ready & (sm->gate.memory | ~sm->next_l1) & (sm->gate.loads | ~sm->next_l1_load);
    if (memory && sm->config->ideal_loads && sm->ideal_loads >= sm->config->ideal_loads)
        candidates = 0;
    const uint32_t w = candidates ? sm_pick(sm, s, candidates, now) : NO_SLOT;
    sm->slot_loss[s] = w != NO_SLOT ? LOSS_NONE : !mine ? LOSS_IDLE : !(mine & sm->ready) ? LOSS_SCOREBOARD : LOSS_PIPE;
    COUNTER_ROW(&sm->counters, slots_issued, sm->slot_loss[s])++;
    sm->counters.slots++;
    if (w == NO_SLOT)
        return true;
    if (!sm_issue_from(sm, s, w, now, err))
        return false;
    uint32_t pipe = 0;
    while (!sm->issue_regs[pipe].used) /* the registers are empty but for what was just issued */
        pipe++;
    struct sm_op *op = op_slots_oldest(&sm->issue_regs[pipe]);
    issue_take_oldest(sm, pipe);
    sm->ideal_loads += memory;
    end_at(sm, op, now + (memory ? sm->config->ideal_load_cycles + 1 : 1));
    return true;
}

bool ideal_cycle(struct sm *sm, uint64_t now, struct error *err)
{
    end_instructions(sm, now);
    warp_end_fences(sm, now);
    supply_instructions(sm);
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        if (!issue_one(sm, s, true, now, err) || !issue_one(sm, s, false, now, err))
            return false;
    for (uint64_t rest = sm->finished; rest; rest &= rest - 1)
        sm_retire_warp(sm, (uint32_t)__builtin_ctzll(rest), now);
    return true;
}
