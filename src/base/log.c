/* log.c - notes and warnings on standard error, as loud as the user wants them. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"

static enum log_level chosen_level(void)
{
    static const char *const names[] = { "quiet", "warn", "note" };
    const char *text = getenv("WARPLINE_LOG");
    for (int level = LOG_QUIET; text && level <= LOG_NOTE; level++)
        if (!strcmp(text, names[level]))
            return (enum log_level)level;
    return LOG_NOTE;
}

bool log_shows(enum log_level level)
{
    return level <= chosen_level();
}

void log_line(enum log_level level, const char *format, ...)
{
    if (!log_shows(level))
        return;
    static const char *const words[] = { "", "warning", "note" };
    static const enum colour colours[] = { COLOUR_NONE, COLOUR_YELLOW, COLOUR_BLUE };
    (void)fprintf(stderr, "warpline: %s%s:%s ", terminal_colour(stderr, colours[level]), words[level],
                  terminal_colour(stderr, COLOUR_NONE));
    va_list args;
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
}
