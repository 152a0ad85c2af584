/* launch_mend.h - launches in device code, rewritten for clang. */
#ifndef WARPLINE_CUDA_LAUNCH_MEND_H
#define WARPLINE_CUDA_LAUNCH_MEND_H
#include <stdbool.h>
#include <stddef.h>

/* Behind a comment or literal that begins at `at`; `at` itself when none does. */
size_t mend_behind_no_code(const char *text, size_t at);
/* The text with every launch in device code changed; NULL when there is none. Line numbers stay. The caller frees. */
char *mend_device_launches(const char *text);
#endif
