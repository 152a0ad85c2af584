/* tune.h - finds the best value of a whole-number parameter of a policy by running a target with every value of a range. */
#ifndef WARPLINE_STUDY_TUNE_H
#define WARPLINE_STUDY_TUNE_H
#include "study/subject.h"

struct tuning {
    struct study_subject subject;
    char policy[64], parameter[64]; /* "swl", "limit" */
    uint64_t first, last, step;     /* values that are tried */
    uint32_t count;         /* of values: run i has the value first + i * step, and the run behind the last is without the policy */
    struct batch_run *runs; /* count + 1 */
};

/* The machine decides how many static limits of warps there are: one for each warp of a scheduler. */
bool tuning_count_limits(const struct study_subject *subject, uint32_t *count, struct error *err);
/* What to tune: "swl.limit", or a policy alone, which names its row. `range`: "1..256", "2..64..2" (in steps of 2); NULL: all that
 * the row allows, of swl's limit all that the machine can use. The subject comes first. */
bool tuning_choose(struct tuning *tuning, const char *what, const char *range, struct error *err);
/* One run for each value, and one without the policy. */
bool tuning_prepare(struct tuning *tuning, struct error *err);
void tuning_clear(struct tuning *tuning);
static inline uint64_t tuning_value(const struct tuning *t, uint32_t i)
{
    return t->first + i * t->step;
}
/* Cycles of run i; false: it failed. i = count: without the policy. */
bool tuning_cycles(const struct tuning *tuning, uint32_t i, double *cycles);
/* The fastest run with the policy; of equally fast ones the one with the smallest value. `count` when no run succeeded. */
uint32_t tuning_best(const struct tuning *tuning);
/* {"target", "policy", "parameter", "without": cycles, "values": [{"value", "cycles", "speedup"}...], "best"}: speedup over the
 * target without the policy. */
json_t *tuning_json(const struct tuning *tuning);
#endif
