/* tune.h - Best-SWL: a target run with every static limit of warps, and the limit that is fastest. */
#ifndef WARPLINE_STUDY_TUNE_H
#define WARPLINE_STUDY_TUNE_H
#include "study/subject.h"

struct tuning {
    struct study_subject subject;
    uint32_t count; /* of runs: limits 1 .. count, the last is no limit at all */
    struct batch_run *runs;
};

/* The machine decides how many limits there are: one for each warp of a scheduler. */
bool tuning_count_limits(const struct study_subject *subject, uint32_t *count, struct error *err);
/* One run for each limit from 1 to the warps of a scheduler. */
bool tuning_prepare(struct tuning *tuning, struct error *err);
void tuning_clear(struct tuning *tuning);
/* Cycles with this limit; false: the run failed. */
bool tuning_cycles(const struct tuning *tuning, uint32_t limit, double *cycles);
/* The fastest limit, of equals the smallest; 0 when no run succeeded. */
uint32_t tuning_best(const struct tuning *tuning);
/* {"target", "policy": "swl", "limits": [{"limit", "cycles", "speedup"}...], "best"}: speedup over no limit. */
json_t *tuning_json(const struct tuning *tuning);
#endif
