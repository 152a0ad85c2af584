/* reproduce.h - a paper's experiments on the workloads that are there, and each number that it states beside ours. */
#ifndef WARPLINE_PAPERS_REPRODUCE_H
#define WARPLINE_PAPERS_REPRODUCE_H
#include <stdio.h>

#include "study/batch.h"
#include "papers/paper.h"

struct reproduction {
    const struct paper *paper;
    const char *size;     /* of every row's input; NULL: each row's own */
    bool search;          /* also run the columns that are searched */
    const char *policies; /* a column more: these on every row, beside the paper's in the figures of speedups; NULL: none */
    const struct text_list *plugins; /* files to load policies from; NULL: none */
    struct paper_row rows[PAPER_ROWS];
    uint32_t row_count;
    struct batch_run *runs;
    size_t count;
    struct reproduced_run *plan; /* what runs[i] is */
};

/* NULL for a paper whose experiments are not here. */
const struct paper *paper_find(const char *name, struct error *err);
bool reproduction_prepare(struct reproduction *r, struct error *err);
void reproduction_clear(struct reproduction *r);
/* {"paper", "title", "size", "sizes": {label: size...} of the rows that have another, "config",
 *  "claims": [{"id", "what", "where", "claimed", "measured", "unit", "difference_percent", "explanation"}...],
 *  "figures": [{"figure", "title", "unit_line", "rows": [label...], "series": [{"name", "values": {label: number...},
 * "mean"}...]}...]}. A claim that no run answers has a null measured and says why. */
json_t *reproduction_json(const struct reproduction *r);
/* Claims and figures as tables. */
void reproduction_print(const json_t *json, FILE *out);
/* The same as a page with the figures drawn; it needs no network. */
void reproduction_page(const json_t *json, struct text_buffer *html);
#endif
