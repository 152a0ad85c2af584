/* interrupt.c - the signal handlers: the first Ctrl-C asks the simulation to stop, the second ends the process. */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { SAME_WISH_NS = 300000000 };

/* A signal handler can reach nothing but globals: the only ones in the program. */
static volatile int caught_signal;
static volatile int64_t caught_at;
static volatile pid_t told_as_well;

static int64_t monotonic_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void on_signal(int number)
{
    const int64_t now = monotonic_ns();
    if (caught_signal) {
        /* A signal to a whole group comes twice: once from the terminal, and once from the parent that passes it on. */
        if (now - caught_at < SAME_WISH_NS)
            return;
        _exit(128 + number);
    }
    caught_signal = number;
    caught_at = now;
    if (told_as_well > 0)
        (void)kill(told_as_well, number);
}

const volatile int *interrupt_catch(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    return &caught_signal;
}

void interrupt_pass_on(pid_t child)
{
    told_as_well = child;
    if (child > 0 && caught_signal)
        (void)kill(child, caught_signal);
}
