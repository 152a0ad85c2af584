/* mshr.h - miss status holding registers: which blocks are on their way, and who waits for each.
 *
 * `entries` blocks, each with at most `merges` waiting requests (the first one included). A block whose data came is ready:
 * its requests are handed out one by one in the order in which they came, blocks in the order in which they became ready, and the
 * entry is free with the last. Until then it still takes merges if there is room. */
#ifndef WARPLINE_MEM_MSHR_H
#define WARPLINE_MEM_MSHR_H
#include <stdbool.h>
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
};

struct mshr;
struct mshr *mshr_new(uint32_t entries, uint32_t merges);
void mshr_free(struct mshr *m);

/* The entry of this block, or MSHR_NONE. */
uint32_t mshr_find(const struct mshr *m, uint64_t block);
bool mshr_full(const struct mshr *m);                            /* no entry free */
bool mshr_can_merge(const struct mshr *m, uint32_t entry);
/* A new block; returns its entry, whose address, bytes and line the caller fills in. Not when full. */
uint32_t mshr_add(struct mshr *m, uint64_t block, struct request *primary);
void mshr_merge(struct mshr *m, uint32_t entry, struct request *r);
struct mshr_entry *mshr_entry_at(struct mshr *m, uint32_t entry);
struct request *mshr_primary(const struct mshr *m, uint32_t entry);

void mshr_mark_ready(struct mshr *m, uint32_t entry);
bool mshr_has_ready(const struct mshr *m);
/* The next request to answer; NULL when none. */
struct request *mshr_pop_ready(struct mshr *m);

uint32_t mshr_in_use(const struct mshr *m);
#endif
