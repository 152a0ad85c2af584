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
    const uint64_t after = last->known && last->slot < 63 ? candidates & UINT64_MAX << (last->slot + 1) : 0;
    return (uint32_t)__builtin_ctzll(after ? after : candidates);
}

/* From the one after the last to the one that issues. */
static uint64_t looked(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    if (slot == NO_SLOT)
        return UINT64_MAX;
    const uint64_t until = UINT64_MAX >> (63 - slot), passed = last->known ? UINT64_MAX >> (63 - last->slot) : 0;
    return last->known && slot <= last->slot ? until | ~passed : until & ~passed;
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
    .order = { .pick = pick, .issued = issued, .looked = looked },
};
