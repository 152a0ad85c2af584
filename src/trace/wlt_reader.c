/* wlt_reader.c - reads a .wlt file, beginning with its trailer. Every chunk is checked before it is unpacked, every number
 * before it is used. */
#include "trace/wlt_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/text.h"
#include "trace/wlt_memory.h"

/* CTAs end in nearly the order in which they start. So a replay goes through the blocks with only a few of them open. */
enum { BLOCKS_KEPT = 8 };

struct kept_block {
    uint64_t offset; /* of its chunk; 0: none */
    uint64_t used;   /* the youngest use has the highest number */
    struct bytes content;
};

struct wlt_reader {
    int fd;
    char *name, *target;
    uint64_t file_bytes;
    uint32_t flags;
    ZSTD_DCtx *zstd;
    struct bytes packed, chunk;
    struct kept_block kept[BLOCKS_KEPT];
    uint64_t uses;
    uint64_t event_count;
    struct wlt_stored_event {
        bool is_kernel;
        uint64_t a, b;
    } * events; /* kernels: place of the chunk in a */
    struct wlt_totals totals;
    struct memory_image *image; /* NULL: no values */
};

static bool damaged(const struct wlt_reader *r, uint64_t offset, const char *what, struct error *err)
{
    return error_set(err, "%.300s: offset %llu: %s; the file is damaged: record it again", r->name, (unsigned long long)offset,
                     what);
}

