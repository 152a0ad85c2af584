/* text.c - small services for text: nearest names, lists of strings, growing buffers, whole files. */
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_MAX_COMPARED = 64 };

unsigned text_distance(const char *a, const char *b)
{
    const size_t n = strnlen(a, NAME_MAX_COMPARED), m = strnlen(b, NAME_MAX_COMPARED);
    unsigned row[3][NAME_MAX_COMPARED + 1];
    unsigned *before = row[0], *above = row[1], *here = row[2];
    for (size_t j = 0; j <= m; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        here[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = here[j - 1] + 1 < best ? here[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            here[j] = best;
        }
        unsigned *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[m];
}

void text_nearest_offer(struct text_nearest *nearest, const char *candidate)
{
    const unsigned distance = text_distance(nearest->wanted, candidate);
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

const char *text_nearest_likely(const struct text_nearest *nearest)
{
    /* About two letters in three must be right: of three letters with two wrong ones nobody can tell what was meant. */
    return nearest->best && nearest->distance <= (1 + strlen(nearest->wanted)) / 3 ? nearest->best : NULL;
}

void text_list_add(struct text_list *list, const char *text)
{
    list->item = must_realloc(list->item, (list->count + 1) * sizeof *list->item);
    list->item[list->count++] = must_strdup(text);
}

bool text_list_add_parts(struct text_list *list, const char *joined)
{
    for (const char *p = joined;; p++) {
        const char *end = strchrnul(p, ',');
        const char *first = p, *last = end;
        while (first < last && *first == ' ')
            first++;
        while (last > first && last[-1] == ' ')
            last--;
        if (first == last)
            return false;
        char *part = strndup(first, (size_t)(last - first));
        text_list_add(list, part ? part : "");
        free(part);
        if (!*end)
            return true;
        p = end;
    }
}

void text_list_add_all(struct text_list *list, const struct text_list *others)
{
    for (size_t i = 0; others && i < others->count; i++)
        text_list_add(list, others->item[i]);
}

void text_list_clear(struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (struct text_list){ 0 };
}

static void make_room(struct text_buffer *buffer, size_t more)
{
    if (buffer->length + more + 1 <= buffer->room)
        return;
    buffer->room = (buffer->length + more + 1) * 2;
    buffer->text = must_realloc(buffer->text, buffer->room);
}

void text_append_bytes(struct text_buffer *buffer, const char *bytes, size_t count)
{
    make_room(buffer, count);
    memcpy(buffer->text + buffer->length, bytes, count);
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
}

void text_append(struct text_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    make_room(buffer, 64); /* enough for most, so that they are formatted once */
    const size_t free_bytes = buffer->room - buffer->length;
    const int needed = vsnprintf(buffer->text + buffer->length, free_bytes, format, args);
    va_end(args);
    require(needed >= 0);
    if ((size_t)needed >= free_bytes) {
        make_room(buffer, (size_t)needed);
        (void)vsnprintf(buffer->text + buffer->length, (size_t)needed + 1, format, again);
    }
    va_end(again);
    buffer->length += (size_t)needed;
}

void text_buffer_clear(struct text_buffer *buffer)
{
    free(buffer->text);
    *buffer = (struct text_buffer){ 0 };
}

static char *read_stream(FILE *stream, const char *path, size_t limit, size_t *length, struct error *err)
{
    struct text_buffer buffer = { 0 };
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stream)) > 0 && buffer.length <= limit)
        text_append_bytes(&buffer, block, got);
    if (ferror(stream)) {
        error_set(err, "%s: cannot read: %s", path, strerror(errno));
        text_buffer_clear(&buffer);
    } else if (buffer.length > limit) {
        error_set(err, "%s: is larger than %zu bytes, the most that is read here", path, limit);
        text_buffer_clear(&buffer);
    } else {
        text_append_bytes(&buffer, "", 0);
        *length = buffer.length;
    }
    return buffer.text;
}

bool text_is_device(const char *path)
{
    struct stat status, nothing;
    if (stat(path, &status) != 0 || !(S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
        return false;
    return stat("/dev/null", &nothing) != 0 || status.st_rdev != nothing.st_rdev;
}

bool text_is_pipe(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

char *text_read_file(const char *path, size_t limit, size_t *length, struct error *err)
{
    if (!strcmp(path, "-"))
        return read_stream(stdin, "standard input", limit, length, err);
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(err, "%s: is a directory; give a file", path);
        return NULL;
    }
    if (text_is_device(path)) {
        error_set(err, "%s: is a device; give a file", path);
        return NULL;
    }
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        error_set(err, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_stream(stream, path, limit, length, err);
    (void)fclose(stream);
    return text;
}
