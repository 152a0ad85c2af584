/* brrip - bimodal re-reference interval prediction (Jaleel et al., ISCA 2010): against thrashing.
 *
 * A fill guesses "distant", and "long" only with a probability of 1 in `long_every`, so that a part of a working set larger than
 * the cache stays. The draws of each cache are always the same (rrip.h). */
#include "policy/rrip.h"

struct config {
    struct rrip_config rrip;
    uint32_t long_every;
};
struct unit {
    uint64_t fills;
};

static const struct param params[] = { RRIP_PARAMS(struct config),
                                       PARAM_U32(struct config, long_every, "long_every", 32, 1, 65536, "fills",
                                                 "one fill in so many, on average, is predicted long instead of distant"),
                                       PARAM_END };

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    rrip_sizes(out, sizeof(struct unit));
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *c = self->config;
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    const bool is_long = rrip_draws_long(&u->fills, c->long_every);
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(rrip_distant(self) - is_long);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    return replacement_unit_hardware(c->rrip.where.at, "generator of draws", 1, RRIP_DRAW_BITS, rows,
                                     rrip_hardware(config, g, rows));
}

const struct policy policy_brrip = {
    .name = "brrip",
    .summary = "like srrip, but most fills are predicted distant, so that a part of a large working set stays",
    .source = "Jaleel et al., ISCA 2010",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .levels = replacement_config_levels,
    .hardware = hardware,
    .broken = rrip_broken,
    .cache.replacement = { .victim = rrip_victim, .inserted = inserted, .promoted = rrip_promoted },
};
