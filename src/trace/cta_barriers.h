/* cta_barriers.h - the barriers of a CTA in a replay. Waiting warps are counted again, because timing decides who waits, not the
 * recording. */
#ifndef WARPLINE_TRACE_CTA_BARRIERS_H
#define WARPLINE_TRACE_CTA_BARRIERS_H
#include "front/barrier.h"
#include "front/front.h"

struct cta_barriers {
    struct front_barrier barrier[FRONT_BARRIERS];
    uint64_t live; /* warps that have not ended */
    uint32_t open; /* barriers where somebody has arrived, as bits */
    front_barrier_rule *rule;
};

static inline void barriers_complete(struct cta_barriers *b, uint32_t number, bool ended, struct front_warp **warps)
{
    uint64_t woken;
    if (!b->rule(&b->barrier[number], b->live, ended, &woken))
        return;
    for (; woken; woken &= woken - 1)
        warps[__builtin_ctzll(woken)]->waiting = false;
    b->barrier[number] = (struct front_barrier){ 0 };
    b->open &= ~(1u << number);
}

/* `count` 0: all warps of the CTA that live. */
static inline void barriers_arrive(struct cta_barriers *b, uint32_t number, uint32_t count, bool waits, uint32_t warp,
                                   struct front_warp **warps)
{
    front_barrier_arrive(&b->barrier[number], warp, count, waits);
    b->open |= 1u << number;
    if (waits)
        warps[warp]->waiting = true;
    barriers_complete(b, number, false, warps);
}

/* Warps that have ended count as arrived at barriers that wait for the whole CTA. */
static inline void barriers_warp_ended(struct cta_barriers *b, uint32_t warp, struct front_warp **warps)
{
    b->live &= ~(UINT64_C(1) << warp);
    for (uint32_t left = b->open; left; left &= left - 1)
        barriers_complete(b, (uint32_t)__builtin_ctz(left), true, warps);
}
#endif
