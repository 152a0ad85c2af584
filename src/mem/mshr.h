/* mshr.h - miss status holding registers: which blocks are on their way, and who waits for each.
 *
 * `entries` blocks, each with at most `merges` waiting requests (the first one included). A block whose data came is ready:
 * its requests are handed out one by one in the order in which they came, blocks in the order in which they became ready, and the
 * entry is free with the last. Until then it still takes merges if there is room. */
#ifndef WARPLINE_MEM_MSHR_H
#define WARPLINE_MEM_MSHR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/request.h"

enum { MSHR_NONE = UINT32_MAX >> 1 };

struct mshr_entry {
    uint64_t block;
    uint64_t address;      /* of the primary request before it was widened to the block */
    uint32_t bytes;        /* likewise */
    uint32_t line;         /* reserved for it in the tag array; TAG_NO_LINE: none (allocate on fill) */
    uint32_t count, first; /* waiting requests: `count` from `first` in the entry's row, wrapping around */
    uint32_t next_ready;
    bool atomic, ready;
    uint8_t sectors; /* of a sectored cache: what is on its way */
};

/* The fields belong to the implementation. They are here so that the questions asked every cycle cost no call. Blocks are found
 * through an open-addressed table that is at most a quarter full: a slot holds an entry's number + 1, or 0. */
struct mshr {
    struct mshr_entry *entry;
    struct request **waiting; /* entries x merges */
    uint32_t *free;           /* stack of free entries */
    uint32_t *slot;
    uint32_t entries, merges, in_use, slot_mask, slot_shift;
    uint32_t ready_first, ready_last;
};

struct mshr *mshr_new(uint32_t entries, uint32_t merges);
void mshr_free(struct mshr *m);

/* A new block; returns its entry, whose address, bytes and line the caller fills in. Not when full. */
uint32_t mshr_add(struct mshr *m, uint64_t block, struct request *primary);
void mshr_merge(struct mshr *m, uint32_t entry, struct request *r);
void mshr_mark_ready(struct mshr *m, uint32_t entry);
/* The data came, for caches whose requests may wait for several entries: takes 1 off `fetches` of each that waits. Those with
 * others to wait for leave the entry. The entry is ready if any stay, else free. */
void mshr_arrived(struct mshr *m, uint32_t entry);
/* The next request to answer; NULL when none. */
struct request *mshr_pop_ready(struct mshr *m);

static inline uint32_t mshr_home_slot(const struct mshr *m, uint64_t block)
{
    return (uint32_t)((block >> 5) * 0x9E3779B97F4A7C15u >> m->slot_shift); /* multiplicative hash, golden ratio */
}

static inline uint32_t mshr_find_slot(const struct mshr *m, uint64_t block)
{
    uint32_t s = mshr_home_slot(m, block);
    while (m->slot[s] && m->entry[m->slot[s] - 1].block != block)
        s = (s + 1) & m->slot_mask;
    return s;
}

/* The entry of this block, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr *m, uint64_t block)
{
    if (!m->in_use)
        return MSHR_NONE;
    const uint32_t number = m->slot[mshr_find_slot(m, block)];
    return number ? number - 1 : MSHR_NONE;
}

/* No entry is free. */
static inline bool mshr_full(const struct mshr *m)
{
    return m->in_use >= m->entries;
}

static inline bool mshr_can_merge(const struct mshr *m, uint32_t entry)
{
    return m->entry[entry].count < m->merges;
}

static inline struct mshr_entry *mshr_entry_at(struct mshr *m, uint32_t entry)
{
    return &m->entry[entry];
}

static inline struct request *mshr_primary(const struct mshr *m, uint32_t entry)
{
    return m->waiting[(size_t)entry * m->merges + m->entry[entry].first];
}

static inline bool mshr_has_ready(const struct mshr *m)
{
    return m->ready_first != MSHR_NONE;
}

static inline uint32_t mshr_in_use(const struct mshr *m)
{
    return m->in_use;
}
#endif
