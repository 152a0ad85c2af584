/* watch_inputs.c - sees what a program reads from outside: a library that `warpline run --inputs` preloads into it.
 *
 * It comes before libc in the order of symbols. It notes what is opened for reading, looked at or read from the environment, and
 * then calls the true function. Facts are taken before the program sees the thing. What does not use libc's functions (system
 * calls without libc, files that libc opens for itself) is not seen; docs/studies.md says what is. */
/* With it the headers would rename open to open64. Here both are needed. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "run/input_fact.h"

/* Kept in static variables: libc's functions have no handle to keep them in. */
static struct inputs_memory *memory; /* NULL: nobody asked */
static bool has_moved;               /* the working folder is no longer the one the program was started in */
static _Thread_local bool is_inside; /* our own calls are not the program's */

#define REAL(name)                                                                                                                 \
    static __typeof__(&name) real;                                                                                                 \
    if (!real)                                                                                                                     \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* ---- the list ------------------------------------------------------------------------------------------------------------ */

/* True when it was not there. A table that is nearly full makes the list incomplete, which is said. */
static bool note_first(uint64_t hash)
{
    hash = hash ? hash : 1;
    for (uint32_t i = 0; i < INPUTS_TABLE / 2; i++) {
        uint64_t *slot = &memory->noted[(hash + i) % INPUTS_TABLE], empty = 0;
        if (__atomic_compare_exchange_n(slot, &empty, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
        if (empty == hash)
            return false;
    }
    __atomic_store_n(&memory->overflow, 1, __ATOMIC_RELAXED);
    return false;
}

static uint64_t hash_input(int kind, const char *name)
{
    return hash_bytes(name, strlen(name), (uint64_t)kind);
}

static void append(int kind, const char *name, const char *fact)
{
    const size_t name_bytes = strlen(name) + 1, fact_bytes = strlen(fact) + 1, bytes = 1 + name_bytes + fact_bytes;
    const uint64_t at = __atomic_fetch_add(&memory->used, bytes, __ATOMIC_RELAXED);
    if (at + bytes > INPUTS_TEXT_BYTES) {
        __atomic_store_n(&memory->overflow, 1, __ATOMIC_RELAXED);
        return;
    }
    memcpy(memory->text + at + 1, name, name_bytes);
    memcpy(memory->text + at + 1 + name_bytes, fact, fact_bytes);
    memory->text[at] = (char)kind;
}

/* Once per name: what counts is what it was when the program saw it first. */
static void note(enum input_kind kind, const char *name)
{
    char fact[INPUT_FACT_BYTES];
    if (!note_first(hash_input((int)kind, name)))
        return;
    input_fact(kind, name, fact);
    append((int)kind, name, fact);
}

/* The same variable may be seen with several values, when a script sets it for the programs that it starts. */
static void note_variable(const char *name, const char *value)
{
    char fact[INPUT_FACT_BYTES];
    if (strncmp(name, "WARPLINE_", 9) == 0 || strcmp(name, "LD_PRELOAD") == 0 || strcmp(name, "LD_LIBRARY_PATH") == 0)
        return;
    input_fact_value(value, fact);
    if (note_first(hash_combine(hash_input(INPUT_VARIABLE, name), hash_text(fact))))
        append(INPUT_VARIABLE, name, fact);
}

/* The name as the program wrote it while it is in its first folder, so that another folder with the same files gives the same
 * result. Otherwise the absolute name. False for what is no input: what the kernel makes up, and devices. */
static bool full_path(int folder, const char *path, char out[2 * INPUTS_PATH_BYTES])
{
    char base[INPUTS_PATH_BYTES] = "", link[64];
    if (!path || !*path || strlen(path) >= INPUTS_PATH_BYTES)
        return false;
    if (*path != '/' && folder != AT_FDCWD) {
        (void)snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        const long n = syscall(SYS_readlinkat, AT_FDCWD, link, base, sizeof base - 1);
        if (n <= 0)
            return false;
        base[n] = 0;
        note(INPUT_HERE, "");
    } else if (*path != '/' && has_moved && syscall(SYS_getcwd, base, sizeof base) <= 0) {
        return false;
    }
    (void)snprintf(out, 2 * INPUTS_PATH_BYTES, "%s%s%s", base, *base ? "/" : "", path);
    return strncmp(out, "/proc/", 6) != 0 && strncmp(out, "/sys/", 5) != 0 && strncmp(out, "/dev/", 5) != 0;
}

static void note_path(enum input_kind kind, int folder, const char *path)
{
    char full[2 * INPUTS_PATH_BYTES];
    if (!memory || is_inside)
        return;
    const int saved = errno;
    is_inside = true;
    if (full_path(folder, path, full))
        note(kind, full);
    is_inside = false;
    errno = saved;
}

/* When the program discards a file's old content, the file is its own, and reading it later is no input. */
static void note_made(int folder, const char *path)
{
    char full[2 * INPUTS_PATH_BYTES];
    if (!memory || is_inside)
        return;
    const int saved = errno;
    is_inside = true;
    if (full_path(folder, path, full)) {
        (void)note_first(hash_input(INPUT_FILE, full));
        (void)note_first(hash_input(INPUT_STATUS, full));
    }
    is_inside = false;
    errno = saved;
}

static void note_open(int folder, const char *path, int flags)
{
    if (flags & O_PATH)
        note_path(INPUT_STATUS, folder, path);
    else if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY)
        note_made(folder, path);
    else if ((flags & O_TMPFILE) != O_TMPFILE)
        note_path(INPUT_FILE, folder, path);
}

static void note_mode(const char *path, const char *mode)
{
    if (mode && *mode == 'w')
        note_made(AT_FDCWD, path);
    else
        note_path(INPUT_FILE, AT_FDCWD, path);
}

static void note_here(void)
{
    if (!memory || is_inside)
        return;
    const int saved = errno;
    is_inside = true;
    note(INPUT_HERE, "");
    is_inside = false;
    errno = saved;
}

/* ---- the process itself -------------------------------------------------------------------------------------------------- */

/* True when the object names `environ`. It can then read the environment without asking for single variables. */
static bool takes_environment(const struct dl_phdr_info *object)
{
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    const ElfW(Sym) *symbols = NULL;
    const ElfW(Rela) *relocations = NULL;
    const char *names = NULL;
    size_t count = 0;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_SYMTAB)
            symbols = (const ElfW(Sym) *)dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_STRTAB)
            names = (const char *)dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_RELA)
            relocations = (const ElfW(Rela) *)dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_RELASZ)
            count = dynamic->d_un.d_val / sizeof *relocations;
    }
    for (size_t i = 0; symbols && names && relocations && i < count; i++) {
        const char *name = names + symbols[relocations[i].r_info >> 32].st_name;
        if (strcmp(name, "environ") == 0 || strcmp(name, "__environ") == 0 || strcmp(name, "_environ") == 0)
            return true;
    }
    return false;
}

