/* beside.h - a command that runs beside others and, near its end, reads a file that these make.
 *
 * The host's pass needs the kernels' PTX only after it has read the whole source. It is started with a named pipe in the PTX's
 * place, and waits at that pipe. */
#ifndef WARPLINE_CUDA_BESIDE_H
#define WARPLINE_CUDA_BESIDE_H
#include <limits.h>
#include <sys/types.h>

#include "cuda/words.h"

struct beside {
    char pipe[PATH_MAX + 32];     /* what the command reads */
    char messages[PATH_MAX + 32]; /* what it prints, kept until the others are through */
    char name[64];
    pid_t child; /* 0: none runs */
    int status;
    bool ended;
};

/* Makes the pipe. False, without a message, where a file system has none. */
bool beside_prepare(struct beside *b, const char *folder, size_t number);
/* Starts the command and clears it. */
bool beside_start(struct beside *b, struct words *command, bool show, struct error *err);
/* Sends the file, prints what the command had to say, and waits for its end. True when it ended with 0. */
bool beside_end(struct beside *b, const char *file, struct error *err);
/* Ends the command; what it said is not shown. */
void beside_stop(struct beside *b);
#endif
