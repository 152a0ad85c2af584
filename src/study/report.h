/* report.h - one HTML file with the runs of a study: charts, a sortable table, a page per workload. It needs no network. */
#ifndef WARPLINE_STUDY_REPORT_H
#define WARPLINE_STUDY_REPORT_H
#include "base/text.h"
#include "study/database.h"

/* `study` NULL: all runs of the database. `keys` is a JSON object whose members are keys of runs; NULL: all of these runs. When
 * a member is a text, the run is drawn under this name, beside all others of its target, whatever its settings; names come in the
 * order of the members, and speedups are over the first. `finding` is a sentence for the top of the page; NULL: none. */
bool report_make(struct database *database, const char *study, const json_t *keys, const char *title, const char *finding,
                 struct text_buffer *html, struct error *err);
/* The characterisations (`warpline characterize`) of the targets that are members of `targets`, each with its machine and its
 * tables. */
json_t *report_characterisations(struct database *database, const json_t *targets, struct error *err);
/* A page that carries `data`, the drawing functions of charts.js and then the scripts (the last is followed by NULL). */
void report_page(const json_t *data, const char *title, const char *const *scripts, struct text_buffer *html);
#endif
