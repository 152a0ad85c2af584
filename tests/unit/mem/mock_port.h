/* mock_port.h - what lies below a cache under test: queues that the test reads and fills.
 *
 * An L1 sends through the outlet, an L2 slice through the outlet's port. */
#ifndef WARPLINE_TESTS_MOCK_PORT_H
#define WARPLINE_TESTS_MOCK_PORT_H
#include <string.h>

#include "mem/outlet.h"

enum { MOCK_PACKET_BYTES = REQUEST_CONTROL_BYTES + 128 };

struct mock_port {
    struct outlet out; /* without limits */
    struct port up;
    uint32_t queued;
    uint8_t one_flit[MOCK_PACKET_BYTES + 1];
};

/* A port as an L2 slice has it: without room. */
static inline void mock_port_fill(struct mock_port *m, bool full)
{
    m->out.port.ring.capacity = full ? 0 : UINT32_MAX;
}
/* An outlet as an L1 has it: the queue behind it has no room. */
static inline void mock_out_fill(struct mock_port *m, bool full)
{
    m->queued = full;
    m->out.limit = full ? 0 : UINT32_MAX;
}

/* The mock must not be moved afterwards. */
static inline struct outlet *mock_port_open(struct mock_port *m)
{
    memset(m->one_flit, 1, sizeof m->one_flit);
    m->out = (struct outlet){ .queued = &m->queued, .flits_of = m->one_flit };
    mock_out_fill(m, false);
    port_init(&m->out.port, 0);
    port_init(&m->up, 0);
    return &m->out;
}
static inline void mock_port_close(struct mock_port *m)
{
    port_clear(&m->out.port);
    port_clear(&m->up);
}
#endif
