/* links.h - the links between the modules of a machine: ring, mesh or switch, with bandwidth, latency and finite buffers.
 *
 * Requests and replies share the wires of a link and nothing else: each has a lane of its own, with its own buffer, in every link.
 * A packet enters the first lane of its road, is sent when the link is free (so many bytes per cycle, requests and replies in
 * turn), is at the other end `link.latency` cycles after its last byte was sent, and there goes on into the next lane, or out.
 *
 * Why it cannot hang. (1) Replies always leave: an SM takes them whatever else it does. So lanes of replies drain; a slice that can
 * send its replies takes requests, so lanes of requests drain, if no lane waits for itself. (2) In a mesh packets go along their
 * row first, then along their column, and through a switch up and then down: no lane waits for itself. (3) In a ring it might, if
 * all lanes of one direction were full. A packet that enters a ring therefore needs a first lane that is less than half full, one
 * that goes on in the ring needs one free place. Entering leaves a place free somewhere in the ring, and going on takes none away:
 * there is always a place, and the packet behind it moves. One free place for the whole ring would be enough for that, and not
 * enough to be fast: a ring of 32 full lanes crept at a twentieth of its bandwidth. With half of each lane for packets that go on,
 * a ring that is asked for too much stays at its bandwidth. tests/unit/mem/test_links.c fills all buffers and waits for the last
 * packet, and measures what a saturated ring carries.
 *
 * Contract. Times are cycles of the network's clock and only grow. Serial: nobody else touches the links or the ports that
 * `deliver` fills meanwhile. Packets of a class from one module to another keep their order. */
#ifndef WARPLINE_MEM_LINKS_H
#define WARPLINE_MEM_LINKS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/link_counters.def"
#define STAT_NAME link
#include "stat/declare.h"

enum link_topology { LINK_RING, LINK_MESH, LINK_SWITCH };
enum link_domain { LINK_PACKAGE, LINK_BOARD };
enum link_class { LINK_REQUEST, LINK_REPLY, LINK_CLASSES };

struct link_config {
    uint32_t topology, domain;
    uint64_t bandwidth; /* of one link in one direction, 10^6 bytes per second */
    uint32_t latency;   /* network cycles per hop */
    uint32_t buffer;    /* packets of a class that a link holds, those under way included; 0: enough to keep it busy */
};
extern const struct param link_params[]; /* link.* */

struct links;
struct links *links_new(const struct link_config *config, uint32_t modules, uint64_t net_khz);
void links_free(struct links *l);

/* True when there is room for a packet from one module to another. */
bool links_has_room(const struct links *l, uint32_t from, uint32_t to, enum link_class class);
void links_push(struct links *l, uint32_t from, uint32_t to, enum link_class class, struct request *r, uint64_t now);
/* Takes a packet that has arrived at its module; false: no room for it there yet. */
typedef bool link_deliver(void *context, uint32_t module, enum link_class class, struct request *r);
/* One cycle: what has come to the end of a link goes on. To be called before the pushes of the cycle. */
void links_move(struct links *l, uint64_t now, link_deliver *deliver, void *context);
/* The same cycle, after the pushes: what waits is sent as far as the cycle's bytes go. */
void links_send(struct links *l, uint64_t now);
/* The first cycle after `now` in which something may happen unless somebody pushes; UINT64_MAX: none. */
uint64_t links_next_event(const struct links *l, uint64_t now);

uint32_t links_packets(const struct links *l); /* inside */
uint32_t links_hops(const struct links *l, uint32_t from, uint32_t to);
/* How many links a module has, each of both directions: 2 in a ring of more than two, up to 4 in a mesh, 1 to a switch. 1 for a
 * name that is none. */
uint32_t links_of_module(const char *topology, uint32_t modules);
const struct link_counters *links_counters(const struct links *l);

/* One by one, for reports: how many links there are, and what link `i` carried since it was made. A switch is node `modules`. */
struct link_traffic {
    uint32_t from, to;
    uint64_t packets, bytes;
};
uint32_t links_count(const struct links *l);
struct link_traffic links_traffic(const struct links *l, uint32_t i);
void links_dump(const struct links *l, FILE *out);
#endif
