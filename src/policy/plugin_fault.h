/* plugin_fault.h - when a plug-in does something wrong, the message names the plug-in, and the exit code is its own (CODE_PLUGIN).
 *
 * A plug-in is code in our process. When one of its hooks crashes, or gives an answer that the contract in policy.h does not
 * allow, the run cannot go on. The plug-in's author should then not look for the fault in warpline, nor report it to us. The
 * same mistake in a built-in policy is our fault, and a panic. */
#ifndef WARPLINE_POLICY_PLUGIN_FAULT_H
#define WARPLINE_POLICY_PLUGIN_FAULT_H
#include "base/error.h"

/* Remembers where a loaded plug-in lies, until policy_library_free closes it. `inside` is any address in it. */
void plugin_fault_add(const char *path, const void *inside);
void plugin_fault_remove(const void *inside);

/* Between these two calls the file is being loaded, and a crash is its fault: a file that was cut off, or its constructors. */
void plugin_fault_loading(const char *path);
void plugin_fault_loaded(void);

/* From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) with a plug-in's function on the stack ends the process with a
 * sentence and CODE_PLUGIN. Any other crash goes to the handler from before. Only for processes of our own, not for libwarpline. */
void plugin_fault_catch_crashes(void);

/* Called before the process ends, from a signal handler. It carries the message from inside a program to `warpline run`. */
void plugin_fault_tell(void (*tell)(void *context, const struct error *fault), void *context);
#endif