/* Every library that is there is an input by its bytes; those that read the whole environment are noted as such. */
static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    (void)context;
    const char *path = object->dlpi_name && *object->dlpi_name ? object->dlpi_name : NULL;
    if (path && (*path != '/' || strstr(path, "/libwarpline_watch.so")))
        return 0; /* the kernel's own page, and this library */
    if (path)
        note(INPUT_FILE, path);
    if (path && (strstr(path, "/libc.so") || strstr(path, "/ld-linux")))
        return 0;
    if (!takes_environment(object))
        return 0;
    if (path && strstr(path, "/libomp")) { /* it looks for these alone */
        note(INPUT_VARIABLES, "OMP_");
        note(INPUT_VARIABLES, "KMP_");
        note(INPUT_VARIABLES, "GOMP_");
    } else {
        note(INPUT_VARIABLES, "");
    }
    return 0;
}

static void note_process(void)
{
    char program[INPUTS_PATH_BYTES], here[INPUTS_PATH_BYTES];
    is_inside = true;
    const long n = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
    if (n > 0) {
        program[n] = 0;
        note(INPUT_FILE, program);
    }
    if (syscall(SYS_getcwd, here, sizeof here) > 0 && strcmp(here, memory->folder) != 0)
        has_moved = true;
    (void)dl_iterate_phdr(note_object, NULL);
    is_inside = false;
}

__attribute__((constructor)) static void begin(void)
{
    is_inside = true;
    const char *path = getenv(INPUTS_ENVIRONMENT);
    const int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        (void)syscall(SYS_close, fd);
    is_inside = false;
    if (mapped == MAP_FAILED || ((struct inputs_memory *)mapped)->magic != INPUTS_MAGIC)
        return;
    memory = mapped;
    if (memory->program == (int32_t)getpid())
        memory->program_seen = 1;
    note_process();
}

/* Libraries that were opened in between. */
__attribute__((destructor)) static void end(void)
{
    if (memory)
        note_process();
}

/* ---- the functions that stand before libc's ------------------------------------------------------------------------------ */

#pragma GCC visibility push(default)

static mode_t mode_of(int flags, va_list *arguments)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(*arguments, mode_t) : 0;
}

#define OPEN(name)                                                                                                                 \
    int name(const char *path, int flags, ...)                                                                                     \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        va_list arguments;                                                                                                         \
        va_start(arguments, flags);                                                                                                \
        const mode_t mode = mode_of(flags, &arguments);                                                                            \
        va_end(arguments);                                                                                                         \
        note_open(AT_FDCWD, path, flags);                                                                                          \
        return real(path, flags, mode);                                                                                            \
    }
