/* atomic_file.c - files that are there whole or not at all: they get their name when they have been written. */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/part_file.h"

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

/* Pipes and devices (/dev/stdout, /dev/full, a named pipe) cannot be renamed over, nor a file that has no name yet
 * (base/part_file.h): they are written straight. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && (!S_ISREG(status.st_mode) || status.st_nlink == 0);
}

static bool write_special(const char *path, const char *text, size_t length, struct error *err)
{
    const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const bool ok = fd >= 0 && write_all(fd, text, length);
    const int reason = errno;
    const bool closed = fd < 0 || close(fd) == 0;
    if (ok && closed)
        return true;
    return error_set(err, "%s: cannot write: %s", path, strerror(ok ? errno : reason));
}

static void sync_folder(const char *path)
{
    char *copy = must_strdup(path);
    const int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd); /* not every file system can; the rename is whole in any case */
        (void)close(fd);
    }
    free(copy);
}

bool atomic_file_write(const char *path, const char *text, size_t length, struct error *err)
{
    if (is_special(path))
        return write_special(path, text, length, err);
    struct part_file *part = part_file_open(path, err);
    if (!part)
        return false;
    if (!write_all(part_file_fd(part), text, length) || fsync(part_file_fd(part)) != 0) {
        (void)error_set(err, "%s: cannot write: %s", path, strerror(errno));
        part_file_drop(part);
        return false;
    }
    const bool ok = part_file_keep(part, err);
    if (ok)
        sync_folder(path);
    return ok;
}

bool atomic_file_check(const char *path, struct error *err)
{
    if (is_special(path))
        return access(path, W_OK) == 0 || error_set(err, "%s: cannot write: %s", path, strerror(errno));
    struct part_file *part = part_file_open(path, err); /* really made: some folders look writable to root and take no file */
    part_file_drop(part);
    return part != NULL;
}
