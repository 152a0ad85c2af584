/* id-bypass-pcdiv - like id-bypass-pc, with four counters per PC: by how many requests the warp's instruction was split into, its
 * degree of memory divergence. The rules and our choices are in id_bypass.h. */
#define STAT_DEF "policy/id_bypass_counters.def"
#define STAT_NAME id_bypass_pcdiv
#include "stat/declare.h"
#define STAT_DEF "policy/id_bypass_counters.def"
#define STAT_NAME id_bypass_pcdiv
#include "stat/define.h"
#define ID_BYPASS_COUNTERS struct id_bypass_pcdiv_counters
#define ID_BYPASS_BINS 4
#include "policy/id_bypass.h"

static const struct param params[] = {
    ID_BYPASS_PARAMS, PARAM_U32(struct id_bypass_config, bin_1, "bin_1", 1, 1, 32, "requests", "largest degree of the first bin"),
    PARAM_U32(struct id_bypass_config, bin_2, "bin_2", 3, 1, 32, "requests", "largest degree of the second bin"),
    PARAM_U32(struct id_bypass_config, bin_3, "bin_3", 15, 1, 32, "requests",
              "largest degree of the third bin; the fourth has the rest"),
    PARAM_END
};

const struct policy policy_id_bypass_pcdiv = {
    .name = "id-bypass-pcdiv",
    .summary = "go around the L1 when the instruction's lines at this divergence are not used again",
    .source = "Arunkumar, 2018, chapter 3",
    .params = params,
    .config_size = sizeof(struct id_bypass_config),
    .counters = &id_bypass_pcdiv_stat_group,
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
