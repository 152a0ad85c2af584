/* device_ir.h - what must be mended in clang's intermediate code for the device before it is optimised. */
#ifndef WARPLINE_CUDA_DEVICE_IR_H
#define WARPLINE_CUDA_DEVICE_IR_H
#include "base/text.h"

/* Appends the text of an LLVM module to `out`, with its host-visible variables made so and without promises on arguments.
 *
 * Variables: a __device__ or __constant__ variable of an unnamed namespace or an unnamed type is private to the file in C++, and
 * clang takes that to mean that nobody writes it from outside: it folds the initial value into the kernels, and cudaMemcpyToSymbol
 * has nothing to write to. Variables declared static need no help: clang sees whether the host uses them.
 *
 * Arguments: in CUDA it is usual to pass a value that only one lane has set (`if (lane == 0) old = atomicAdd(...); old = shfl(old,
 * 0);`). C++ calls that undefined where the function is not built in; clang marks its arguments `noundef` and concludes that every
 * lane is lane 0. */
void device_ir_mend(const char *module, struct text_buffer *out);
/* The same for PTX that is asked for by itself: there is no host code to see, so that static variables are visible as well. */
void device_ir_mend_alone(const char *module, struct text_buffer *out);
#endif
