/* l1.h - the data cache of an SM: allocate on miss (or on fill), MSHRs, a miss queue; stores evict (global) or stay (local), and
 * never allocate. l1.stores says what else they may do: with `stay` every store is written through and leaves its sectors here, in
 * a new line if need be.
 *
 * How the LSU uses it. l1.hit_latency is the LSU's: accesses pass a pipeline of that many stages and reach l1_access at its end,
 * one per cycle (a refused one holds up the rest). Each core cycle, in this order, as the reference does:
 *     l1_fill for the reply at the head of the LSU's response buffer, l1_cycle, l1_access,
 * and, when the LSU's write-back stage has its turn for the L1, l1_pop_ready before all of these.
 *
 * Who owns a request:
 *  - load: HIT leaves it with the LSU. MERGED and MISS give it to the L1, and l1_pop_ready hands it back, each on its own.
 *  - store: `sent` says that it travels down (unless it hits and is to be written back later). Then each of its bytes / 32 sectors
 * (at least one) is acknowledged by a reply with `write` set, which the LSU counts and frees; the request itself is not seen again.
 * A store that was not sent (local, hit) is done and stays with the LSU.
 *  - refused: stays with the LSU.
 *  - replies to loads go to l1_fill, which frees the sector requests that the L2 split a load into.
 *
 * With policies (l1_set_hooks) an answer may also be
 *  - BYPASSED: a load that goes around the cache, with bypass_l1 set. It is in the network already: it takes neither an MSHR nor a
 *    place in the miss queue. Its replies (request_join_sectors) are the LSU's, not l1_fill's. A store around the cache answers HIT
 *    or MISS as ever.
 *  - REFUSED_NETWORK: such a load, for which the network has no room. Not to be slept on.
 *  - SERVED: a load that a policy answers; it stays with the LSU, like a hit, or with the policy (`later`) until that says so.
 *  - `extra_cycles`: data of a HIT or SERVED come so much later (decompression, another place).
 *  - `recycle`: a policy wants the refused request handed back to the owner of the LSU's queue, and another tried.
 *  - REFUSED_POLICY: not to be slept on (cache_refusal_lasts).
 *
 * Sleeping. What a refused access waits for is a change of `l1_version`. While it stays the same, the LSU need not call
 * l1_access: it adds the cycles in which it would have been refused again with l1_count_refusals. */
#ifndef WARPLINE_MEM_L1_H
#define WARPLINE_MEM_L1_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mem/address_map.h"
#include "mem/cache_kinds.h"
#include "mem/outlet.h"
#include "mem/request.h"
#include "param/param.h"

#define STAT_DEF "mem/l1_counters.def"
#define STAT_NAME l1
#include "stat/declare.h"

enum { L1_BANKS_MAX = 4 };
/* What a store does to the line that it hits: evict (global) or write back (local); with sectors, stay and be written through;
 * without them, the same of whole lines, for all stores: through, evict, back. */
enum l1_stores { L1_STORES_EVICT, L1_STORES_STAY, L1_STORES_THROUGH, L1_STORES_EVICT_ALL, L1_STORES_BACK };

struct l1_config {
    bool enabled; /* false: loads and stores skip it, in 32 B requests (the LSU decides: l1_count_bypass) */
    uint32_t sets, ways, line_bytes;
    uint32_t index, replacement; /* enum set_index, enum replacement */
    uint32_t mshr_entries, mshr_merges, miss_queue;
    uint32_t hit_latency;                 /* cycles; the LSU's pipeline in front of the cache */
    uint32_t port_bytes;                  /* data and fill port, per cycle; 0: the line */
    bool sectored;                        /* a miss fetches the 32 B sectors it needs, not the line */
    uint32_t banks;                       /* of the pipeline in front of it, by sector */
    bool sector_requests;                 /* accesses are sectors, each on its own */
    uint32_t stores;                      /* enum l1_stores */
    bool allocate_on_miss;                /* else when the data come */
    uint32_t written_percent;             /* 0: written lines are replaced as others are */
    uint64_t unified_bytes;               /* shared with shared memory; 0: an L1 of its own */
    struct param_list shared_kib;         /* how much of it shared memory may take */
    bool flush;                           /* emptied whenever the SM has no unfinished thread */
    const struct l1_otherwise *otherwise; /* what it does in another way; NULL: nothing */
    /* A written line goes to the slice of the miss that takes its place; NULL: to its own. */
    const struct address_map_config *misplaces;
};
extern const struct param l1_params[]; /* l1.* */
bool l1_config_check(const struct l1_config *config, struct error *err);

