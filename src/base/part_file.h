/* part_file.h - a file that is being made. It has no name until it is whole.
 *
 * It lies in the folder of its target, on the same disk. However this process ends, nothing of it is left, and two that make a
 * file of one name do not meet. Where a file system knows no files without a name (O_TMPFILE), it has a hidden name of its own
 * until then, which only a kill leaves behind. */
#ifndef WARPLINE_BASE_PART_FILE_H
#define WARPLINE_BASE_PART_FILE_H
#include "base/error.h"

struct part_file;
/* NULL with an error: no file can be made there, or the target cannot be replaced (a folder, a device, a name too long). */
struct part_file *part_file_open(const char *target, struct error *err);
int part_file_fd(const struct part_file *part); /* for reading and writing; not inherited */
/* How to open it by name: here or in another process of this user, as long as this one lives. */
const char *part_file_path(const struct part_file *part);
/* Gives it the target's name in one step, in place of what had it. Frees `part` in either case. */
bool part_file_keep(struct part_file *part, struct error *err);
void part_file_drop(struct part_file *part); /* NULL: does nothing */
/* A name beside `target` that nothing has: hidden, and short however long the target's is. The caller frees. */
char *part_file_spare_name(const char *target);
#endif
