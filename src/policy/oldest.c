/* oldest - the warp that was launched first among those that can issue; no greed. */
#include "policy/warp_order.h"

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    (void)self, (void)scheduler;
    return warp_order_oldest(v, candidates);
}

const struct policy policy_oldest = {
    .name = "oldest",
    .summary = "oldest first: the warp that was launched first, without greed",
    .source = "textbook",
    .order = { .pick = pick },
};
