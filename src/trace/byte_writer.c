/* byte_writer.c - a file written plain or packed with gzip, xz or zstd, as its name's ending says. */
#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "trace/byte_stream.h"

enum { OUT_BYTES = 256 << 10, XZ_LEVEL = 2, ZSTD_LEVEL = 6 };
enum packing { PLAIN, XZ, GZIP, ZSTD };

struct byte_writer {
    FILE *file;
    char *name;
    enum packing packing;
    lzma_stream xz;
    z_stream gzip;
    ZSTD_CCtx *zstd;
    uint8_t *out;
};

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static bool put(struct byte_writer *w, size_t count, struct error *err)
{
    if (fwrite(w->out, 1, count, w->file) == count)
        return true;
    return error_set(err, "%.300s: cannot be written: %s", w->name, strerror(errno));
}

static bool write_xz(struct byte_writer *w, const void *bytes, size_t count, bool last, struct error *err)
{
    w->xz.next_in = bytes;
    w->xz.avail_in = count;
    for (lzma_ret code = LZMA_OK; w->xz.avail_in || (last && code != LZMA_STREAM_END);) {
        w->xz.next_out = w->out;
        w->xz.avail_out = OUT_BYTES;
        code = lzma_code(&w->xz, last ? LZMA_FINISH : LZMA_RUN);
        require(code == LZMA_OK || code == LZMA_STREAM_END);
        if (!put(w, OUT_BYTES - w->xz.avail_out, err))
            return false;
    }
    return true;
}

static bool write_gzip(struct byte_writer *w, const void *bytes, size_t count, bool last, struct error *err)
{
    w->gzip.next_in = (Bytef *)(uintptr_t)bytes;
    w->gzip.avail_in = (uInt)count;
    for (int code = Z_OK; w->gzip.avail_in || (last && code != Z_STREAM_END);) {
        w->gzip.next_out = w->out;
        w->gzip.avail_out = OUT_BYTES;
        code = deflate(&w->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        require(code == Z_OK || code == Z_STREAM_END);
        if (!put(w, OUT_BYTES - w->gzip.avail_out, err))
            return false;
    }
    return true;
}

static bool write_zstd(struct byte_writer *w, const void *bytes, size_t count, bool last, struct error *err)
{
    ZSTD_inBuffer in = { bytes, count, 0 };
    for (size_t left = 1; in.pos < in.size || (last && left);) {
        ZSTD_outBuffer out = { w->out, OUT_BYTES, 0 };
        left = ZSTD_compressStream2(w->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        require(!ZSTD_isError(left));
        if (!put(w, out.pos, err))
            return false;
    }
    return true;
}

static bool write_part(struct byte_writer *w, const void *bytes, size_t count, bool last, struct error *err)
{
    switch (w->packing) {
    case XZ: return write_xz(w, bytes, count, last, err);
    case GZIP: return write_gzip(w, bytes, count, last, err);
    case ZSTD: return write_zstd(w, bytes, count, last, err);
    case PLAIN: break;
    }
    if (fwrite(bytes, 1, count, w->file) == count)
        return true;
    return error_set(err, "%.300s: cannot be written: %s", w->name, strerror(errno));
}

struct byte_writer *byte_writer_open(const char *path, const char *name, struct error *err)
{
    FILE *file = fopen(path, "wbe");
    if (!file) {
        (void)error_set(err, "%.300s: cannot be written: %s", name, strerror(errno));
        return NULL;
    }
    struct byte_writer *w = must_calloc(1, sizeof *w);
    w->file = file;
    w->name = must_strdup(name);
    w->out = must_calloc(1, OUT_BYTES);
    w->xz = (lzma_stream)LZMA_STREAM_INIT;
    if (ends_with(name, ".xz")) {
        w->packing = XZ;
        require(lzma_easy_encoder(&w->xz, XZ_LEVEL, LZMA_CHECK_CRC64) == LZMA_OK);
    } else if (ends_with(name, ".gz")) {
        w->packing = GZIP;
        require(deflateInit2(&w->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    } else if (ends_with(name, ".zst")) {
        w->packing = ZSTD;
        w->zstd = ZSTD_createCCtx();
        require(w->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)));
    }
    return w;
}

bool byte_writer_write(struct byte_writer *w, const void *bytes, size_t count, struct error *err)
{
    return write_part(w, bytes, count, false, err);
}

bool byte_writer_close(struct byte_writer *w, struct error *err)
{
    bool ok = write_part(w, "", 0, true, err);
    if (fclose(w->file) != 0 && ok)
        ok = error_set(err, "%.300s: cannot be written: %s", w->name, strerror(errno));
    lzma_end(&w->xz);
    if (w->packing == GZIP)
        (void)deflateEnd(&w->gzip);
    (void)ZSTD_freeCCtx(w->zstd);
    free(w->name);
    free(w->out);
    free(w);
    return ok;
}
