/* remap_pair.h - R beside one other part of remap: what srrip-perd and srrip-mac share (paper 002, section 2.3.4, figure 2.6).
 *
 * The text prints no weights: 1 for R and 4 for the other part, as the pair of remap that trusts that part most. See remap.h for
 * the rest. The includer defines REMAP_COUNTERS (struct NAME_counters) before, and `params` after it. */
#ifndef WARPLINE_POLICY_REMAP_PAIR_H
#define WARPLINE_POLICY_REMAP_PAIR_H
#include "policy/remap.h"
#include "policy/remap_count.h"

struct config {
    struct remap_config remap;
    struct remap_weights weights;
};

#define REMAP_PAIR_PARAMS(beta_, gamma_)                                                                                           \
    REMAP_PARAMS(struct config), PARAM_U32(struct config, weights.alpha, "alpha", 1, 0, 64, "", "weight of R"),                    \
        PARAM_U32(struct config, weights.beta, "beta", beta_, 0, 64, "", "weight of PERD"),                                        \
        PARAM_U32(struct config, weights.gamma, "gamma", gamma_, 0, 64, "", "weight of MAC"), PARAM_END

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    REMAP_COUNTERS *k = policy_unit_counters(self, LEVEL_L2, a->unit);
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

/* All of the declaration but the names. */
#define REMAP_PAIR_HOOKS                                                                                                           \
    .source = "paper 002, chapter 2", .params = params, .config_size = sizeof(struct config), .sizes = remap_sizes,                \
    .levels = remap_levels, .hardware = hardware, .broken = remap_broken,                                                          \
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = remap_promote, .removed = remap_removed },          \
    .cache.filled = filled
#endif
