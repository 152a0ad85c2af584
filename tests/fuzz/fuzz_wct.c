/* .wct files: any bytes are read or refused in a sentence with the offset.
 *
 * Checks over every block keep damage out, and would keep the fuzzer out too: an input that begins with 'B' is taken as the
 * unpacked bytes of one block, behind two bytes that say how many instructions it should hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/cpu_codec.h"
#include "trace/cpu_format.h"

enum { BATCH = 256 };

static void decode_block(const uint8_t *data, size_t size)
{
    static struct cpu_inst out[BATCH];
    const uint32_t wanted = size >= 2 ? (uint32_t)data[0] | (uint32_t)data[1] << 8 : 0;
    if (size < 2)
        return;
    struct cpu_codec *codec = cpu_codec_new();
    struct cpu_cursor cursor = { data + 2, data + size, UINT64_MAX };
    for (uint32_t done = 0; done < wanted; done += BATCH)
        if (!cpu_codec_decode(codec, &cursor, out, wanted - done < BATCH ? wanted - done : BATCH))
            break;
    cpu_codec_free(codec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == 'B') {
        decode_block(data + 1, size - 1);
        return 0;
    }
    static struct cpu_inst out[BATCH];
    char path[64];
    const int fd = memfd_create("fuzz.wct", 0);
    require(fd >= 0 && write(fd, CPU_TRACE_MAGIC, 8) == 8 && write(fd, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct error err = { 0 };
    struct cpu_trace *trace = cpu_trace_open(path, &err);
    bool ok = trace != NULL;
    for (size_t count = 1; ok && count;)
        ok = cpu_trace_read(trace, out, BATCH, &count, &err);
    if (!ok && (err.code != CODE_INPUT || strchr(err.text, '\n') || !strstr(err.text, "record it again")))
        panic("a refusal that does not say what to do: %s", err.text);
    cpu_trace_free(trace);
    (void)close(fd);
    return 0;
}
