/* ChampSim's traces: any bytes are read or refused in a sentence with the offset, packed or not. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/cpu_trace.h"

enum { BATCH = 100 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct cpu_inst out[BATCH];
    char path[64];
    const int fd = memfd_create("fuzz.champsim", 0);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct error err = { 0 };
    struct cpu_trace *trace = cpu_trace_open(path, &err);
    bool ok = trace != NULL;
    for (size_t count = 1; ok && count;)
        ok = cpu_trace_read(trace, out, BATCH, &count, &err);
    if (!ok && (err.code != CODE_INPUT || strchr(err.text, '\n')))
        panic("a refusal that is no sentence: %s", err.text);
    cpu_trace_free(trace);
    (void)close(fd);
    return 0;
}
