/* link_step.c - the last step of `warpline cc`: objects become a program, an archive, or the object of -dlink.
 *
 * Device code is linked when the program loads it (runtime/modules.c). Here it is only checked that everything it names is
 * there, as nvcc's device linker does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/compile_job.h"
#include "cuda/link_check.h"

/* The file's bytes when it has device code to be linked, NULL otherwise. The caller frees. */
static char *read_linked_code(const char *file, size_t *length)
{
    static const char mark[] = "__cudaWarplineLinked";
    struct error ignored = { 0 };
    char *bytes = access(file, R_OK) == 0 ? text_read_file(file, (size_t)1 << 30, length, &ignored) : NULL;
    if (bytes && memmem(bytes, *length, mark, sizeof mark - 1))
        return bytes;
    free(bytes);
    return NULL;
}

static bool is_archive(const char *file)
{
    return strcmp(suffix_of(file), ".a") == 0;
}

/* All members of archives with device code to be linked are taken, because the host's linker sees only what the host's code
 * names. */
static bool is_linked_archive(const char *file)
{
    size_t length;
    char *bytes = is_archive(file) ? read_linked_code(file, &length) : NULL;
    free(bytes);
    return bytes != NULL;
}

/* For an object that -dlink left, with the members of archives in it. */
#define DEVICE_LINK_MARK "__cudaWarplineDeviceLink_"
static bool is_device_link(const char *bytes, size_t length)
{
    return memmem(bytes, length, DEVICE_LINK_MARK, sizeof DEVICE_LINK_MARK - 1) != NULL;
}

static bool has_device_link(const struct words *objects)
{
    bool found = false;
    for (size_t i = 0; i < objects->count && !found; i++) {
        size_t length;
        char *bytes = strcmp(suffix_of(objects->word[i]), ".o") == 0 ? read_linked_code(objects->word[i], &length) : NULL;
        found = bytes && is_device_link(bytes, length);
        free(bytes);
    }
    return found;
}

static const char *library_name(const char *flag)
{
    return strncmp(flag, "-l", 2) == 0 ? flag + 2 : NULL;
}

/* The archive that -lNAME means, when one of the -L folders has it. */
static bool find_archive(const struct words *flags, const char *name, char file[PATH_MAX])
{
    for (size_t i = 0; i < flags->count; i++)
        if (strncmp(flags->word[i], "-L", 2) == 0 && snprintf(file, PATH_MAX, "%s/lib%s.a", flags->word[i] + 2, name) < PATH_MAX &&
            access(file, R_OK) == 0)
            return true;
    return false;
}

/* The libraries of the toolkit bring kernels as machine code, which cannot be simulated. */
static bool refuse_libraries(const struct words *flags, struct error *err)
{
    static const char *const known[] = { "cublas", "cusparse", "cusolver", "cutensor",  "cudnn",  "nvrtc", "npp",
                                         "nvjpeg", "nccl",     "cupti",    "nvidia-ml", "cufile", NULL };
    for (size_t i = 0; i < flags->count; i++) {
        const char *name = library_name(flags->word[i]);
        for (size_t k = 0; name && known[k]; k++)
            if (strncmp(name, known[k], strlen(known[k])) == 0)
                return error_set(err,
                                 "-l%s: the libraries of NVIDIA's toolkit are not here, nor can they be simulated; write its "
                                 "kernels out in CUDA",
                                 name);
    }
    return true;
}

/* How a message names the object: by its source, if it is only a step in between. */
static const char *name_of(const struct job *job, size_t object)
{
    return object < job->given_objects ? job->objects.word[object] : job->sources.word[object - job->given_objects];
}

/* Checks that every device function and variable that the objects name is defined, and only once. */
static bool check_device_code(const struct job *job, struct error *err)
{
    struct link_check *check = link_check_new();
    char file[PATH_MAX];
    size_t length;
    for (size_t i = 0; i < job->objects.count; i++) {
        char *bytes = read_linked_code(job->objects.word[i], &length);
        if (bytes)
            link_check_add(check, name_of(job, i), bytes, length,
                           is_archive(job->objects.word[i]) || is_device_link(bytes, length));
        free(bytes);
    }
    for (size_t i = 0; i < job->link_flags.count; i++) {
        const char *name = library_name(job->link_flags.word[i]);
        char *bytes = name && find_archive(&job->link_flags, name, file) ? read_linked_code(file, &length) : NULL;
        if (bytes)
            link_check_add(check, file, bytes, length, true);
        free(bytes);
    }
    const bool ok = link_check_end(check, "name the file or library that does on the command line", err);
    link_check_free(check);
    return ok;
}

