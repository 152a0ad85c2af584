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

enum {
    MSHR_NONE = UINT32_MAX >> 1,
    MSHR_NEAR = 3 /* makes an entry one cache line of the host */
};

struct mshr_entry {
    uint64_t block;
    uint64_t address;                /* of the primary request before it was widened to the block */
    struct request *near[MSHR_NEAR]; /* those that wait in the first places; the implementation's */
    uint32_t bytes;                  /* as `address` */
    uint32_t line;                   /* reserved for it in the tag array; TAG_NO_LINE: none (allocate on fill) */
    uint32_t count, first;           /* waiting requests: `count` from place `first` on, wrapping around */
    uint32_t next_ready;
    bool atomic, ready;
    uint8_t sectors; /* of a sectored cache: what is on its way */
};
_Static_assert(sizeof(struct mshr_entry) == 64, "an entry is one cache line");

/* Of the open-addressed table: where a hash leads to an entry. Who looks for another block, or closes a gap, sees by the hash
 * that this is not his, and need not look at the entry. */
struct mshr_slot {
    uint32_t hash;
    uint32_t number; /* of the entry, + 1; 0: nobody's */
};

/* The fields belong to the implementation. They are here so that the questions asked every cycle cost no call. The table is at
 * most a quarter full. */
struct mshr {
    struct mshr_entry *entry;
    struct mshr_slot *slot;
    uint32_t *free;       /* stack of free entries */
    struct request **far; /* who waits in the places after the near ones: entries x far_places */
    uint32_t entries, merges, in_use, slot_mask;
    uint32_t slot_shift, sector_shift; /* of hashes */
    uint32_t ready_first, ready_last, far_places;
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

/* Multiplicative, golden ratio. Its first bits are the home slot. The sectors of a line, which are asked for one after the other,
 * have theirs in one cache line of the host; not side by side, since runs of slots take time. */
static inline uint32_t mshr_hash(const struct mshr *m, uint64_t block)
{
    return (uint32_t)((block >> 7) * 0x9E3779B97F4A7C15u >> 32) ^ ((uint32_t)block & 0x60) << m->sector_shift;
}

/* The entry of this block, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr *m, uint64_t block)
{
    if (!m->in_use)
        return MSHR_NONE;
    const struct mshr_slot *slot = m->slot;
    const uint32_t hash = mshr_hash(m, block);
    for (uint32_t s = hash >> m->slot_shift; slot[s].number; s = (s + 1) & m->slot_mask)
        if (slot[s].hash == hash && m->entry[slot[s].number - 1].block == block)
            return slot[s].number - 1;
    return MSHR_NONE;
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

static inline struct request **mshr_place(const struct mshr *m, uint32_t entry, uint32_t place)
{
    return place < MSHR_NEAR ? &m->entry[entry].near[place] : &m->far[(size_t)entry * m->far_places + place - MSHR_NEAR];
}

static inline struct request *mshr_primary(const struct mshr *m, uint32_t entry)
{
    return *mshr_place(m, entry, m->entry[entry].first);
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
