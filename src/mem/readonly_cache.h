/* readonly_cache.h - instruction, constant and texture caches of an SM: reads only, MSHRs, a miss queue.
 *
 * Instruction and constant caches allocate when the data come (no reserved lines, so no refusal for want of a line); the texture
 * cache allocates on the miss. One struct serves all three; only the counters' group and the parameters' names differ.
 *
 * Ownership as for loads in l1.h: HIT leaves the request with the caller; MERGED and MISS give it to the cache until
 * readonly_cache_pop_ready; refused stays with the caller, who may sleep until readonly_cache_version changes. */
#ifndef WARPLINE_MEM_READONLY_CACHE_H
#define WARPLINE_MEM_READONLY_CACHE_H
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mem/cache_kinds.h"
#include "mem/outlet.h"
#include "mem/request.h"
#include "param/param.h"

/* What each of these caches counts. The groups l1i, l1c and l1t have these rows, in this order. */
struct readonly_counters {
#define COUNTER(field, name, unit, help) uint64_t field;
#define RATIO(field, name, numerator, denominator, help)
#define LAW(id, expression)
#include "mem/readonly_counters.def"
#undef COUNTER
#undef RATIO
#undef LAW
};
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1i
#include "stat/declare.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1c
#include "stat/declare.h"
#define STAT_DEF "mem/readonly_counters.def"
#define STAT_NAME l1t
#include "stat/declare.h"

struct readonly_config {
    uint32_t sets, ways, line_bytes;
    uint32_t index, replacement;
    uint32_t mshr_entries, mshr_merges, miss_queue;
    bool allocate_on_miss;
    bool perfect; /* every read hits */
    /* Of textures alone (l1t), for texture_fifo.h; others leave them out. */
    bool in_order;
    uint32_t fragments, reorder, results;
};
extern const struct param l1i_params[]; /* l1i.* */
extern const struct param l1c_params[]; /* l1c.* */
extern const struct param l1t_params[]; /* l1t.* */
/* `name` ("l1i"...) is for the error's sentence. */
bool readonly_config_check(const struct readonly_config *config, const char *name, struct error *err);

struct readonly_cache;
struct readonly_cache *readonly_cache_new(const struct readonly_config *config, struct request_pool *pool, struct outlet *out);
void readonly_cache_free(struct readonly_cache *c);

/* A read that hits, without a request: true, and it is counted. False: nothing was done; make a request and ask
 * readonly_cache_access. */
bool readonly_cache_hit(struct readonly_cache *c, uint64_t address, uint64_t now);
/* After a miss, without a request: true when it would be refused as it was before, which is counted. */
bool readonly_cache_refuses(struct readonly_cache *c, uint64_t address);
enum cache_outcome readonly_cache_access(struct readonly_cache *c, struct request *r, uint64_t now);
uint64_t readonly_cache_version(const struct readonly_cache *c);
void readonly_cache_count_refusals(struct readonly_cache *c, enum cache_outcome cause, uint64_t cycles);

void readonly_cache_fill(struct readonly_cache *c, struct request *reply, uint64_t now);
void readonly_cache_cycle(struct readonly_cache *c, uint64_t now);
uint64_t readonly_cache_next_event(const struct readonly_cache *c, uint64_t now);
bool readonly_cache_has_ready(const struct readonly_cache *c);
struct request *readonly_cache_pop_ready(struct readonly_cache *c);
uint32_t readonly_cache_room(const struct readonly_cache *c); /* misses that it could still take */
bool readonly_cache_idle(const struct readonly_cache *c);
const struct readonly_counters *readonly_cache_counters(const struct readonly_cache *c);
#endif
