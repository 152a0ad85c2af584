/* log.h - messages that are neither results nor errors. They go to stderr, one line each: "warpline: note: ...".
 *
 * WARPLINE_LOG=quiet|warn|note chooses how much is shown; the default is note. */
#ifndef WARPLINE_BASE_LOG_H
#define WARPLINE_BASE_LOG_H
#include <stdbool.h>

enum log_level { LOG_QUIET, LOG_WARN, LOG_NOTE };

bool log_shows(enum log_level level);
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define log_warn(...) log_line(LOG_WARN, __VA_ARGS__)
#define log_note(...) log_line(LOG_NOTE, __VA_ARGS__)
#endif
