/* l2_slice.h - one slice of the L2 with the queues around it.
 *
 *     network ─► delay (rop_latency) ─► input queue ─► cache ─► miss queue ─► port to the DRAM channel
 *     network ◄─ output queue ◄─ hits, filled misses ◄─ fills ◄─ port to the DRAM channel
 *
 * Sectored, write-back. A store that misses takes a line (or a sector) without fetching it; a sector of which only a part was
 * written is fetched when somebody reads it (lazy fetch on read). Requests of 64 and 128 bytes are split on arrival into sector
 * requests of 32 bytes, each of which is answered on its own: a split load counts its answers in `awaited` of the request they
 * came from (`origin`), a split store is gone once split. Dirty lines that are replaced leave as REQUEST_L2_WRITEBACK.
 *
 * Each L2 cycle, in this order, as the reference does:
 *     network: if l2_slice_accepts, pop one packet and l2_slice_push it; then l2_slice_cycle.
 * Each network cycle, before that: send l2_slice_peek_reply if the network has room, then l2_slice_pop_reply.
 * All times are cycles of the L2's clock and only grow. */
#ifndef WARPLINE_MEM_L2_SLICE_H
#define WARPLINE_MEM_L2_SLICE_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mem/address_map.h"
#include "mem/cache_kinds.h"
#include "mem/port.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/l2_counters.def"
#define STAT_NAME l2
#include "stat/declare.h"

/* What becomes of an access whose set has only lines on their way. */
enum l2_full_set { L2_FULL_WAIT, L2_FULL_AROUND };
enum l2_stores { L2_STORES_ALLOCATE, L2_STORES_AROUND, L2_STORES_THROUGH };
struct l2_config {
    bool enabled; /* false: every request goes on to DRAM */
    uint32_t sets, ways, line_bytes;
    uint32_t index, replacement;
    uint32_t mshr_entries, mshr_merges, miss_queue;
    uint32_t mshr_unit;   /* enum count_unit */
    uint32_t port_bytes;  /* data and fill port, per cycle; 0: the line */
    uint32_t rop_latency; /* L2 cycles between the network and the input queue; textures skip it */
    uint32_t input_queue, output_queue;
    bool memcpy_fills;                    /* host copies to the device leave their sectors here */
    uint32_t full_set;                    /* enum l2_full_set */
    uint32_t stores;                      /* enum l2_stores */
    bool module_side;                     /* a bank of an L1.5: see below */
    const struct l2_otherwise *otherwise; /* what it does in another way; NULL: nothing */
};
extern const struct param l2_params[]; /* l2.* */

/* The L1.5 of a module: as many banks as the module has slices, each a slice that lies on the SMs' side of the links. It keeps what
 * loads bring, of other modules' memory or of all: data, constants and code. Stores go through it to the memory that they are for
 * and leave a line that is here as it is, with their bytes in it. Atomics, which are done in the memory-side L2, go around it, and
 * take the sector out that they have made old; write-backs of an L1 go around it. So nothing in it is dirty, and it is emptied when
 * L1s are: at a kernel's end and by fences, once for all SMs that have one in a cycle. As an extension of the L1 (paper 002,
 * 5.3.3) it is nothing to loads that must not look into an L1 (.cg): they go around it, and may read what another module wrote. */
enum l15_keeps { L15_NOTHING, L15_REMOTE, L15_ALL };
struct l15_config {
    uint32_t keeps; /* enum l15_keeps */
    bool fence;
    struct l2_config cache;
};
extern const struct param l15_params[]; /* l15.* */
bool l15_config_check(const struct l15_config *config, const struct l2_config *l2, struct error *err);
#define STAT_DEF "mem/l2_counters.def"
#define STAT_NAME l15
#include "stat/declare.h"
bool l2_config_check(const struct l2_config *config, struct error *err);
uint32_t l2_mshr_sectors(const struct l2_config *config); /* that may be in flight, whatever l2.mshr_entries counts */
/* Contradictions with its surroundings: a line must lie in one slice, and hold the largest line of the caches above. */
bool l2_config_fits(const struct l2_config *config, const struct address_map_config *map, uint32_t largest_line, struct error *err);

