/* array_mend.h - arrays whose length is known only when the program runs, rewritten for clang where they begin with values. */
#ifndef WARPLINE_CUDA_ARRAY_MEND_H
#define WARPLINE_CUDA_ARRAY_MEND_H

/* The text with `int n = 3; float a[2][n] = {{1, 2, 3}, {4}};` written as a declaration, a fill with zeros and one assignment for
 * each value; NULL when there is nothing like it. g++, and so nvcc, takes such arrays; clang takes them only without values.
 *
 * Only arrays of numbers inside functions are looked at, and a length counts as unknown when it names a variable that is not const,
 * a parameter of a function, or a const variable that begins with a call. Line numbers stay. The caller frees. */
char *mend_array_values(const char *text);
#endif
