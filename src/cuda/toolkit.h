/* toolkit.h - a folder that build systems take for a CUDA toolkit: bin/nvcc is `warpline cc`, include/ and lib64/ are ours.
 *
 * CMake and many Makefiles look for such a folder and ask nvcc where its parts lie; with it they need no change. */
#ifndef WARPLINE_CUDA_TOOLKIT_H
#define WARPLINE_CUDA_TOOLKIT_H
#include "cuda/compile_job.h"

/* Makes the folder, or fills what is there. Refuses to write over files that are not its own. */
bool toolkit_make(const struct job *job, const char *folder, struct error *err);
/* What `nvcc --version` says, as far as programs read it. */
void toolkit_say_version(const struct job *job);
/* What `nvcc -v` says of itself, in the lines that CMake reads. Only for an nvcc of a toolkit. */
void toolkit_say_places(const struct job *job);
#endif
