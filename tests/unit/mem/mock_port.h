/* mock_port.h - what lies below a cache under test: an array that the test reads and fills. */
#ifndef WARPLINE_TESTS_MOCK_PORT_H
#define WARPLINE_TESTS_MOCK_PORT_H
#include "mem/port.h"
#include "mem/request_ring.h"

struct mock_port {
    struct request_ring down, up; /* without limits */
    bool full;
};

static bool mock_full(void *context, const struct request *r)
{
    (void)r;
    return ((struct mock_port *)context)->full;
}
static void mock_push(void *context, struct request *r)
{
    request_ring_push(&((struct mock_port *)context)->down, r);
}
static struct request *mock_peek(void *context)
{
    return request_ring_peek(&((struct mock_port *)context)->up);
}
static struct request *mock_pop(void *context)
{
    return request_ring_pop(&((struct mock_port *)context)->up);
}

static inline struct memory_port mock_port_open(struct mock_port *m)
{
    m->full = false;
    request_ring_init(&m->down, 0);
    request_ring_init(&m->up, 0);
    return (struct memory_port){ m, mock_full, mock_push, mock_peek, mock_pop };
}
static inline void mock_port_close(struct mock_port *m)
{
    request_ring_clear(&m->down);
    request_ring_clear(&m->up);
}
#endif
