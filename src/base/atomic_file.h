/* atomic_file.h - files that appear whole or not at all.
 *
 * The text goes to a file without a name (base/part_file.h), is flushed to the disk, and takes the target's name in one step. A
 * crash, a signal or a full disk leaves the old file (or none), never half a new one. */
#ifndef WARPLINE_BASE_ATOMIC_FILE_H
#define WARPLINE_BASE_ATOMIC_FILE_H
#include <stddef.h>

#include "base/error.h"

bool atomic_file_write(const char *path, const char *text, size_t length, struct error *err);
/* Tells whether atomic_file_write could write there. To be asked before a long run, not after it. */
bool atomic_file_check(const char *path, struct error *err);
#endif
