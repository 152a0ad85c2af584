/* srrip-perd - PERD of remap alone beside recency (paper 002, section 2.3.4, figure 2.6). See remap_pair.h. */
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_perd
#include "stat/declare.h"
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_perd
#include "stat/define.h"
#define REMAP_COUNTERS struct srrip_perd_counters
#include "policy/remap_pair.h"

static const struct param params[] = { REMAP_PAIR_PARAMS(4, 0) };

const struct policy policy_srrip_perd = {
    .name = "srrip-perd",
    .summary = "evict by recency and reuse after eviction",
    .counters = &srrip_perd_stat_group,
    REMAP_PAIR_HOOKS,
};
