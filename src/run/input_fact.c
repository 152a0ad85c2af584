/* input_fact.c - takes the fact of one input. No allocation, no calls that the preloaded library replaces: see the header. */
#include "run/input_fact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/digest.h"

enum { CHUNK_BYTES = 8192 };

static bool status_directly(const char *path, struct statx *out)
{
    return syscall(SYS_statx, AT_FDCWD, path, 0, STATX_TYPE | STATX_SIZE, out) == 0;
}

/* The names in a folder, in any order. */
static bool digest_folder(const char *path, struct digest *out)
{
    struct entry { /* as the kernel writes it */
        uint64_t inode;
        int64_t offset;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    const int fd = open_directly(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return false;
    _Alignas(8) char chunk[CHUNK_BYTES];
    long n;
    *out = (struct digest){ { 3, 4 } };
    while ((n = syscall(SYS_getdents64, fd, chunk, (unsigned)sizeof chunk)) > 0)
        for (long at = 0; at < n;) {
            const struct entry *e = (const struct entry *)(const void *)(chunk + at);
            struct digest one = { { 5, 6 } };
            digest_add(&one, e->name, strlen(e->name));
            out->half[0] += one.half[0];
            out->half[1] += one.half[1];
            at += e->length;
        }
    (void)syscall(SYS_close, fd);
    return n == 0;
}

static void write_digest(char out[INPUT_FACT_BYTES], const char *what, uint64_t size, const struct digest *d)
{
    (void)snprintf(out, INPUT_FACT_BYTES, "%s %llu %016llx%016llx", what, (unsigned long long)size, (unsigned long long)d->half[0],
                   (unsigned long long)d->half[1]);
}

static void path_fact(bool content, const char *path, char out[INPUT_FACT_BYTES])
{
    struct statx info;
    struct digest d;
    uint64_t size = 0;
    if (!status_directly(path, &info))
        (void)snprintf(out, INPUT_FACT_BYTES, errno == ENOENT || errno == ENOTDIR ? "absent" : "unreadable");
    else if (S_ISREG(info.stx_mode) && !content)
        (void)snprintf(out, INPUT_FACT_BYTES, "file %llu", (unsigned long long)info.stx_size);
    else if (S_ISREG(info.stx_mode) && digest_file(path, &d, &size))
        write_digest(out, "file", size, &d);
    else if (S_ISDIR(info.stx_mode) && !content)
        (void)snprintf(out, INPUT_FACT_BYTES, "folder");
    else if (S_ISDIR(info.stx_mode) && digest_folder(path, &d))
        write_digest(out, "folder", 0, &d);
    else
        (void)snprintf(out, INPUT_FACT_BYTES, S_ISREG(info.stx_mode) || S_ISDIR(info.stx_mode) ? "unreadable" : "other");
}

void input_fact_value(const char *value, char out[INPUT_FACT_BYTES])
{
    struct digest d = { { 7, 8 } };
    if (value)
        digest_add(&d, value, strlen(value));
    if (value) /* never the value itself: it may be a secret */
        write_digest(out, "set", strlen(value), &d);
    else
        (void)snprintf(out, INPUT_FACT_BYTES, "unset");
}

static const char *value_of(const char *name)
{
    const size_t length = strlen(name);
    for (char **e = environ; e && *e; e++)
        if (strncmp(*e, name, length) == 0 && (*e)[length] == '=')
            return *e + length + 1;
    return NULL;
}

/* Variables that warpline itself sets for the program, and those that every shell counts or writes anew. */
static bool is_ours(const char *assignment)
{
    static const char *const ours[] = { "WARPLINE_", "LD_PRELOAD=", "LD_LIBRARY_PATH=", "_=", "SHLVL=", NULL };
    size_t i = 0;
    while (ours[i] && strncmp(assignment, ours[i], strlen(ours[i])) != 0)
        i++;
    return ours[i] != NULL;
}

static void variables_fact(const char *prefix, char out[INPUT_FACT_BYTES])
{
    struct digest all = { { 9, 10 } };
    uint64_t count = 0;
    for (char **e = environ; e && *e; e++) {
        if (strncmp(*e, prefix, strlen(prefix)) != 0 || is_ours(*e))
            continue;
        struct digest one = { { 5, 6 } };
        digest_add(&one, *e, strlen(*e));
        all.half[0] += one.half[0];
        all.half[1] += one.half[1];
        count++;
    }
    write_digest(out, "variables", count, &all);
}

void input_fact(enum input_kind kind, const char *name, char out[INPUT_FACT_BYTES])
{
    char folder[INPUTS_PATH_BYTES];
    switch (kind) {
    case INPUT_FILE: path_fact(true, name, out); break;
    case INPUT_STATUS: path_fact(false, name, out); break;
    case INPUT_VARIABLE: input_fact_value(value_of(name), out); break;
    case INPUT_VARIABLES: variables_fact(name, out); break;
    case INPUT_HERE: input_fact_value(syscall(SYS_getcwd, folder, sizeof folder) > 0 ? folder : NULL, out); break;
    }
}
