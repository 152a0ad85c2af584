/* id-offline-pcdiv - as id-offline-pc, and loads of an instruction that are split into too many requests go around as well. The
 * rules and our choices are in id_offline.h. */
#define STAT_DEF "policy/id_offline_counters.def"
#define STAT_NAME id_offline_pcdiv
#include "stat/declare.h"
#define STAT_DEF "policy/id_offline_counters.def"
#define STAT_NAME id_offline_pcdiv
#include "stat/define.h"
#define ID_OFFLINE_COUNTERS struct id_offline_pcdiv_counters
#define ID_OFFLINE_DIVERGENCE 1
#include "policy/id_offline.h"

static const struct param params[] = {
    ID_OFFLINE_PARAMS,
    PARAM_U32(struct id_offline_config, degree_distance, "degree_distance", 6, 0, 256, "lines",
              "when the distance of an instruction at a degree is larger, its loads of greater degrees go around"),
    PARAM_END
};

const struct policy policy_id_offline_pcdiv = {
    .name = "id-offline-pcdiv",
    .summary = "that, and with loads of an instruction of a higher degree of divergence than one that was too long",
    .source = "Arunkumar, 2018, chapter 3",
    .params = params,
    .config_size = sizeof(struct id_offline_config),
    .counters = &id_offline_pcdiv_stat_group,
    .profile = "load-distances",
    .check = id_offline_check,
    .sizes = id_offline_sizes,
    .start = id_offline_start,
    .gpu.kernel_start = id_offline_kernel_start,
    .cache = { .before_lookup = id_offline_before_lookup, .accessed = id_offline_accessed },
};
