/* terminal.h - what is shown only to people: colour and progress.
 *
 * Both write to stderr or stdout only when that is a terminal that knows escape sequences (TERM is set and not dumb); NO_COLOR
 * (set and not empty) turns colour off. In a file or a pipe neither leaves a trace. */
#ifndef WARPLINE_BASE_TERMINAL_H
#define WARPLINE_BASE_TERMINAL_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_DIM, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_BLUE };

bool terminal_has_colour(FILE *stream);
/* The escape sequence that starts the colour (COLOUR_NONE: ends it), or "" when the stream takes none. */
const char *terminal_colour(FILE *stream, enum colour colour);

/* How many columns it has; 0 when the stream is no terminal that knows escape sequences. */
unsigned terminal_width(FILE *stream);

/* One line, rewritten in place: "label 12/40 [####----] 3.4/s, 8 s left". */
struct progress {
    FILE *stream; /* NULL: nothing is shown */
    const char *label;
    uint64_t total;        /* 0: unknown */
    double started, shown; /* seconds on the monotonic clock */
};
void progress_start(struct progress *progress, FILE *stream, const char *label, uint64_t total);
/* Cheap when called often: the line is rewritten at most ten times a second. `note` may be NULL. */
void progress_update(struct progress *progress, uint64_t done, const char *note);
void progress_end(struct progress *progress); /* clears the line */

/* The line itself, without the terminal: for tests. */
void progress_format(char *out, size_t room, const char *label, uint64_t done, uint64_t total, double seconds, const char *note);
#endif
