/* id-bypass-pc - loads whose instruction brings lines that nobody uses again go around the L1: a counter per PC. The rules and our
 * choices are in id_bypass.h. */
#define STAT_DEF "policy/id_bypass_counters.def"
#define STAT_NAME id_bypass_pc
#include "stat/declare.h"
#define STAT_DEF "policy/id_bypass_counters.def"
#define STAT_NAME id_bypass_pc
#include "stat/define.h"
#define ID_BYPASS_COUNTERS struct id_bypass_pc_counters
#define ID_BYPASS_BINS 1
#include "policy/id_bypass.h"

static const struct param params[] = { ID_BYPASS_PARAMS, PARAM_END };

const struct policy policy_id_bypass_pc = {
    .name = "id-bypass-pc",
    .summary = "go around the L1 when the instruction's lines are not used again",
    .source = "Arunkumar, 2018, chapter 3",
    .params = params,
    .config_size = sizeof(struct id_bypass_config),
    .counters = &id_bypass_pc_stat_group,
    .check = id_bypass_check,
    .sizes = id_bypass_sizes,
    .start = id_bypass_start,
    .hardware = id_bypass_hardware,
    .broken = id_bypass_broken,
    .cache = { .before_lookup = id_bypass_before_lookup,
               .accessed = id_bypass_accessed,
               .filled = id_bypass_filled,
               .evicted = id_bypass_evicted },
};
