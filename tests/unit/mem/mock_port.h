/* mock_port.h - what lies below a cache under test: an array that the test reads and fills. */
#ifndef WARPLINE_TESTS_MOCK_PORT_H
#define WARPLINE_TESTS_MOCK_PORT_H
#include "mem/port.h"

struct mock_port {
    struct port down, up; /* without limits */
    bool full;
};

/* A port as an L2 slice has it: without room. */
static inline void mock_port_fill(struct mock_port *m, bool full)
{
    m->down.ring.capacity = full ? 0 : UINT32_MAX;
}

static bool mock_full(void *context, const struct request *r)
{
    (void)r;
    return ((struct mock_port *)context)->full;
}
static void mock_push(void *context, struct request *r)
{
    port_push(&((struct mock_port *)context)->down, r);
}

static inline struct memory_port mock_port_open(struct mock_port *m)
{
    m->full = false;
    port_init(&m->down, 0);
    port_init(&m->up, 0);
    return (struct memory_port){ m, mock_full, mock_push };
}
static inline void mock_port_close(struct mock_port *m)
{
    port_clear(&m->down);
    port_clear(&m->up);
}
#endif
