/* random - evict any candidate. Each cache has its own generator (xorshift64*, Vigna 2016), seeded from `seed` and its number. */
#include "policy/replacement.h"

struct config {
    struct replacement_config where;
    uint64_t seed;
};
struct unit {
    uint64_t state;
};

static const struct param params[] = {
    REPLACEMENT_PARAM(struct config),
    PARAM_U64(struct config, seed, "seed", 1, 0, 18446744073709551615, "", "the same seed gives the same victims"), PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = out->slice = sizeof(struct unit);
}

/* splitmix64: spreads neighbouring seeds; a generator must not start at 0. */
static uint64_t spread(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return x ? x : 1;
}

static void start(struct policy_self *self)
{
    const uint64_t seed = ((const struct config *)self->config)->seed;
    for (uint32_t i = 0; i < self->geometry->sms; i++)
        ((struct unit *)policy_sm_state(self, i))->state = spread(seed + 2 * (uint64_t)i);
    for (uint32_t i = 0; i < self->geometry->cache[LEVEL_L2].units; i++)
        ((struct unit *)policy_slice_state(self, i))->state = spread(seed + 2 * (uint64_t)i + 1);
}

static uint32_t draw(struct unit *u, uint32_t below)
{
    u->state ^= u->state >> 12;
    u->state ^= u->state << 25;
    u->state ^= u->state >> 27;
    return (uint32_t)(((u->state * 0x2545f4914f6cdd1du) >> 32) * below >> 32);
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const uint32_t ways = self->geometry->cache[a->level].tags;
    uint32_t count = 0;
    for (uint32_t w = 0; w < ways; w++)
        count += way_is_candidate(candidates, w);
    uint32_t skip = draw(policy_unit_state(self, a->level, a->unit), count);
    for (uint32_t w = 0; w < ways; w++)
        if (way_is_candidate(candidates, w) && skip-- == 0)
            return w;
    return 0; /* not reached: there is a candidate */
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)g;
    return replacement_unit_hardware(((const struct config *)config)->where.at, "generator", 1, 64, rows, 0);
}

const struct policy policy_random = {
    .name = "random",
    .summary = "evict any line, from a seeded generator",
    .source = "textbook",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .start = start,
    .levels = replacement_config_levels,
    .hardware = hardware,
    .cache.replacement = { .victim = victim },
};
