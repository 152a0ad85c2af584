/* byte_stream.c - bytes of files, plain or packed with gzip, xz or zstd, one after the other. */
#include "trace/byte_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/text.h"

enum { PACKED_BYTES = 256 << 10, XZ_MEMORY = 256 << 20 };
enum packing { PLAIN, XZ, GZIP, ZSTD };

struct byte_stream {
    int fd;
    enum packing packing;
    lzma_stream xz;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    uint8_t *packed;
    size_t packed_at, packed_count;
    bool file_ended, ended; /* nothing more to read; nothing more to unpack */
    bool in_frame;          /* gzip, zstd: inside a member or frame, so that an end is a cut */
    const char *what;       /* why it failed */
    const volatile int *interrupted;
};

/* Where a step puts what it makes. */
struct target {
    uint8_t *at;
    size_t room;
};

static bool fail(struct byte_stream *s, const char *what)
{
    s->what = what;
    return false;
}

static bool fill_packed(struct byte_stream *s)
{
    if (s->packed_at < s->packed_count || s->file_ended)
        return true;
    ssize_t got;
    do
        got = read(s->fd, s->packed, PACKED_BYTES);
    while (got < 0 && errno == EINTR && !(s->interrupted && *s->interrupted));
    if (got < 0 && errno == EINTR)
        return fail(s, "interrupted while it was read");
    if (got < 0)
        return fail(s, strerror(errno));
    s->file_ended = got == 0;
    s->packed_at = 0;
    s->packed_count = (size_t)got;
    return true;
}

static bool unpack_xz(struct byte_stream *s, struct target to, size_t *made)
{
    s->xz.next_in = s->packed + s->packed_at;
    s->xz.avail_in = s->packed_count - s->packed_at;
    s->xz.next_out = to.at;
    s->xz.avail_out = to.room;
    const lzma_ret code = lzma_code(&s->xz, s->file_ended ? LZMA_FINISH : LZMA_RUN);
    s->packed_at = s->packed_count - s->xz.avail_in;
    *made = to.room - s->xz.avail_out;
    s->ended = code == LZMA_STREAM_END;
    if (code == LZMA_OK || code == LZMA_STREAM_END)
        return true;
    return fail(s, code == LZMA_BUF_ERROR ? "the xz stream is cut off" : "the xz stream is damaged");
}

static bool unpack_gzip(struct byte_stream *s, struct target to, size_t *made)
{
    s->gzip.next_in = s->packed + s->packed_at;
    s->gzip.avail_in = (uInt)(s->packed_count - s->packed_at);
    s->gzip.next_out = to.at;
    s->gzip.avail_out = (uInt)to.room;
    if (s->file_ended && !s->gzip.avail_in) {
        s->ended = true;
        *made = 0;
        return !s->in_frame || fail(s, "the gzip stream is cut off");
    }
    const int code = inflate(&s->gzip, Z_NO_FLUSH);
    s->packed_at = s->packed_count - s->gzip.avail_in;
    *made = to.room - s->gzip.avail_out;
    s->in_frame = code != Z_STREAM_END;
    if (code == Z_STREAM_END)
        return inflateReset(&s->gzip) == Z_OK; /* members may follow each other */
    return code == Z_OK || code == Z_BUF_ERROR || fail(s, "the gzip stream is damaged");
}

static bool unpack_zstd(struct byte_stream *s, struct target to, size_t *made)
{
    ZSTD_inBuffer in = { s->packed, s->packed_count, s->packed_at };
    ZSTD_outBuffer out = { to.at, to.room, 0 };
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
        return fail(s, "the zstd stream is damaged");
    return !stuck || !s->in_frame || fail(s, "the zstd stream is cut off");
}

static bool copy_plain(struct byte_stream *s, struct target to, size_t *made)
{
    const size_t left = s->packed_count - s->packed_at;
    *made = left < to.room ? left : to.room;
    memcpy(to.at, s->packed + s->packed_at, *made);
    s->packed_at += *made;
    s->ended = s->file_ended && s->packed_at == s->packed_count;
    return true;
}

bool byte_stream_read(struct byte_stream *s, void *out, size_t room, size_t *made, const char **what)
{
    const struct target to = { out, room };
    *made = 0;
    while (*made == 0 && !s->ended) {
        bool ok = fill_packed(s);
        switch (s->packing) {
        case PLAIN: ok = ok && copy_plain(s, to, made); break;
        case XZ: ok = ok && unpack_xz(s, to, made); break;
        case GZIP: ok = ok && unpack_gzip(s, to, made); break;
        case ZSTD: ok = ok && unpack_zstd(s, to, made); break;
        }
        if (!ok) {
            *what = s->what;
            return false;
        }
    }
    return true;
}

static bool start_unpacking(struct byte_stream *s)
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
        return lzma_stream_decoder_mt(&s->xz, &threads) == LZMA_OK || fail(s, "the xz decoder cannot start");
    }
    if (count >= 2 && head[0] == 0x1f && head[1] == 0x8b) {
        s->packing = GZIP;
        s->in_frame = true;
        return inflateInit2(&s->gzip, 15 + 16) == Z_OK || fail(s, "the gzip decoder cannot start");
    }
    if (count >= 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0) {
        s->packing = ZSTD;
        s->zstd = ZSTD_createDCtx();
        require(s->zstd);
    }
    return true;
}

struct byte_stream *byte_stream_open(const char *path, const volatile int *interrupted, struct error *err)
{
    if (text_is_device(path)) {
        (void)error_set(err, "%.300s: is a device; give a file", path);
        return NULL;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)error_set_code(err, errno == EINTR ? CODE_PROGRAM : CODE_INPUT, "%.300s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct byte_stream *s = must_calloc(1, sizeof *s);
    s->fd = fd;
    s->interrupted = interrupted;
    s->xz = (lzma_stream)LZMA_STREAM_INIT;
    s->packed = must_calloc(1, PACKED_BYTES);
    if (fill_packed(s) && start_unpacking(s))
        return s;
    (void)error_set_code(err, interrupted && *interrupted ? CODE_PROGRAM : CODE_INPUT, "%.300s: %s", path, s->what);
    byte_stream_free(s);
    return NULL;
}

void byte_stream_free(struct byte_stream *s)
{
    if (!s)
        return;
    lzma_end(&s->xz);
    if (s->packing == GZIP)
        (void)inflateEnd(&s->gzip);
    (void)ZSTD_freeDCtx(s->zstd);
    (void)close(s->fd);
    free(s->packed);
    free(s);
}
