/* private_cache.h - a core's own cache: tags, least recently used, write-back. It has no time of its own. A line remembers which
 * miss brought it, so that an access that hits it early can wait for that miss. */
#ifndef WARPLINE_CMP_PRIVATE_CACHE_H
#define WARPLINE_CMP_PRIVATE_CACHE_H
#include <stdbool.h>
#include <stdint.h>

#include "cmp/cmp_config.h"

struct private_line {
    uint64_t tag;  /* line + 1; 0: free */
    uint64_t used; /* when, on the cache's own clock */
    uint64_t miss; /* the miss that brings or brought it; 0: it was nearer than the L3 */
    bool dirty;
};

struct private_cache {
    struct private_line *lines;
    uint32_t sets, ways;
    uint64_t clock;
};

void private_cache_init(struct private_cache *c, const struct cmp_cache_config *config);
void private_cache_clear(struct private_cache *c);

/* The line, used now; NULL: it is not there. */
static inline struct private_line *private_cache_find(struct private_cache *c, uint64_t line)
{
    struct private_line *set = c->lines + (size_t)(line & (c->sets - 1)) * c->ways;
    for (uint32_t w = 0; w < c->ways; w++)
        if (set[w].tag == line + 1) {
            set[w].used = ++c->clock;
            return &set[w];
        }
    return NULL;
}

/* Puts an absent line in, as just used, in place of a free line or else the least recently used one. *victim is what was there
 * (tag 0: nothing). */
struct private_line *private_cache_put(struct private_cache *c, uint64_t line, struct private_line *victim);
#endif
