/* lsu_probe.c - figure 5 of Sethia et al., HPCA 2015: the LSU is stalled, and what another load behind it wants is in the L1.
 *
 * Behind the access that the L1 refuses are those in the pipeline before the L1, those of the dispatched instruction, and those
 * of loads that have been issued and have not reached the LSU: in the registers and the collector units of the memory pipe. What
 * a warp would load next is not known before it issues, so the count is a lower bound of the figure's. */
#include "sm/sm_state.h"

static bool one_hits(const struct sm *sm, const struct sm_op *op)
{
    const bool cached = (op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL) && op->inst->class == CLASS_LOAD && !op->bypass_l1;
    for (uint32_t i = 0; cached && i < op->access_count; i++)
        if (l1_would_hit(sm->l1, op->access[i].address, op->access[i].sectors))
            return true;
    return false;
}

static bool one_of_lane_hits(const struct sm *sm, const struct lsu_lane *lane)
{
    for (uint32_t i = 1; i < lane->queue.count; i++) {
        const struct request *r = lane->queued[ring_place(&lane->queue, &sm->lsu.queue_size, i)];
        if (!r->write && l1_would_hit(sm->l1, r->address, r->sectors))
            return true;
    }
    return false;
}

static bool one_of_slots_hits(const struct sm *sm, const struct op_slots *slots)
{
    for (uint32_t i = 0; i < slots->used; i++)
        if (one_hits(sm, slots->slot[i]))
            return true;
    return false;
}

bool lsu_hit_waits_behind(const struct sm *sm)
{
    for (uint32_t i = 0; i < sm->lsu.lanes; i++)
        if (one_of_lane_hits(sm, &sm->lsu.lane[i]))
            return true;
    if (one_hits(sm, sm->lsu.dispatch))
        return true;
    if (one_of_slots_hits(sm, &sm->execute_regs[PIPE_MEM]) || one_of_slots_hits(sm, &sm->issue_regs[PIPE_MEM]))
        return true;
    const uint32_t pipe = sm->subcore_mask ? 0 : PIPE_MEM; /* that the collectors are kept for */
    for (uint32_t busy = sm->collectors[pipe].busy; busy; busy &= busy - 1) {
        const struct sm_op *op = sm->collector[sm->collectors[pipe].first + (uint32_t)__builtin_ctz(busy)];
        if (op->pipe == PIPE_MEM && one_hits(sm, op))
            return true;
    }
    return false;
}
