/* gto - greedy then oldest: stay with the warp that issued last as long as it can issue, then take the one that was launched first.
 *
 * The machine does this by itself when no policy owns the order. This file makes the same decision through the hooks. */
#include "policy/warp_order.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    const uint32_t greedy = warp_order_last(last, v, scheduler);
    return candidates >> greedy & 1 ? greedy : warp_order_oldest(v, candidates);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    *last = (struct last_issued){ slot, true };
}

const struct policy policy_gto = {
    .name = "gto",
    .summary = "greedy then oldest: stay with a warp until it stalls, then take the oldest",
    .source = "Rogers et al., MICRO 2012",
    .sizes = sizes,
    .order = { .pick = pick, .issued = issued },
};
