/* wlt_writer.c - a .wlt file from its header to its trailer: chunks, blocks of CTAs, kernels' indexes, the directory. */
#include "trace/wlt_writer.h"

#include <errno.h>
#include <stdio.h>
#include <zstd.h>

#include "base/hash.h"
#include "trace/wlt_memory.h"

/* Level 3 is zstd's own default; on recorded kernels level 9 saved a further few percent and took four times as long. */
enum { ZSTD_LEVEL = 3 };

struct cta_place {
    uint32_t block, offset, bytes;
};
struct places {
    uint64_t *offset;
    uint32_t count, room;
};
struct code_place {
    uint64_t hash, offset;
};

struct wlt_writer {
    FILE *file;
    char *name;
    struct memory_image *image; /* what the file says of device memory so far; NULL: values are not kept */
    bool failed;
    struct error error; /* the first */
    uint64_t offset;    /* bytes written */
    ZSTD_CCtx *zstd;
    struct bytes scratch, packed;
    struct bytes block;     /* CTAs that wait to be written */
    struct cta_place *ctas; /* of the current kernel */
    uint32_t cta_count, ctas_given;
    struct places blocks; /* of the current kernel */
    struct places memory; /* of the current kernel: what the host changed before it */
    struct code_place *codes;
    uint32_t code_count, code_room;
    struct bytes events; /* of the directory */
    uint64_t event_count;
    struct wlt_totals totals;
    char *target;
};

static void fail(struct wlt_writer *w, const char *what)
{
    if (!w->failed)
        (void)error_set(&w->error, "%.300s: %s: %s", w->name, what, strerror(errno));
    w->failed = true;
}

static void put(struct wlt_writer *w, const void *bytes, size_t count)
{
    if (!w->failed && fwrite(bytes, 1, count, w->file) != count)
        fail(w, "cannot be written");
    w->offset += count;
}

static void put_chunk(struct wlt_writer *w, enum wlt_chunk kind, const struct bytes *content)
{
    const size_t bound = ZSTD_compressBound(content->count);
    w->packed.count = 0;
    bytes_reserve(&w->packed, bound);
    const size_t stored = ZSTD_compressCCtx(w->zstd, w->packed.data, bound, content->data, content->count, ZSTD_LEVEL);
    require(!ZSTD_isError(stored) && content->count < WLT_MOST_CHUNK);
    struct wlt_chunk_header header = { .kind = kind, .stored = (uint32_t)stored, .bytes = (uint32_t)content->count };
    header.check = wlt_chunk_check(&header, w->packed.data);
    struct bytes head = { 0 };
    bytes_fixed(&head, header.kind, 4);
    bytes_fixed(&head, header.stored, 4);
    bytes_fixed(&head, header.bytes, 4);
    bytes_fixed(&head, header.check, 8);
    put(w, head.data, head.count);
    put(w, w->packed.data, stored);
    bytes_free(&head);
}

struct wlt_writer *wlt_writer_open(const char *path, const char *name, const char *target, bool data, struct error *err)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        (void)error_set(err, "%.300s: cannot be written: %s", name, strerror(errno));
        return NULL;
    }
    struct wlt_writer *w = must_calloc(1, sizeof *w);
    w->file = file;
    w->name = must_strdup(name);
    w->target = must_strdup(target);
    w->totals.has_data = data;
    w->image = data ? memory_image_new() : NULL;
    w->zstd = ZSTD_createCCtx();
    require(w->zstd);
    struct bytes head = { 0 };
    bytes_append(&head, WLT_MAGIC, 8);
    bytes_fixed(&head, WLT_VERSION, 4);
    bytes_fixed(&head, data ? WLT_FLAG_DATA : 0, 4);
    put(w, head.data, head.count);
    if (fflush(file) != 0) /* now, so that an empty file means that no recording was begun */
        fail(w, "cannot be written");
    bytes_free(&head);
    return w;
}

struct memory_image *wlt_writer_image(const struct wlt_writer *writer)
{
    return writer->image;
}

void wlt_writer_copy(struct wlt_writer *w, uint64_t address, uint64_t bytes)
{
    bytes_put(&w->events, 0);
    bytes_number(&w->events, address);
    bytes_number(&w->events, bytes);
    w->event_count++;
    w->totals.copies++;
}

/* Puts a chunk and keeps its place. */
static void put_placed(struct wlt_writer *w, struct places *places, enum wlt_chunk kind, const struct bytes *content)
{
    if (places->count == places->room) {
        places->room = places->room * 2 + 16;
        places->offset = must_realloc(places->offset, places->room * sizeof *places->offset);
    }
    places->offset[places->count++] = w->offset;
    put_chunk(w, kind, content);
}

struct memory_sink {
    struct wlt_memory_sink sink;
    struct wlt_writer *writer;
};

static void put_memory(struct wlt_memory_sink *sink, const struct bytes *content)
{
    struct wlt_writer *w = ((struct memory_sink *)sink)->writer;
    w->totals.memory_bytes += content->count;
    put_placed(w, &w->memory, WLT_MEMORY, content);
}

void wlt_writer_kernel_start(struct wlt_writer *w, struct front *front)
{
    struct memory_sink sink = { { put_memory }, w };
    w->cta_count = front->launch.cta_count;
    w->ctas_given = w->blocks.count = w->memory.count = 0;
    w->ctas = must_realloc(w->ctas, w->cta_count * sizeof *w->ctas);
    if (w->image)
        (void)wlt_memory_collect(w->image, front, &sink.sink);
}

static void close_block(struct wlt_writer *w)
{
    if (w->block.count)
        put_placed(w, &w->blocks, WLT_BLOCK, &w->block);
    w->block.count = 0;
}