/* What a slice may be made to do in another way than its own; NULL: its own. src/reference fills it in. */
struct l2_slice;
struct mshr_entry;
struct l2_otherwise {
    const struct tag_otherwise *tags;
    const struct byte_mask *masks_of_128;                          /* per sector, the bytes that are its own in a request of 128 */
    void (*misplace)(const struct l2_slice *s, struct request *r); /* a request of several sectors arrives */
    uint64_t (*mshr_key)(const struct request *r);                 /* which MSHR entry a read waits in: its sector's */
    /* A read joins a miss; its place is `line`, a sector of which is reserved. */
    void (*joined)(struct l2_slice *s, const struct request *r, struct mshr_entry *e, uint32_t line);
    /* The data of `r` are here: puts them into a line, and says into which. */
    uint32_t (*fill)(struct l2_slice *s, const struct request *r, const struct mshr_entry *e);
};

/* `down` and `up`: the ports to and from the DRAM channel, which owns them. */
struct l2_slice *l2_slice_new(const struct l2_config *config, uint32_t slice, const struct address_map_config *map,
                              struct request_pool *pool, struct port *down, struct port *up);
void l2_slice_free(struct l2_slice *s);
/* Before the first request. The hooks outlive the slice. A policy's lines of varying size, and `serve`, are the L1's alone. */
struct cache_hooks;
void l2_slice_set_hooks(struct l2_slice *s, const struct cache_hooks *hooks);
/* Instead of rop_latency: the cycle in which a request that comes in cycle `now` goes on to the input queue. It never goes back. */
typedef uint64_t l2_delay(void *context, uint64_t now);
void l2_slice_delay_by(struct l2_slice *s, l2_delay *delay, void *context);
/* Wakes the slice whenever somebody pushes, and at all its ports. Without it, visit the slice in every cycle. */
void l2_slice_set_waker(struct l2_slice *s, struct waker waker);
/* Replies wait here for the network: `filled` is for the component that sends them on. */
struct port *l2_slice_replies(struct l2_slice *s);

/* Empties a bank of an L1.5, after cycle `now`. What is under way is answered, and kept by nobody but who asks again. */
void l2_slice_invalidate(struct l2_slice *s, uint64_t now);
bool l2_slice_accepts(const struct l2_slice *s); /* room for a request that splits into all sectors of a line */
void l2_slice_push(struct l2_slice *s, struct request *r, uint64_t now);
void l2_slice_cycle(struct l2_slice *s, uint64_t now);
struct request *l2_slice_peek_reply(const struct l2_slice *s); /* is_reply set; NULL when none */
struct request *l2_slice_pop_reply(struct l2_slice *s);
void l2_slice_count_network_busy(struct l2_slice *slice); /* the network had no room for its reply */

/* The first cycle after `now` in which l2_slice_cycle may do something, unless somebody pushes, pops a reply while the output is
 * full, or the port below has a reply or, having been full, gets room: its waker wakes it then. UINT64_MAX: none.
 * Cycles may be skipped up to there; refusals in them are counted at the next visit, or by l2_slice_settle. */
uint64_t l2_slice_next_event(const struct l2_slice *s, uint64_t now);
void l2_slice_settle(struct l2_slice *s, uint64_t now);

/* Host memcpy wrote this 32 B sector: it is in the slice afterwards, clean. Between kernels only. */
void l2_slice_host_wrote(struct l2_slice *s, uint64_t address, uint64_t now);
/* The same for all sectors of a line at once, if it is not there and no policy wants to know: else false, and nothing is done. */
bool l2_slice_host_wrote_line(struct l2_slice *s, uint64_t block, uint64_t now);

bool l2_slice_idle(const struct l2_slice *s);              /* no request inside, delay queue and MSHRs included */
uint32_t l2_slice_requests(const struct l2_slice *s);      /* inside, sectors each for themselves */
uint32_t l2_slice_misses_queued(const struct l2_slice *s); /* on the way to DRAM, write-backs included */
uint32_t l2_slice_mshr_in_use(const struct l2_slice *s);
uint32_t l2_slice_input_length(const struct l2_slice *s);
const struct l2_counters *l2_slice_counters(const struct l2_slice *s);
#endif
