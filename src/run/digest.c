/* digest.c - digests of bytes and files. This is not part of input_fact.c, which reads the whole environment: libcudart needs
 * only digests, and a library that names `environ` would make every program that loads it depend on all variables. */
#include "run/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"

enum { CHUNK_BYTES = 8192 };

void digest_add(struct digest *d, const void *bytes, size_t count)
{
    d->half[0] = hash_combine(d->half[0], hash_bytes(bytes, count, 0x77617270));
    d->half[1] = hash_combine(d->half[1], hash_bytes(bytes, count, 0x6c696e65));
}

int open_directly(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

/* Fills whole chunks, so that the digest does not depend on how much the kernel gives at a time. -1: an error. */
static ssize_t read_chunk(int fd, char chunk[CHUNK_BYTES])
{
    size_t have = 0;
    while (have < CHUNK_BYTES) {
        const ssize_t n = syscall(SYS_read, fd, chunk + have, (size_t)CHUNK_BYTES - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

bool digest_file(const char *path, struct digest *out, uint64_t *size)
{
    const int fd = open_directly(path, O_RDONLY);
    if (fd < 0)
        return false;
    char chunk[CHUNK_BYTES];
    uint64_t bytes = 0;
    ssize_t n;
    *out = (struct digest){ { 1, 2 } };
    while ((n = read_chunk(fd, chunk)) > 0) {
        digest_add(out, chunk, (size_t)n);
        bytes += (uint64_t)n;
    }
    (void)syscall(SYS_close, fd);
    if (size)
        *size = bytes;
    return n == 0;
}
