/* part_file.c - files without a name (O_TMPFILE), linked into their place when they are whole. */
#include "base/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

struct part_file {
    int fd;
    char *target, *path;
    bool has_name; /* `path` is its name in the folder */
};

/* The part of the path that is the folder, with its slash; 0: the working folder. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path + 1) : 0;
}

char *part_file_spare_name(const char *target)
{
    struct stat there;
    struct text_buffer name = { 0 };
    for (unsigned i = 0;; i++) {
        name.length = 0;
        text_append(&name, "%.*s.warpline-%d-%u.part", folder_length(target), target, (int)getpid(), i);
        if (lstat(name.text, &there) != 0)
            return name.text;
    }
}

static bool open_nameless(struct part_file *part)
{
    struct text_buffer folder = { 0 }, path = { 0 };
    text_append(&folder, "%.*s", folder_length(part->target), part->target);
    part->fd = open(folder.length ? folder.text : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    text_buffer_clear(&folder);
    if (part->fd < 0)
        return false;
    text_append(&path, "/proc/%d/fd/%d", (int)getpid(), part->fd);
    part->path = path.text;
    if (access(part->path, F_OK) == 0)
        return true;
    (void)close(part->fd); /* without /proc nobody could give it a name */
    free(part->path);
    return false;
}

static bool open_named(struct part_file *part)
{
    do {
        part->path = part_file_spare_name(part->target);
        part->fd = open(part->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        if (part->fd < 0)
            free(part->path);
    } while (part->fd < 0 && errno == EEXIST); /* another of our threads was quicker */
    part->has_name = true;
    return part->fd >= 0;
}

/* What is there already must be a file, and the name must be one that the file system takes. */
static bool can_be_replaced(const char *target, struct error *err)
{
    struct stat there;
    if (!target[folder_length(target)])
        return error_set(err, "'%.300s': cannot write: that is no name of a file", target);
    if (stat(target, &there) != 0)
        return errno == ENOENT || error_set(err, "%.300s: cannot write: %s", target, strerror(errno));
    if (S_ISREG(there.st_mode))
        return true;
    return error_set(err, "%.300s: cannot write: it is %s", target, S_ISDIR(there.st_mode) ? "a directory" : "no ordinary file");
}

struct part_file *part_file_open(const char *target, struct error *err)
{
    if (!can_be_replaced(target, err))
        return NULL;
    struct part_file *part = must_calloc(1, sizeof *part);
    char *real = realpath(target, NULL); /* a link stays, and the file that it names is replaced */
    part->target = real ? real : must_strdup(target);
    if (open_nameless(part) || open_named(part))
        return part;
    (void)error_set(err, "%.300s: cannot write: %s", target, strerror(errno));
    free(part->target);
    free(part);
    return NULL;
}

int part_file_fd(const struct part_file *part)
{
    return part->fd;
}

const char *part_file_path(const struct part_file *part)
{
    return part->path;
}

/* A link takes no name that something has, so then it goes by a name of its own. */
static bool link_into_place(const struct part_file *part)
{
    if (linkat(AT_FDCWD, part->path, AT_FDCWD, part->target, AT_SYMLINK_FOLLOW) == 0)
        return true;
    if (errno != EEXIST)
        return false;
    char *name = part_file_spare_name(part->target);
    bool ok = linkat(AT_FDCWD, part->path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    if (ok && rename(name, part->target) != 0) {
        const int reason = errno;
        (void)unlink(name);
        errno = reason;
        ok = false;
    }
    free(name);
    return ok;
}

bool part_file_keep(struct part_file *part, struct error *err)
{
    const bool ok = part->has_name ? rename(part->path, part->target) == 0 : link_into_place(part);
    if (ok)
        part->has_name = false; /* nothing is left to remove */
    else
        (void)error_set(err, "%.300s: cannot write: %s", part->target, strerror(errno));
    part_file_drop(part);
    return ok;
}

void part_file_drop(struct part_file *part)
{
    if (!part)
        return;
    if (part->has_name)
        (void)unlink(part->path);
    (void)close(part->fd);
    free(part->target);
    free(part->path);
    free(part);
}
