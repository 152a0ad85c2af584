/* characterize.h - what kind of program this is to a cache: six runs of a target, and what the papers would call it.
 *
 * The runs: without caches, without the L1, as configured, with a fully associative L1 of the same size, with unbounded caches
 * (only cold misses; MSHRs and queues as configured), and with an unbounded L2 alone, as paper 000 looks at an L2. The policy
 * `locality` watches the third and the last two. */
#ifndef WARPLINE_STUDY_CHARACTERIZE_H
#define WARPLINE_STUDY_CHARACTERIZE_H
#include <stdio.h>

#include "study/subject.h"

enum scenario {
    SCENARIO_NO_CACHE,
    SCENARIO_NO_L1,
    SCENARIO_BOUNDED,
    SCENARIO_ASSOCIATIVE,
    SCENARIO_UNBOUNDED,
    SCENARIO_UNBOUNDED_L2,
    SCENARIO_COUNT
};

struct characterization {
    struct study_subject subject;
    struct batch_run *runs; /* one per scenario */
};

/* Which run of a characterisation a recorded run is, judging by its policies and settings ("key=value key=value"); false: none.
 * The lengths are those of the parts that all six runs have in common. */
bool characterization_scenario(const char *policies, const char *settings, enum scenario *scenario, size_t *policies_length,
                               size_t *settings_length);
bool characterization_prepare(struct characterization *c, struct error *err);
void characterization_clear(struct characterization *c);
/* All numbers and the classes with the rules that decided them, or NULL with a sentence when a run has no result. */
json_t *characterization_json(const struct characterization *c, struct error *err);
void characterization_print(const json_t *json, FILE *out);

/* Of the run that `locality` watched: [{"kernel", "pc", "accesses", "streams", "working_set_kib", "streaming_kib"}...], sizes per
 * SM and window, most accesses first; at most eight instructions of a launch. */
json_t *characterize_loads(const json_t *result, uint32_t line_bytes);
double characterize_top_four_kib(const json_t *loads);
void characterize_print_loads(const json_t *loads, FILE *out);

/* Of the run that `divergence` watched: {"hits": shares of all loads, "reuse_distance", "sectors_used_by_degree", "loads": [...]},
 * distances as quartiles, by load instruction and degree; at most four instructions of a launch. */
json_t *characterize_divergence(const json_t *result);
void characterize_print_divergence(const json_t *divergence, FILE *out);
#endif
