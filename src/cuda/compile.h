/* compile.h - `warpline cc`: CUDA C++ to a program that carries its kernels as PTX, with Debian's clang alone.
 *
 * A .cu file goes through clang twice: once for the device, giving PTX, and once for the host, which embeds that PTX and the
 * registration calls that hand it to libcudart. Other sources are compiled as C++ (or C) with our headers in reach. */
#ifndef WARPLINE_CUDA_COMPILE_H
#define WARPLINE_CUDA_COMPILE_H
#include <stddef.h>
#include "base/error.h"

/* `arguments` are those after `cc`: files, -o, -c, -ptx, -arch=sm_NN, -v, nvcc's flags that have a meaning here, and anything
 * else that clang understands. Compiler messages go to stderr untouched. */
enum exit_code cuda_compile(char *const *arguments, size_t count, struct error *err);
#endif
