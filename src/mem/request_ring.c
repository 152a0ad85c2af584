/* request_ring.c - a queue of requests in an array; one without a limit grows until it has seen its longest. */
#include "mem/request_ring.h"

#include "base/error.h"
#include "base/near.h"

enum { UNBOUNDED_START = 64 };

void request_ring_init(struct request_ring *ring, uint32_t capacity)
{
    uint32_t size = 1;
    while (size < (capacity ? capacity : UNBOUNDED_START))
        size *= 2;
    *ring = (struct request_ring){ .slot = near_calloc(size, sizeof *ring->slot),
                                   .mask = size - 1,
                                   .capacity = capacity ? capacity : UINT32_MAX };
}

void request_ring_clear(struct request_ring *ring)
{
    near_free(ring->slot);
    ring->slot = NULL;
}

void request_ring_grow(struct request_ring *ring)
{
    require(ring->capacity == UINT32_MAX);
    const uint32_t size = ring->mask + 1;
    struct request **slot = near_calloc(2ul * size, sizeof *slot);
    for (uint32_t i = 0; i < size; i++)
        slot[i] = ring->slot[(ring->head + i) & ring->mask];
    near_free(ring->slot);
    ring->slot = slot;
    ring->head = 0;
    ring->mask = 2 * size - 1;
}
