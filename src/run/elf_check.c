/* elf_check.c - what a program's file tells before it is started: whether our libcudart is loaded, and whether it has PTX. */
#include "run/elf_check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/fatbin.h"

struct elf {
    const char *path;
    const unsigned char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    unsigned section_count;
    const char *names;
    size_t names_size;
};

/* NULL unless `count` things of `each` bytes lie inside the file at `offset`, aligned for reading. */
static const void *inside(const struct elf *elf, uint64_t offset, uint64_t count, size_t each)
{
    if (offset > elf->size || (each && count > (elf->size - offset) / each))
        return NULL;
    return each > 1 && offset % 8 != 0 ? NULL : elf->bytes + offset;
}

static bool open_elf(struct elf *elf, struct error *err)
{
    if (elf->size >= 2 && memcmp(elf->bytes, "#!", 2) == 0)
        return error_set(err, "%s is a script: give the CUDA program that it starts", elf->path);
    if (elf->size < sizeof(Elf64_Ehdr) || memcmp(elf->bytes, ELFMAG, SELFMAG) != 0) {
        const char *dot = strrchr(elf->path, '.');
        if (dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cpp") || !strcmp(dot, ".c")))
            return error_set(err, "%s is source: compile it with 'warpline cc %s -o PROGRAM', then run ./PROGRAM", elf->path,
                             elf->path);
        return error_set(err, "%s is not a program (no ELF file); PTX is run with --ptx FILE --launch FILE.json", elf->path);
    }
    const Elf64_Ehdr *header = (const void *)elf->bytes;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64)
        return error_set(err, "%s is not a 64-bit x86 program", elf->path);
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return error_set(err, "%s is an object file, not a program: link it first", elf->path);
    elf->sections = inside(elf, header->e_shoff, header->e_shnum, sizeof(Elf64_Shdr));
    elf->section_count = elf->sections && header->e_shentsize == sizeof(Elf64_Shdr) ? header->e_shnum : 0;
    if (header->e_shstrndx < elf->section_count) {
        const Elf64_Shdr *s = &elf->sections[header->e_shstrndx];
        elf->names = inside(elf, s->sh_offset, s->sh_size, 1);
        elf->names_size = elf->names ? s->sh_size : 0;
    }
    return true;
}

/* A NUL-terminated string at `offset` of a table, or "". */
static const char *string_at(const char *table, size_t size, uint64_t offset)
{
    return table && offset < size && memchr(table + offset, 0, size - offset) ? table + offset : "";
}

static const Elf64_Shdr *find_section(const struct elf *elf, const char *name)
{
    for (unsigned i = 0; i < elf->section_count; i++)
        if (strcmp(string_at(elf->names, elf->names_size, elf->sections[i].sh_name), name) == 0)
            return &elf->sections[i];
    return NULL;
}

/* The first library it needs whose name begins so, or "". */
static const char *needed_library(const struct elf *elf, const char *prefix)
{
    const Elf64_Shdr *dynamic = find_section(elf, ".dynamic"), *strings = find_section(elf, ".dynstr");
    if (!dynamic || !strings)
        return "";
    const Elf64_Dyn *entries = inside(elf, dynamic->sh_offset, dynamic->sh_size / sizeof(Elf64_Dyn), sizeof(Elf64_Dyn));
    const char *table = inside(elf, strings->sh_offset, strings->sh_size, 1);
    if (!entries || !table)
        return "";
    for (size_t i = 0; i < dynamic->sh_size / sizeof(Elf64_Dyn) && entries[i].d_tag != DT_NULL; i++) {
        const char *name = entries[i].d_tag == DT_NEEDED ? string_at(table, strings->sh_size, entries[i].d_un.d_val) : "";
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            return name;
    }
    return "";
}

static bool check_cudart_name(const struct elf *elf, const char *name, struct error *err)
{
    static const char *const ours[] = { "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", NULL };
    for (size_t i = 0; ours[i]; i++)
        if (strcmp(name, ours[i]) == 0)
            return true;
    return error_set(err,
                     "%s needs %.60s; warpline stands in for libcudart.so.13, .so.12 and .so.11.0: compile it again with a "
                     "later CUDA, or with 'warpline cc'",
                     elf->path, name);
}

