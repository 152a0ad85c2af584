/* timeline.h - what happened when: the interval series of a result, for a trace viewer or a spreadsheet. */
#ifndef WARPLINE_RUN_TIMELINE_H
#define WARPLINE_RUN_TIMELINE_H
#include <jansson.h>

#include "base/text.h"

enum { TIMELINE_DEFAULT_INTERVAL = 1000 }; /* cycles, when --timeline is asked for and gpu.interval is not set */

/* Trace events that Perfetto and chrome://tracing open: kernels as slices, counters as tracks; a microsecond stands for a core
 * cycle. */
void timeline_trace(json_t *result, struct text_buffer *out);
/* A row per interval: kernel, first cycle, and every counter that moved in any of them. */
void timeline_csv(json_t *result, struct text_buffer *out);
/* Picks the form by the file's ending (.csv or anything else) and writes it whole. */
bool timeline_write(json_t *result, const char *path, struct error *err);
#endif