/* Lines per set while shared memory needs so many bytes: what the smallest size that holds them leaves. */
uint32_t l1_ways_beside(const struct l1_config *config, uint64_t shared_bytes);

struct l1;
struct l1 *l1_new(const struct l1_config *config, uint32_t sm, struct request_pool *pool, struct outlet *out);
void l1_free(struct l1 *l1);
/* Before the first access. The hooks outlive the L1; a table without an entry is the same as NULL. */
struct cache_hooks;
void l1_set_hooks(struct l1 *l1, const struct cache_hooks *hooks);
/* True when a policy that owns the storage of lines can have this L1. */
bool l1_config_takes_pieces(const struct l1_config *config, const char *owner, struct error *err);
/* A kernel begins: asks the owner of the storage how much there is now. */
void l1_resize(struct l1 *l1);
/* Empties it, and gives it so many lines per set. Only while nothing is under way; a policy that looks at lines keeps what it has.
 */
void l1_set_ways(struct l1 *l1, uint32_t ways);
/* From now on this many bytes of a set hold something else: see take_space of policy.h. */
void l1_take_space(struct l1 *l1, uint32_t set, uint32_t bytes, uint64_t now);
/* NULL, or what is wrong with the pieces of its sets. For tests and debug builds. */
const char *l1_broken(struct l1 *l1);

struct l1_answer {
    enum cache_outcome outcome;
    bool sent; /* stores: it travels down and will be acknowledged */
    bool recycle;
    bool later; /* SERVED: by a policy, which says when */
    uint32_t extra_cycles;
};
/* What an L1 may be made to do in another way than its own; NULL: its own. src/reference fills it in. */
struct tag_otherwise;
struct mshr_entry;
struct l1_otherwise {
    const struct tag_otherwise *tags;
    void (*joined)(struct l1 *l1, struct mshr_entry *e, uint32_t line); /* a load joins a miss whose line has gone; it got `line` */
    /* The data of `r` are here; `line` was reserved for them. */
    void (*fill)(struct l1 *l1, struct request *r, uint64_t block, uint32_t line);
    struct l1_answer (*refetch)(struct l1 *l1, struct request *r, uint64_t block, uint32_t line); /* nobody fetches this line */
    bool (*keeps)(struct l1 *l1); /* it is to be emptied, and is not */
};

struct l1_answer l1_access(struct l1 *l1, struct request *r, uint64_t now);

/* Changes whenever a refused access might succeed. */
uint64_t l1_version(const struct l1 *l1);
/* `cycles` more refusals of `r` for the same cause: those in which the LSU slept instead of asking. */
void l1_count_refusals(struct l1 *l1, const struct request *r, enum cache_outcome cause, uint64_t cycles);
/* A request that the LSU sends past the L1 (L1 off, .cg loads, atomics). */
void l1_count_bypass(struct l1 *l1, const struct request *r);

/* A reply to a load that missed here, whole or one of its sectors. Only while the fill port is free. */
bool l1_fill_port_free(const struct l1 *l1, uint64_t now);
void l1_fill(struct l1 *l1, struct request *reply, uint64_t now);

/* Sends the head of the miss queue to the network if it has room for it. */
void l1_cycle(struct l1 *l1, uint64_t now);
/* The first cycle from `now` on in which l1_cycle may do something; UINT64_MAX when the miss queue is empty. */
uint64_t l1_next_event(const struct l1 *l1, uint64_t now);

const struct mshr *l1_mshr(const struct l1 *l1);
bool l1_has_ready(const struct l1 *l1);
struct request *l1_pop_ready(struct l1 *l1); /* NULL when none */

void l1_invalidate(struct l1 *l1);
/* Drops one clean line, for a policy. False: not there, dirty or reserved. */
bool l1_drop_line(struct l1 *l1, uint64_t address);

/* True when a load of these sectors would hit now. Looks at the tags and changes nothing. */
bool l1_would_hit(struct l1 *l1, uint64_t address, uint8_t sectors);

/* Views for policies, summaries and the watchdog. */
uint32_t l1_mshr_in_use(const struct l1 *l1);
uint32_t l1_miss_queue_length(const struct l1 *l1);
bool l1_idle(const struct l1 *l1); /* nothing waits in MSHRs or the miss queue */
const struct l1_counters *l1_counters(const struct l1 *l1);
#endif
