/* barrier.h - tells when a barrier of a CTA is complete, and which warps it wakes. Used for programs that run and for traces. */
#ifndef WARPLINE_FRONT_BARRIER_H
#define WARPLINE_FRONT_BARRIER_H
#include <stdbool.h>
#include <stdint.h>

struct front_barrier {
    uint32_t arrived, expected; /* warps; expected 0: all that live */
    uint64_t here, waiting;     /* warps that arrived; those of them that sleep until it completes */
};

/* True: the barrier is complete and wakes `woken`. `live`: the CTA's warps that have not ended; `ended`: one has just done so. */
typedef bool front_barrier_rule(const struct front_barrier *b, uint64_t live, bool ended, uint64_t *woken);

/* A warp that has ended counts as arrived when the barrier waits for all warps. Warps that sleep there then wake. */
static inline bool front_barrier_complete(const struct front_barrier *b, uint64_t live, bool ended, uint64_t *woken)
{
    (void)ended;
    const uint32_t expected = b->expected ? b->expected : (uint32_t)__builtin_popcountll(live);
    *woken = b->waiting;
    return b->arrived && b->arrived >= expected;
}

static inline void front_barrier_arrive(struct front_barrier *b, uint32_t warp, uint32_t expected, bool waits)
{
    const uint64_t bit = UINT64_C(1) << warp;
    if (expected)
        b->expected = expected;
    b->arrived++;
    b->here |= bit;
    b->waiting |= waits ? bit : 0;
}
#endif
