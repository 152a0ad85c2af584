/* id-offline-pc - loads of instructions whose lines come back too late go around the L1, as a first run measured it. The rules and
 * our choices are in id_offline.h. */
#define STAT_DEF "policy/id_offline_counters.def"
#define STAT_NAME id_offline_pc
#include "stat/declare.h"
#define STAT_DEF "policy/id_offline_counters.def"
#define STAT_NAME id_offline_pc
#include "stat/define.h"
#define ID_OFFLINE_COUNTERS struct id_offline_pc_counters
#define ID_OFFLINE_DIVERGENCE 0
#include "policy/id_offline.h"

static const struct param params[] = { ID_OFFLINE_PARAMS, PARAM_END };

const struct policy policy_id_offline_pc = {
    .name = "id-offline-pc",
    .summary = "go around the L1 with instructions whose reuse distance was too long in a first run",
    .source = "Arunkumar, 2018, chapter 3",
    .params = params,
    .config_size = sizeof(struct id_offline_config),
    .counters = &id_offline_pc_stat_group,
    .profile = "load-distances",
    .check = id_offline_check,
    .sizes = id_offline_sizes,
    .start = id_offline_start,
    .gpu.kernel_start = id_offline_kernel_start,
    .cache = { .before_lookup = id_offline_before_lookup, .accessed = id_offline_accessed },
};
