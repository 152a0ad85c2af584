/* warp_limit.h - limits each scheduler to its oldest n warps: shared by swl, dwt-cs and ccws.
 *
 * Warps at a barrier do not count and are not held back, because the warps that they wait for must get their turn. */
#ifndef WARPLINE_POLICY_WARP_LIMIT_H
#define WARPLINE_POLICY_WARP_LIMIT_H
#include "policy/policy.h"

struct swl_config { /* of swl, for policies that ask a peer */
    uint32_t limit;
};

/* The oldest `limit` slots of `candidates`. */
static inline uint64_t warp_limit_oldest(const struct policy_sm_view *v, uint64_t candidates, uint32_t limit)
{
    if ((uint32_t)__builtin_popcountll(candidates) <= limit)
        return candidates;
    uint64_t chosen = 0;
    for (uint32_t n = 0; n < limit; n++) {
        uint32_t oldest = 64;
        for (uint64_t rest = candidates & ~chosen; rest; rest &= rest - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
            if (oldest == 64 || v->age[slot] < v->age[oldest])
                oldest = slot;
        }
        chosen |= 1ull << oldest;
    }
    return chosen;
}

/* Clears in *mask the warps of each scheduler beyond its oldest `limit` that are not at a barrier. */
static inline void warp_limit_apply(const struct policy_self *self, const struct policy_sm_view *v, uint32_t limit, uint64_t *mask)
{
    for (uint32_t s = 0; s < self->geometry->schedulers_per_sm; s++) {
        const uint64_t running = v->resident & ~v->at_barrier & v->scheduler_slots[s];
        *mask &= ~(running & ~warp_limit_oldest(v, running, limit));
    }
}

static inline uint32_t warps_per_scheduler(const struct policy_geometry *g)
{
    return (g->warps_per_sm + g->schedulers_per_sm - 1) / g->schedulers_per_sm;
}
#endif
