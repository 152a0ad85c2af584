/* beside.c - a command that waits for the result of others at a named pipe. */
#include "cuda/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

bool beside_prepare(struct beside *b, const char *folder, size_t number)
{
    *b = (struct beside){ 0 };
    (void)snprintf(b->pipe, sizeof b->pipe, "%s/%zu.pipe", folder, number);
    (void)snprintf(b->messages, sizeof b->messages, "%s/%zu.messages", folder, number);
    return mkfifo(b->pipe, 0600) == 0;
}

bool beside_start(struct beside *b, struct words *command, bool show, struct error *err)
{
    if (show)
        words_show(command);
    (void)snprintf(b->name, sizeof b->name, "%s", command->word[0]);
    const int messages = open(b->messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool ok = messages >= 0 ? words_start(command, messages, &b->child, err)
                                  : error_set(err, "cannot write %s: %s", b->messages, strerror(errno));
    if (messages >= 0)
        (void)close(messages);
    words_clear(command);
    return ok;
}

/* The pipe's end to write to, when the command has opened the other; -1 when it ended without. */
static int open_pipe(struct beside *b)
{
    for (;;) {
        const int to = open(b->pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (to >= 0 || errno != ENXIO)
            return to;
        b->ended = words_ended(b->child, false, &b->status);
        if (b->ended)
            return -1;
        (void)nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    }
}

/* A command that ends early does not read to the end; its status says why. */
static void send_bytes(int to, const char *bytes, size_t length)
{
    (void)fcntl(to, F_SETFL, fcntl(to, F_GETFL) & ~O_NONBLOCK);
    while (length) {
        const ssize_t sent = write(to, bytes, length);
        if (sent < 0 && errno != EINTR)
            return;
        bytes += sent > 0 ? sent : 0;
        length -= sent > 0 ? (size_t)sent : 0;
    }
}

static void show_messages(const struct beside *b)
{
    size_t length;
    struct error ignored = { 0 };
    char *text = text_read_file(b->messages, (size_t)1 << 30, &length, &ignored);
    if (text)
        (void)fwrite(text, 1, length, stderr);
    free(text);
}

bool beside_end(struct beside *b, const char *file, struct error *err)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    size_t length;
    char *bytes = text_read_file(file, (size_t)1 << 30, &length, err);
    if (!bytes) {
        beside_stop(b);
        return false;
    }
    (void)sigaction(SIGPIPE, &ignore, &before);
    const int to = open_pipe(b);
    if (to >= 0) {
        send_bytes(to, bytes, length);
        (void)close(to);
    }
    (void)sigaction(SIGPIPE, &before, NULL);
    free(bytes);
    if (!b->ended)
        (void)words_ended(b->child, true, &b->status);
    b->child = 0;
    show_messages(b);
    return words_ended_well(b->status, b->name, err);
}

void beside_stop(struct beside *b)
{
    if (b->child > 0 && !b->ended) {
        (void)kill(b->child, SIGTERM);
        (void)words_ended(b->child, true, &b->status);
    }
    b->child = 0;
}
