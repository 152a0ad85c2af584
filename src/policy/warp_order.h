/* warp_order.h - what the scheduler policies have in common. */
#ifndef WARPLINE_POLICY_WARP_ORDER_H
#define WARPLINE_POLICY_WARP_ORDER_H
#include "policy/policy.h"

/* The candidate that was launched first; candidates are not 0. */
static inline uint32_t warp_order_oldest(const struct policy_sm_view *v, uint64_t candidates)
{
    uint32_t oldest = (uint32_t)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (v->age[slot] < v->age[oldest])
            oldest = slot;
    }
    return oldest;
}

/* Schedulers begin as if the first of their slots had issued last. */
struct last_issued {
    uint32_t slot;
    bool known;
};
static inline uint32_t warp_order_last(const struct last_issued *last, const struct policy_sm_view *v, uint32_t scheduler)
{
    return last->known ? last->slot : (uint32_t)__builtin_ctzll(v->scheduler_slots[scheduler]);
}
/* The first of `slots` after the one that issued last, round the end; they are not 0. */
static inline uint32_t warp_order_after(const struct last_issued *last, uint64_t slots)
{
    const uint64_t after = last->known && last->slot < 63 ? slots & UINT64_MAX << (last->slot + 1) : 0;
    return (uint32_t)__builtin_ctzll(after ? after : slots);
}
#endif
