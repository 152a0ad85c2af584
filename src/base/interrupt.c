#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* A signal handler can reach nothing but a global: the only one in the program. */
static volatile int caught_signal;

static void on_signal(int number)
{
    if (caught_signal)
        _exit(128 + number);
    caught_signal = number;
}

const volatile int *interrupt_catch(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    return &caught_signal;
}
