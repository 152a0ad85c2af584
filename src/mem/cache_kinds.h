/* cache_kinds.h - what a cache may answer; shared by the L1, the read-only caches and the L2. */
#ifndef WARPLINE_MEM_CACHE_KINDS_H
#define WARPLINE_MEM_CACHE_KINDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Counters that stand in a row are counted by number: the `i`-th from `field` on. A counters struct holds nothing but uint64_t. */
#define COUNTER_ROW(counters, field, i)                                                                                            \
    (((uint64_t *)(void *)(counters))[offsetof(__typeof__(*(counters)), field) / sizeof(uint64_t) + (i)])

enum cache_outcome {
    CACHE_HIT,
    CACHE_MERGED, /* the line is on its way: joined its MSHR entry. For a store: found a reserved line */
    CACHE_MISS,
    CACHE_SECTOR_MISS,        /* L2: the line is there, the sector is not */
    CACHE_BYPASSED,           /* a policy sent it around the cache */
    CACHE_SERVED,             /* it missed, and a policy had the data */
    CACHE_REFUSED_MSHR_ENTRY, /* from here on: nothing was done, try again when the cache has changed */
    CACHE_REFUSED_MSHR_MERGE,
    CACHE_REFUSED_LINE_ALLOC,
    CACHE_REFUSED_MISS_QUEUE,
    CACHE_REFUSED_POLICY,
    CACHE_REFUSED_NETWORK /* L1: it goes around the cache, and the network has no room */
};

static inline bool cache_refused(enum cache_outcome outcome)
{
    return outcome >= CACHE_REFUSED_MSHR_ENTRY;
}
/* True when the refusal lasts until the cache itself changes. A policy may change its mind at any time, and the network may get
 * room, so for those ask again each cycle. */
static inline bool cache_refusal_lasts(enum cache_outcome outcome)
{
    return outcome != CACHE_REFUSED_POLICY && outcome != CACHE_REFUSED_NETWORK;
}

/* What a limit counts. Requests below the L1 are of one sector here; papers count lines. */
enum count_unit { COUNT_SECTORS, COUNT_LINES };
extern const char *const count_unit_names[];
/* The one place that converts: how many sectors a limit of `count` units is. */
uint32_t count_in_sectors(uint32_t count, uint32_t unit, uint32_t line_bytes);

/* Choices of the index and replacement parameters, in the order of enum set_index and enum replacement. */
extern const char *const cache_index_names[];
extern const char *const cache_replacement_names[];

struct cache_geometry {
    uint32_t sets, ways, line_bytes, index;
};
/* Refuses a geometry that no cache of ours can have; `name` is the parameters' prefix. */
bool cache_geometry_check(const struct cache_geometry *g, const char *name, struct error *err);
#endif
