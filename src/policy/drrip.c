/* drrip - dynamic re-reference interval prediction (Jaleel et al., ISCA 2010): srrip or brrip, whichever misses less.
 *
 * Set dueling in each cache: of every `leader_every` sets the first always fills as srrip and the middle one as brrip; a miss in
 * the former counts up, in the latter down, and the rest follow the sign. The paper duels 32 sets per policy of an LLC with
 * thousands; a GPU's L1 has 32 sets in all, hence one pair in 8 by default. */
#include "policy/rrip.h"

struct config { uint32_t at, bits, long_every, selector_bits, leader_every; };
struct unit { uint64_t fills; int64_t selector; }; /* selector > 0: srrip misses more, followers fill as brrip */

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "l1", replacement_at, "cache level whose victims it chooses"),
    PARAM_U32(struct config, bits, "bits", 2, 1, 8, "bits", "width of each line's re-reference prediction"),
    PARAM_U32(struct config, long_every, "long_every", 32, 1, 65536, "fills", "brrip: one fill in so many is predicted long"),
    PARAM_U32(struct config, selector_bits, "selector_bits", 10, 2, 30, "bits", "width of the counter that chooses"),
    PARAM_U32(struct config, leader_every, "leader_every", 8, 2, 1024, "sets", "one pair of leader sets in so many"),
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

/* Told of every miss that takes a line: the fill is the miss that the duel counts. */
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
    const bool is_long = ++u->fills % c->long_every == 0 || !bimodal;
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
        rows[n++] = (struct policy_hardware){ "selector and fill counter", PER_SM, 1, c->selector_bits + bits_for(c->long_every) };
    if (c->at != REPLACE_L1)
        rows[n++] = (struct policy_hardware){ "selector and fill counter", PER_SLICE, 1, c->selector_bits + bits_for(c->long_every) };
    return n;
}

const struct policy policy_drrip = {
    .name = "drrip", .summary = "srrip or brrip, whichever misses less in a few sets that try both", .source = "Jaleel et al., ISCA 2010",
    .params = params, .config_size = sizeof(struct config),
    .sizes = sizes, .levels = levels, .hardware = hardware, .broken = broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = promoted },
};
