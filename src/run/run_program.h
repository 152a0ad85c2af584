/* run_program.h - starts a CUDA program with our libcudart in place, and collects what its kernels did. */
#ifndef WARPLINE_RUN_RUN_PROGRAM_H
#define WARPLINE_RUN_RUN_PROGRAM_H
#include <jansson.h>

#include "run/session.h"

/* How the program's process learns where its request is and where its results go (channel_address). The first process that reads
 * it writes SESSION_TAKEN in its place: programs that it starts are on their own, and can say why. */
#define SESSION_ENVIRONMENT "WARPLINE_SESSION"
#define SESSION_TAKEN "taken"
/* Where the warpline lies that started the program: NVRTC compiles with it. */
#define BINARY_ENVIRONMENT "WARPLINE_BINARY"

struct program_run {
    const char *target;       /* as the user named it */
    const char *path;         /* of the program */
    char *const *arguments;   /* argv, with [0]; ends with NULL */
    bool stdout_to_stderr;    /* our own stdout is for JSON */
    bool silent;              /* what it prints to stdout is dropped: the first of two runs */
    const char *ours_to_pass; /* as for inputs_json */
    bool watch_inputs;        /* the result gets "inputs": what the program read from outside (inputs.h) */
};
struct program_outcome {
    json_t *result;       /* the caller owns it */
    int exit_code;        /* of the program; 128 + n when signal n ended it */
    int signal;           /* that ended it; 0: none did */
    struct error failure; /* the first failure of a kernel, text "" when there was none */
    char unfinished[256]; /* the kernel that was running when the program ended; "" when none was */
    bool interrupted;     /* by Ctrl-C: the result is what was known until then */
};
/* False when the program could not be started or its results were lost. */
bool run_program(const struct program_run *run, const struct session_setup *setup, const struct session_options *options,
                 struct program_outcome *out, struct error *err);
#endif
