/* srrip - static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010).
 *
 * A fill guesses "long" (one short of distant), so that a line which is never used again leaves before those that were hit. */
#include "policy/rrip.h"

struct config {
    struct rrip_config rrip;
};

static const struct param params[] = { RRIP_PARAMS(struct config), PARAM_END };

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->line[LEVEL_L1] = out->line[LEVEL_L2] = sizeof(struct rrip_line);
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(rrip_distant(self) - 1);
}

const struct policy policy_srrip = {
    .name = "srrip",
    .summary = "evict the line predicted to be used furthest in the future",
    .source = "Jaleel et al., ISCA 2010",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .levels = replacement_config_levels,
    .hardware = rrip_hardware,
    .broken = rrip_broken,
    .cache.replacement = { .victim = rrip_victim, .inserted = inserted, .promoted = rrip_promoted },
};
