/* text_stream.c - lines of text files, plain or packed with gzip, xz or zstd. */
#include "trace/text_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_BYTES = 256 << 10, TEXT_BYTES = 1 << 20, LONGEST_LINE = 1 << 20, XZ_MEMORY = 256 << 20 };
enum packing { PLAIN, XZ, GZIP, ZSTD };

struct text_stream {
    int fd;
    char *path;
    enum packing packing;
    lzma_stream xz;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    uint8_t *packed;
    size_t packed_at, packed_count;
    char *text; /* TEXT_BYTES + LONGEST_LINE: what is left of a line moves to the start */
    size_t at, count;
    bool file_ended, ended; /* nothing more to read; nothing more to unpack */
    bool in_frame;          /* gzip, zstd: inside a member or frame, so that an end is a cut */
    uint64_t number;
};

static bool fail(const struct text_stream *s, const char *what, struct error *err)
{
    return error_set(err, "%.300s:%llu: %s", s->path, (unsigned long long)s->number + 1, what);
}

static bool fill_packed(struct text_stream *s, struct error *err)
{
    if (s->packed_at < s->packed_count || s->file_ended)
        return true;
    ssize_t got;
    do
        got = read(s->fd, s->packed, PACKED_BYTES);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(s, strerror(errno), err);
    s->file_ended = got == 0;
    s->packed_at = 0;
    s->packed_count = (size_t)got;
    return true;
}

static bool unpack_xz(struct text_stream *s, size_t room, size_t *made, struct error *err)
{
    s->xz.next_in = s->packed + s->packed_at;
    s->xz.avail_in = s->packed_count - s->packed_at;
    s->xz.next_out = (uint8_t *)s->text + s->count;
    s->xz.avail_out = room;
    const lzma_ret code = lzma_code(&s->xz, s->file_ended ? LZMA_FINISH : LZMA_RUN);
    s->packed_at = s->packed_count - s->xz.avail_in;
    *made = room - s->xz.avail_out;
    s->ended = code == LZMA_STREAM_END;
    if (code == LZMA_OK || code == LZMA_STREAM_END)
        return true;
    return fail(s, code == LZMA_BUF_ERROR ? "the xz stream is cut off" : "the xz stream is damaged", err);
}

static bool unpack_gzip(struct text_stream *s, size_t room, size_t *made, struct error *err)
{
    s->gzip.next_in = s->packed + s->packed_at;
    s->gzip.avail_in = (uInt)(s->packed_count - s->packed_at);
    s->gzip.next_out = (uint8_t *)s->text + s->count;
    s->gzip.avail_out = (uInt)room;
    if (s->file_ended && !s->gzip.avail_in) {
        s->ended = true;
        *made = 0;
        return !s->in_frame || fail(s, "the gzip stream is cut off", err);
    }
    const int code = inflate(&s->gzip, Z_NO_FLUSH);
    s->packed_at = s->packed_count - s->gzip.avail_in;
    *made = room - s->gzip.avail_out;
    s->in_frame = code != Z_STREAM_END;
    if (code == Z_STREAM_END)
        return inflateReset(&s->gzip) == Z_OK; /* members may follow each other */
    return code == Z_OK || code == Z_BUF_ERROR || fail(s, "the gzip stream is damaged", err);
}

static bool unpack_zstd(struct text_stream *s, size_t room, size_t *made, struct error *err)
{
    ZSTD_inBuffer in = { s->packed, s->packed_count, s->packed_at };
    ZSTD_outBuffer out = { s->text + s->count, room, 0 };
    if (s->file_ended && in.pos == in.size && !s->in_frame) {
        s->ended = true;
        *made = 0;
        return true;
    }
    const size_t left = ZSTD_decompressStream(s->zstd, &out, &in);
    const bool stuck = s->file_ended && in.pos == s->packed_at && out.pos == 0;
    s->packed_at = in.pos;
    *made = out.pos;
    s->in_frame = left != 0;
    if (ZSTD_isError(left))
        return fail(s, "the zstd stream is damaged", err);
    return !stuck || !s->in_frame || fail(s, "the zstd stream is cut off", err);
}

