/* compile.c - `warpline cc`: drives clang over host and device code, and puts the PTX into the host program. */
#include "cuda/compile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cuda/assembly_source.h"
#include "cuda/beside.h"
#include "cuda/compile_job.h"
#include "cuda/device_ir.h"
#include "cuda/library_mend.h"
#include "cuda/link_check.h"
#include "cuda/linked_names.h"
#include "cuda/source_mend.h"
#include "cuda/toolkit.h"

/* Newest first; the plain name is what Debian's `clang` package gives. */
static const char *const clang_names[] = { "clang++",    "clang++-19", "clang++-18", "clang++-17",
                                           "clang++-16", "clang++-15", "clang++-14", NULL };

static bool on_path(const char *program)
{
    const char *path = getenv("PATH");
    char *copy = must_strdup(path ? path : "/usr/bin:/bin"), *state = NULL;
    bool found = false;
    for (char *dir = strtok_r(copy, ":", &state); dir && !found; dir = strtok_r(NULL, ":", &state)) {
        char full[PATH_MAX];
        found = snprintf(full, sizeof full, "%s/%s", dir, program) < (int)sizeof full && access(full, X_OK) == 0;
    }
    free(copy);
    return found;
}

static bool find_clang(struct job *job, struct error *err)
{
    for (size_t i = 0; clang_names[i]; i++)
        if (on_path(clang_names[i])) {
            (void)snprintf(job->clang, sizeof job->clang, "%s", clang_names[i]);
            return true;
        }
    return error_set(err, "clang++ is not on the PATH: install it (apt install clang) to compile CUDA programs");
}

/* Asks clang for its resource folder, in which the wrappers lie. */
static bool find_wrappers(struct job *job, struct error *err)
{
    char command[128];
    (void)snprintf(command, sizeof command, "%s -print-resource-dir", job->clang);
    FILE *pipe = popen(command, "r");
    char line[PATH_MAX / 2] = "";
    if (pipe) {
        if (!fgets(line, sizeof line, pipe))
            line[0] = 0;
        (void)pclose(pipe);
    }
    line[strcspn(line, "\n")] = 0;
    (void)snprintf(job->wrappers, sizeof job->wrappers, "%s/include/cuda_wrappers", line);
    if (line[0] && access(job->wrappers, R_OK) == 0)
        return true;
    return error_set(err, "%s comes without its CUDA headers (%s): install libclang-common-NN-dev of the same version", job->clang,
                     job->wrappers);
}

enum { NEWEST_ARCH = 86 }; /* that clang 14 knows */

static unsigned arch_number(const char *arch)
{
    const char *digits = strpbrk(arch, "0123456789");
    return digits ? (unsigned)strtoul(digits, NULL, 10) : 0;
}

/* A program may do something else there, or nothing, and would not say so itself. */
static void tell_of_newer_arch(const struct job *job)
{
    if (job->arch && arch_number(job->arch) > NEWEST_ARCH)
        (void)fprintf(stderr,
                      "warpline: note: -arch=%s is compiled as sm_%d, the newest that clang knows: code for __CUDA_ARCH__ > %d0 is "
                      "left out\n",
                      job->arch, NEWEST_ARCH, NEWEST_ARCH);
}

/* compute_NN and sm_NN name the same virtual machine; clang's begin with sm_35. */
static bool check_arch(struct job *job, char text[32], struct error *err)
{
    unsigned number = 70; /* the first with match and independent thread scheduling; PTX that everything here can run */
    if (job->arch) {
        const bool any = strcmp(job->arch, "native") == 0 || strcmp(job->arch, "all") == 0 || strcmp(job->arch, "all-major") == 0;
        if (!any)
            number = arch_number(job->arch);
        if (number > NEWEST_ARCH)
            number = NEWEST_ARCH;
        if (number >= 10 && number < 35)
            number = 35; /* clang's oldest; programs written for older ones run on it */
        if (number < 35)
            return error_set_code(err, CODE_USAGE, "-arch=%s: expected sm_35 or later", job->arch);
    }
    (void)snprintf(text, 32, "--cuda-gpu-arch=sm_%u", number);
    return true;
}

