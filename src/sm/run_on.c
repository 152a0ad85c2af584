/* run_on.c - an SM that runs several cycles in one visit.
 *
 * The machine visits its SMs in turn, one cycle each, and in between the host's near caches fill with what the others touch. But
 * mostly an SM needs nothing from the others for a few cycles: the machine sees replies come that long before they are there. So it
 * runs these cycles at once. All must be as if it had not. Whatever others could see happens in its own cycle and in the order of
 * the SMs: what the SM sends waits in the outlet, and a cycle in which a warp might touch memory, or in which a CTA or a fence
 * might end, is run up to the stage that does it and no further. */
#include "sm/sm_state.h"

#include <stdlib.h>

bool sm_may_run_on(const struct sm_timing *timing, const struct front_launch *launch, bool late_atomics)
{
    for (uint32_t i = 0; i < launch->code_count; i++) {
        const struct inst *inst = &launch->code[i];
        const uint8_t pipe = timing[inst->timing].pipe;
        if (inst->class == CLASS_CALL) /* of printf, malloc, a launch, maybe */
            return false;
        if (inst->class == CLASS_ATOMIC && late_atomics) /* the L2 tells the SM of them, and no reply does */
            return false;
        if (inst->class == CLASS_TEXTURE && pipe != PIPE_MEM && pipe != PIPE_TEXTURE)
            return false;
    }
    return true;
}

bool sm_awaits_nothing(const struct sm *sm)
{
    return !sm->lsu.awaited && !sm->fetch_pending && !mshr_in_use(sm->l1_mshr);
}

bool sm_is_ahead(const struct sm *sm, uint64_t now)
{
    return sm->last_cycle >= now && sm->face.cta_count;
}

bool sm_failed_early(const struct sm *sm)
{
    return sm->early_error != NULL;
}

bool run_on_waits(const struct sm *sm)
{
    if (sm->finished | sm->fences_over | sm->fences_unseen)
        return true;
    if (!sm->issue_stale && !sm->gate_stale)
        return false; /* no warp can issue */
    uint64_t reach_out = sm->next_pipe[PIPE_TEXTURE];
    if (seldom(sm->subcore_mask) || !(sm->issue_full[0] >> PIPE_MEM & 1))
        reach_out |= sm->next_pipe[PIPE_MEM];
    /* Those that wait at a barrier, too: who opens it issues in the same cycle, maybe before them. */
    return (sm->has_inst & sm->ready & reach_out) != 0;
}

void run_on_put_off(struct sm *sm, uint64_t now)
{
    sm->begun = true;
    sm->face.wake = now;
}

void run_on_ends(struct sm *sm, uint64_t machine, uint64_t now)
{
    sm->clock->cycle = machine;
    if (sm->out->port.ring.count)
        sm->out->hold_until = now;
}

bool run_on_failed(struct sm *sm, uint64_t machine, uint64_t now, struct error *err)
{
    if (sm->early_error)
        *err = *sm->early_error;
    if (now == machine)
        return false;
    sm->early_error = must_calloc(1, sizeof *err);
    *sm->early_error = *err;
    run_on_put_off(sm, now);
    run_on_ends(sm, machine, now);
    return true;
}

void run_on_kernel_start(struct sm *sm)
{
    sm->begun = false; /* a kernel that failed may have left these */
    free(sm->early_error);
    sm->early_error = NULL;
}