#define OPEN_AT(name)                                                                                                              \
    int name(int folder, const char *path, int flags, ...)                                                                         \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        va_list arguments;                                                                                                         \
        va_start(arguments, flags);                                                                                                \
        const mode_t mode = mode_of(flags, &arguments);                                                                            \
        va_end(arguments);                                                                                                         \
        note_open(folder, path, flags);                                                                                            \
        return real(folder, path, flags, mode);                                                                                    \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

/* The forms that programs use when they were compiled with checks of library calls. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
#define OPEN_2(name)                                                                                                               \
    int name(const char *path, int flags)                                                                                          \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_open(AT_FDCWD, path, flags);                                                                                          \
        return real(path, flags);                                                                                                  \
    }
#define OPEN_AT_2(name)                                                                                                            \
    int name(int folder, const char *path, int flags)                                                                              \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_open(folder, path, flags);                                                                                            \
        return real(folder, path, flags);                                                                                          \
    }
OPEN_2(__open_2)
OPEN_2(__open64_2)
OPEN_AT_2(__openat_2)
OPEN_AT_2(__openat64_2)

/* The system call by its number, through libc. All six words are handed on, as libc's own function does. */
long syscall(long number, ...)
{
    REAL(syscall);
    long word[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_openat)
        note_open((int)word[0], (const char *)word[1], (int)word[2]);
#ifdef SYS_open
    if (number == SYS_open)
        note_open(AT_FDCWD, (const char *)word[0], (int)word[1]);
#endif
    return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

#define FOPEN(name)                                                                                                                \
    FILE *name(const char *path, const char *mode)                                                                                 \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_mode(path, mode);                                                                                                     \
        return real(path, mode);                                                                                                   \
    }
#define FREOPEN(name)                                                                                                              \
    FILE *name(const char *path, const char *mode, FILE *file)                                                                     \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_mode(path, mode);                                                                                                     \
        return real(path, mode, file);                                                                                             \
    }
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)

#define STATUS(name, type)                                                                                                         \
    int name(const char *path, type *out)                                                                                          \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_path(INPUT_STATUS, AT_FDCWD, path);                                                                                   \
        return real(path, out);                                                                                                    \
    }
#define STATUS_AT(name, type)                                                                                                      \
    int name(int folder, const char *path, type *out, int flags)                                                                   \
    {                                                                                                                              \
        REAL(name);                                                                                                                \
        note_path(INPUT_STATUS, folder, path);                                                                                     \
        return real(folder, path, out, flags);                                                                                     \
    }
STATUS(stat, struct stat)
STATUS(stat64, struct stat64)
STATUS(lstat, struct stat)
STATUS(lstat64, struct stat64)
STATUS_AT(fstatat, struct stat)
STATUS_AT(fstatat64, struct stat64)

/* The names that stat had before glibc 2.33. */
int __xstat(int version, const char *path, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);
int __xstat(int version, const char *path, struct stat *out)
{
    (void)version;
    return stat(path, out);
}
int __lxstat(int version, const char *path, struct stat *out)
{
    (void)version;
    return lstat(path, out);
}

int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *out)
{
    REAL(statx);
    note_path(INPUT_STATUS, folder, path);
    return real(folder, path, flags, mask, out);
}

int access(const char *path, int mode)
{
    REAL(access);
    note_path(INPUT_STATUS, AT_FDCWD, path);
    return real(path, mode);
}

int faccessat(int folder, const char *path, int mode, int flags)
{
    REAL(faccessat);
    note_path(INPUT_STATUS, folder, path);
    return real(folder, path, mode, flags);
}

DIR *opendir(const char *path)
{
    REAL(opendir);
    note_path(INPUT_FILE, AT_FDCWD, path);
    return real(path);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    REAL(scandir);
    note_path(INPUT_FILE, AT_FDCWD, path);
    return real(path, list, filter, compare);
}

char *getenv(const char *name)
{
    REAL(getenv);
    char *value = real(name);
    if (memory && !is_inside)
        note_variable(name, value);
    return value;
}

char *secure_getenv(const char *name)
{
    REAL(secure_getenv);
    char *value = real(name);
    if (memory && !is_inside)
        note_variable(name, value);
    return value;
}

int chdir(const char *path)
{
    REAL(chdir);
    note_here();
    const int answer = real(path);
    has_moved = has_moved || answer == 0;
    return answer;
}

int fchdir(int folder)
{
    REAL(fchdir);
    note_here();
    const int answer = real(folder);
    has_moved = has_moved || answer == 0;
    return answer;
}

char *getcwd(char *out, size_t size)
{
    REAL(getcwd);
    note_here();
    return real(out, size);
}

char *get_current_dir_name(void)
{
    REAL(get_current_dir_name);
    note_here();
    return real();
}

char *realpath(const char *path, char *out)
{
    REAL(realpath);
    note_path(INPUT_STATUS, AT_FDCWD, path);
    if (*path != '/')
        note_here();
    return real(path, out);
}

#pragma GCC visibility pop