/* The part of the command that host and device passes share. */
static bool cuda_base(struct job *job, struct words *command, struct error *err)
{
    char arch[32], list[64], standard[64];
    if (!check_arch(job, arch, err))
        return false;
    (void)snprintf(list, sizeof list, "-D__CUDA_ARCH_LIST__=%s0", strrchr(arch, '_') + 1); /* nvcc's, for both sides */
    (void)snprintf(standard, sizeof standard, "-std=%s", job->standard ? job->standard : "c++17");
    static const char *const fixed[] = { "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
                                         "-target-sdk-version=11.0", "-Wno-unknown-cuda-version",
                                         "-Wno-unused-command-line-argument",
                                         /* nvcc only warns about register, "%d"NAME and uchar4{1.5f}, or says nothing */
                                         "-Wno-register", "-Wno-reserved-user-defined-literal", "-Wno-c++11-narrowing",
                                         /* nor of f(...) on the device that is only declared, to ask what a type can do */
                                         "-Xclang", "-fcuda-allow-variadic-functions", NULL };
    words_add(command, job->clang);
    words_add_list(command, fixed);
    words_add_list(command,
                   (const char *const[]){ arch, list, standard, "-O2", NULL }); /* a -O of the user's comes later and wins */
    words_add_all(command, &job->flags);
    words_add_list(command, (const char *const[]){ "-isystem", job->places.include_dir, "-isystem", job->wrappers, "-include",
                                                   "cuda_runtime_prelude.h", NULL });
    return true;
}

/* Without an SDK to look at, clang would take the oldest PTX version that knows the architecture, which has no shfl.sync. */
static void add_ptx_version(struct words *command)
{
    words_add_list(command, (const char *const[]){ "-Xclang", "-target-feature", "-Xclang", "+ptx72", NULL });
}

void object_id(const char *source, const char *object, char id[32])
{
    const char *slash = strrchr(object, '/'); /* the folder may be a scratch one, with another name each time */
    const uint64_t hash = hash_combine(hash_text(source), hash_text(slash ? slash : object));
    (void)snprintf(id, 32, "%016llx", (unsigned long long)hash);
}

static void add_linking(const struct job *job, struct words *command, const char *id)
{
    char text[64];
    if (!job->linked)
        return;
    (void)snprintf(text, sizeof text, "-cuid=%s", id);
    words_add(command, "-fgpu-rdc");
    words_add(command, text);
}

/* Files that say what was read are written once, by the host's pass. */
static void drop_dependencies(struct words *command)
{
    size_t kept = 0;
    for (size_t i = 0; i < command->count; i++) {
        const char *word = command->word[i];
        const bool drop = strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 || strcmp(word, "-MP") == 0 ||
                          strcmp(word, "-MF") == 0 || strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0;
        const size_t taken = drop && takes_value(word) && i + 1 < command->count ? 2 : 1;
        for (size_t k = 0; k < taken; k++)
            if (drop)
                free(command->word[i + k]);
            else
                command->word[kept++] = command->word[i];
        i += taken - 1;
    }
    command->count = kept;
    command->word[kept] = NULL;
}

static bool add_mended(struct job *job, const char *source, struct words *command, struct error *err)
{
    return source_mend_flags(job, source, command, err) && library_mend_flags(job, command, err);
}

/* From the source to intermediate code as clang first writes it, before any optimisation. */
static bool translate_device(struct job *job, const char *source, const char *id, const char *ir, struct error *err)
{
    struct words command = { 0 };
    if (!cuda_base(job, &command, err) || !add_mended(job, source, &command, err))
        return false;
    drop_dependencies(&command);
    add_linking(job, &command, id);
    add_ptx_version(&command);
    words_add_list(&command, (const char *const[]){ "--cuda-device-only", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
                                                    "-o", ir, source, NULL });
    return words_run(&command, job->verbose, err);
}

/* True when products and sums may become one instruction: as with nvcc, unless the user says otherwise. For intermediate code
 * clang does not ask. */
static bool may_contract(const struct job *job)
{
    bool may = true;
    for (size_t i = 0; i < job->flags.count; i++)
        if (strncmp(job->flags.word[i], "-ffp-contract=", 14) == 0)
            may = strcmp(job->flags.word[i] + 14, "fast") == 0;
        else if (strcmp(job->flags.word[i], "-O0") == 0)
            may = false;
    return may;
}