static bool read_at(const struct wlt_reader *r, uint64_t offset, void *to, size_t count, struct error *err)
{
    uint8_t *at = to;
    while (count) {
        const ssize_t got = pread(r->fd, at, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, "%.300s: cannot be read: %s", r->name, strerror(errno));
        if (got == 0)
            return damaged(r, offset, "it ends here, too early", err);
        at += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

static bool read_chunk_header(const struct wlt_reader *r, uint64_t offset, enum wlt_chunk kind, struct wlt_chunk_header *header,
                              struct error *err)
{
    uint8_t raw[WLT_CHUNK_HEADER_BYTES];
    if (offset > r->file_bytes || r->file_bytes - offset < sizeof raw)
        return damaged(r, offset, "no chunk can be here", err);
    if (!read_at(r, offset, raw, sizeof raw, err))
        return false;
    struct cursor c = { raw, raw + sizeof raw };
    uint64_t k = 0, stored = 0, bytes = 0;
    (void)(cursor_fixed(&c, 4, &k) && cursor_fixed(&c, 4, &stored) && cursor_fixed(&c, 4, &bytes) &&
           cursor_fixed(&c, 8, &header->check));
    header->kind = (uint32_t)k;
    header->stored = (uint32_t)stored;
    header->bytes = (uint32_t)bytes;
    if (header->kind != kind)
        return damaged(r, offset, "a chunk of another kind is expected here", err);
    if (header->stored > r->file_bytes - offset - sizeof raw || header->bytes > WLT_MOST_CHUNK)
        return damaged(r, offset, "this chunk's sizes are impossible", err);
    return true;
}

static bool read_chunk(struct wlt_reader *r, uint64_t offset, enum wlt_chunk kind, struct bytes *out, struct error *err)
{
    struct wlt_chunk_header header;
    if (!read_chunk_header(r, offset, kind, &header, err))
        return false;
    r->packed.count = 0;
    bytes_reserve(&r->packed, header.stored);
    if (!read_at(r, offset + WLT_CHUNK_HEADER_BYTES, r->packed.data, header.stored, err))
        return false;
    if (wlt_chunk_check(&header, r->packed.data) != header.check)
        return damaged(r, offset, "the check of this chunk fails", err);
    /* The sizes are checked, since a file may be made to lie about them. zstd's own frame must agree before memory is taken. */
    if (ZSTD_getFrameContentSize(r->packed.data, header.stored) != header.bytes)
        return damaged(r, offset, "this chunk unpacks to another size", err);
    out->count = 0;
    bytes_reserve(out, header.bytes + 1u);
    const size_t got = ZSTD_decompressDCtx(r->zstd, out->data, header.bytes, r->packed.data, header.stored);
    if (ZSTD_isError(got) || got != header.bytes)
        return damaged(r, offset, "this chunk cannot be unpacked", err);
    out->count = got;
    return true;
}

/* Names are printed in summaries and in errors of one line. A byte that moves the cursor is refused. */
static char *read_text(struct cursor *in)
{
    uint32_t length;
    struct cursor text;
    if (!cursor_bounded(in, 1 << 20, &length) || !cursor_slice(in, length, &text))
        return NULL;
    char *copy = must_calloc(length + 1u, 1);
    memcpy(copy, text.at, length);
    for (uint32_t i = 0; i < length; i++)
        if ((unsigned char)copy[i] < ' ' || copy[i] == 127)
            copy[i] = '?';
    return copy;
}

static bool parse_event(struct cursor *in, struct wlt_stored_event *event)
{
    uint8_t kind;
    if (!cursor_byte(in, &kind) || kind > 1 || !cursor_number(in, &event->a))
        return false;
    event->is_kernel = kind == 1;
    return event->is_kernel || cursor_number(in, &event->b);
}

static bool parse_directory(struct wlt_reader *r, struct cursor in)
{
    struct wlt_totals *t = &r->totals;
    r->target = read_text(&in);
    if (!r->target || !cursor_number(&in, &t->kernels) || !cursor_number(&in, &t->copies) ||
        !cursor_number(&in, &t->warp_instructions) || !cursor_number(&in, &t->data_bytes) ||
        !cursor_number(&in, &t->memory_bytes) || !cursor_number(&in, &r->event_count) ||
        r->event_count > (uint64_t)(in.end - in.at))
        return false;
    r->events = must_calloc(r->event_count + 1, sizeof *r->events);
    for (uint64_t i = 0; i < r->event_count; i++)
        if (!parse_event(&in, &r->events[i]))
            return false;
    return in.at == in.end;
}

static bool read_ends(struct wlt_reader *r, uint64_t *directory, struct error *err)
{
    uint8_t head[WLT_HEADER_BYTES], tail[WLT_TRAILER_BYTES];
    uint64_t version = 0, flags = 0, check = 0;
    if (r->file_bytes < sizeof head)
        return damaged(r, r->file_bytes, "it ends here, too early", err);
    if (!read_at(r, 0, head, sizeof head, err))
        return false;
    if (memcmp(head, WLT_MAGIC, 8) != 0)
        return error_set(err, "%.300s: offset 0: not a warpline trace (.wlt)", r->name);
    struct cursor c = { head + 8, head + sizeof head };
    (void)(cursor_fixed(&c, 4, &version) && cursor_fixed(&c, 4, &flags));
    if (version < WLT_OLDEST_VERSION || version > WLT_VERSION)
        return error_set(err, "%.300s: offset 8: a trace of version %llu; this warpline reads versions %d to %d: record it again",
                         r->name, (unsigned long long)version, WLT_OLDEST_VERSION, WLT_VERSION);
    r->flags = (uint32_t)flags;
    if (flags & ~(uint64_t)WLT_FLAG_DATA)
        return damaged(r, 12, "flags that this version does not have", err);
    if (r->file_bytes < sizeof head + sizeof tail)
        return damaged(r, r->file_bytes, "it ends here, too early", err);
    if (!read_at(r, r->file_bytes - sizeof tail, tail, sizeof tail, err))
        return false;
    if (memcmp(tail, WLT_END_MAGIC, 8) != 0)
        return damaged(r, r->file_bytes, "it ends here without its trailer: cut off, or its recording was stopped", err);
    c = (struct cursor){ tail + 8, tail + sizeof tail };
    (void)(cursor_fixed(&c, 8, directory) && cursor_fixed(&c, 8, &check));
    if (check != wlt_place_check(*directory))
        return damaged(r, r->file_bytes - sizeof tail, "the check of the trailer fails", err);
    return true;
}

struct wlt_reader *wlt_reader_open_fd(int fd, const char *name, struct error *err)
{
    struct wlt_reader *r = must_calloc(1, sizeof *r);
    struct stat info;
    uint64_t directory = 0;
    r->fd = fd;
    r->name = must_strdup(name);
    r->zstd = ZSTD_createDCtx();
    require(r->zstd);
    bool ok = fstat(fd, &info) == 0 || error_set(err, "%.300s: cannot be read: %s", name, strerror(errno));
    if (ok)
        r->file_bytes = (uint64_t)info.st_size;
    ok = ok && read_ends(r, &directory, err) && read_chunk(r, directory, WLT_DIRECTORY, &r->chunk, err);
    if (ok && !parse_directory(r, cursor_of(&r->chunk)))
        ok = damaged(r, directory, "the directory makes no sense", err);
    if (ok) {
        r->totals.file_bytes = r->file_bytes;
        r->totals.has_data = (r->flags & WLT_FLAG_DATA) != 0;
        r->image = r->totals.has_data ? memory_image_new() : NULL;
        return r;
    }
    wlt_reader_free(r);
    return NULL;
}

struct wlt_reader *wlt_reader_open(const char *path, struct error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)error_set(err, "%.300s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    return wlt_reader_open_fd(fd, path, err);
}

void wlt_reader_free(struct wlt_reader *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < BLOCKS_KEPT; i++)
        bytes_free(&r->kept[i].content);
    (void)ZSTD_freeDCtx(r->zstd);
    bytes_free(&r->packed);
    bytes_free(&r->chunk);
    memory_image_free(r->image);
    (void)close(r->fd);
    free(r->events);
    free(r->name);
    free(r->target);
    free(r);
}

bool wlt_recognise(const char *path)
{
    char head[8];
    const int fd = text_is_pipe(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC); /* opening a pipe waits for its writer */
    const bool ours = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head && memcmp(head, WLT_MAGIC, sizeof head) == 0;
    if (fd >= 0)
        (void)close(fd);
    return ours;
}

void wlt_reader_totals(const struct wlt_reader *reader, struct wlt_totals *out)
{
    *out = reader->totals;
}
const char *wlt_reader_name(const struct wlt_reader *reader)
{
    return reader->name;
}
struct memory_image *wlt_reader_image(const struct wlt_reader *reader)
{
    return reader->image;
}
uint64_t wlt_reader_event_count(const struct wlt_reader *reader)
{
    return reader->event_count;
}

struct wlt_event wlt_reader_event(const struct wlt_reader *reader, uint64_t index)
{
    const struct wlt_stored_event *e = &reader->events[index];
    return (struct wlt_event){ e->is_kernel, e->is_kernel ? 0 : e->a, e->is_kernel ? 0 : e->b };
}

static bool parse_launch(struct cursor *in, struct wlt_kernel *k, uint64_t *code)
{
    struct front_launch *l = &k->launch;
    uint64_t ctas = 1, threads = 1;
    k->name = read_text(in);
    for (uint32_t d = 0; d < 3 && k->name; d++, ctas *= l->grid[d - 1])
        if (!cursor_bounded(in, INT32_MAX, &l->grid[d]) || !l->grid[d] || ctas > UINT32_MAX)
            return false;
    for (uint32_t d = 0; d < 3 && k->name; d++, threads *= l->block[d - 1])
        if (!cursor_bounded(in, 4096, &l->block[d]) || !l->block[d])
            return false;
    if (!k->name || ctas > UINT32_MAX || threads > WLT_MOST_WARPS * 32)
        return false;
    l->kernel = k->name;
    l->cta_count = (uint32_t)ctas;
    l->threads_per_cta = (uint32_t)threads;
    l->warps_per_cta = (l->threads_per_cta + 31) / 32;
    return cursor_bounded(in, UINT16_MAX, &l->registers_per_thread) && cursor_bounded(in, UINT16_MAX, &l->registers_wanted) &&
           cursor_bounded(in, UINT32_MAX, &l->shared_bytes) && cursor_bounded(in, UINT32_MAX, &l->local_bytes) &&
           cursor_number(in, code);
}

static bool parse_places(struct cursor *in, uint64_t **places, uint32_t *count)
{
    if (!cursor_bounded(in, (uint64_t)(in->end - in->at), count))
        return false;
    *places = must_calloc(*count + 1u, sizeof **places);
    uint64_t offset = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint64_t more;
        if (!cursor_number(in, &more))
            return false;
        (*places)[i] = offset += more;
    }
    return true;
}

