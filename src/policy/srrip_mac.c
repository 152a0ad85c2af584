/* srrip-mac - MAC of remap alone beside recency (paper 002, section 2.3.4, figure 2.6).
 *
 * The weights are not printed: 1 for R and 4 for MAC, as the pair of remap that trusts MAC most. See remap.h for the rest. */
#include "policy/remap.h"

#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_mac
#include "stat/declare.h"
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_mac
#include "stat/define.h"
#define REMAP_COUNTERS struct srrip_mac_counters
#include "policy/remap_count.h"

struct config {
    struct remap_config remap;
    struct remap_weights weights;
};

static const struct param params[] = { REMAP_PARAMS(struct config),
                                       PARAM_U32(struct config, weights.alpha, "alpha", 1, 0, 64, "", "weight of R"),
                                       PARAM_U32(struct config, weights.beta, "beta", 0, 0, 64, "", "weight of PERD"),
                                       PARAM_U32(struct config, weights.gamma, "gamma", 4, 0, 64, "", "weight of MAC"), PARAM_END };

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    struct srrip_mac_counters *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    k->first++;
    return remap_victim(self, a, candidates, ((const struct config *)self->config)->weights);
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    count_insertion(self, a, remap_insert(self, a, way));
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    return remap_hardware_rows(&c->remap, g, c->weights.beta, c->weights.gamma, rows);
}

const struct policy policy_srrip_mac = {
    .name = "srrip-mac",
    .summary = "evict by recency and cost of memory",
    .source = "paper 002, chapter 2",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &srrip_mac_stat_group,
    .sizes = remap_sizes,
    .levels = remap_levels,
    .hardware = hardware,
    .broken = remap_broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = remap_promote, .removed = remap_removed },
    .cache.filled = filled,
};
