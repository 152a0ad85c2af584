/* assembly_source.h - `nvcc -cuda` stops at C++ that the host's compiler turns into an object (NAME.cu.cpp.ii).
 *
 * clang makes no C++ of CUDA. What is written instead is C++ all the same: the host's assembly, with the kernels in it, in one asm
 * statement. */
#ifndef WARPLINE_CUDA_ASSEMBLY_SOURCE_H
#define WARPLINE_CUDA_ASSEMBLY_SOURCE_H
#include "base/text.h"

/* Appends C++ that assembles to what the text assembles to. */
void assembly_source(const char *text, struct text_buffer *out);
#endif