void wlt_writer_cta(struct wlt_writer *w, uint32_t cta_id, const struct bytes *encoded, uint64_t instructions, uint64_t data_bytes)
{
    require(cta_id < w->cta_count && encoded->count < WLT_MOST_CHUNK);
    if (w->block.count + encoded->count > WLT_BLOCK_BYTES)
        close_block(w);
    w->ctas[cta_id] = (struct cta_place){ w->blocks.count, (uint32_t)w->block.count, (uint32_t)encoded->count };
    bytes_append(&w->block, encoded->data, encoded->count);
    w->ctas_given++;
    w->totals.warp_instructions += instructions;
    w->totals.data_bytes += data_bytes;
}

/* Kernels that are launched again have the same table: it is written once. */
static uint64_t put_code(struct wlt_writer *w, const struct front_launch *launch)
{
    w->scratch.count = 0;
    wlt_code_write(&w->scratch, launch->code, launch->code_count);
    const uint64_t hash = hash_bytes(w->scratch.data, w->scratch.count, 1);
    for (uint32_t i = 0; i < w->code_count; i++)
        if (w->codes[i].hash == hash)
            return w->codes[i].offset;
    if (w->code_count == w->code_room) {
        w->code_room = w->code_room * 2 + 16;
        w->codes = must_realloc(w->codes, w->code_room * sizeof *w->codes);
    }
    w->codes[w->code_count++] = (struct code_place){ hash, w->offset };
    const uint64_t offset = w->offset;
    put_chunk(w, WLT_CODE, &w->scratch);
    return offset;
}

static void write_places(struct bytes *out, const struct places *places)
{
    bytes_number(out, places->count);
    for (uint32_t i = 0; i < places->count; i++)
        bytes_number(out, places->offset[i] - (i ? places->offset[i - 1] : 0));
}

static void write_index(struct wlt_writer *w)
{
    struct bytes *out = &w->scratch;
    write_places(out, &w->memory);
    write_places(out, &w->blocks);
    struct cta_place before = { 0 };
    for (uint32_t i = 0; i < w->cta_count; i++) {
        const struct cta_place *c = &w->ctas[i];
        bytes_signed(out, (int64_t)c->block - (int64_t)before.block);
        bytes_signed(out, (int64_t)c->offset - (int64_t)before.offset - (int64_t)before.bytes);
        bytes_number(out, c->bytes);
        before = *c;
    }
}

void wlt_writer_kernel_end(struct wlt_writer *w, const struct front_launch *launch, const char *trouble)
{
    if (trouble || w->ctas_given != w->cta_count) {
        if (!w->failed)
            (void)error_set_code(&w->error, CODE_PROGRAM, "%.300s: not made: kernel %.200s %s", w->name, launch->kernel,
                                 trouble ? trouble : "did not run to its end");
        w->failed = true;
        w->block.count = 0;
        return;
    }
    close_block(w);
    const uint64_t code = put_code(w, launch);
    w->scratch.count = 0;
    bytes_text(&w->scratch, launch->kernel);
    for (uint32_t d = 0; d < 3; d++)
        bytes_number(&w->scratch, launch->grid[d]);
    for (uint32_t d = 0; d < 3; d++)
        bytes_number(&w->scratch, launch->block[d]);
    bytes_number(&w->scratch, launch->registers_per_thread);
    bytes_number(&w->scratch, launch->registers_wanted);
    bytes_number(&w->scratch, launch->shared_bytes);
    bytes_number(&w->scratch, launch->local_bytes);
    bytes_number(&w->scratch, code);
    write_index(w);
    bytes_put(&w->events, 1);
    bytes_number(&w->events, w->offset);
    w->event_count++;
    w->totals.kernels++;
    put_chunk(w, WLT_KERNEL, &w->scratch);
}

static void put_end(struct wlt_writer *w)
{
    const uint64_t directory = w->offset;
    w->scratch.count = 0;
    bytes_text(&w->scratch, w->target);
    bytes_number(&w->scratch, w->totals.kernels);
    bytes_number(&w->scratch, w->totals.copies);
    bytes_number(&w->scratch, w->totals.warp_instructions);
    bytes_number(&w->scratch, w->totals.data_bytes);
    bytes_number(&w->scratch, w->totals.memory_bytes);
    bytes_number(&w->scratch, w->event_count);
    bytes_append(&w->scratch, w->events.data, w->events.count);
    put_chunk(w, WLT_DIRECTORY, &w->scratch);
    w->scratch.count = 0;
    bytes_append(&w->scratch, WLT_END_MAGIC, 8);
    bytes_fixed(&w->scratch, directory, 8);
    bytes_fixed(&w->scratch, wlt_place_check(directory), 8);
    put(w, w->scratch.data, w->scratch.count);
}

bool wlt_writer_finish(struct wlt_writer *w, struct wlt_totals *totals, struct error *err)
{
    if (!w->failed)
        put_end(w);
    if (fclose(w->file) != 0)
        fail(w, "cannot be written");
    const bool ok = !w->failed;
    if (!ok && err)
        *err = w->error;
    w->totals.file_bytes = w->offset;
    if (totals)
        *totals = w->totals;
    (void)ZSTD_freeCCtx(w->zstd);
    bytes_free(&w->scratch);
    bytes_free(&w->packed);
    bytes_free(&w->block);
    bytes_free(&w->events);
    free(w->ctas);
    free(w->blocks.offset);
    free(w->memory.offset);
    memory_image_free(w->image);
    free(w->codes);
    free(w->name);
    free(w->target);
    free(w);
    return ok;
}
