/* run_ptx.h - PTX without a program: the launches of a launch file, one after the other, in this process. */
#ifndef WARPLINE_RUN_RUN_PTX_H
#define WARPLINE_RUN_RUN_PTX_H
#include <jansson.h>

#include "run/session.h"

struct ptx_run {
    const char *target; /* for the result */
    const char *ptx_path, *launch_path;
    /* The texts themselves, when they are in memory. The paths then only serve as names in messages, and files that the launch
     * names are looked for in the working folder. NULL: read the files. */
    const char *ptx_text, *launch_text;
    size_t ptx_length, launch_length;
    const char *dump_directory; /* NULL, or where each output array is written as NAME.bin */
};
/* False when something was refused or a kernel failed; *result is then what was known so far, or NULL. A compared output that
 * differs is a failure of the program (CODE_PROGRAM). The caller owns *result. */
bool run_ptx(const struct ptx_run *run, const struct session_setup *setup, const struct session_options *options, json_t **result,
             bool *stopped, struct error *err);
#endif