static bool parse_index(struct cursor *in, struct wlt_kernel *k)
{
    /* Each CTA takes at least three bytes of the index. A larger count is a lie, and no memory is taken for it. */
    if (!parse_places(in, &k->memory, &k->memory_count) || !parse_places(in, &k->blocks, &k->block_count) ||
        k->launch.cta_count > (uint64_t)(in->end - in->at))
        return false;
    k->ctas = must_calloc(k->launch.cta_count, sizeof *k->ctas);
    struct wlt_cta_place before = { 0 };
    for (uint32_t i = 0; i < k->launch.cta_count; i++) {
        struct wlt_cta_place *c = &k->ctas[i];
        int64_t block, gap;
        if (!cursor_signed(in, &block) || !cursor_signed(in, &gap) || !cursor_bounded(in, WLT_MOST_CHUNK, &c->bytes))
            return false;
        c->block = before.block + (uint32_t)block;
        c->offset = before.offset + before.bytes + (uint32_t)gap;
        if (c->block >= k->block_count)
            return false;
        before = *c;
    }
    return in->at == in->end;
}

bool wlt_reader_kernel(struct wlt_reader *r, uint64_t event, struct wlt_kernel *out, struct error *err)
{
    *out = (struct wlt_kernel){ 0 };
    const uint64_t place = r->events[event].a;
    uint64_t code;
    if (!read_chunk(r, place, WLT_KERNEL, &r->chunk, err))
        return false;
    struct cursor in = cursor_of(&r->chunk);
    if (!parse_launch(&in, out, &code) || !parse_index(&in, out)) {
        wlt_kernel_clear(out);
        return damaged(r, place, "the description of this kernel makes no sense", err);
    }
    if (!read_chunk(r, code, WLT_CODE, &r->chunk, err)) {
        wlt_kernel_clear(out);
        return false;
    }
    in = cursor_of(&r->chunk);
    out->code = wlt_code_read(&in, &out->launch.code_count);
    out->launch.code = out->code;
    if (out->code)
        return true;
    wlt_kernel_clear(out);
    return damaged(r, code, "this table of instructions makes no sense", err);
}

