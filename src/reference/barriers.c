/* barriers.c - GPGPU-Sim keeps a barrier as a set of warps. A warp that arrives twice counts once, and a barrier that completes
 * wakes its whole set. So a warp that arrived without waiting (bar.arrive) and now waits at another barrier is woken there, too
 * early. */
#include "reference/reference.h"

bool reference_barrier(const struct front_barrier *b, uint64_t live, bool ended, uint64_t *woken)
{
    *woken = b->here;
    if (ended || !b->expected)
        return b->here && b->here == live;
    return (uint32_t)__builtin_popcountll(b->here) == b->expected;
}
