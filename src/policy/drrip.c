/* drrip - dynamic re-reference interval prediction (Jaleel et al., ISCA 2010): srrip or brrip, whichever misses less.
 *
 * Set dueling in each cache: of every `leader_every` sets the first always fills as srrip and the middle one as brrip; a miss in
 * the former counts up, in the latter down, and the rest follow the sign. Every access that takes a line counts as a miss, stores
 * and write-backs among them. The paper duels 32 sets per policy of an LLC with thousands; a GPU's L1 has 32 sets in all, hence one
 * pair in 8 by default. */
#include "policy/rrip.h"

struct config {
    struct rrip_config rrip;
    uint32_t long_every, selector_bits, leader_every;
};
struct unit {
    uint64_t fills;   /* bimodal ones */
    int64_t selector; /* > 0: srrip misses more, so that followers fill as brrip */
};

static const struct param params[] = {
    RRIP_PARAMS(struct config),
    PARAM_U32(struct config, long_every, "long_every", 32, 1, 65536, "fills",
              "brrip: one fill in so many, on average, is predicted long"),
    PARAM_U32(struct config, selector_bits, "selector_bits", 10, 2, 30, "bits", "width of the counter that chooses"),
    PARAM_U32(struct config, leader_every, "leader_every", 8, 2, 1024, "sets", "one pair of leader sets in so many"), PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    rrip_sizes(out, sizeof(struct unit));
}

/* Called for every miss that takes a line: the fill is the miss that the duel counts. */
static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *c = self->config;
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    const int64_t limit = ((int64_t)1 << (c->selector_bits - 1)) - 1;
    const uint32_t place = a->set % c->leader_every;
    bool bimodal = u->selector > 0;
    if (place == 0) {
        bimodal = false;
        u->selector += u->selector < limit;
    } else if (place == c->leader_every / 2) {
        bimodal = true;
        u->selector -= u->selector > -limit - 1;
    }
    const bool is_long = !bimodal || rrip_draws_long(&u->fills, c->long_every);
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(rrip_distant(self) - is_long);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    return replacement_unit_hardware(c->rrip.where.at, "selector and generator of draws", 1, c->selector_bits + RRIP_DRAW_BITS,
                                     rows, rrip_hardware(config, g, rows));
}

const struct policy policy_drrip = {
    .name = "drrip",
    .summary = "srrip or brrip, whichever misses less in a few sets that try both",
    .source = "Jaleel et al., ISCA 2010",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .levels = replacement_config_levels,
    .hardware = hardware,
    .broken = rrip_broken,
    .cache.replacement = { .victim = rrip_victim, .inserted = inserted, .promoted = rrip_promoted },
};
