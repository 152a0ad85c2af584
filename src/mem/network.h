/* network.h - one crossbar: packets from `sources` inputs to `destinations` outputs, in flits.
 *
 * A machine has two: requests (SM to slice) and replies (slice to SM). A packet enters the source's injection queue, moves flit by
 * flit into the input buffer of the router, wins its output (allocation of the output's virtual channel, held until the tail
 * passes), then the switch each cycle for each flit, crosses, waits in the ejection buffer and is handed over whole.
 *
 * Contract. All times are cycles of the network's clock and only grow. Within a cycle, network_tick comes once, after the pushes of
 * L2 slices and before those of SMs (as in the reference) or after all: a push is seen by the next tick. Packets of one source to one
 * destination keep their order. What network_push accepted comes out exactly once. Nothing is dropped; a destination that does not
 * pop holds up its inputs. */
#ifndef WARPLINE_MEM_NETWORK_H
#define WARPLINE_MEM_NETWORK_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/net_counters.def"
#define STAT_NAME net
#include "stat/declare.h"

struct net_config {
    uint32_t flit_bytes;
    uint32_t injection_flits;   /* queue between a source and its router input */
    uint32_t input_flits;       /* router's buffer per input (one virtual channel) */
    uint32_t ejection_flits;    /* buffer behind each output */
    uint32_t boundary_flits;    /* flits handed over but not yet popped, per destination */
    uint32_t speedup;           /* flits that an input and an output of the switch may pass per cycle */
    uint32_t channel_cycles;    /* source to router, and router to ejection buffer */
    uint32_t credit_cycles;     /* from a freed buffer entry back to its sender's count */
};
extern const struct param net_params[]; /* net.* */
bool net_config_check(const struct net_config *config, struct error *err);

struct network;
struct network *network_new(const struct net_config *config, uint32_t sources, uint32_t destinations);
void network_free(struct network *n);

/* Is there room for a packet of `bytes` in the injection queue of `source`? */
bool network_has_room(const struct network *n, uint32_t source, uint32_t bytes);
/* Panics when there is no room. The packet's size is request_packet_bytes(r). */
void network_push(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now);
/* The packet that arrived first at `destination` and is not yet popped; NULL when none. */
struct request *network_peek(const struct network *n, uint32_t destination);
struct request *network_pop(struct network *n, uint32_t destination, uint64_t now);
/* Bit per destination with a packet to pop (destinations 64 * word and up). */
uint64_t network_arrivals(const struct network *n, uint32_t word);

/* One network cycle. Calling it in a cycle in which nothing can happen changes nothing. */
void network_tick(struct network *n, uint64_t now);
/* The first cycle after `now` whose tick does something if nobody pushes or pops before; UINT64_MAX: none. */
uint64_t network_next_event(const struct network *n, uint64_t now);
/* Packets inside, popped ones excluded. */
uint32_t network_packets(const struct network *n);
const struct net_counters *network_counters(const struct network *n);
#endif
