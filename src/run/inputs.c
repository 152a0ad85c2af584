/* inputs.c - makes the memory that the watching library writes to, and reads it when the program has ended. */
#include "run/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "run/elf_check.h"

#define WATCH_LIBRARY "libwarpline_watch.so"

struct inputs {
    struct inputs_memory *memory;
    int fd;
    pid_t owner; /* the process whose descriptor the path below names, since the program may close its own */
    char libraries[INPUT_FACT_BYTES], preloaded[INPUT_FACT_BYTES];
};

struct inputs *inputs_new(struct error *err)
{
    struct inputs *in = must_calloc(1, sizeof *in);
    in->owner = getpid();
    in->fd = memfd_create("warpline-inputs", MFD_CLOEXEC);
    void *mapped = in->fd >= 0 && ftruncate(in->fd, sizeof *in->memory) == 0
                       ? mmap(NULL, sizeof *in->memory, PROT_READ | PROT_WRITE, MAP_SHARED, in->fd, 0)
                       : MAP_FAILED;
    if (mapped == MAP_FAILED) {
        (void)error_set_code(err, CODE_INTERNAL, "cannot make the list of the program's inputs: %s", strerror(errno));
        inputs_free(in);
        return NULL;
    }
    in->memory = mapped;
    in->memory->magic = INPUTS_MAGIC;
    if (!getcwd(in->memory->folder, sizeof in->memory->folder))
        in->memory->folder[0] = 0;
    input_fact(INPUT_VARIABLE, "LD_LIBRARY_PATH", in->libraries);
    input_fact(INPUT_VARIABLE, "LD_PRELOAD", in->preloaded);
    return in;
}

void inputs_free(struct inputs *in)
{
    if (!in)
        return;
    if (in->memory)
        (void)munmap(in->memory, sizeof *in->memory);
    if (in->fd >= 0)
        (void)close(in->fd);
    free(in);
}

bool inputs_can_watch(const char *library_dir, struct error *err)
{
    struct text_buffer path = { 0 };
    text_append(&path, "%s/%s", library_dir, WATCH_LIBRARY);
    const bool there = access(path.text, R_OK) == 0;
    if (!there)
        error_set(err,
                  "%s is missing, and without it warpline cannot see what a program reads: build or install all of warpline "
                  "('ninja -C build')",
                  path.text);
    text_buffer_clear(&path);
    return there;
}

void inputs_become_watched(struct inputs *in, const char *library_dir)
{
    struct text_buffer preload = { 0 };
    char path[64];
    const char *old = getenv("LD_PRELOAD");
    in->memory->program = (int32_t)getpid();
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)in->owner, in->fd);
    text_append(&preload, "%s%s%s/%s", old ? old : "", old && *old ? ":" : "", library_dir, WATCH_LIBRARY);
    (void)setenv(INPUTS_ENVIRONMENT, path, 1);
    (void)setenv("LD_PRELOAD", preload.text, 1);
    text_buffer_clear(&preload);
}

struct entry {
    char kind;
    const char *name, *fact;
};

static int by_text(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    const int names = a->kind != b->kind ? a->kind - b->kind : strcmp(a->name, b->name);
    return names ? names : strcmp(a->fact, b->fact);
}

static void add(json_t *list, char kind, const char *name, const char *fact)
{
    json_t *text = json_string(name);
    const bool can_be_told = text != NULL; /* JSON holds only UTF-8. Another name never compares equal, so the program is run
                                            * again */
    (void)json_array_append_new(list, json_pack("[s#, o, s]", &kind, 1, can_be_told ? text : json_string("?"),
                                                can_be_told ? fact : "its name is not UTF-8"));
}

/* False when a record was begun and not ended, or there were too many. */
static bool read_entries(const struct inputs_memory *m, struct entry **entries, size_t *count)
{
    const uint64_t used = m->used < INPUTS_TEXT_BYTES ? m->used : INPUTS_TEXT_BYTES;
    size_t room = 0;
    for (uint64_t at = 0; at < used;) {
        const char kind = m->text[at];
        const char *name = m->text + at + 1, *fact = name + strnlen(name, used - at - 1) + 1;
        if (!kind || fact >= m->text + used)
            return false;
        if (*count == room)
            *entries = must_realloc(*entries, (room = room ? 2 * room : 64) * sizeof **entries);
        (*entries)[(*count)++] = (struct entry){ kind, name, fact };
        at = (uint64_t)(fact - m->text) + strlen(fact) + 1;
    }
    return !m->overflow && m->program_seen;
}

json_t *inputs_json(const struct inputs *in, const char *program, const char *ours_to_pass)
{
    struct entry *entries = NULL;
    size_t count = 0;
    const bool seen = read_entries(in->memory, &entries, &count) && elf_uses_loader(program);
    json_t *list = json_array();
    if (count)
        qsort(entries, count, sizeof *entries, by_text);
    for (size_t i = 0; i < count; i++) {
        char ours[INPUT_FACT_BYTES];
        const struct entry *e = &entries[i];
        const bool of_ours = e->kind == INPUT_VARIABLE || e->kind == INPUT_VARIABLES || e->kind == INPUT_HERE;
        if (of_ours)
            input_fact((enum input_kind)e->kind, e->name, ours);
        if (ours_to_pass && *ours_to_pass && strcmp(e->name, ours_to_pass) == 0) /* the environment and the folder have no name */
            continue;
        if (e->kind != INPUT_VARIABLE || strcmp(ours, e->fact) == 0)
            add(list, e->kind, e->name, of_ours ? ours : e->fact);
    }
    /* These decide which libraries are found. The program sees them as we changed them. */
    add(list, INPUT_VARIABLE, "LD_LIBRARY_PATH", in->libraries);
    add(list, INPUT_VARIABLE, "LD_PRELOAD", in->preloaded);
    free(entries);
    return json_pack("{s:b, s:o}", "seen", seen ? 1 : 0, "list", list);
}
