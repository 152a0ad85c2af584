/* recording.h - keeps what a session's kernels do in a trace file (.wlt), see trace/wlt.h.
 *
 * The file has no name (base/part_file.h) and gets the target's when the recording ends well, so that a run that fails or is
 * killed leaves no half trace. A program's process records; `warpline record` gives the file its name. */
#ifndef WARPLINE_RUN_RECORDING_H
#define WARPLINE_RUN_RECORDING_H
#include "base/part_file.h"
#include "run/session.h"
#include "trace/wlt.h"

/* Starts what `options` asks for; NULL without an error when it asks for nothing. */
struct wlt_writer *recording_open(const struct session_options *options, const char *target, bool *ok, struct error *err);
/* Checks that the recording is whole and gives it its name. Frees `part` in either case. */
bool recording_keep(struct part_file *part, const char *name, struct wlt_totals *totals, struct error *err);
/* Instead of recording_keep: makes the folder `path` with the trace in Accel-Sim's form; `bytes` of its files. */
bool recording_convert(struct part_file *part, const char *path, struct wlt_totals *totals, uint64_t *bytes, struct error *err);
#endif
