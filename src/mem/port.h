/* port.h - how components meet: a queue with two ends, which wakes whoever waits at either end.
 *
 * A port is a ring of requests between one writer and one reader. A push wakes the reader, and a pop from a full port wakes the
 * writer, so that nobody who pushes or pops has to think of it. To wake means to set a bit in a word of a list of who is to be
 * visited (mem/sleepers.h), or in a mask of their own. A port without such a bit wakes nobody. All that stands behind one port
 * belongs to one thread at a time.
 *
 * An SM sends through an outlet (mem/outlet.h), which is a port and the room behind it. */
#ifndef WARPLINE_MEM_PORT_H
#define WARPLINE_MEM_PORT_H
#include <stdbool.h>

#include "mem/request_ring.h"

struct waker {
    uint64_t *word;
    uint64_t bit;
};

struct port {
    struct request_ring ring;
    struct waker filled;  /* on while there is something in it */
    struct waker crowded; /* on while there is no room in it */
    struct waker reader;  /* set by each push */
    struct waker writer;  /* set by a pop that makes room where there was none */
    uint64_t nobody;      /* where the bits go when there is nobody to wake */
};

/* As for request_ring_init. The port must not be moved. */
static inline void port_init(struct port *p, uint32_t capacity)
{
    const struct waker none = { &p->nobody, 0 };
    *p = (struct port){ .filled = none, .crowded = none, .reader = none, .writer = none };
    request_ring_init(&p->ring, capacity);
}
static inline void port_clear(struct port *p)
{
    request_ring_clear(&p->ring);
}
static inline struct waker waker_of(uint64_t *words, uint32_t i)
{
    return (struct waker){ &words[i / 64], UINT64_C(1) << i % 64 };
}

static inline void waker_wake(struct waker w)
{
    *w.word |= w.bit;
}

static inline bool port_full(const struct port *p)
{
    return request_ring_full(&p->ring);
}
static inline struct request *port_peek(const struct port *p)
{
    return request_ring_peek(&p->ring);
}
static inline void port_push(struct port *p, struct request *r)
{
    request_ring_push(&p->ring, r);
    *p->filled.word |= p->filled.bit;
    waker_wake(p->reader);
    if (request_ring_full(&p->ring))
        *p->crowded.word |= p->crowded.bit;
}
static inline struct request *port_pop(struct port *p)
{
    if (request_ring_full(&p->ring)) {
        *p->crowded.word &= ~p->crowded.bit;
        waker_wake(p->writer);
    }
    struct request *r = request_ring_pop(&p->ring);
    if (!p->ring.count)
        *p->filled.word &= ~p->filled.bit;
    return r;
}
#endif