bool wlt_reader_memory(struct wlt_reader *r, const struct wlt_kernel *kernel, struct error *err)
{
    for (uint32_t i = 0; i < kernel->memory_count && r->image; i++) {
        if (!read_chunk(r, kernel->memory[i], WLT_MEMORY, &r->chunk, err))
            return false;
        if (!wlt_memory_apply(r->image, cursor_of(&r->chunk)))
            return damaged(r, kernel->memory[i], "these pages of memory make no sense", err);
    }
    return true;
}

void wlt_kernel_clear(struct wlt_kernel *kernel)
{
    free(kernel->name);
    free(kernel->code);
    free(kernel->memory);
    free(kernel->blocks);
    free(kernel->ctas);
    *kernel = (struct wlt_kernel){ 0 };
}

static struct kept_block *find_block(struct wlt_reader *r, uint64_t offset, struct error *err)
{
    struct kept_block *oldest = &r->kept[0];
    for (uint32_t i = 0; i < BLOCKS_KEPT; i++) {
        if (r->kept[i].offset == offset && offset) {
            r->kept[i].used = ++r->uses;
            return &r->kept[i];
        }
        if (r->kept[i].used < oldest->used)
            oldest = &r->kept[i];
    }
    oldest->offset = 0;
    if (!read_chunk(r, offset, WLT_BLOCK, &oldest->content, err))
        return NULL;
    oldest->offset = offset;
    oldest->used = ++r->uses;
    return oldest;
}

bool wlt_reader_cta(struct wlt_reader *r, const struct wlt_kernel *kernel, uint32_t cta, struct bytes *out, struct error *err)
{
    const struct wlt_cta_place *place = &kernel->ctas[cta];
    const uint64_t offset = kernel->blocks[place->block];
    const struct kept_block *block = find_block(r, offset, err);
    if (!block)
        return false;
    if (place->offset > block->content.count || place->bytes > block->content.count - place->offset)
        return damaged(r, offset, "a CTA reaches past the end of this block", err);
    out->count = 0;
    if (place->bytes)
        bytes_append(out, block->content.data + place->offset, place->bytes);
    return true;
}
