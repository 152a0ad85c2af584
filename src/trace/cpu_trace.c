/* cpu_trace.c - reads traces of CPUs: .wct, our own format, and ChampSim's. */
#include "trace/cpu_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/text.h"
#include "trace/byte_stream.h"
#include "trace/cpu_codec.h"
#include "trace/cpu_format.h"

struct cpu_trace {
    char *path;
    bool own;
    struct byte_stream *bytes;
    uint64_t offset; /* of the next byte to be read */
    uint64_t read;   /* instructions */
    bool ended;
    uint8_t part[sizeof(struct cpu_inst)]; /* ChampSim's: how many bytes of an incomplete record have come */
    size_t part_count;
    /* Ours. */
    struct cpu_codec *codec;
    struct cpu_cursor cursor;
    uint32_t left, block; /* instructions left in the block; which block it is */
    uint8_t *packed, *raw;
    size_t packed_room, raw_room;
};

static bool damaged(const struct cpu_trace *t, const char *what, struct error *err)
{
    return error_set(err, "%.300s: offset %llu: %s; %s", t->path, (unsigned long long)t->offset, what,
                     t->own ? "the file is damaged: record it again" : "is it a trace of ChampSim's, or cut off?");
}

/* Exactly `count` bytes, or none at the end of the file (*made 0). */
static bool read_exactly(struct cpu_trace *t, void *out, size_t count, size_t *made, struct error *err)
{
    *made = 0;
    while (*made < count) {
        size_t got;
        const char *what;
        if (!byte_stream_read(t->bytes, (uint8_t *)out + *made, count - *made, &got, &what))
            return damaged(t, what, err);
        if (!got)
            break;
        *made += got;
        t->offset += got;
    }
    return *made == 0 || *made == count || damaged(t, "it ends in the middle of a record", err);
}

/* ---- ChampSim's ---- */

static bool champsim_record_is_possible(const struct cpu_inst *r)
{
    return r->kind <= 1 && r->taken <= 1 && (r->pc || r->kind == 0);
}

static bool read_champsim(struct cpu_trace *t, struct cpu_inst *out, size_t room, size_t *count, struct error *err)
{
    *count = 0;
    while (*count == 0) {
        size_t got;
        const char *what;
        memcpy(out, t->part, t->part_count);
        if (!byte_stream_read(t->bytes, (uint8_t *)out + t->part_count, room * sizeof *out - t->part_count, &got, &what))
            return damaged(t, what, err);
        if (!got)
            break;
        t->offset += got;
        const size_t bytes = got + t->part_count;
        *count = bytes / sizeof *out;
        t->part_count = bytes % sizeof *out;
        memcpy(t->part, (uint8_t *)out + *count * sizeof *out, t->part_count);
    }
    if (!*count && t->part_count)
        return damaged(t, "it ends in the middle of a record of 64 bytes", err);
    if (!*count && !t->read)
        return damaged(t, "it holds no instruction", err);
    for (size_t i = 0; i < *count; i++)
        if (!champsim_record_is_possible(&out[i]))
            return damaged(t, "a record that no instruction has", err);
    t->read += *count;
    return true;
}

/* ---- ours ---- */

static bool read_end(struct cpu_trace *t, const struct cpu_block_header *h, struct error *err)
{
    uint64_t total;
    uint8_t more;
    size_t made;
    if (h->raw != 8 || h->stored != 8)
        return damaged(t, "a block without instructions", err);
    memcpy(&total, t->packed, 8);
    if (total != t->read || !total)
        return damaged(t, "it does not hold as many instructions as it says", err);
    const char *what;
    if (!byte_stream_read(t->bytes, &more, 1, &made, &what) || made)
        return damaged(t, "something follows its end", err);
    t->ended = true;
    return true;
}

static void make_room(uint8_t **buffer, size_t *room, size_t bytes)
{
    if (*room >= bytes)
        return;
    *buffer = must_realloc(*buffer, bytes);
    *room = bytes;
}

