/* interrupt.h - Ctrl-C and kill ask a run to stop; they do not cut it off.
 *
 * After interrupt_catch, the first SIGINT or SIGTERM raises the flag, which the simulation loop polls (gpu_limits); the run ends
 * at the next cycle and what is known so far is reported. A second signal, a moment later, ends the process at once. */
#ifndef WARPLINE_BASE_INTERRUPT_H
#define WARPLINE_BASE_INTERRUPT_H

#include <sys/types.h>

/* Installs the handlers and returns the flag: 0, or the number of the signal. May be called more than once. */
const volatile int *interrupt_catch(void);

/* From now on the child gets the first signal too, even when it was sent to us alone. 0: there is no child any more. */
void interrupt_pass_on(pid_t child);
#endif
