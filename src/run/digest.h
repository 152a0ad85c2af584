/* digest.h - digests of bytes and files. They allocate nothing and call the kernel directly, so that a library that watches a
 * program's calls does not see its own. */
#ifndef WARPLINE_RUN_DIGEST_H
#define WARPLINE_RUN_DIGEST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two independent 64-bit hashes. */
struct digest {
    uint64_t half[2];
};
void digest_add(struct digest *digest, const void *bytes, size_t count);
/* All bytes of a regular file; false when it cannot be read. `size` may be NULL. */
bool digest_file(const char *path, struct digest *out, uint64_t *size);
/* A descriptor, or -1. */
int open_directly(const char *path, int flags);
#endif
