/* pool.h - child processes, a few at a time: started, watched, killed when late, and what they said kept. */
#ifndef WARPLINE_STUDY_POOL_H
#define WARPLINE_STUDY_POOL_H
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct pool_task {
    char **argv;           /* ends with NULL; argv[0] is the program */
    const char *label;     /* for the progress display */
    uint64_t memory_bytes; /* expected need, 0 unknown: a task waits while the machine has less to spare */
    /* Filled in when it has ended: */
    struct text_buffer out; /* all of its stdout */
    struct text_buffer log; /* the end of its stderr */
    int exit_code, signal;  /* exactly one is meaningful: signal is 0 unless it was killed */
    bool timed_out, not_started;
    double wall_seconds;
    uint64_t peak_rss_bytes;
};

struct pool_options {
    uint32_t jobs;            /* at a time; 0: one per core */
    uint32_t timeout_seconds; /* per task; 0: none */
    bool progress;            /* a bar on stderr; honoured on a terminal only */
    /* Called in order of completion. False ends the pool: no further task is started, running ones are stopped. */
    bool (*done)(void *context, size_t index, struct pool_task *task);
    void *context;
    const volatile int *interrupted; /* set by a signal handler: stops like a false `done` */
};

/* Runs all tasks; false only when the pool itself fails (no processes to be had). */
bool pool_run(struct pool_task *tasks, size_t count, const struct pool_options *options, struct error *err);
void pool_task_clear(struct pool_task *task);
uint32_t pool_default_jobs(void);
#endif
