/* linked_names.h - names that clang gives to what is linked (-rdc=true), in PTX and in the host's assembly.
 *
 * The registration of each file, __cudaRegisterLinkedBinary<name>, is written by nvcc's device linker. It is not needed here,
 * since the simulator links device code when it loads it, and the call becomes one of our libcudart's. For the same reason
 * static kernels and variables need no names of their own in each file. clang 14 gives them some, but does not tell the host the
 * name of a kernel. */
#ifndef WARPLINE_CUDA_LINKED_NAMES_H
#define WARPLINE_CUDA_LINKED_NAMES_H
#include "base/text.h"

/* Appends the text to `out` with its names mended. */
void linked_names_mend(const char *text, struct text_buffer *out);
#endif
