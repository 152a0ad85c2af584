/* error.c - sentences about what went wrong, and the ways in which our own process ends. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void format_into(struct error *e, enum exit_code code, const char *format, va_list args)
{
    if (!e)
        return;
    e->code = code;
    e->fault = FAULT_NONE;
    (void)vsnprintf(e->text, sizeof e->text, format, args);
    for (char *c = e->text; *c; c++) /* names of files may hold line ends and what a terminal takes for commands */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

bool error_set(struct error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_into(e, CODE_INPUT, format, args);
    va_end(args);
    return false;
}

bool error_set_code(struct error *e, enum exit_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_into(e, code, format, args);
    va_end(args);
    return false;
}

/* Where this thread goes instead of ending the process. Beside the signal's flag this is our only global variable: a function
 * that runs out of memory has nobody to ask for a pointer. */
static _Thread_local struct error_escape *escape_place;

void error_escape_enter(struct error_escape *escape)
{
    escape->text[0] = 0;
    escape->outer = escape_place;
    escape_place = escape;
}

void error_escape_leave(struct error_escape *escape)
{
    escape_place = escape->outer;
}

void error_escape_if_any(const struct error *e)
{
    if (!escape_place)
        return;
    (void)snprintf(escape_place->text, sizeof escape_place->text, "%s", e->text);
    longjmp(escape_place->place, 1);
}

bool error_set_fault(struct error *e, enum fault_kind fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_into(e, CODE_PROGRAM, format, args);
    va_end(args);
    if (e)
        e->fault = fault;
    return false;
}

void panic_at(const char *file, int line, const char *format, ...)
{
    va_list args;
    if (escape_place) {
        const int head = snprintf(escape_place->text, sizeof escape_place->text, "internal error at %s:%d: ", file, line);
        va_start(args, format);
        (void)vsnprintf(escape_place->text + head, sizeof escape_place->text - (size_t)head, format, args);
        va_end(args);
        longjmp(escape_place->place, 1);
    }
    (void)fflush(stdout);
    (void)fprintf(stderr, "warpline: internal error at %s:%d: ", file, line);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    abort();
}

static void *or_die(void *p, unsigned long size)
{
    if (p || size == 0)
        return p;
    if (escape_place) {
        (void)snprintf(escape_place->text, sizeof escape_place->text, "out of memory (asked for %lu bytes)", size);
        longjmp(escape_place->place, 1);
    }
    (void)fprintf(stderr, "warpline: out of memory (asked for %lu bytes)\n", size);
    exit(CODE_INTERNAL);
}

void *must_calloc(unsigned long count, unsigned long size)
{
    return or_die(calloc(count ? count : 1, size ? size : 1), count * size);
}

void *must_calloc_aligned(unsigned long count, unsigned long size)
{
    const unsigned long bytes = ((count ? count : 1) * size + HOST_LINE_BYTES - 1) / HOST_LINE_BYTES * HOST_LINE_BYTES;
    return memset(or_die(aligned_alloc(HOST_LINE_BYTES, bytes), bytes), 0, bytes);
}

void *must_realloc(void *old, unsigned long size)
{
    return or_die(realloc(old, size ? size : 1), size);
}

char *must_strdup(const char *text)
{
    return or_die(strdup(text), strlen(text) + 1);
}