static bool next_block(struct cpu_trace *t, struct error *err)
{
    struct cpu_block_header h;
    size_t made;
    if (t->block && (t->cursor.at != t->cursor.end || t->cursor.run))
        return damaged(t, "a block with bytes left over", err);
    if (!read_exactly(t, &h, sizeof h, &made, err))
        return false;
    if (!made)
        return damaged(t, "it ends here without its last block: cut off, or its recording was stopped", err);
    if (h.instructions > CPU_BLOCK_INSTRUCTIONS || h.raw > CPU_BLOCK_BYTES_MAX || h.stored > CPU_BLOCK_BYTES_MAX || !h.stored)
        return damaged(t, "a block with impossible sizes", err);
    make_room(&t->packed, &t->packed_room, h.stored);
    if (!read_exactly(t, t->packed, h.stored, &made, err))
        return false;
    if (made != h.stored || cpu_block_check(&h, t->block, t->packed) != h.check)
        return damaged(t, "a block whose check does not hold", err);
    t->block++;
    if (!h.instructions)
        return read_end(t, &h, err);
    make_room(&t->raw, &t->raw_room, h.raw + 1);
    if (ZSTD_decompress(t->raw, h.raw, t->packed, h.stored) != h.raw)
        return damaged(t, "a block that cannot be unpacked", err);
    t->left = h.instructions;
    t->cursor = (struct cpu_cursor){ t->raw, t->raw + h.raw, UINT64_MAX };
    return true;
}

static bool read_own(struct cpu_trace *t, struct cpu_inst *out, size_t room, size_t *count, struct error *err)
{
    *count = 0;
    if (!t->left && !t->ended && !next_block(t, err))
        return false;
    if (t->ended)
        return true;
    const size_t n = room < t->left ? room : t->left;
    if (!cpu_codec_decode(t->codec, &t->cursor, out, n))
        return damaged(t, "a block that holds no instructions", err);
    t->left -= (uint32_t)n;
    t->read += n;
    *count = n;
    return true;
}

/* ---- both ---- */

bool cpu_trace_read(struct cpu_trace *t, struct cpu_inst *out, size_t room, size_t *count, struct error *err)
{
    return t->own ? read_own(t, out, room, count, err) : read_champsim(t, out, room, count, err);
}

static bool magic_is_there(const char *path, bool *readable)
{
    char head[8] = { 0 };
    FILE *file = text_is_pipe(path) ? NULL : fopen(path, "rbe"); /* opening a pipe waits for its writer */
    *readable = file != NULL;
    const bool is_own = file && fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, CPU_TRACE_MAGIC, 8) == 0;
    if (file)
        (void)fclose(file);
    return is_own;
}

static bool named_champsim(const char *path)
{
    static const char *const endings[] = { "", ".xz", ".gz", ".zst", NULL }, *const names[] = { ".champsim", ".champsimtrace",
                                                                                                NULL };
    const size_t length = strlen(path);
    for (size_t e = 0; endings[e]; e++)
        for (size_t n = 0; names[n]; n++) {
            const size_t a = strlen(names[n]), b = strlen(endings[e]);
            if (length > a + b && strncmp(path + length - a - b, names[n], a) == 0 && strcmp(path + length - b, endings[e]) == 0)
                return true;
        }
    return false;
}

bool cpu_trace_recognises(const char *path)
{
    bool readable;
    return magic_is_there(path, &readable) || (readable && named_champsim(path));
}

static bool start_reading(struct cpu_trace *t, struct error *err)
{
    bool readable;
    if (text_is_pipe(t->path))
        return error_set(err, "%.300s: is a pipe, and a trace is read more than once; give a file", t->path);
    t->own = magic_is_there(t->path, &readable);
    t->bytes = byte_stream_open(t->path, NULL, err);
    if (!t->bytes)
        return false;
    if (!t->own)
        return true;
    struct cpu_file_header h;
    size_t made;
    t->codec = cpu_codec_new();
    if (!read_exactly(t, &h, sizeof h, &made, err))
        return false;
    if (made != sizeof h)
        return damaged(t, "it has no header", err);
    if (h.version != CPU_TRACE_VERSION)
        return error_set(err, "%.300s: a trace of version %u; this warpline reads version %u: record it again", t->path, h.version,
                         CPU_TRACE_VERSION);
    return true;
}

static void stop_reading(struct cpu_trace *t)
{
    byte_stream_free(t->bytes);
    cpu_codec_free(t->codec);
    t->bytes = NULL;
    t->codec = NULL;
}

bool cpu_trace_rewind(struct cpu_trace *t, struct error *err)
{
    stop_reading(t);
    t->offset = t->read = t->left = t->block = 0;
    t->part_count = 0;
    t->ended = false;
    t->cursor = (struct cpu_cursor){ 0 };
    return start_reading(t, err);
}

struct cpu_trace *cpu_trace_open(const char *path, struct error *err)
{
    struct cpu_trace *t = must_calloc(1, sizeof *t);
    t->path = must_strdup(path);
    if (start_reading(t, err))
        return t;
    cpu_trace_free(t);
    return NULL;
}

void cpu_trace_free(struct cpu_trace *t)
{
    if (!t)
        return;
    stop_reading(t);
    free(t->path);
    free(t->packed);
    free(t->raw);
    free(t);
}