/* From intermediate code to PTX. The user's flags are given again, since some of them steer the optimiser. */
static bool optimise_device(struct job *job, const char *ir, const char *ptx, struct error *err)
{
    struct words command = { 0 };
    char arch[32];
    if (!check_arch(job, arch, err))
        return false;
    words_add(&command, job->clang);
    static const char *const first[] = { "-x",
                                         "ir",
                                         "--target=nvptx64-nvidia-cuda",
                                         "-Qunused-arguments",
                                         "-fno-dwarf-directory-asm",
                                         "-O2",
                                         "-mllvm",
                                         "-enable-memcpyopt-without-libcalls",
                                         "-Xclang",
                                         "-target-cpu",
                                         "-Xclang",
                                         NULL };
    words_add_list(&command, first);
    words_add(&command, strchr(arch, '=') + 1);
    words_add(&command, "-mllvm");
    words_add(&command, may_contract(job) ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0");
    add_ptx_version(&command);
    for (size_t i = 0; i < job->flags.count; i++) {
        const char *flag = job->flags.word[i];
        if (strncmp(flag, "-M", 2) != 0 && strcmp(flag, "-include") != 0)
            words_add(&command, flag);
        else if (takes_value(flag))
            i++;
    }
    words_add_list(&command, (const char *const[]){ "-S", "-o", ptx, ir, NULL });
    return words_run(&command, job->verbose, err);
}

/* Rewrites a text that clang left in the scratch folder. */
static bool mend_file(const char *path, void (*mend)(const char *text, struct text_buffer *out), struct error *err)
{
    size_t length;
    struct text_buffer out = { 0 };
    char *text = text_read_file(path, (size_t)1 << 30, &length, err);
    if (!text)
        return false;
    mend(text, &out);
    const bool ok = atomic_file_write(path, out.text, out.length, err);
    free(text);
    text_buffer_clear(&out);
    return ok;
}

/* "dir/a.cu" becomes "a<suffix>". */
static void object_name(const char *source, const char *suffix, char out[PATH_MAX])
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    (void)snprintf(out, PATH_MAX, "%.*s%s", (int)(strlen(name) - strlen(suffix_of(name))), name, suffix);
}

/* A file of this number in the scratch folder. */
static void scratch_name(const struct job *job, size_t number, const char *suffix, char out[PATH_MAX + 32])
{
    (void)snprintf(out, PATH_MAX + 32, "%s/%zu%s", job->scratch, number, suffix);
}

static bool compile_device(struct job *job, const char *source, size_t number, const char *id, const char *ptx, struct error *err)
{
    char ir[PATH_MAX + 32];
    scratch_name(job, number, ".ll", ir);
    return translate_device(job, source, id, ir, err) &&
           mend_file(ir, job->ptx_only ? device_ir_mend_alone : device_ir_mend, err) && optimise_device(job, ir, ptx, err) &&
           (!job->linked || mend_file(ptx, linked_names_mend, err));
}

/* A file that is compiled alone must define all the device code that it names. */
static bool check_alone(const char *source, const char *ptx, struct error *err)
{
    size_t length;
    char *text = text_read_file(ptx, (size_t)1 << 30, &length, err);
    if (!text)
        return false;
    struct link_check *check = link_check_new();
    link_check_add(check, source, text, length, false);
    const bool ok = link_check_end(check, "device code of several files is linked with -rdc=true", err);
    link_check_free(check);
    free(text);
    return ok;
}

/* Gives clang the names that it would otherwise take from its output file, which is often an intermediate one. */
static void add_dependencies(const struct job *job, struct words *command, const char *source, const char *object)
{
    char list[PATH_MAX + 32];
    if (!words_have(&job->flags, "-MD", "-MMD"))
        return;
    object_name(source, ".d", list);
    if (job->compile_only) /* beside it */
        (void)snprintf(list, sizeof list, "%.*s.d", (int)(strlen(object) - strlen(suffix_of(object))), object);
    if (!words_have(&job->flags, "-MF", "-MF"))
        words_add_list(command, (const char *const[]){ "-MF", list, NULL });
    if (!words_have(&job->flags, "-MT", "-MQ"))
        words_add_list(command, (const char *const[]){ "-MT",
                                                       job->compile_only ? object
                                                       : job->output     ? job->output
                                                                         : "a.out",
                                                       NULL });
}

/* Old programs overflow ints, test whether `this` is NULL, and forget to return a value. nvcc gives host code to g++, which
 * mostly tolerates this. clang assumes that none of it can happen. */
static void add_host_habits(struct words *command)
{
    words_add_list(command, (const char *const[]){ "-fwrapv", "-fno-delete-null-pointer-checks", "-fno-strict-return", NULL });
}

