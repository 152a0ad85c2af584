/* sm_ways.c - what is not true of an SM: GPGPU-Sim counts vector loads again, and lets fences wait until somebody looks at them;
 * Accel-Sim never fetches on the wrong path. */
#include <string.h>

#include "policy/hooks.h"
#include "reference/reference.h"
#include "sm/sm_state.h"

/* GPGPU-Sim calls an instruction complete once for each register that a hit fills, and counts it as often. */
static void recount(struct sm *sm, const struct sm_op *op)
{
    if (op->pending > 1 || op->inst->ndst < 2)
        return;
    sm->counters.recounts += op->inst->ndst - 1u;
    sm->counters.recounted_lanes += (op->inst->ndst - 1u) * lane_count(op->executed);
}

/* A scheduler of GPGPU-Sim that goes in strict round robin begins with the turn at warp 0, whosever that is. So the first
 * instruction that each of them issues is one of warp 0, unless that waits or has ended by then. */
static void begin_at_warp_0(struct sm *sm)
{
    for (uint32_t s = 1; s < sm->config->schedulers; s++)
        sm->scheduler_warps[s] |= 1;
}

static void go_on_with_own(struct sm *sm, uint32_t s)
{
    if (s)
        sm->scheduler_warps[s] &= ~1ull;
}

/* A fence that is over empties the L1 only when a scheduler asks whether its warp still waits. Schedulers that sort their warps
 * by age ask all warps in every cycle. Loose round robin goes from warp to warp and stops at the one that issues, strict round
 * robin at the one whose turn it is. Two-level asks its active warps which of them must leave, and then asks their replacements as
 * round robin does. */
static const char round_robin[] = "lrr", strict[] = "rrr", two_level[] = "two-level";

uint64_t reference_looked(const struct policy_hooks *hooks, const struct policy_sm_view *v, uint32_t scheduler, uint64_t slots,
                          uint32_t until)
{
    uint64_t looked = 0;
    while (slots & ~looked) {
        const uint32_t slot = hooks->order.call.pick(hooks->order.self, v, scheduler, slots & ~looked);
        if (slot == NO_SLOT)
            break;
        looked |= 1ull << slot;
        if (slot == until)
            break;
    }
    return looked;
}

static bool ordered_by(const struct sm *sm, const char *policy)
{
    return strcmp(sm->hooks->order.owner, policy) == 0;
}

static void note_active(struct sm *sm, uint32_t s, const struct policy_sm_view *view)
{
    sm->fences_asked[s] = ordered_by(sm, two_level) ? reference_looked(sm->hooks, view, s, sm->scheduler_warps[s], NO_SLOT) : 0;
}

static void fences_over(struct sm *sm, uint64_t now)
{
    const struct policy_sm_view view = sm_policy_view(sm, now);
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        note_active(sm, s, &view);
}

/* Scheduler `s` issues from warp `w`, or from none. Warps that passed a fence are noticed now or in a later cycle. */
static void look(struct sm *sm, uint32_t s, uint32_t w, uint64_t now)
{
    const struct policy_sm_view view = sm_policy_view(sm, now);
    const uint64_t seen = w != NO_SLOT && ordered_by(sm, strict) ? 1ull << w /* it had the turn, though it may wait by now */
                                                                 : reference_looked(sm->hooks, &view, s, sm->scheduler_warps[s], w);
    warp_see_fences(sm, sm->fences_asked[s] | seen);
    note_active(sm, s, &view);
}

static void look_without_issue(struct sm *sm, uint64_t now)
{
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        if (sm->slot_loss[s] != LOSS_NONE)
            look(sm, s, NO_SLOT, now);
}

/* Driven by a trace, a warp's buffer is filled from the trace, whatever was fetched: no branch is ever on the wrong path. Front
 * ends that do not know what comes after the next instruction give that one alone. */
static void decode_from_trace(struct sm *sm, const struct front_warp *warp, const struct inst *two[2])
{
    two[0] = warp->next;
    two[1] = warp->next && sm->front->ops->after ? sm->front->ops->after(sm->front, warp) : NULL;
}

struct sm_otherwise reference_sm_ways(const struct reference_config *config, const struct policy_hooks *hooks)
{
    struct sm_otherwise ways = { .load_hit = config->recount_vectors ? recount : NULL,
                                 .decode = config->follow_trace ? decode_from_trace : NULL };
    const char *order = hooks->order.owner;
    const bool turns = order && strcmp(order, strict) == 0;
    if (turns && config->first_turn) {
        ways.begins = begin_at_warp_0;
        ways.issued = go_on_with_own;
    }
    if (config->fences_wait && order && (turns || strcmp(order, round_robin) == 0 || strcmp(order, two_level) == 0)) {
        ways.fences_over = fences_over;
        ways.issues = look;
        ways.cycle_ends = look_without_issue;
    }
    return ways;
}
