/* private_cache.c - a core's own cache: which line leaves for a new one. */
#include "cmp/private_cache.h"

#include <stdlib.h>

void private_cache_init(struct private_cache *c, const struct cmp_cache_config *config)
{
    *c = (struct private_cache){ .sets = cmp_cache_sets(config), .ways = config->ways };
    c->lines = must_calloc_aligned((size_t)c->sets * c->ways, sizeof *c->lines);
}

void private_cache_clear(struct private_cache *c)
{
    free(c->lines);
    *c = (struct private_cache){ 0 };
}

struct private_line *private_cache_put(struct private_cache *c, uint64_t line, struct private_line *victim)
{
    struct private_line *set = c->lines + (size_t)(line & (c->sets - 1)) * c->ways, *oldest = set;
    for (uint32_t w = 1; w < c->ways; w++) /* a free one was never used */
        if (set[w].used < oldest->used)
            oldest = &set[w];
    *victim = *oldest;
    *oldest = (struct private_line){ .tag = line + 1, .used = ++c->clock };
    return oldest;
}
