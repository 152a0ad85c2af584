/* fifo - evict the line that came first. */
#include "policy/replacement.h"

struct config { uint32_t at; };
struct unit { uint64_t fills; };
struct line { uint64_t came; };

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

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    struct line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    l->came = ++u->fills;
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct line *lines = policy_line_state(self, a->level, a->unit, a->set, 0);
    const uint32_t ways = self->geometry->cache[a->level].ways;
    uint32_t first = NO_WAY;
    for (uint32_t w = 0; w < ways; w++)
        if (way_is_candidate(candidates, w) && (first == NO_WAY || lines[w].came < lines[first].came))
            first = w;
    return first;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    return replacement_hardware(((const struct config *)config)->at, g, "order of arrival", bits_for(g->cache[LEVEL_L1].ways),
                                bits_for(g->cache[LEVEL_L2].ways), rows);
}

const struct policy policy_fifo = {
    .name = "fifo", .summary = "evict the line that came first", .source = "textbook",
    .params = params, .config_size = sizeof(struct config),
    .sizes = sizes, .levels = levels, .hardware = hardware,
    .cache.replacement = { .victim = victim, .inserted = inserted },
};