/* The command of the host's pass. `out` is the object, or assembly on the way to it. */
static bool host_pass(struct job *job, const char *source, const char *id, const char *ptx, const char *object, const char *out,
                      struct words *command, struct error *err)
{
    if (!cuda_base(job, command, err) || !add_mended(job, source, command, err))
        return false;
    add_linking(job, command, id);
    add_dependencies(job, command, source, object);
    add_host_habits(command);
    if (job->to_cxx) /* assembly for GNU's assembler, which a program or a library may be made of, inside another file */
        words_add_list(command, (const char *const[]){ "-fno-integrated-as", "-fno-addrsig", "-fPIC", "-g0", NULL });
    words_add_list(command, (const char *const[]){ "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx,
                                                   out == object ? "-c" : "-S", "-o", out, source, NULL });
    return true;
}

static bool assemble(struct job *job, const char *assembly, const char *object, struct error *err)
{
    struct words command = { 0 };
    words_add_list(&command, (const char *const[]){ job->clang, "-c", "-x", "assembler", "-o", object, assembly, NULL });
    return words_run(&command, job->verbose, err);
}

/* The device's pass, and the check of what it made. */
static bool make_ptx(struct job *job, const char *source, size_t number, const char *id, const char *ptx, struct error *err)
{
    return compile_device(job, source, number, id, ptx, err) && (job->linked || check_alone(source, ptx, err));
}

/* Both passes side by side: the host's waits for the PTX when it has read the source. Its messages come behind the device's, which
 * are mostly the same. */
static bool compile_passes(struct job *job, const char *source, size_t number, const char *id, const char *object, const char *out,
                           struct error *err)
{
    struct beside host;
    struct words command = { 0 };
    char ptx[PATH_MAX + 32];
    scratch_name(job, number, ".ptx", ptx);
    if (!beside_prepare(&host, job->scratch, number))
        return make_ptx(job, source, number, id, ptx, err) && host_pass(job, source, id, ptx, object, out, &command, err) &&
               words_run(&command, job->verbose, err);
    if (!host_pass(job, source, id, host.pipe, object, out, &command, err))
        return false;
    if (terminal_has_colour(stderr)) /* clang sees a file there */
        words_add(&command, "-fcolor-diagnostics");
    if (!beside_start(&host, &command, job->verbose, err))
        return false;
    if (make_ptx(job, source, number, id, ptx, err))
        return beside_end(&host, ptx, err);
    beside_stop(&host);
    return false;
}

/* -cuda: `out` is C++ for the host's compiler. */
static bool write_cxx(struct job *job, const char *source, size_t number, const char *id, const char *out, struct error *err)
{
    char assembly[PATH_MAX + 32]; /* clang is to write `out`, but assembly */
    (void)snprintf(assembly, sizeof assembly, "%s", out);
    return compile_passes(job, source, number, id, out, assembly, err) &&
           (!job->linked || mend_file(out, linked_names_mend, err)) && mend_file(out, assembly_source, err);
}

static bool compile_cuda(struct job *job, const char *source, size_t number, const char *object, struct error *err)
{
    char assembly[PATH_MAX + 32], id[32];
    object_id(source, object, id);
    scratch_name(job, number, ".s", assembly);
    if (job->to_cxx)
        return write_cxx(job, source, number, id, object, err);
    if (!job->linked)
        return compile_passes(job, source, number, id, object, object, err);
    return compile_passes(job, source, number, id, object, assembly, err) && mend_file(assembly, linked_names_mend, err) &&
           assemble(job, assembly, object, err);
}

/* -E and -M: what clang says of the host's side. */
static bool show_source(struct job *job, struct error *err)
{
    for (size_t i = 0; i < job->sources.count; i++) {
        struct words command = { 0 };
        if (!cuda_base(job, &command, err))
            return false;
        words_add(&command, "--cuda-host-only");
        if (job->output)
            words_add_list(&command, (const char *const[]){ "-o", job->output, NULL });
        words_add(&command, job->sources.word[i]);
        if (!words_run(&command, job->verbose, err))
            return false;
    }
    return true;
}

static bool compile_host(struct job *job, const char *source, const char *object, struct error *err)
{
    struct words command = { 0 };
    char standard[64];
    words_add(&command, job->clang);
    if (strcmp(suffix_of(source), ".c") == 0) {
        words_add_list(&command, (const char *const[]){ "-x", "c", NULL });
    } else if (job->standard) {
        (void)snprintf(standard, sizeof standard, "-std=%s", job->standard);
        words_add(&command, standard);
    }
    words_add(&command, "-O2");
    add_host_habits(&command);
    words_add_list(&command,
                   (const char *const[]){ "-Wno-register", "-Wno-reserved-user-defined-literal", "-Wno-c++11-narrowing", NULL });
    words_add_all(&command, &job->flags);
    add_dependencies(job, &command, source, object);
    words_add_list(&command, (const char *const[]){ "-isystem", job->places.include_dir, "-c", "-o", object, source, NULL });
    return words_run(&command, job->verbose, err);
}

