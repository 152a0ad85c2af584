/* lrr - loose round robin: from the slot after the one that issued last, the first that can issue. */
#include "policy/warp_order.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    return warp_order_after(last, candidates);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    *last = (struct last_issued){ slot, true };
}

const struct policy policy_lrr = {
    .name = "lrr",
    .summary = "loose round robin: every warp in turn, those that cannot issue are skipped",
    .source = "textbook",
    .sizes = sizes,
    .order = { .pick = pick, .issued = issued },
};
