/* stamps.h - replacement by order: every line carries the time of an event (its last use, its arrival), and the smallest leaves.
 * Shared by lru and fifo. */
#ifndef WARPLINE_POLICY_STAMPS_H
#define WARPLINE_POLICY_STAMPS_H
#include "policy/replacement.h"

struct stamps_config {
    struct replacement_config where;
};
struct stamps_unit { /* an SM, a bank or a slice */
    uint64_t events; /* the clock of the stamps */
};
struct stamps_line {
    uint64_t stamp;
};

enum { STAMPS_L15 = REPLACE_BOTH + 1 }; /* levels that the other replacements do not know: the modules' L1.5 */
static const char *const stamps_at[] = { "l1", "l2", "both", "l15", NULL };
static const struct param stamps_params[] = {
    PARAM_CHOICE(struct stamps_config, where.at, "at", "l1", stamps_at, "cache level whose victims it chooses"), PARAM_END
};

static inline uint32_t stamps_levels(const void *config)
{
    const uint32_t at = ((const struct stamps_config *)config)->where.at;
    return at == STAMPS_L15 ? AT_L15 : replacement_levels(at);
}

static inline void stamps_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = out->slice = out->module = sizeof(struct stamps_unit);
    out->line[LEVEL_L1] = out->line[LEVEL_L15] = out->line[LEVEL_L2] = sizeof(struct stamps_line);
}

static inline void stamps_touch(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct stamps_unit *u = policy_unit_state(self, a->level, a->unit);
    struct stamps_line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    l->stamp = ++u->events;
}

static inline uint32_t stamps_victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct stamps_line *lines = policy_line_state(self, a->level, a->unit, a->set, 0);
    const uint32_t ways = self->geometry->cache[a->level].tags;
    uint32_t first = NO_WAY;
    for (uint32_t w = 0; w < ways; w++)
        if (way_is_candidate(candidates, w) && (first == NO_WAY || lines[w].stamp < lines[first].stamp))
            first = w;
    return first;
}

/* Storage is that of an order of the ways, log2(ways) bits per line. */
static inline uint32_t stamps_hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const uint32_t at = ((const struct stamps_config *)config)->where.at;
    const struct policy_cache_geometry *l15 = &g->cache[LEVEL_L15];
    if (at == STAMPS_L15) { /* as many banks as slices */
        rows[0] = (struct policy_hardware){ "order of the lines", PER_SLICE, (uint64_t)l15->sets * l15->ways, bits_for(l15->ways) };
        return 1;
    }
    return replacement_hardware(at, g, "order of the lines", bits_for(g->cache[LEVEL_L1].ways), bits_for(g->cache[LEVEL_L2].ways),
                                rows);
}
#endif
