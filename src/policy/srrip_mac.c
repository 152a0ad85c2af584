/* srrip-mac - MAC of remap alone beside recency (paper 002, section 2.3.4, figure 2.6). See remap_pair.h. */
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_mac
#include "stat/declare.h"
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME srrip_mac
#include "stat/define.h"
#define REMAP_COUNTERS struct srrip_mac_counters
#include "policy/remap_pair.h"

static const struct param params[] = { REMAP_PAIR_PARAMS(0, 4) };

const struct policy policy_srrip_mac = {
    .name = "srrip-mac",
    .summary = "evict by recency and cost of memory",
    .counters = &srrip_mac_stat_group,
    REMAP_PAIR_HOOKS,
};