static bool compile_sources(struct job *job, struct error *err)
{
    job->given_objects = job->objects.count;
    for (size_t i = 0; i < job->sources.count; i++) {
        const char *source = job->sources.word[i];
        char object[PATH_MAX + 32];
        if (job->compile_only && job->output)
            (void)snprintf(object, sizeof object, "%s", job->output);
        else if (job->compile_only)
            object_name(source, job->to_cxx ? ".cu.cpp.ii" : ".o", object);
        else
            scratch_name(job, i, ".o", object);
        const bool is_c = strcmp(suffix_of(source), ".c") == 0;
        const bool is_cuda =
            job->all_cuda || strcmp(suffix_of(source), ".cu") == 0 || (!is_c && source_uses_libraries(job, source));
        if (!(is_cuda ? compile_cuda(job, source, i, object, err) : compile_host(job, source, object, err)))
            return false;
        words_add(&job->objects, object);
    }
    return true;
}

/* The PTX of one file. If clang did not finish, what it left is removed. */
static bool write_ptx(struct job *job, struct error *err)
{
    char name[PATH_MAX];
    if (job->sources.count != 1 || (strcmp(suffix_of(job->sources.word[0]), ".cu") != 0 && !job->all_cuda))
        return error_set_code(err, CODE_USAGE, "%s takes one .cu file", job->fatbin ? "-fatbin" : "-ptx");
    object_name(job->sources.word[0], job->fatbin ? ".fatbin" : ".ptx", name);
    const char *ptx = job->output ? job->output : name;
    const bool ok = compile_device(job, job->sources.word[0], 0, "0", ptx, err);
    if (!ok && job->linked)
        (void)unlink(ptx);
    return ok;
}

static bool make_scratch(struct job *job, struct error *err)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(job->scratch, sizeof job->scratch, "%s/warpline-cc-XXXXXX", base && base[0] ? base : "/tmp");
    if (mkdtemp(job->scratch))
        return true;
    const int reason = errno;
    job->scratch[0] = 0;
    return error_set(err, "cannot make a folder for intermediate files under %s: %s", base && base[0] ? base : "/tmp",
                     strerror(reason));
}

static void remove_scratch(const struct job *job)
{
    DIR *folder = job->scratch[0] ? opendir(job->scratch) : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        (void)closedir(folder);
    if (job->scratch[0])
        (void)rmdir(job->scratch);
}

static bool compile_all(struct job *job, struct error *err)
{
    if (job->toolkit && (job->verbose || job->dry_run))
        toolkit_say_places(job);
    if (job->dry_run)
        return job->toolkit ||
               error_set_code(err, CODE_USAGE,
                              "-dryrun is answered by the nvcc that --toolkit makes; -v shows the compiler's commands");
    if (job->say_version && find_clang(job, err))
        return toolkit_say_version(job), true;
    if (job->new_toolkit)
        return cuda_places_find(&job->places, err) && toolkit_make(job, job->new_toolkit, err);
    if (job->sources.count == 0 && job->objects.count == 0)
        return error_set_code(err, CODE_USAGE, "no input files: warpline cc FILE.cu -o PROGRAM");
    if (job->compile_only && job->output && job->sources.count > 1)
        return error_set_code(err, CODE_USAGE, "-o with -c takes one source file, not %zu", job->sources.count);
    if (!find_clang(job, err) || !find_wrappers(job, err) || !cuda_places_find(&job->places, err))
        return false;
    if (job->to_screen)
        return show_source(job, err);
    if (!make_scratch(job, err))
        return false;
    job->ptx_only |= job->fatbin;
    if (job->ptx_only)
        return write_ptx(job, err);
    if (job->sources.count)
        tell_of_newer_arch(job);
    if (!compile_sources(job, err))
        return false;
    if (job->compile_only)
        return true;
    return job->device_link ? make_device_link(job, err) : job->archive ? make_archive(job, err) : link_program(job, err);
}

enum exit_code cuda_compile(char *const *arguments, size_t count, struct error *err)
{
    struct job job = { 0 };
    words_hold_signals();
    const bool ok = compile_job_read(&job, arguments, count, err) && compile_all(&job, err);
    remove_scratch(&job);
    words_release_signals();
    words_clear(&job.sources);
    words_clear(&job.objects);
    words_clear(&job.flags);
    words_clear(&job.link_flags);
    words_clear(&job.options);
    return ok ? CODE_OK : err->code;
}
