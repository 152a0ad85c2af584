/* run_trace.h - runs a recorded trace on a machine: kernels and host copies in the order in which they happened. */
#ifndef WARPLINE_RUN_RUN_TRACE_H
#define WARPLINE_RUN_RUN_TRACE_H
#include <jansson.h>

#include "run/session.h"

/* True for a file that run_trace takes. */
bool run_trace_recognises(const char *path);
/* As run_ptx. */
bool run_trace(const char *path, const struct session_setup *setup, const struct session_options *options, json_t **result,
               bool *stopped, struct error *err);
#endif
