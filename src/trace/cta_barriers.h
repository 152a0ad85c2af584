/* cta_barriers.h - the barriers of a CTA in a replay: who waits is counted again, because timing decides it, not the recording. */
#ifndef WARPLINE_TRACE_CTA_BARRIERS_H
#define WARPLINE_TRACE_CTA_BARRIERS_H
#include "front/front.h"

struct cta_barriers {
    struct {
        uint32_t arrived, expected; /* warps; expected 0: all that live */
        uint64_t waiting;           /* warps that sleep until it completes */
    } barrier[FRONT_BARRIERS];
    uint32_t live_warps;
    uint32_t open; /* barriers with somebody waiting, as bits */
};

static inline void barriers_complete(struct cta_barriers *b, uint32_t number, struct front_warp **warps)
{
    const uint32_t expected = b->barrier[number].expected ? b->barrier[number].expected : b->live_warps;
    if (b->barrier[number].arrived == 0 || b->barrier[number].arrived < expected)
        return;
    for (uint64_t left = b->barrier[number].waiting; left; left &= left - 1)
        warps[__builtin_ctzll(left)]->waiting = false;
    b->barrier[number].arrived = b->barrier[number].expected = 0;
    b->barrier[number].waiting = 0;
    b->open &= ~(1u << number);
}

/* `count` 0: all warps of the CTA that live. */
static inline void barriers_arrive(struct cta_barriers *b, uint32_t number, uint32_t count, bool waits, uint32_t warp,
                                   struct front_warp **warps)
{
    if (count)
        b->barrier[number].expected = count;
    b->barrier[number].arrived++;
    if (waits) {
        warps[warp]->waiting = true;
        b->barrier[number].waiting |= UINT64_C(1) << warp;
        b->open |= 1u << number;
    }
    barriers_complete(b, number, warps);
}

/* Warps that have ended count as arrived at barriers that wait for the whole CTA. */
static inline void barriers_warp_ended(struct cta_barriers *b, struct front_warp **warps)
{
    b->live_warps--;
    for (uint32_t left = b->open; left; left &= left - 1)
        barriers_complete(b, (uint32_t)__builtin_ctz(left), warps);
}
#endif
