/* accelsim_write.h - a trace of ours as Accel-Sim's: kernelslist.g and kernel-N.traceg files of tracer version 5 (docs/traces.md).
 *
 * Every line is one that Accel-Sim's parser takes: opcodes of Volta, registers R0 to R254. What such a line cannot say of a PTX
 * instruction stands in header lines of our own ("-warpline ..."). Accel-Sim skips them and accelsim_launch reads them, so that
 * the trace, read back here, drives the machine exactly as the .wlt does. */
#ifndef WARPLINE_TRACE_ACCELSIM_WRITE_H
#define WARPLINE_TRACE_ACCELSIM_WRITE_H
#include "trace/wlt.h"

/* `folder` is there and empty. `bytes`: of all files together. */
bool accelsim_write(struct wlt_reader *reader, const char *folder, uint64_t *bytes, struct error *err);

/* The number at the end of a line, in a file with our header: bits 0-7 the barrier, 8-15 how many warps it counts, 16 that none was
 * reached; from bit 24 the lanes that were active, of an instruction with a guard. */
enum { OWN_WARPS_SHIFT = 8, OWN_NO_BARRIER = 1 << 16, OWN_ACTIVE_SHIFT = 24 };
#endif
