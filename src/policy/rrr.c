/* rrr - strict round robin: the turn goes from slot to slot, and a warp that has it keeps it until it issues; only ended warps and
 * those that wait at a barrier, for a fence or for an atomic are passed over. Nobody else issues meanwhile, so that one load that
 * is waited for stalls its whole scheduler. */
#include "policy/warp_order.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    const uint64_t awake = v->resident & ~v->at_barrier & v->scheduler_slots[scheduler];
    const uint32_t turn = warp_order_after(last, awake);
    return candidates >> turn & 1 ? turn : NO_SLOT;
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    *last = (struct last_issued){ slot, true };
}

const struct policy policy_rrr = {
    .name = "rrr",
    .summary = "strict round robin: every warp in turn, and all wait for the one whose turn it is",
    .source = "textbook",
    .sizes = sizes,
    .order = { .pick = pick, .issued = issued },
};
