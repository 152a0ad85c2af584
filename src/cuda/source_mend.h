/* source_mend.h - CUDA sources that nvcc takes and clang does not, rewritten for clang before it reads them.
 *
 * `__shared__ alignas(16) float x[4]`: clang wants alignas before every other word of a declaration. */
#ifndef WARPLINE_CUDA_SOURCE_MEND_H
#define WARPLINE_CUDA_SOURCE_MEND_H
#include <limits.h>

#include "cuda/compile_job.h"

/* The text with every alignas(...) that follows a CUDA attribute moved before the declaration; NULL when nothing is to be moved.
 * Line numbers stay. The caller frees. */
char *source_mend_text(const char *text);
/* Adds flags that make clang read rewritten copies of the source, and of what it includes by name in quotes, where these differ.
 * The copies lie in the job's scratch folder. */
bool source_mend_flags(struct job *job, const char *source, struct words *command, struct error *err);
/* The file in one of the folders that -I and -isystem name, the first that has it. */
bool source_find_header(const struct job *job, const char *name, size_t length, char path[PATH_MAX]);
/* Adds flags that make clang read this text in place of the file. */
bool source_add_copy(struct job *job, const char *file, const char *text, struct words *command, struct error *err);
/* True when the source, or a file that it includes by name in quotes, includes one of the libraries whose kernels are in our
 * headers (cuBLAS, cuFFT, cuSOLVER, cuSPARSE): such a file is compiled as CUDA whatever it is called. */
bool source_uses_libraries(const struct job *job, const char *source);
#endif
