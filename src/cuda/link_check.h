/* link_check.h - which device functions and variables object files name and define, by the PTX that clang left in them.
 *
 * nvcc's device linker refuses a program in which a name is not defined, or defined twice. Ours links only when the program
 * runs, which is a late time for such an error. So the names are checked when the program is made. */
#ifndef WARPLINE_CUDA_LINK_CHECK_H
#define WARPLINE_CUDA_LINK_CHECK_H
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct link_check;
struct link_check *link_check_new(void);
void link_check_free(struct link_check *check);
/* Adds every PTX text in the bytes, whatever lies around it. Of an archive only what it defines counts: a linker would leave out
 * members that nobody needs, with all that these need and define again. `file` must live as long as the check. */
void link_check_add(struct link_check *check, const char *file, const char *bytes, size_t length, bool is_archive);
/* False with the first name, in alphabetical order, that has no definition or two; `advice` says what to do about a missing one. */
bool link_check_end(struct link_check *check, const char *advice, struct error *err);
#endif
