/* lru - evict the candidate whose last use is the longest ago.
 *
 * The caches do this themselves when no policy owns replacement; this file is the same decision made through the hooks, and
 * what the tests compare the two with. Storage is that of a true LRU stack, log2(ways) bits per line. */
#include "policy/policy.h"
#include "policy/replacement.h"

struct config { uint32_t at; };

struct unit { uint64_t uses; };      /* per SM or slice: a count of touches, the clock of the stamps */
struct line { uint64_t last_use; };

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "l1", replacement_at, "cache level whose victims it chooses"),
    PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = out->slice = sizeof(struct unit);
    out->line[LEVEL_L1] = out->line[LEVEL_L2] = sizeof(struct line);
}

static uint32_t levels(const void *config)
{
    return replacement_levels(((const struct config *)config)->at);
}

static void touch(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    struct line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    l->last_use = ++u->uses;
}

static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    touch(self, a, way);
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct line *lines = policy_line_state(self, a->level, a->unit, a->set, 0);
    const uint32_t ways = self->geometry->cache[a->level].ways;
    uint32_t oldest = NO_WAY;
    for (uint32_t w = 0; w < ways; w++)
        if (way_is_candidate(candidates, w) && (oldest == NO_WAY || lines[w].last_use < lines[oldest].last_use))
            oldest = w;
    return oldest;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    return replacement_hardware(((const struct config *)config)->at, g, "recency", bits_for(g->cache[LEVEL_L1].ways),
                                bits_for(g->cache[LEVEL_L2].ways), rows);
}

const struct policy policy_lru = {
    .name = "lru", .summary = "evict the least recently used line", .source = "textbook",
    .params = params, .config_size = sizeof(struct config),
    .sizes = sizes, .levels = levels, .hardware = hardware,
    .cache.replacement = { .victim = victim, .inserted = touch, .promoted = promoted },
};
