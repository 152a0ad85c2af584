/* source_mend.h - CUDA sources that nvcc takes and clang does not, put as clang wants them before it reads them.
 *
 * `__shared__ alignas(16) float x[4]`: clang wants alignas before every other word of a declaration. */
#ifndef WARPLINE_CUDA_SOURCE_MEND_H
#define WARPLINE_CUDA_SOURCE_MEND_H
#include "cuda/compile_job.h"

/* The text with every alignas(...) that follows a CUDA attribute moved before the declaration; NULL when nothing is to be moved.
 * Line numbers stay. The caller frees. */
char *source_mend_text(const char *text);
/* Adds flags that make clang read mended copies of the source and of what it includes by name in quotes, where these differ. The
 * copies lie in the job's scratch folder. */
bool source_mend_flags(struct job *job, const char *source, struct words *command, struct error *err);
#endif
