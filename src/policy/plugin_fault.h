/* plugin_fault.h - what a plug-in does wrong is said in the plug-in's name, with a code of its own (CODE_PLUGIN).
 *
 * A plug-in is code in our process. When a hook of it crashes, or answers what the contract in policy.h does not allow, the run
 * cannot go on; but whoever wrote the plug-in must not look for the fault in warpline, nor report it to us. The same from a
 * built-in policy is our fault, and a panic. */
#ifndef WARPLINE_POLICY_PLUGIN_FAULT_H
#define WARPLINE_POLICY_PLUGIN_FAULT_H
#include "base/error.h"

/* Where a loaded plug-in lies: `inside` is any address in it. Until policy_library_free closes it. */
void plugin_fault_add(const char *path, const void *inside);
void plugin_fault_remove(const void *inside);

/* From here on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) with a plug-in's function on the stack ends the process with a
 * sentence and CODE_PLUGIN; any other goes to whoever handled it before. For processes that are ours: not for libwarpline. */
void plugin_fault_catch_crashes(void);

/* Told before the process ends: the way to `warpline run` from inside a program. Called from a signal handler. */
void plugin_fault_tell(void (*tell)(void *context, const struct error *fault), void *context);
#endif
