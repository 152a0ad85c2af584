/* request_ring.h - a queue of requests in an array: first in, first out.
 *
 * `capacity` is what the modelled hardware holds; the array is a power of two at least as large. A ring made with capacity 0 stands
 * for a queue without a limit: it grows when it must, which ends once it has seen its longest. */
#ifndef WARPLINE_MEM_REQUEST_RING_H
#define WARPLINE_MEM_REQUEST_RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/request.h"

/* The first request is kept outside the array, which holds those after it from `head` on. NULL: there is none. */
struct request_ring {
    struct request *first;
    struct request **slot;
    uint32_t mask, head, count, capacity;
};

void request_ring_init(struct request_ring *ring, uint32_t capacity);
void request_ring_clear(struct request_ring *ring); /* frees the array */
void request_ring_grow(struct request_ring *ring);

static inline bool request_ring_full(const struct request_ring *ring)
{
    return ring->count >= ring->capacity;
}
static inline struct request *request_ring_peek(const struct request_ring *ring)
{
    return ring->first;
}
static inline struct request *request_ring_pop(struct request_ring *ring)
{
    struct request *r = ring->first;
    if (!r)
        return NULL;
    ring->first = --ring->count ? ring->slot[ring->head++ & ring->mask] : NULL;
    if (ring->count > 1) /* it is the next first one: by then the host has it in its cache */
        __builtin_prefetch(ring->slot[ring->head & ring->mask]);
    return r;
}
static inline void request_ring_push(struct request_ring *ring, struct request *r)
{
    if (!ring->count++) {
        ring->first = r;
        ring->head = 0; /* a queue that is mostly short stays in one cache line of the host */
        return;
    }
    if (ring->count - 2 > ring->mask)
        request_ring_grow(ring);
    ring->slot[(ring->head + ring->count - 2) & ring->mask] = r;
}
static inline struct request **request_ring_at(struct request_ring *ring, uint32_t i)
{
    return i ? &ring->slot[(ring->head + i - 1) & ring->mask] : &ring->first;
}
/* The last `n` entries: the youngest moves before the others, which keep their order. */
static inline void request_ring_advance_last(struct request_ring *ring, uint32_t n)
{
    const uint32_t last = ring->count - 1;
    struct request *r = *request_ring_at(ring, last);
    for (uint32_t i = 1; i < n; i++)
        *request_ring_at(ring, last - i + 1) = *request_ring_at(ring, last - i);
    *request_ring_at(ring, last - n + 1) = r;
}
#endif
