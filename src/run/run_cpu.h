/* run_cpu.h - runs traces of CPUs, one core each, on a chip with a shared cache (src/cmp).
 *
 * The result has the shape of every other: a "kernel" for each core, with its trace's name, and one named "(shared)" with the
 * counters of memory and policies, which belong to the chip and include the warm-up. */
#ifndef WARPLINE_RUN_RUN_CPU_H
#define WARPLINE_RUN_RUN_CPU_H
#include <jansson.h>

#include "cmp/cmp.h"
#include "run/session.h"

/* The configuration that a run of CPUs takes when none is named. */
#define CPU_DEFAULT_CONFIG "cmp"

/* True when the first of "A.wct+B.wct+..." (one trace per core) is a trace of a CPU. "cpu:NAME" is NAME.wct in the folder
 * $WARPLINE_CPU_TRACES (cpu-traces when that is not set). */
bool run_cpu_recognises(const char *target);
/* The parts of such a name. */
void run_cpu_split(const char *target, struct text_list *traces);
struct cmp_machine run_cpu_machine(const struct session_setup *setup);
bool run_cpu(const struct text_list *traces, const struct session_setup *setup, const struct session_options *options,
             json_t **result, bool *stopped, struct error *err);
#endif
