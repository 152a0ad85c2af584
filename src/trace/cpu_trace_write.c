/* cpu_trace_write.c - writes traces of CPUs: .wct, our own format, and ChampSim's. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace/byte_stream.h"
#include "trace/cpu_codec.h"
#include "trace/cpu_format.h"

enum { LEVEL = 9, BATCH = 1024, BLOCK_BYTES = CPU_BLOCK_BYTES_MAX / 2 };

struct cpu_trace_writer {
    struct byte_writer *bytes;
    bool own;
    struct cpu_codec *codec;
    struct cpu_block block;
    uint32_t in_block, blocks;
    uint64_t total;
    uint8_t *packed;
    size_t packed_room;
};

static bool put_block(struct cpu_trace_writer *w, struct cpu_block_header h, const void *bytes, struct error *err)
{
    h.check = cpu_block_check(&h, w->blocks++, bytes);
    return byte_writer_write(w->bytes, &h, sizeof h, err) && byte_writer_write(w->bytes, bytes, h.stored, err);
}

static bool end_block(struct cpu_trace_writer *w, struct error *err)
{
    cpu_codec_end(w->codec, &w->block);
    const size_t bound = ZSTD_compressBound(w->block.count);
    if (w->packed_room < bound) {
        w->packed = must_realloc(w->packed, bound);
        w->packed_room = bound;
    }
    const size_t stored = ZSTD_compress(w->packed, bound, w->block.data, w->block.count, LEVEL);
    require(!ZSTD_isError(stored));
    const struct cpu_block_header h = { .instructions = w->in_block, .raw = (uint32_t)w->block.count, .stored = (uint32_t)stored };
    w->in_block = 0;
    w->block.count = 0;
    return put_block(w, h, w->packed, err);
}

struct cpu_trace_writer *cpu_trace_writer_open(const char *path, const char *name, struct error *err)
{
    struct byte_writer *bytes = byte_writer_open(path, name, err);
    if (!bytes)
        return NULL;
    const size_t length = strlen(name);
    struct cpu_trace_writer *w = must_calloc(1, sizeof *w);
    w->bytes = bytes;
    w->own = length > 4 && strcmp(name + length - 4, ".wct") == 0;
    if (!w->own)
        return w;
    w->codec = cpu_codec_new();
    struct cpu_file_header h = { .version = CPU_TRACE_VERSION };
    memcpy(h.magic, CPU_TRACE_MAGIC, 8);
    if (byte_writer_write(bytes, &h, sizeof h, err))
        return w;
    (void)cpu_trace_writer_close(w, err);
    return NULL;
}

static bool write_champsim(struct cpu_trace_writer *w, const struct cpu_inst *insts, size_t count, struct error *err)
{
    struct cpu_inst batch[BATCH];
    for (size_t done = 0; done < count;) {
        const size_t n = count - done < BATCH ? count - done : BATCH;
        memcpy(batch, insts + done, n * sizeof *batch);
        for (size_t i = 0; i < n; i++)
            batch[i].kind &= CPU_BRANCH;
        if (!byte_writer_write(w->bytes, batch, n * sizeof *batch, err))
            return false;
        done += n;
    }
    return true;
}

bool cpu_trace_write(struct cpu_trace_writer *w, const struct cpu_inst *insts, size_t count, struct error *err)
{
    w->total += count;
    if (!w->own)
        return write_champsim(w, insts, count, err);
    for (size_t i = 0; i < count; i++) {
        cpu_codec_add(w->codec, &insts[i], &w->block);
        if ((++w->in_block == CPU_BLOCK_INSTRUCTIONS || w->block.count > BLOCK_BYTES) && !end_block(w, err))
            return false;
    }
    return true;
}

bool cpu_trace_writer_close(struct cpu_trace_writer *w, struct error *err)
{
    bool ok = true;
    if (w->own) {
        ok = !w->in_block || end_block(w, err);
        ok = ok && put_block(w, (struct cpu_block_header){ .raw = 8, .stored = 8 }, &w->total, err);
    }
    ok = byte_writer_close(w->bytes, ok ? err : NULL) && ok;
    cpu_codec_free(w->codec);
    free(w->block.data);
    free(w->packed);
    free(w);
    return ok;
}
