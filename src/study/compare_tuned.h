/* compare_tuned.h - columns of a comparison that search the limit of warps for each workload; see compare_tuned.c. */
#ifndef WARPLINE_STUDY_COMPARE_TUNED_H
#define WARPLINE_STUDY_COMPARE_TUNED_H
#include "study/subject.h"

/* Ascending; the last is no limit at all. */
enum { TUNED_LIMITS_MAX = 16 };
struct tuned_limits {
    uint32_t limit[TUNED_LIMITS_MAX], count;
};

/* True when the column ("gto+best-swl") contains the name best-swl; then the same column with swl in its place, which the caller
 * frees. */
bool column_is_tuned(const char *column);
char *column_with_plain_swl(const char *column);
bool tuned_limits(const struct study_subject *subject, struct tuned_limits *out, struct error *err);
/* The limit is the job's last setting. 0: it has none. */
void job_set_limit(struct job *job, uint32_t limit);
uint32_t job_limit(const struct job *job);
/* Puts the fastest of all these runs into the cell, and the cell's old run into its place. */
void tuned_take_best(struct batch_run *cell, struct batch_run *others, size_t count);
#endif
