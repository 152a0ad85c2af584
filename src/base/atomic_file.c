/* atomic_file.c - files that are there whole or not at all: written beside their place, then renamed into it. */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

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

/* Pipes and devices (/dev/stdout, /dev/full, a named pipe) cannot be renamed over: they are written straight. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool write_special(const char *path, const char *text, size_t length, struct error *err)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
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
    struct stat status;
    if (is_special(path))
        return write_special(path, text, length, err);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "%s: cannot write: it is a directory", path);
    struct text_buffer temporary = { 0 };
    text_append(&temporary, "%s.XXXXXX", path);
    const int fd = mkstemp(temporary.text);
    bool ok = fd >= 0;
    int reason = errno;
    if (ok) {
        const mode_t mask = umask(0);
        (void)umask(mask);
        ok = write_all(fd, text, length) && fchmod(fd, 0666 & ~mask) == 0 && fsync(fd) == 0;
        reason = errno;
        if (close(fd) != 0 && ok) {
            ok = false;
            reason = errno;
        }
        if (ok && rename(temporary.text, path) != 0) {
            ok = false;
            reason = errno;
        }
        if (ok)
            sync_folder(path);
        else
            (void)unlink(temporary.text);
    }
    text_buffer_clear(&temporary);
    return ok || error_set(err, "%s: cannot write: %s", path, strerror(reason));
}

bool atomic_file_check(const char *path, struct error *err)
{
    if (is_special(path))
        return access(path, W_OK) == 0 || error_set(err, "%s: cannot write: %s", path, strerror(errno));
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "%s: cannot write: it is a directory", path);
    /* A file is really made: some folders look writable to root and take no file. */
    struct text_buffer temporary = { 0 };
    text_append(&temporary, "%s.XXXXXX", path);
    const int fd = mkstemp(temporary.text);
    const int reason = errno;
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(temporary.text);
    }
    text_buffer_clear(&temporary);
    return fd >= 0 || error_set(err, "%s: cannot write: %s", path, strerror(reason));
}
