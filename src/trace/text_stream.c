/* text_stream.c - lines of text files, plain or packed with gzip, xz or zstd. */
#include "trace/text_stream.h"

#include <stdlib.h>
#include <string.h>

#include "trace/byte_stream.h"

enum { TEXT_BYTES = 1 << 20, LONGEST_LINE = 1 << 20, MOST_EMPTY_LINES = 100000 };

struct text_stream {
    struct byte_stream *bytes;
    char *path;
    char *text; /* TEXT_BYTES + LONGEST_LINE: what is left of a line moves to the start */
    size_t at, count;
    bool ended;
    uint64_t number;
    const volatile int *interrupted;
};

static bool fail(const struct text_stream *s, const char *what, struct error *err)
{
    return error_set(err, "%.300s:%llu: %s", s->path, (unsigned long long)s->number + 1, what);
}

static bool was_interrupted(const struct text_stream *s)
{
    return s->interrupted && *s->interrupted;
}

static bool stopped(const struct text_stream *s, struct error *err)
{
    return error_set_code(err, CODE_PROGRAM, "%.300s:%llu: interrupted while the trace was read", s->path,
                          (unsigned long long)s->number + 1);
}

/* Makes more text; what has been read is dropped. */
static bool fill_text(struct text_stream *s, struct error *err)
{
    memmove(s->text, s->text + s->at, s->count - s->at);
    s->count -= s->at;
    s->at = 0;
    if (s->count >= LONGEST_LINE)
        return fail(s, "this line is longer than a line of a trace can be", err);
    size_t made;
    const char *what;
    if (was_interrupted(s))
        return stopped(s, err);
    if (!byte_stream_read(s->bytes, s->text + s->count, TEXT_BYTES + LONGEST_LINE - s->count, &made, &what))
        return was_interrupted(s) ? stopped(s, err) : fail(s, what, err);
    s->count += made;
    s->ended = made == 0;
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

bool text_stream_filled_line(struct text_stream *s, char **line, char **end, struct error *err)
{
    for (uint32_t empty = 0; text_stream_line(s, line, end, err); empty++) {
        if (*line != *end)
            return true;
        if (empty == MOST_EMPTY_LINES)
            return fail(s, "more empty lines in a row than a trace has", err);
    }
    return false;
}

uint64_t text_stream_number(const struct text_stream *stream)
{
    return stream->number;
}

struct text_stream *text_stream_open(const char *path, const volatile int *interrupted, struct error *err)
{
    struct byte_stream *bytes = byte_stream_open(path, interrupted, err);
    if (!bytes)
        return NULL;
    struct text_stream *s = must_calloc(1, sizeof *s);
    s->bytes = bytes;
    s->interrupted = interrupted;
    s->path = must_strdup(path);
    s->text = must_calloc(1, TEXT_BYTES + LONGEST_LINE + 1);
    return s;
}

void text_stream_free(struct text_stream *s)
{
    if (!s)
        return;
    byte_stream_free(s->bytes);
    free(s->path);
    free(s->text);
    free(s);
}
