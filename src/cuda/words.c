/* words.c - a command's words, and running it. */
#include "cuda/words.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void take(struct words *w, char *word)
{
    if (w->count + 1 >= w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 32;
        w->word = must_realloc(w->word, w->capacity * sizeof *w->word);
    }
    w->word[w->count++] = word;
    w->word[w->count] = NULL;
}

void words_add(struct words *w, const char *text)
{
    take(w, must_strdup(text));
}

void words_add_list(struct words *w, const char *const *list)
{
    for (size_t i = 0; list[i]; i++)
        words_add(w, list[i]);
}

void words_add_all(struct words *w, const struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        words_add(w, more->word[i]);
}

void words_keep(struct words *w, struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        take(w, more->word[i]);
    more->count = 0;
    words_clear(more);
}

bool words_have(const struct words *w, const char *one, const char *other)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->word[i], one) == 0 || strcmp(w->word[i], other) == 0)
            return true;
    return false;
}

void words_clear(struct words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->word[i]);
    free(w->word);
    *w = (struct words){ 0 };
}

static bool wait_for(pid_t child, const char *name, struct error *err)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return error_set_code(err, CODE_INTERNAL, "lost track of %s: %s", name, strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFSIGNALED(status))
        return error_set(err, "%s was ended by signal %d", name, WTERMSIG(status));
    return error_set(err, "%s refused the program (its messages are above)", name);
}

static bool start_and_wait(const struct words *command, struct error *err)
{
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction interrupt, quit;
    (void)fflush(NULL);
    /* Ctrl-C ends the command but not us, since we must remove its intermediate files. */
    (void)sigaction(SIGINT, &ignore, &interrupt);
    (void)sigaction(SIGQUIT, &ignore, &quit);
    const pid_t child = fork();
    if (child != 0) {
        const bool ok = child > 0 ? wait_for(child, command->word[0], err)
                                  : error_set_code(err, CODE_INTERNAL, "cannot start %s: %s", command->word[0], strerror(errno));
        (void)sigaction(SIGINT, &interrupt, NULL);
        (void)sigaction(SIGQUIT, &quit, NULL);
        return ok;
    }
    (void)sigaction(SIGINT, &interrupt, NULL);
    (void)sigaction(SIGQUIT, &quit, NULL);
    execvp(command->word[0], command->word);
    (void)fprintf(stderr, "warpline: cannot run %s: %s\n", command->word[0], strerror(errno));
    _exit(127);
}

bool words_run(struct words *command, bool show, struct error *err)
{
    for (size_t i = 0; show && i < command->count; i++)
        (void)fprintf(stderr, "%s%s", command->word[i], i + 1 < command->count ? " " : "\n");
    const bool ok = start_and_wait(command, err);
    words_clear(command);
    return ok;
}
