/* text_stream.h - a text file line by line, whatever it is packed with, in constant memory.
 *
 * Plain, xz, gzip and zstd files are told apart by their first bytes, not by their names. xz files of several blocks are unpacked
 * by two threads. */
#ifndef WARPLINE_TRACE_TEXT_STREAM_H
#define WARPLINE_TRACE_TEXT_STREAM_H
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct text_stream;
/* `interrupted` is polled while the file is read (base/interrupt.h). When it is not 0 no further line is given. NULL: never. */
struct text_stream *text_stream_open(const char *path, const volatile int *interrupted, struct error *err);
void text_stream_free(struct text_stream *stream);
/* The next line without its end, as [*line, *end), valid until the next call; *end may be written to. False at the end of the file,
 * or on a failure, which `err` tells (its text is "" at the end). */
bool text_stream_line(struct text_stream *stream, char **line, char **end, struct error *err);
/* The same, without empty lines. A very long row of them is a failure, since a packed file of a kilobyte may hold gigabytes of
 * them. */
bool text_stream_filled_line(struct text_stream *stream, char **line, char **end, struct error *err);
uint64_t text_stream_number(const struct text_stream *stream); /* of the last line, from 1 */
#endif
