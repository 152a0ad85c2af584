/* network.h - one crossbar: packets from `sources` inputs to `destinations` outputs, in flits.
 *
 * A machine has two: requests (SM to slice) and replies (slice to SM). A packet waits in the source's injection queue, goes flit by
 * flit over the link (two cycles) into the input buffer of the router, is given its output by round robin over the inputs that ask
 * (one step; held until its tail has passed), passes the switch flit by flit (one step each, one more to cross), leaves over the
 * output link (one flit per cycle, two cycles) and is handed over once its tail is there. The router takes `speedup` steps per
 * cycle. With the defaults a one-flit packet pushed before tick t can be popped after tick t + 5, and each further flit adds a
 * cycle.
 *
 * Contract. All times are cycles of the network's clock and only grow. A push is seen by the next tick (the reference ticks after
 * its L2 slices pushed and before its SMs did), and what a tick hands over can be popped at once. Packets of one source to one
 * destination keep their order. What network_push accepted comes out exactly once; a destination that does not pop holds up its
 * inputs. A packet larger than the injection queue or the boundary buffer is let in when that is empty, so that no size deadlocks.
 *
 * SMs send through outlets (mem/outlet.h), slices and gateways through ports that the machine empties into the network. The far end
 * is no port: the boundary buffer is a ring of flits, and its bits (network_arrivals) tell the reader what a port's would. A port
 * behind it would hold the same packets a second time. */
#ifndef WARPLINE_MEM_NETWORK_H
#define WARPLINE_MEM_NETWORK_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "mem/outlet.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/net_counters.def"
#define STAT_NAME net
#include "stat/declare.h"

enum net_model { NET_ROUTER, NET_CROSSBAR };

struct net_config {
    uint32_t flit_bytes;
    uint32_t injection_flits; /* queue between a source and its link to the router */
    uint32_t input_flits;     /* router's buffer per input (one virtual channel) */
    uint32_t ejection_flits;  /* what an output may have sent beyond what its ejection buffer has passed on */
    uint32_t boundary_flits;  /* flits handed over but not yet popped, per destination */
    uint32_t speedup;         /* steps of the router per network cycle: allocate, allocate, ... */
    uint32_t model;           /* enum net_model */
};
extern const struct param net_params[]; /* net.* */
bool net_config_check(const struct net_config *config, struct error *err);

struct network;
struct network *network_new(const struct net_config *config, uint32_t sources, uint32_t destinations);
void network_free(struct network *n);

/* True when the injection queue of `source` has room for a packet of `bytes`. */
bool network_has_room(const struct network *n, uint32_t source, uint32_t bytes);
/* Makes `o` a way to `source`: it then knows the room there. */
void network_open_outlet(const struct network *n, uint32_t source, struct outlet *o);
/* Panics when there is no room. The packet's size is request_packet_bytes(r). */
void network_push(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now);
/* The same in two halves, for sources that push side by side: network_put touches what is the source's own and returns the packet's
 * flits; network_announce, serially and before the next tick, says who has put how much. */
struct network_news {
    uint64_t *sources; /* bit each: has put something */
    uint32_t words, packets, flits;
};
uint32_t network_put(struct network *n, uint32_t source, uint32_t destination, struct request *r, uint64_t now);
void network_announce(struct network *n, struct network_news *news); /* which is empty then */
/* The same for destinations: network_take is a pop of a destination that has something, and notes what it took; the notes are empty
 * again after network_announce_taken. */
struct network_taken {
    uint64_t *emptied; /* bit per destination: has no more packets to pop */
    uint32_t words, packets, flits;
    uint64_t cycles;
};
struct request *network_take(struct network *n, uint32_t destination, uint64_t now, struct network_taken *taken);
void network_announce_taken(struct network *n, struct network_taken *taken);
/* The packet that arrived first at `destination` and is not yet popped; NULL when none. */
struct request *network_peek(const struct network *n, uint32_t destination);
struct request *network_pop(struct network *n, uint32_t destination, uint64_t now);
/* Bit per destination with a packet to pop (destinations 64 * word and up). */
uint64_t network_arrivals(const struct network *n, uint32_t word);
bool network_has_arrivals(const struct network *n); /* a packet to pop, at any destination */

/* One network cycle. Calling it in a cycle in which nothing can happen changes nothing. */
void network_tick(struct network *n, uint64_t now);
/* The first cycle after `now` whose tick does something if nobody pushes or pops before; UINT64_MAX: none. */
uint64_t network_next_event(const struct network *n, uint64_t now);
/* Packets inside, popped ones excluded. */
uint32_t network_packets(const struct network *n);
const struct net_counters *network_counters(const struct network *n);
/* For the report of a run that hangs: every queue with something in it, and the packet at its head. */
void network_dump(const struct network *n, const char *name, FILE *out);
#endif
