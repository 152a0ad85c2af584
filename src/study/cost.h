/* cost.h - what policies add to a machine, structure by structure, from the rows that they declare: storage, energy of a use,
 * leakage. */
#ifndef WARPLINE_STUDY_COST_H
#define WARPLINE_STUDY_COST_H
#include <jansson.h>

#include "gpu/machine.h"
#include "policy/policy_set.h"

/* {"policies": [...], "structures": [{"policy", "structure", "per", "entries", "bits_per_entry", "bits_per_sm",
 * "bits_per_gpu", "use_pj", "leakage_mw" of all copies, "uses": counters}...], "bits_per_sm", "bytes_per_sm", "bits_per_gpu",
 * "bytes_per_gpu", "share_of_l1_percent"}. A structure of a slice or of the whole GPU counts for the GPU alone. The share is of the
 * data of all L1s; of a chip of CPUs, whose geometry has no L1, of the data of the shared cache. NULL with a sentence when a policy
 * does not fit the machine. */
json_t *cost_of_policies(const struct policy_set *set, const struct machine_config *config, const struct policy_geometry *geometry,
                         struct error *err);
#endif
