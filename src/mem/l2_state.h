/* l2_state.h - what an L2 slice is inside: shared by l2_slice.c (queues and the cycle) and l2_lookup.c (tags, MSHRs, counting). */
#ifndef WARPLINE_MEM_L2_STATE_H
#define WARPLINE_MEM_L2_STATE_H
#include <stddef.h>

#include "mem/cache_policy.h"
#include "mem/l2_slice.h"
#include "mem/mshr.h"
#include "mem/request_ring.h"
#include "mem/tag_array.h"

struct l2_slice {
    /* What every cycle asks comes first, in three cache lines of the host, and what it mostly asks in two more. */
    struct request_ring input, miss_queue;
    struct request_ring rop; /* request.ready: when it may go on to the input queue; without a limit, as in the reference */
    uint64_t rop_ready;      /* of its first */
    uint64_t data_port_free, fill_port_free; /* first cycle in which the port may be used */
    /* The head of the input queue was refused for `cause` at `refused_at`, and nothing that it waits for has changed since. */
    uint64_t refused_at;
    struct port *down, *up; /* to and from the DRAM channel */
    struct mshr *mshr;
    struct tag_array *tags;
    enum cache_outcome cause;
    bool head_refused;
    bool filled;               /* mshr_has_ready, without a look there */
    bool enabled, module_side; /* of the configuration, as line_bytes is */
    uint32_t inside;           /* requests and sector requests not yet replied to */
    uint32_t id, sectors;      /* sectors of a line: a power of two */
    uint32_t line_bytes;
    uint32_t fill_cycles; /* of the fill port, per sector */
    struct port output;
    struct waker waker;
    const struct address_map_config *map;
    /* A look-up asks of these whether there is another way, and a policy. */
    _Alignas(HOST_LINE_BYTES) struct l2_otherwise otherwise;
    struct cache_policy policy;
    struct l2_counters count;
    struct l2_config config;
    l2_delay *delay_by; /* NULL: config.rop_latency */
    void *delay_context;
    uint64_t nobody; /* where its bit goes when there is nobody to tell */
    struct request_pool *pool;
    struct tag_geometry geometry;
    struct address_place sector_place[TAG_SECTORS_MAX]; /* of the sectors of line 0: see place_sector */
    uint64_t host_block; /* that the host wrote last, and its set; UINT64_MAX: none, or policies choose the sets */
    uint32_t host_set;
    uint64_t host_writes; /* added to times of use, so that host copies, which take no time, have their order too */
};
_Static_assert(offsetof(struct l2_slice, down) == 128 && offsetof(struct l2_slice, output) <= 192,
               "what every cycle asks is three cache lines");

static inline uint64_t l2_block(const struct l2_slice *s, const struct request *r)
{
    return r->address & ~(uint64_t)(s->line_bytes - 1);
}

static inline uint32_t l2_sector(const struct l2_slice *s, const struct request *r)
{
    return (uint32_t)(r->address / SECTOR_BYTES) & (s->sectors - 1);
}

/* A request that goes around the cache has nobody waiting here. It is marked, so that its reply goes on up. */
static inline void l2_mark_around(const struct l2_slice *s, struct request *r)
{
    *(s->module_side ? &r->bypass_l15 : &r->bypass_l2) = true;
}
static inline bool l2_went_around(const struct l2_slice *s, const struct request *r)
{
    return s->module_side ? r->bypass_l15 : r->bypass_l2;
}

/* Looks `r` up and, unless it is refused, changes tags, MSHRs and miss queue accordingly. A bypassed one has gone to the port. */
enum cache_outcome l2_look_up(struct l2_slice *s, struct request *r, uint64_t now);
/* A read joins a miss: its own way. */
void l2_join(struct l2_slice *s, const struct request *r, struct mshr_entry *e, uint32_t line);
/* The data of `r`, the first to ask for its sector, are here. */
void l2_fill(struct l2_slice *s, struct request *r, uint64_t now);
void l2_count_direction(struct l2_slice *s, const struct request *r);
void l2_count_refusals(struct l2_slice *s, const struct request *r, enum cache_outcome cause, uint64_t cycles);
#endif
