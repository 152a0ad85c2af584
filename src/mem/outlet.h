/* outlet.h - an SM's way out: the port that its caches and its LSU send requests through.
 *
 * What an SM sends in a cycle waits in the port; when the SMs have had their turn the machine puts all of it into the network. So
 * the room is not the port's own but that of the network's injection queue behind it. It is counted in flits, and the network gives
 * it back flit by flit. `outlet_takes` is asked in the same cycle as the push. An SM that runs on (sm_run_on) sends before its
 * time: this waits in the port until the machine has come to that cycle.
 *
 * Where pages are placed by a policy, a request to a page without an owner cannot go anywhere yet: the outlet does not take it, and
 * notes the page, which has an owner in the next cycle. */
#ifndef WARPLINE_MEM_OUTLET_H
#define WARPLINE_MEM_OUTLET_H
#include "mem/page_table.h"
#include "mem/port.h"

struct outlet {
    _Alignas(HOST_LINE_BYTES) struct port port; /* neighbours may belong to other threads */
    uint32_t pushed;                            /* flits in the port */
    uint32_t limit;                             /* flits in the port and behind it */
    const uint32_t *queued;                     /* flits behind it */
    const uint8_t *flits_of;                    /* by the bytes of a packet */
    struct page_touches *touches;               /* NULL: every address has its place */
    uint64_t hold_until;                        /* the core cycle of what is in the port, if that was sent before its time */
};

/* A packet larger than the queue is let in when that is empty, so that no size deadlocks. */
static inline bool outlet_has_room(const struct outlet *o, uint32_t packet_bytes)
{
    const uint32_t used = *o->queued + o->pushed;
    return !used || used + o->flits_of[packet_bytes] <= o->limit;
}
static inline bool outlet_takes(const struct outlet *o, const struct request *r)
{
    return outlet_has_room(o, request_packet_bytes(r)) && (!seldom(o->touches) || page_touches_owned(o->touches, r->address));
}
/* Nothing in it and nothing behind it: whatever the network does meanwhile, it takes in a later cycle what it takes now. */
static inline bool outlet_empty(const struct outlet *o)
{
    return *o->queued + o->pushed == 0;
}
static inline void outlet_push(struct outlet *o, struct request *r)
{
    o->pushed += o->flits_of[request_packet_bytes(r)];
    port_push(&o->port, r);
}
/* For the machine, which takes all there is. */
static inline struct request *outlet_pop(struct outlet *o)
{
    o->pushed = 0;
    return port_pop(&o->port);
}
#endif
