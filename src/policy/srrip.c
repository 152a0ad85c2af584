/* srrip - static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010).
 *
 * A fill guesses "long" (one short of distant), so that a line which is never used again leaves before those that were hit. */
#include "policy/rrip.h"

struct config { uint32_t at, bits; };

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "l1", replacement_at, "cache level whose victims it chooses"),
    PARAM_U32(struct config, bits, "bits", 2, 1, 8, "bits", "width of each line's re-reference prediction"),
    PARAM_END
};

static uint8_t distant_of(const struct policy_self *self)
{
    return rrip_distant(((const struct config *)self->config)->bits);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
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
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(distant_of(self) - 1);
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
    return replacement_hardware(c->at, g, "re-reference prediction", c->bits, c->bits, rows);
}

const struct policy policy_srrip = {
    .name = "srrip", .summary = "evict the line predicted to be used furthest in the future", .source = "Jaleel et al., ISCA 2010",
    .params = params, .config_size = sizeof(struct config),
    .sizes = sizes, .levels = levels, .hardware = hardware, .broken = broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = promoted },
};
