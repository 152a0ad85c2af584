/* terminal.c - colours and the progress line, both only where a person looks at a terminal. */
#include "base/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/seconds.h"

enum { BAR_WIDTH = 24 };
static const double redraw_seconds = 0.1;

/* A terminal that obeys escape sequences. */
static bool is_able(FILE *stream)
{
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    return is_able(stream) && !(no_colour && *no_colour);
}

unsigned terminal_width(FILE *stream)
{
    struct winsize size = { 0 };
    if (!is_able(stream))
        return 0;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

/* A line that is broken cannot be drawn over, so it is cut to the terminal, whose width may change at any time. */
static void cut_to_width(FILE *stream, char *line)
{
    size_t length = terminal_width(stream);
    length = length ? length - 1 : 79;
    if (strlen(line) <= length)
        return;
    while (length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80) /* not within a letter of UTF-8 */
        length--;
    line[length] = '\0';
}

const char *terminal_colour(FILE *stream, enum colour colour)
{
    static const char *const sequences[] = { "\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m", "\033[34m" };
    return terminal_has_colour(stream) ? sequences[colour] : "";
}

void progress_start(struct progress *progress, FILE *stream, const char *label, uint64_t total)
{
    *progress = (struct progress){ .stream = stream && is_able(stream) ? stream : NULL, .label = label, .total = total };
    progress->started = progress->shown = seconds_now();
}

void progress_format(char *out, size_t room, const char *label, uint64_t done, uint64_t total, double seconds, const char *note)
{
    char bar[BAR_WIDTH + 1];
    const double rate = seconds > 0 ? (double)done / seconds : 0;
    int used = snprintf(out, room, "%s %" PRIu64, label, done);
    if (total && used >= 0 && (size_t)used < room) {
        const size_t filled = (size_t)(BAR_WIDTH * (done < total ? done : total) / total);
        memset(bar, '#', filled);
        memset(bar + filled, '-', BAR_WIDTH - filled);
        bar[BAR_WIDTH] = '\0';
        used += snprintf(out + used, room - (size_t)used, "/%" PRIu64 " [%s]", total, bar);
    }
    if (rate > 0 && (size_t)used < room)
        used += snprintf(out + used, room - (size_t)used, " %.3g/s", rate);
    if (rate > 0 && total > done && (size_t)used < room)
        used += snprintf(out + used, room - (size_t)used, ", %.0f s left", (double)(total - done) / rate);
    if (note && (size_t)used < room)
        (void)snprintf(out + used, room - (size_t)used, "  %s", note);
}

void progress_update(struct progress *progress, uint64_t done, const char *note)
{
    if (!progress->stream)
        return;
    const double t = seconds_now();
    if (t - progress->shown < redraw_seconds)
        return;
    progress->shown = t;
    char line[160];
    progress_format(line, sizeof line, progress->label, done, progress->total, t - progress->started, note);
    cut_to_width(progress->stream, line);
    (void)fprintf(progress->stream, "\r\033[K%s", line);
    (void)fflush(progress->stream);
}

void progress_end(struct progress *progress)
{
    if (progress->stream) {
        (void)fprintf(progress->stream, "\r\033[K");
        (void)fflush(progress->stream);
    }
    progress->stream = NULL;
}
