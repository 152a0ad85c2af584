/* library_mend.h - headers of NVIDIA's libraries, rewritten so that clang compiles only what can run. */
#ifndef WARPLINE_CUDA_LIBRARY_MEND_H
#define WARPLINE_CUDA_LIBRARY_MEND_H
#include "cuda/compile_job.h"

/* CUB's util_device.cuh with the choice of a tuning policy made by the compiler; NULL when the text has no such choice, as newer
 * versions of CUB have not. The caller frees.
 *
 * CUB 1.17 asks at run time which architecture the kernels were compiled for and takes the policy of that one. A program of
 * `warpline cc` has kernels of one architecture alone, and __CUDA_ARCH_LIST__ names it; yet the code of all policies is compiled,
 * and kernels that only older architectures use: half of a sort. */
char *library_mend_policies(const char *text);
/* Thrust's device_vector.h or host_vector.h with what newer versions have: vectors made of, and set to, the elements of a list in
 * braces. NULL when the text has that, or is neither header. The caller frees. */
char *library_mend_lists(const char *text);
/* Adds flags that make clang read the rewritten headers in place of those that the job's folders of headers hold. */
bool library_mend_flags(struct job *job, struct words *command, struct error *err);
#endif
