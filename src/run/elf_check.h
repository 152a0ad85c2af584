/* elf_check.h - tells from a program's file, before it is started, whether it can run under warpline. */
#ifndef WARPLINE_RUN_ELF_CHECK_H
#define WARPLINE_RUN_ELF_CHECK_H
#include <stddef.h>
#include "base/error.h"

/* False with a sentence, and the compiler flags that would help, when the file is no 64-bit Linux program, carries the CUDA
 * runtime inside (so that ours cannot take its place), wants a libcudart that we do not stand in for, or has machine code but
 * no PTX. `uses_cuda` says whether it links with libcudart at all. */
bool elf_check_program(const char *path, bool *uses_cuda, struct error *err);
/* The first shared library the program needs whose name begins with one of `prefixes`, which end with NULL; false: none. */
bool elf_needs_library(const char *path, const char *const *prefixes, char *name, size_t size);
/* True when the loader of shared libraries starts it. A statically linked program loads nothing of ours. */
bool elf_uses_loader(const char *path);
/* elf_check_program on bytes in memory, for tests; `path` is for messages. */
bool elf_check_bytes(const char *path, const unsigned char *bytes, size_t size, bool *uses_cuda, struct error *err);
#endif
