/* program.h - small PTX programs for tests. A kernel `k` takes three pointers: OUT, IN and the number of words N; the text
 * starts inside its body, where %i is the global thread number, %t the thread's in its block, %out and %in point to its own
 * word, %outs and %ins to the arrays. */
#ifndef WARPLINE_TESTS_PROGRAM_H
#define WARPLINE_TESTS_PROGRAM_H
#include "exec/exec.h"

enum { PROGRAM_WORDS = 4096 };
struct program {
    const char *before; /* module scope: variables and functions; NULL none */
    const char *body;
    uint32_t grid, block; /* one-dimensional; 0: 1 and 32 */
    uint32_t shared_bytes;
    uint32_t in[PROGRAM_WORDS], out[PROGRAM_WORDS];
    struct exec_options options;                           /* memory_bytes 0: a default */
    void (*prepare)(struct device *device, void *context); /* before the launch */
    void *context;
    bool cooperative;
    struct functional_result result;
    struct error err;
};
/* True: it ran; results in out. False: err says why not. */
bool program_run(struct program *p);
#endif
