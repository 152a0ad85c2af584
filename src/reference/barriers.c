/* barriers.c - the reference keeps barriers as sets of warps: who arrives twice counts once, and a barrier that completes wakes its
 * whole set. A warp that arrived without waiting (bar.arrive) and waits at another barrier by now goes on from there, too early. */
#include "reference/reference.h"

bool reference_barrier(const struct front_barrier *b, uint64_t live, bool ended, uint64_t *woken)
{
    *woken = b->here;
    if (ended || !b->expected)
        return b->here && b->here == live;
    return (uint32_t)__builtin_popcountll(b->here) == b->expected;
}
