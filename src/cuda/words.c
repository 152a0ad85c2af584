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

/* What a signal handler must reach: who runs, and which signal came. */
static volatile sig_atomic_t running;
static volatile sig_atomic_t ended_by;

static const int ending_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };
static struct sigaction before[ENDING_SIGNALS];

/* A terminal sends Ctrl-C to the command too. `kill` reaches only us, so the command is told. */
static void pass_on(int number)
{
    const int saved = errno;
    ended_by = number;
    if (running > 0)
        (void)kill((pid_t)running, number);
    errno = saved;
}

void words_hold_signals(void)
{
    struct sigaction ours = { .sa_handler = pass_on };
    (void)sigemptyset(&ours.sa_mask);
    ended_by = 0;
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        (void)sigaction(ending_signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* under nohup, or in a shell's background, what is ignored stays so */
            (void)sigaction(ending_signals[i], &ours, NULL);
    }
}

void words_release_signals(void)
{
    for (int i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaction(ending_signals[i], &before[i], NULL);
}

/* Signals wait from before the fork until `running` is known, so that none falls between. */
static bool start_and_wait(const struct words *command, struct error *err)
{
    sigset_t all, usual;
    (void)fflush(NULL);
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &usual);
    const pid_t child = ended_by ? 0 : fork();
    if (child == 0 && !ended_by) {
        words_release_signals();
        (void)sigprocmask(SIG_SETMASK, &usual, NULL);
        execvp(command->word[0], command->word);
        (void)fprintf(stderr, "warpline: cannot run %s: %s\n", command->word[0], strerror(errno));
        _exit(127);
    }
    const int reason = errno;
    running = child > 0 ? (sig_atomic_t)child : 0;
    (void)sigprocmask(SIG_SETMASK, &usual, NULL);
    if (child == 0)
        return error_set(err, "ended by signal %d before %s was started", (int)ended_by, command->word[0]);
    if (child < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot start %s: %s", command->word[0], strerror(reason));
    const bool ok = wait_for(child, command->word[0], err);
    running = 0;
    return ok;
}

bool words_run(struct words *command, bool show, struct error *err)
{
    for (size_t i = 0; show && i < command->count; i++)
        (void)fprintf(stderr, "%s%s", command->word[i], i + 1 < command->count ? " " : "\n");
    const bool ok = start_and_wait(command, err);
    words_clear(command);
    return ok;
}