static bool copy_plain(struct text_stream *s, size_t room, size_t *made)
{
    const size_t left = s->packed_count - s->packed_at;
    *made = left < room ? left : room;
    memcpy(s->text + s->count, s->packed + s->packed_at, *made);
    s->packed_at += *made;
    s->ended = s->file_ended && s->packed_at == s->packed_count;
    return true;
}

/* Makes more text; what has been read gives way. */
static bool fill_text(struct text_stream *s, struct error *err)
{
    memmove(s->text, s->text + s->at, s->count - s->at);
    s->count -= s->at;
    s->at = 0;
    if (s->count >= LONGEST_LINE)
        return fail(s, "this line is longer than a line of a trace can be", err);
    for (size_t made = 0; made == 0 && !s->ended; s->count += made) {
        const size_t room = TEXT_BYTES + LONGEST_LINE - s->count;
        bool ok = fill_packed(s, err);
        switch (s->packing) {
        case PLAIN: ok = ok && copy_plain(s, room, &made); break;
        case XZ: ok = ok && unpack_xz(s, room, &made, err); break;
        case GZIP: ok = ok && unpack_gzip(s, room, &made, err); break;
        case ZSTD: ok = ok && unpack_zstd(s, room, &made, err); break;
        }
        if (!ok)
            return false;
    }
    return true;
}

bool text_stream_line(struct text_stream *s, char **line, char **end, struct error *err)
{
    err->text[0] = '\0';
    for (size_t looked = s->at;;) {
        char *newline = memchr(s->text + looked, '\n', s->count - looked);
        if (newline || (s->ended && s->at < s->count)) {
            *line = s->text + s->at;
            *end = newline ? newline : s->text + s->count;
            s->at = (size_t)(*end - s->text) + (newline ? 1 : 0);
            if (*end > *line && (*end)[-1] == '\r')
                --*end;
            s->number++;
            return true;
        }
        if (s->ended)
            return false;
        const size_t known = s->count - s->at;
        if (!fill_text(s, err))
            return false;
        looked = known;
    }
}

uint64_t text_stream_number(const struct text_stream *stream)
{
    return stream->number;
}

static bool start_unpacking(struct text_stream *s, struct error *err)
{
    const uint8_t *head = s->packed;
    const size_t count = s->packed_count;
    if (count >= 6 && memcmp(head,
                             "\xfd"
                             "7zXZ",
                             6) == 0) {
        const lzma_mt threads = {
            .threads = 2, .memlimit_threading = XZ_MEMORY, .memlimit_stop = (uint64_t)XZ_MEMORY * 2, .flags = LZMA_CONCATENATED
        };
        s->packing = XZ;
        return lzma_stream_decoder_mt(&s->xz, &threads) == LZMA_OK || fail(s, "the xz decoder cannot start", err);
    }
    if (count >= 2 && head[0] == 0x1f && head[1] == 0x8b) {
        s->packing = GZIP;
        s->in_frame = true;
        return inflateInit2(&s->gzip, 15 + 16) == Z_OK || fail(s, "the gzip decoder cannot start", err);
    }
    if (count >= 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0) {
        s->packing = ZSTD;
        s->zstd = ZSTD_createDCtx();
        require(s->zstd);
    }
    return true;
}

struct text_stream *text_stream_open(const char *path, struct error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)error_set(err, "%.300s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct text_stream *s = must_calloc(1, sizeof *s);
    s->fd = fd;
    s->path = must_strdup(path);
    s->xz = (lzma_stream)LZMA_STREAM_INIT;
    s->packed = must_calloc(1, PACKED_BYTES);
    s->text = must_calloc(1, TEXT_BYTES + LONGEST_LINE + 1);
    if (fill_packed(s, err) && start_unpacking(s, err))
        return s;
    text_stream_free(s);
    return NULL;
}

void text_stream_free(struct text_stream *s)
{
    if (!s)
        return;
    lzma_end(&s->xz);
    if (s->packing == GZIP)
        (void)inflateEnd(&s->gzip);
    (void)ZSTD_freeDCtx(s->zstd);
    (void)close(s->fd);
    free(s->path);
    free(s->packed);
    free(s->text);
    free(s);
}
