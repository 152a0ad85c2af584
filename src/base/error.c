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
    (void)vsnprintf(e->text, sizeof e->text, format, args);
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

void panic_at(const char *file, int line, const char *format, ...)
{
    va_list args;
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
