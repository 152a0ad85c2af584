/* words.c - a command's words, and running it. */
#include "cuda/words.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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

/* What a signal handler must reach: who runs, and which signal came. */
enum { MOST_AT_ONCE = 2 };
static volatile sig_atomic_t running[MOST_AT_ONCE];
static volatile sig_atomic_t ended_by;

static const int ending_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };
static struct sigaction before[ENDING_SIGNALS];

/* A terminal sends Ctrl-C to the command too. `kill` reaches only us, so the command is told. */
static void pass_on(int number)
{
    const int saved = errno;
    ended_by = number;
    for (int i = 0; i < MOST_AT_ONCE; i++)
        if (running[i] > 0)
            (void)kill((pid_t)running[i], number);
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

static void note_running(pid_t from, pid_t to)
{
    for (int i = 0; i < MOST_AT_ONCE; i++)
        if (running[i] == (sig_atomic_t)from) {
            running[i] = (sig_atomic_t)to;
            return;
        }
}

/* Signals wait from before the fork until `running` is known, so that none falls between. */
bool words_start(const struct words *command, int messages, pid_t *started, struct error *err)
{
    sigset_t all, usual;
    (void)fflush(NULL);
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &usual);
    const pid_t child = ended_by ? 0 : fork();
    if (child == 0 && !ended_by) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* what waits at a pipe would wait for ever if we were killed */
        words_release_signals();
        (void)sigprocmask(SIG_SETMASK, &usual, NULL);
        if (messages >= 0)
            (void)dup2(messages, STDERR_FILENO);
        execvp(command->word[0], command->word);
        (void)fprintf(stderr, "warpline: cannot run %s: %s\n", command->word[0], strerror(errno));
        _exit(127);
    }
    const int reason = errno;
    if (child > 0)
        note_running(0, child);
    (void)sigprocmask(SIG_SETMASK, &usual, NULL);
    *started = child;
    if (child == 0)
        return error_set(err, "ended by signal %d before %s was started", (int)ended_by, command->word[0]);
    if (child < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot start %s: %s", command->word[0], strerror(reason));
    return true;
}

bool words_ended(pid_t child, bool wait, int *status)
{
    for (;;) {
        const pid_t got = waitpid(child, status, wait ? 0 : WNOHANG);
        if (got == 0)
            return false;
        if (got < 0 && errno == EINTR)
            continue;
        note_running(child, 0);
        if (got < 0)
            *status = -1;
        return true;
    }
}

bool words_ended_well(int status, const char *name, struct error *err)
{
    if (status == -1)
        return error_set_code(err, CODE_INTERNAL, "lost track of %s", name);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFSIGNALED(status))
        return error_set(err, "%s was ended by signal %d", name, WTERMSIG(status));
    return error_set(err, "%s refused the program (its messages are above)", name);
}

void words_show(const struct words *command)
{
    for (size_t i = 0; i < command->count; i++)
        (void)fprintf(stderr, "%s%s", command->word[i], i + 1 < command->count ? " " : "\n");
}

bool words_run(struct words *command, bool show, struct error *err)
{
    pid_t child;
    int status;
    if (show)
        words_show(command);
    const bool ok = words_start(command, -1, &child, err) && words_ended(child, true, &status) &&
                    words_ended_well(status, command->word[0], err);
    words_clear(command);
    return ok;
}