/* Containers follow each other in .nv_fatbin, aligned to 8. */
static bool check_fatbins(const struct elf *elf, const Elf64_Shdr *section, struct error *err)
{
    const unsigned char *at = inside(elf, section->sh_offset, section->sh_size, 1);
    if (!at || section->sh_size == 0)
        return true;
    uint32_t magic;
    bool any_text = false, any_entry = false;
    for (size_t left = section->sh_size; left >= 16;) {
        struct fatbin_ptx ptx;
        memcpy(&magic, at, sizeof magic);
        if (magic != FATBIN_MAGIC)
            return true; /* PTX text of clang's, or padding */
        if (!fatbin_read(at, left, &ptx, err)) {
            char reason[512];
            (void)strncpy(reason, err ? err->text : "", sizeof reason - 1);
            reason[sizeof reason - 1] = 0;
            return error_set(err, "%s: %s", elf->path, reason);
        }
        any_entry |= ptx.entries > 0;
        any_text |= ptx.text != NULL;
        free(ptx.text);
        size_t step = (fatbin_size(at) + 7) & ~(size_t)7;
        if (step > left)
            step = left;
        at += step;
        left -= step;
    }
    if (any_entry && !any_text)
        return error_set(err,
                         "%s carries machine code for particular GPUs but no PTX: compile it with "
                         "nvcc -cudart shared -arch=compute_75 (or -gencode arch=compute_75,code=compute_75)",
                         elf->path);
    return true;
}

bool elf_check_bytes(const char *path, const unsigned char *bytes, size_t size, bool *uses_cuda, struct error *err)
{
    struct elf elf = { .path = path, .bytes = bytes, .size = size };
    *uses_cuda = false;
    if (!open_elf(&elf, err))
        return false;
    const char *cudart = needed_library(&elf, "libcudart.so");
    const Elf64_Shdr *fatbin = find_section(&elf, ".nv_fatbin");
    *uses_cuda = cudart[0] != 0;
    if (*uses_cuda && !check_cudart_name(&elf, cudart, err))
        return false;
    if (!*uses_cuda && (fatbin || find_section(&elf, ".nvFatBinSegment")))
        return error_set(err,
                         "%s has the CUDA runtime linked into it, so warpline cannot take its place: link it with "
                         "nvcc -cudart shared -arch=compute_75, or compile it with 'warpline cc'",
                         path);
    return !fatbin || check_fatbins(&elf, fatbin, err);
}

/* The file's bytes; NULL with a sentence. */
static void *map_file(const char *path, size_t *size, struct error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)error_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        (void)close(fd);
        (void)error_set(err, "%s is not a file", path);
        return NULL;
    }
    *size = (size_t)info.st_size;
    void *map = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    (void)close(fd);
    if (map != MAP_FAILED)
        return map;
    (void)error_set(err, "%s is empty or cannot be read", path);
    return NULL;
}

bool elf_check_program(const char *path, bool *uses_cuda, struct error *err)
{
    size_t size;
    void *map = map_file(path, &size, err);
    if (!map)
        return false;
    const bool ok = elf_check_bytes(path, map, size, uses_cuda, err);
    (void)munmap(map, size);
    return ok;
}

bool elf_needs_library(const char *path, const char *const *prefixes, char *name, size_t size)
{
    struct elf elf = { .path = path };
    void *map = map_file(path, &elf.size, NULL);
    if (!map)
        return false;
    elf.bytes = map;
    name[0] = 0;
    if (open_elf(&elf, NULL))
        for (size_t i = 0; prefixes[i] && !name[0]; i++)
            (void)snprintf(name, size, "%s", needed_library(&elf, prefixes[i]));
    (void)munmap(map, elf.size);
    return name[0] != 0;
}

bool elf_uses_loader(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf64_Ehdr header;
    bool found = false;
    if (fd >= 0 && pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header && header.e_phentsize == sizeof(Elf64_Phdr))
        for (unsigned i = 0; i < header.e_phnum && !found; i++) {
            Elf64_Phdr part;
            if (pread(fd, &part, sizeof part, (off_t)(header.e_phoff + i * sizeof part)) != (ssize_t)sizeof part)
                break;
            found = part.p_type == PT_INTERP;
        }
    if (fd >= 0)
        (void)close(fd);
    return found;
}
