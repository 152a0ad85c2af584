/* words.h - command lines of other programs: put together word by word, run, waited for. */
#ifndef WARPLINE_CUDA_WORDS_H
#define WARPLINE_CUDA_WORDS_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Words of a command line; owns them. `word` ends with NULL once there is one. */
struct words {
    char **word;
    size_t count, capacity;
};

void words_add(struct words *w, const char *text);
void words_add_list(struct words *w, const char *const *list); /* which ends with NULL */
void words_add_all(struct words *w, const struct words *more);
void words_keep(struct words *w, struct words *more); /* moves the words; pointers to a word stay valid */
bool words_have(const struct words *w, const char *one, const char *other);
void words_clear(struct words *w);

/* Between these two, a signal that asks us to end (Ctrl-C, a closed terminal, SIGTERM) ends the command that runs and lets no other
 * start; we go on and remove our intermediate files. */
void words_hold_signals(void);
void words_release_signals(void);

/* Runs the command, waits and clears it. True when it ended with 0. What it printed has gone to our stderr. `show` prints it
 * first. */
bool words_run(struct words *command, bool show, struct error *err);

/* The same in steps, for a second command at a time. `messages` is what its stderr becomes; -1: ours. */
bool words_start(const struct words *command, int messages, pid_t *started, struct error *err);
bool words_ended(pid_t child, bool wait, int *status); /* true once, with its status; without `wait`, false while it runs */
bool words_ended_well(int status, const char *name, struct error *err);
void words_show(const struct words *command);
#endif