bool make_archive(struct job *job, struct error *err)
{
    struct words command = { 0 };
    words_add_list(&command, (const char *const[]){ "ar", "rcs", job->output ? job->output : "a.a", NULL });
    words_add_all(&command, &job->objects);
    return words_run(&command, job->verbose, err);
}

static void add_library(struct words *command, const char *library, bool whole)
{
    if (whole)
        words_add(command, "-Wl,--whole-archive");
    words_add(command, library);
    if (whole)
        words_add(command, "-Wl,--no-whole-archive");
}

/* The archive with device code to be linked that a flag names. */
static bool names_linked_archive(const struct words *flags, const char *flag, char file[PATH_MAX])
{
    const char *name = library_name(flag);
    return name && find_archive(flags, name, file) && is_linked_archive(file);
}

/* The object that nvcc's device linker would leave. It holds those members of the named archives that have device code to be
 * linked. Another linker than ours may make the program, and would take only the members that the host's code names. */
bool make_device_link(struct job *job, struct error *err)
{
    const char *const out = job->output ? job->output : "a_dlink.o";
    struct words command = { 0 }, libraries = { 0 };
    char id[32], mark[96], file[PATH_MAX];
    if (!check_device_code(job, err))
        return false;
    for (size_t i = 0; i < job->objects.count; i++)
        if (is_linked_archive(job->objects.word[i]))
            add_library(&libraries, job->objects.word[i], true);
    for (size_t i = 0; i < job->link_flags.count; i++)
        if (names_linked_archive(&job->link_flags, job->link_flags.word[i], file))
            add_library(&libraries, file, true);
    object_id("", out, id);
    (void)snprintf(mark, sizeof mark, "-Wl,--defsym=" DEVICE_LINK_MARK "%s=0", id);
    if (libraries.count)
        words_add_list(&command, (const char *const[]){ job->clang, "-r", "-nostdlib", "-o", out, mark, NULL });
    else
        words_add_list(&command, (const char *const[]){ job->clang, "-c", "-x", "c", "-o", out, "/dev/null", NULL });
    words_add_all(&command, &libraries);
    words_clear(&libraries);
    return words_run(&command, job->verbose, err);
}

/* Of host code that another compiler made: see compile_library() in toolkit.c. Archives hold what is asked of them alone. */
static void add_toolkit_libraries(const struct job *job, struct words *command)
{
    static const char *const names[] = { "cublas", "cufft" };
    char file[PATH_MAX + 32];
    for (size_t i = 0; job->toolkit && i < sizeof names / sizeof *names; i++) {
        (void)snprintf(file, sizeof file, "%s/lib64/lib%s.a", job->toolkit, names[i]);
        if (access(file, R_OK) == 0)
            words_add(command, file);
    }
}

bool link_program(struct job *job, struct error *err)
{
    struct words command = { 0 };
    char library[PATH_MAX + 32], rpath[PATH_MAX + 64], file[PATH_MAX];
    if (!refuse_libraries(&job->link_flags, err) || !check_device_code(job, err))
        return false;
    (void)snprintf(library, sizeof library, "%s/libcudart.so.13", job->places.library_dir);
    /* The program finds our library when started alone; LD_LIBRARY_PATH, which `warpline run` sets, goes before it. */
    (void)snprintf(rpath, sizeof rpath, "-Wl,--enable-new-dtags,-rpath,%s", job->places.library_dir);
    words_add_list(&command, (const char *const[]){ job->clang, "-o", job->output ? job->output : "a.out", NULL });
    const bool done = has_device_link(&job->objects);
    /* Archives come behind the objects that need them, wherever the command line names them: sources have become objects
     * meanwhile. */
    for (int archives = 0; archives < 2; archives++)
        for (size_t i = 0; i < job->objects.count; i++)
            if (is_archive(job->objects.word[i]) == (archives == 1))
                add_library(&command, job->objects.word[i], !done && is_linked_archive(job->objects.word[i]));
    words_add_list(&command, (const char *const[]){ library, rpath, NULL });
    /* From a single link CMake reads in the linker's command where libraries lie; from a whole build it reads
     * toolkit_say_places(). */
    if (job->toolkit && job->verbose && job->sources.count == 0) {
        (void)snprintf(library, sizeof library, "-L%.*s/lib64", PATH_MAX, job->toolkit);
        words_add_list(&command, (const char *const[]){ library, "-v", NULL });
    }
    for (size_t i = 0; i < job->link_flags.count; i++)
        add_library(&command, job->link_flags.word[i],
                    !done && names_linked_archive(&job->link_flags, job->link_flags.word[i], file));
    add_toolkit_libraries(job, &command);
    return words_run(&command, job->verbose, err);
}
