/* brrip - bimodal re-reference interval prediction (Jaleel et al., ISCA 2010): against thrashing.
 *
 * A fill guesses "distant", and "long" only once in `long_every` fills, so that a part of a working set larger than the cache
 * stays. The paper draws with probability 1/32; here every 32nd fill of a cache does, which is repeatable. */
#include "policy/rrip.h"

struct config { uint32_t at, bits, long_every; };
struct unit { uint64_t fills; };

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "l1", replacement_at, "cache level whose victims it chooses"),
    PARAM_U32(struct config, bits, "bits", 2, 1, 8, "bits", "width of each line's re-reference prediction"),
    PARAM_U32(struct config, long_every, "long_every", 32, 1, 65536, "fills", "one fill in so many is predicted long instead of distant"),
    PARAM_END
};

static uint8_t distant_of(const struct policy_self *self)
{
    return rrip_distant(((const struct config *)self->config)->bits);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = out->slice = sizeof(struct unit);
    out->line[LEVEL_L1] = out->line[LEVEL_L2] = sizeof(struct rrip_line);
}

static uint32_t levels(const void *config)
{
    return replacement_levels(((const struct config *)config)->at);
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    return rrip_victim(self, a, candidates, distant_of(self));
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *c = self->config;
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    const bool is_long = ++u->fills % c->long_every == 0;
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(distant_of(self) - is_long);
}

static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    rrip_line_at(self, a, way)->rrpv = 0;
}

static const char *broken(const struct policy_self *self)
{
    return rrip_broken(self, distant_of(self));
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    uint32_t n = replacement_hardware(c->at, g, "re-reference prediction", c->bits, c->bits, rows);
    if (c->at != REPLACE_L2)
        rows[n++] = (struct policy_hardware){ "fill counter", PER_SM, 1, bits_for(c->long_every) };
    if (c->at != REPLACE_L1)
        rows[n++] = (struct policy_hardware){ "fill counter", PER_SLICE, 1, bits_for(c->long_every) };
    return n;
}

const struct policy policy_brrip = {
    .name = "brrip", .summary = "like srrip, but most fills are predicted distant, so that a part of a large working set stays",
    .source = "Jaleel et al., ISCA 2010",
    .params = params, .config_size = sizeof(struct config),
    .sizes = sizes, .levels = levels, .hardware = hardware, .broken = broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = promoted },
};
