/* workload_list.h - the built-in workloads: CUDA programs of workloads/, compiled by `warpline cc` with the build. */
#ifndef WARPLINE_STUDY_WORKLOAD_LIST_H
#define WARPLINE_STUDY_WORKLOAD_LIST_H
#include <limits.h>
#include <stdint.h>

#include "base/error.h"

struct workload {
    const char *name;
    const char *abbreviation_000, *abbreviation_001; /* "" when the paper does not have it */
    const char *suite, *class_000, *class_001, *kernels, *dominates;
    uint32_t small_kib; /* device memory at size small */
    /* Warp instructions as clang 14 compiles it. */
    uint64_t small_instructions, medium_instructions;
};
/* Ends with a NULL name. */
extern const struct workload workload_list[];

/* A row of a table of papers 002 to 004 ("002.3" is a chapter), in the table's order, and the workload that stands for it. */
struct workload_row {
    const char *paper, *abbreviation, *workload, *class;
};
/* Ends with a NULL paper. */
extern const struct workload_row workload_rows[];

extern const char *const workload_sizes[]; /* tiny, small, medium, paper; ends with NULL */

/* Also by an abbreviation of papers 000 and 001, or by "PAPER:ABBREVIATION" of the others, whatever its case. NULL: none. */
const struct workload *workload_find(const char *name);
/* The built-in workload that was most likely meant by a name that is none; NULL: no name is near. */
const char *workload_likely(const char *name);
/* Path of its program: in $WARPLINE_WORKLOADS, beside the running binary (build), or in the installation. False when it is not
 * there. */
bool workload_program(const struct workload *workload, char path[PATH_MAX], struct error *err);
#endif
