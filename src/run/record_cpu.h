/* record_cpu.h - records a CPU's program into a trace: runs it under qemu-x86_64 with our plug-in, or takes it from another
 * trace. */
#ifndef WARPLINE_RUN_RECORD_CPU_H
#define WARPLINE_RUN_RECORD_CPU_H
#include <stdint.h>

#include "base/error.h"

struct cpu_recording {
    const char *output;   /* its ending chooses the format (trace/cpu_trace.h) */
    uint64_t skip, count; /* instructions to skip, then to record; count 0: to the end */
    uint32_t thread;      /* which thread, in the order in which they were started */
    char *const *program; /* and its arguments; NULL: `from` */
    const char *from;     /* a trace */
};

struct cpu_recorded {
    uint64_t instructions, loads, stores, branches, bytes;
};

/* The file appears whole or not at all. */
bool record_cpu(const struct cpu_recording *recording, struct cpu_recorded *out, struct error *err);
#endif
