/* ring.h - the places of a queue in an array: first in, first out.
 *
 * A ring knows places, not what lies in them: the owner keeps an array of ring_size.mask + 1 entries of its own kind, or one such
 * part of a larger array for each ring. Rings of a kind share one ring_size. (A queue of requests has a ring of its own, which also
 * keeps the requests: mem/request_ring.h.) */
#ifndef WARPLINE_BASE_RING_H
#define WARPLINE_BASE_RING_H
#include <stdint.h>

#include "base/error.h"

struct ring {
    uint32_t head, count; /* place of the oldest entry; entries */
};

struct ring_size {
    uint32_t limit, mask, shift; /* entries at most; places - 1; log2 of the places */
};

/* For up to `limit` entries. There is a power of two of places: no division finds the next one. */
static inline struct ring_size ring_size(uint32_t limit)
{
    struct ring_size size = { .limit = limit };
    while ((1u << size.shift) < limit)
        size.shift++;
    size.mask = (1u << size.shift) - 1;
    return size;
}

/* Where entry `i` lies, counted from the oldest. */
static inline uint32_t ring_place(const struct ring *r, const struct ring_size *size, uint32_t i)
{
    return (r->head + i) & size->mask;
}

static inline bool ring_full(const struct ring *r, const struct ring_size *size)
{
    return r->count == size->limit;
}

/* Where a new youngest entry is to be written. */
static inline uint32_t ring_add(struct ring *r, const struct ring_size *size)
{
    require(r->count < size->limit);
    return ring_place(r, size, r->count++);
}

/* The oldest ones leave. */
static inline void ring_drop(struct ring *r, const struct ring_size *size, uint32_t entries)
{
    r->count -= entries;
    /* A ring that is mostly short stays in one cache line of the host. There is no branch, since no host can predict whether it
     * is empty. */
    r->head = ring_place(r, size, entries) & -(uint32_t)(r->count != 0);
}
#endif
