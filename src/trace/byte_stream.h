/* byte_stream.h - the bytes of a file, whatever it is packed with, in constant memory; and files written packed.
 *
 * Plain, xz, gzip and zstd files are told apart by their first bytes, not by their names. xz files of several blocks are unpacked
 * by two threads. What is written is packed as the name's ending says: .xz, .gz, .zst, or not at all. */
#ifndef WARPLINE_TRACE_BYTE_STREAM_H
#define WARPLINE_TRACE_BYTE_STREAM_H
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct byte_stream;
/* `interrupted` is checked when a signal comes while it waits for bytes (base/interrupt.h). NULL: it goes on waiting. */
struct byte_stream *byte_stream_open(const char *path, const volatile int *interrupted, struct error *err);
void byte_stream_free(struct byte_stream *stream);
/* Up to `room` more bytes; *made is 0 only at the end. On a failure it returns false, and *what says why, without the file's
 * name. */
bool byte_stream_read(struct byte_stream *stream, void *out, size_t room, size_t *made, const char **what);

struct byte_writer;
/* `name` says by its ending how it is packed, and is what messages call it. */
struct byte_writer *byte_writer_open(const char *path, const char *name, struct error *err);
bool byte_writer_write(struct byte_writer *writer, const void *bytes, size_t count, struct error *err);
/* Frees it in every case; false when the file could not be completed. */
bool byte_writer_close(struct byte_writer *writer, struct error *err);
#endif
