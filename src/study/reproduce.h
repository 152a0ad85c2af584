/* reproduce.h - a paper's experiments on the workloads that are there, and each number that it states beside ours. */
#ifndef WARPLINE_STUDY_REPRODUCE_H
#define WARPLINE_STUDY_REPRODUCE_H
#include <stdio.h>

#include "study/batch.h"

struct reproduction {
    const char *paper;  /* "000" */
    const char *size;   /* NULL: small */
    bool search;        /* also find Best-SWL for table 3: 24 runs for each of six workloads */
    struct batch_run *runs;
    size_t count;
    struct reproduced_run *plan; /* what runs[i] is */
};

/* False for a paper whose experiments are not here. */
bool reproduction_prepare(struct reproduction *r, struct error *err);
void reproduction_clear(struct reproduction *r);
/* {"paper", "size", "claims": [{"id", "where", "claimed", "measured", "unit", "difference_percent", "explanation"}...],
 *  "figures": {"8": {workload: value}...}}. A claim that no run answers has a null measured and says why. */
json_t *reproduction_json(const struct reproduction *r);
void reproduction_print(const json_t *json, FILE *out);
#endif
