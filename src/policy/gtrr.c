/* gtrr - greedy then round robin: the warp that issued last as long as it can, then the next slot after it that can issue (paper
 * 002, table 5.3, which names it and says no more). */
#include "policy/warp_order.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    const uint64_t from_last = last->known ? candidates & UINT64_MAX << last->slot : candidates;
    return (uint32_t)__builtin_ctzll(from_last ? from_last : candidates);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    *last = (struct last_issued){ slot, true };
}

const struct policy policy_gtrr = {
    .name = "gtrr",
    .summary = "greedy then round robin: stay with a warp until it stalls, then take the next",
    .source = "paper 002, table 5.3",
    .sizes = sizes,
    .order = { .pick = pick, .issued = issued },
};
