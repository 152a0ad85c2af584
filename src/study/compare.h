/* compare.h - workloads down, techniques across: one number in each cell. */
#ifndef WARPLINE_STUDY_COMPARE_H
#define WARPLINE_STUDY_COMPARE_H
#include <stdio.h>

#include "study/batch.h"

struct comparison {
    struct text_list workloads;
    struct text_list columns;  /* policies: "gto", or several together: "gto+pric"; best-swl searches swl's limit per workload */
    const char *size, *config; /* as for a run; NULL: small, the default machine */
    const struct text_list *set, *plugins;
    const char *metric;     /* "speedup" over the first column, or a counter or ratio: "l1.miss_rate" */
    struct batch_run *runs; /* [workload * columns + column], after comparison_run; then what best-swl tried beside them */
    size_t run_count;       /* of all of these */
};

/* Prepares every run first, so that a mistake in the last column is found before the first run starts. */
bool comparison_prepare(struct comparison *comparison, struct error *err);
bool comparison_run(struct comparison *comparison, struct database *database, const struct batch_options *options,
                    struct batch_summary *summary, struct error *err);
void comparison_clear(struct comparison *comparison);

/* The cell's value; false when the run has none (it failed, or the metric does not exist for it). */
bool comparison_value(const struct comparison *comparison, size_t workload, size_t column, double *value);

bool comparison_is_speedup(const struct comparison *comparison);

enum mean_kind { MEAN_GEOMETRIC, MEAN_HARMONIC, MEAN_ARITHMETIC };
/* Over the workloads that have a value in every column; false when there are none, or a geometric or harmonic mean of
 * values that are not positive is asked for. */
bool comparison_mean(const struct comparison *comparison, size_t column, enum mean_kind kind, double *value);

/* What the table says, in a sentence or two with a line end. Nothing when the metric is not speedup or there is nothing to
 * compare. */
void comparison_finding(const struct comparison *comparison, struct text_buffer *out);
void comparison_print(const struct comparison *comparison, FILE *out);
void comparison_csv(const struct comparison *comparison, struct text_buffer *out);
json_t *comparison_json(const struct comparison *comparison);
#endif
