/* shared_cache.h - the last-level cache of all cores: non-inclusive, write-back, with the policies' replacement hooks.
 *
 * Reads are misses of a core's L2. A hit is answered at once; a miss takes a line (its victim leaves, to memory when it is dirty)
 * and is answered when memory has sent it. Write-backs of an L2 take a line without fetching it. Without a memory (functional runs)
 * data are there at once. Calls come in order of time. */
#ifndef WARPLINE_CMP_SHARED_CACHE_H
#define WARPLINE_CMP_SHARED_CACHE_H
#include "cmp/cmp_config.h"
#include "cmp/memory.h"
#include "policy/hooks.h"

#define STAT_DEF "cmp/llc_counters.def"
#define STAT_NAME llc
#include "stat/declare.h"

struct shared_cache;
/* A read that missed has its data. */
typedef void shared_filled(void *context, uint32_t core, uint64_t miss, uint64_t cycle);
struct shared_cache *shared_cache_new(const struct cmp_config *config, uint32_t cores, const struct cache_hooks *hooks,
                                      shared_filled *filled, void *context);
void shared_cache_free(struct shared_cache *c);
void shared_cache_connect(struct shared_cache *c, struct cmp_memory *memory); /* NULL: functional */

struct shared_read {
    uint64_t line, pc, miss, cycle;
    uint32_t core;
    bool write; /* for a store */
};
/* True: a hit. False: `filled` will be called with the miss (in functional runs never). */
bool shared_cache_read(struct shared_cache *c, const struct shared_read *r);
void shared_cache_write(struct shared_cache *c, uint32_t core, uint64_t line, uint64_t cycle);
void shared_cache_arrived(void *shared_cache, uint32_t fetch, uint64_t cycle); /* a cmp_arrived */
const struct llc_counters *shared_cache_counters(const struct shared_cache *c, uint32_t core);
#endif
