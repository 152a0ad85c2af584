/* recording.h - keeps what a session's kernels do in a trace file (.wlt), see trace/wlt.h.
 *
 * The file is written under a name of its own beside the target and takes its name when the recording ends well, so that a
 * run that fails leaves no half trace. A program's process records; `warpline record` gives the file its name. */
#ifndef WARPLINE_RUN_RECORDING_H
#define WARPLINE_RUN_RECORDING_H
#include "run/session.h"
#include "trace/wlt.h"

/* Starts what `options` asks for; NULL without an error when it asks for nothing. */
struct wlt_writer *recording_open(const struct session_options *options, const char *target, bool *ok, struct error *err);
/* The name the recording has until it is whole; the caller frees. */
char *recording_temporary(const char *path);
/* Checks that the recording is whole and gives it its name, or takes it away. */
bool recording_keep(const char *path, struct wlt_totals *totals, struct error *err);
/* Instead of recording_keep: makes the folder `path` with the trace in Accel-Sim's form; `bytes` of its files. */
bool recording_convert(const char *path, struct wlt_totals *totals, uint64_t *bytes, struct error *err);
void recording_drop(const char *path);
#endif
