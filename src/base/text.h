/* text.h - small services for names and text. */
#ifndef WARPLINE_BASE_TEXT_H
#define WARPLINE_BASE_TEXT_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* How many letters must be inserted, deleted, replaced or swapped with their neighbour to turn `a` into `b`. */
unsigned text_distance(const char *a, const char *b);

/* Keeps the candidate nearest to `wanted`; start with { .wanted = ... }. */
struct text_nearest {
    const char *wanted, *best;
    unsigned distance;
};
void text_nearest_offer(struct text_nearest *nearest, const char *candidate);
/* The best candidate if it is near enough to be a likely slip of the fingers, else NULL. */
const char *text_nearest_likely(const struct text_nearest *nearest);

/* A growing list of strings that it owns. Zero-initialise. */
struct text_list {
    char **item;
    size_t count;
};
void text_list_add(struct text_list *list, const char *text);
/* Adds the parts of "a,b,c" with blanks around them removed. False when a part is empty. */
bool text_list_add_parts(struct text_list *list, const char *joined);
/* Adds copies of the other list's strings; NULL adds none. */
void text_list_add_all(struct text_list *list, const struct text_list *others);
void text_list_clear(struct text_list *list);

/* A growing buffer that stays NUL-terminated. Zero-initialise. */
struct text_buffer {
    char *text;
    size_t length, room;
};
void text_append(struct text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_bytes(struct text_buffer *buffer, const char *bytes, size_t count);
void text_buffer_clear(struct text_buffer *buffer);

/* True for a device, such as /dev/zero, which may have no end: input is never read from one. /dev/null is an empty file. */
bool text_is_device(const char *path);
/* True for a pipe, named or not (/dev/fd/63): what was read of it once is gone. */
bool text_is_pipe(const char *path);

/* The whole file, NUL-terminated; `limit` bytes at most. NULL with a sentence that names the path: missing, a directory,
 * a device, unreadable, too large. `path` "-" is standard input. The caller frees. */
char *text_read_file(const char *path, size_t limit, size_t *length, struct error *err);
#endif
