#include "cuda/compile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "cuda/compile_job.h"
#include "cuda/device_ir.h"
#include "cuda/linked_names.h"
#include "cuda/toolkit.h"

/* Newest first; the plain name is what Debian's `clang` package gives. */
static const char *const clang_names[] = { "clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15",
                                           "clang++-14", NULL };

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

/* Runs the command and waits. True when it ended with 0; what it printed has gone to our stderr. */
static bool run_command(const struct job *job, const struct words *command, struct error *err)
{
    if (job->verbose) {
        for (size_t i = 0; i < command->count; i++)
            (void)fprintf(stderr, "%s%s", i ? " " : "", command->word[i]);
        (void)fputc('\n', stderr);
    }
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return error_set_code(err, CODE_INTERNAL, "cannot start %s: %s", command->word[0], strerror(errno));
    if (child == 0) {
        execvp(command->word[0], command->word);
        (void)fprintf(stderr, "warpline: cannot run %s: %s\n", command->word[0], strerror(errno));
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return error_set_code(err, CODE_INTERNAL, "lost track of %s: %s", command->word[0], strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFSIGNALED(status))
        return error_set(err, "%s was ended by signal %d", command->word[0], WTERMSIG(status));
    return error_set(err, "%s refused the program (its messages are above)", command->word[0]);
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

/* compute_NN and sm_NN name the same virtual machine; clang 14 knows sm_35 to sm_86. */
static bool check_arch(struct job *job, char text[32], struct error *err)
{
    unsigned number = 70; /* the first with match and independent thread scheduling; PTX that everything here can run */
    if (job->arch) {
        const char *digits = strpbrk(job->arch, "0123456789");
        const bool any = strcmp(job->arch, "native") == 0 || strcmp(job->arch, "all") == 0 || strcmp(job->arch, "all-major") == 0;
        if (!any)
            number = digits ? (unsigned)strtoul(digits, NULL, 10) : 0;
        if (number > 86)
            number = 86;
        if (number >= 10 && number < 35)
            number = 35; /* clang's oldest; what was written for less runs on it */
        if (number < 35)
            return error_set_code(err, CODE_USAGE, "-arch=%s: expected sm_35 or later", job->arch);
    }
    (void)snprintf(text, 32, "--cuda-gpu-arch=sm_%u", number);
    return true;
}

/* The part of the command that host and device passes share. */
static bool cuda_base(struct job *job, struct words *command, struct error *err)
{
    char arch[32], standard[64];
    if (!check_arch(job, arch, err))
        return false;
    (void)snprintf(standard, sizeof standard, "-std=%s", job->standard ? job->standard : "c++17");
    static const char *const fixed[] = { "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
                                         "-target-sdk-version=11.0", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument", NULL };
    words_add(command, job->clang);
    for (size_t i = 0; fixed[i]; i++)
        words_add(command, fixed[i]);
    words_add(command, arch);
    words_add(command, standard);
    words_add(command, "-O2"); /* a -O of the user's comes later and wins */
    words_add_all(command, &job->flags);
    words_add(command, "-isystem");
    words_add(command, job->places.include_dir);
    words_add(command, "-isystem");
    words_add(command, job->wrappers);
    words_add(command, "-include");
    words_add(command, "cuda_runtime_prelude.h");
    return true;
}

/* Without an SDK to look at, clang would take the oldest PTX version that knows the architecture, which has no shfl.sync. */
static void add_ptx_version(struct words *command)
{
    static const char *const version[] = { "-Xclang", "-target-feature", "-Xclang", "+ptx72", NULL };
    for (size_t i = 0; version[i]; i++)
        words_add(command, version[i]);
}

/* What tells an object from others it is linked with: the same source may be compiled twice. */
static void object_id(const char *source, const char *object, char id[32])
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
        const bool drop = strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 || strcmp(word, "-MP") == 0 || strcmp(word, "-MF") == 0 ||
                          strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0;
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

/* From the source to intermediate code as clang first writes it, before any optimisation. */
static bool translate_device(struct job *job, const char *source, const char *id, const char *ir, struct error *err)
{
    struct words command = { 0 };
    bool ok = cuda_base(job, &command, err);
    drop_dependencies(&command);
    add_linking(job, &command, id);
    if (ok) {
        static const char *const last[] = { "--cuda-device-only", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", NULL };
        add_ptx_version(&command);
        for (size_t i = 0; last[i]; i++)
            words_add(&command, last[i]);
        words_add(&command, ir);
        words_add(&command, source);
        ok = run_command(job, &command, err);
    }
    words_clear(&command);
    return ok;
}

/* May products and sums become one instruction? As for nvcc, unless the user says otherwise; of intermediate code clang asks nobody. */
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

/* From intermediate code to PTX. The user's flags are said again, since some of them steer the optimiser. */
static bool optimise_device(struct job *job, const char *ir, const char *ptx, struct error *err)
{
    struct words command = { 0 };
    char arch[32];
    if (!check_arch(job, arch, err))
        return false;
    words_add(&command, job->clang);
    static const char *const first[] = { "-x", "ir", "--target=nvptx64-nvidia-cuda", "-Qunused-arguments", "-fno-dwarf-directory-asm",
                                         "-O2", "-mllvm", "-enable-memcpyopt-without-libcalls", "-Xclang", "-target-cpu", "-Xclang", NULL };
    for (size_t i = 0; first[i]; i++)
        words_add(&command, first[i]);
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
    words_add(&command, "-S");
    words_add(&command, "-o");
    words_add(&command, ptx);
    words_add(&command, ir);
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
    return ok;
}

static bool compile_device(struct job *job, const char *source, const char *id, const char *ptx, struct error *err)
{
    char ir[PATH_MAX + 160];
    (void)snprintf(ir, sizeof ir, "%s.ll", ptx);
    const bool ok = translate_device(job, source, id, ir, err) && device_ir_mend_file(ir, err) && optimise_device(job, ir, ptx, err) &&
                    (!job->linked || linked_names_mend_file(ptx, err));
    (void)unlink(ir);
    return ok;
}

static bool has_word(const struct words *words, const char *one, const char *other)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->word[i], one) == 0 || strcmp(words->word[i], other) == 0)
            return true;
    return false;
}

/* `out` is the object, or assembly on the way to it. */
static bool compile_cuda_host(struct job *job, const char *source, const char *id, const char *ptx, const char *object, const char *out,
                              struct error *err)
{
    const char *const kind = strcmp(out, object) == 0 ? "-c" : "-S";
    struct words command = { 0 };
    bool ok = cuda_base(job, &command, err);
    if (ok) {
        static const char *const last[] = { "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL };
        add_linking(job, &command, id);
        for (size_t i = 0; last[i]; i++)
            words_add(&command, last[i]);
        words_add(&command, ptx);
        words_add(&command, kind);
        words_add(&command, "-o");
        words_add(&command, out);
        if (strcmp(out, object) != 0 && has_word(&job->flags, "-MD", "-MMD") && !has_word(&job->flags, "-MT", "-MQ")) {
            words_add(&command, "-MT");
            words_add(&command, object);
        }
        words_add(&command, source);
        ok = run_command(job, &command, err);
    }
    words_clear(&command);
    return ok;
}

static bool assemble(struct job *job, const char *assembly, const char *object, struct error *err)
{
    const char *const words[] = { job->clang, "-c", "-x", "assembler", "-o", object, assembly, NULL };
    struct words command = { 0 };
    for (size_t i = 0; words[i]; i++)
        words_add(&command, words[i]);
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
    return ok;
}

static bool compile_cuda(struct job *job, const char *source, const char *object, struct error *err)
{
    char ptx[PATH_MAX + 128], assembly[PATH_MAX + 128], id[32];
    object_id(source, object, id);
    (void)snprintf(ptx, sizeof ptx, "%s.ptx", object);
    (void)snprintf(assembly, sizeof assembly, "%s.s", object);
    words_add(&job->made, ptx);
    if (!compile_device(job, source, id, ptx, err))
        return false;
    if (!job->linked)
        return compile_cuda_host(job, source, id, ptx, object, object, err);
    words_add(&job->made, assembly);
    return compile_cuda_host(job, source, id, ptx, object, assembly, err) && linked_names_mend_file(assembly, err) &&
           assemble(job, assembly, object, err);
}

/* -E and -M: what clang says of the host's side. */
static bool show_source(struct job *job, struct error *err)
{
    for (size_t i = 0; i < job->sources.count; i++) {
        struct words command = { 0 };
        bool ok = cuda_base(job, &command, err);
        words_add(&command, "--cuda-host-only");
        if (job->output) {
            words_add(&command, "-o");
            words_add(&command, job->output);
        }
        words_add(&command, job->sources.word[i]);
        ok = ok && run_command(job, &command, err);
        words_clear(&command);
        if (!ok)
            return false;
    }
    return true;
}

static bool compile_host(struct job *job, const char *source, const char *object, struct error *err)
{
    struct words command = { 0 };
    words_add(&command, job->clang);
    if (strcmp(suffix_of(source), ".c") == 0) {
        words_add(&command, "-x");
        words_add(&command, "c");
    } else if (job->standard) {
        char standard[64];
        (void)snprintf(standard, sizeof standard, "-std=%s", job->standard);
        words_add(&command, standard);
    }
    words_add(&command, "-O2");
    words_add_all(&command, &job->flags);
    words_add(&command, "-isystem");
    words_add(&command, job->places.include_dir);
    words_add(&command, "-c");
    words_add(&command, "-o");
    words_add(&command, object);
    words_add(&command, source);
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
    return ok;
}

/* "dir/a.cu" becomes "a<suffix>". */
static void object_name(const char *source, const char *suffix, char out[PATH_MAX])
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    (void)snprintf(out, PATH_MAX, "%.*s%s", (int)(strlen(name) - strlen(suffix_of(name))), name, suffix);
}

static bool compile_sources(struct job *job, struct error *err)
{
    for (size_t i = 0; i < job->sources.count; i++) {
        const char *source = job->sources.word[i];
        char object[PATH_MAX + 64];
        if (job->compile_only && job->output) {
            (void)snprintf(object, sizeof object, "%s", job->output);
        } else if (job->compile_only) {
            object_name(source, ".o", object);
        } else {
            (void)snprintf(object, sizeof object, "%.*s/%zu.o", PATH_MAX, job->scratch, i);
            words_add(&job->made, object);
            words_add(&job->objects, object);
        }
        const bool is_cuda = job->all_cuda || strcmp(suffix_of(source), ".cu") == 0;
        if (!(is_cuda ? compile_cuda(job, source, object, err) : compile_host(job, source, object, err)))
            return false;
    }
    return true;
}

static bool make_archive(struct job *job, struct error *err)
{
    struct words command = { 0 };
    words_add(&command, "ar");
    words_add(&command, "rcs");
    words_add(&command, job->output ? job->output : "a.a");
    words_add_all(&command, &job->objects);
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
    return ok;
}

/* Of archives with device code to be linked every member is taken: the host's linker sees only what the host's code names. */
static bool file_holds(const char *file, const char *suffix, const char *mark)
{
    struct error ignored = { 0 };
    size_t length;
    char *bytes = strcmp(suffix_of(file), suffix) == 0 && access(file, R_OK) == 0 ? text_read_file(file, (size_t)1 << 30, &length, &ignored) : NULL;
    const bool found = bytes && memmem(bytes, length, mark, strlen(mark));
    free(bytes);
    return found;
}

static bool has_linked_code(const char *archive) { return file_holds(archive, ".a", "__cudaWarplineLinked"); }

/* Of an object that -dlink left with members in it. */
#define DEVICE_LINK_MARK "__cudaWarplineDeviceLink_"
static bool has_device_link(const struct words *objects)
{
    bool found = false;
    for (size_t i = 0; i < objects->count && !found; i++)
        found = file_holds(objects->word[i], ".o", DEVICE_LINK_MARK);
    return found;
}

static void add_library(struct words *command, const char *library, bool whole)
{
    if (whole)
        words_add(command, "-Wl,--whole-archive");
    words_add(command, library);
    if (whole)
        words_add(command, "-Wl,--no-whole-archive");
}

/* -lNAME is looked for where -L says; `file` is what was found. */
static bool names_linked_code(const struct words *flags, const char *flag, char file[PATH_MAX])
{
    bool found = false;
    for (size_t i = 0; strncmp(flag, "-l", 2) == 0 && i < flags->count && !found; i++) {
        const bool apart = strcmp(flags->word[i], "-L") == 0;
        if (strncmp(flags->word[i], "-L", 2) == 0 && (!apart || i + 1 < flags->count))
            found = snprintf(file, PATH_MAX, "%s/lib%s.a", apart ? flags->word[i + 1] : flags->word[i] + 2, flag + 2) < PATH_MAX &&
                    has_linked_code(file);
    }
    return found;
}

/* The object that nvcc's device linker would leave. It holds the members of the archives named that have device code to be linked:
 * another linker than ours, which may make the program, would take only those that the host's code names. */
static bool make_device_link(struct job *job, struct error *err)
{
    const char *const out = job->output ? job->output : "a_dlink.o";
    const char *const nothing[] = { job->clang, "-c", "-x", "c", "-o", out, "/dev/null", NULL };
    char id[32], mark[96], file[PATH_MAX];
    object_id("", out, id);
    (void)snprintf(mark, sizeof mark, "-Wl,--defsym=" DEVICE_LINK_MARK "%s=0", id);
    const char *const members[] = { job->clang, "-r", "-nostdlib", "-o", out, mark, NULL };
    struct words command = { 0 }, libraries = { 0 };
    for (size_t i = 0; i < job->objects.count; i++)
        if (has_linked_code(job->objects.word[i]))
            add_library(&libraries, job->objects.word[i], true);
    for (size_t i = 0; i < job->link_flags.count; i++)
        if (names_linked_code(&job->link_flags, job->link_flags.word[i], file))
            add_library(&libraries, file, true);
    const char *const *words = libraries.count ? members : nothing;
    for (size_t i = 0; words[i]; i++)
        words_add(&command, words[i]);
    words_add_all(&command, &libraries);
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
    words_clear(&libraries);
    return ok;
}

static bool link_program(struct job *job, struct error *err)
{
    struct words command = { 0 };
    if (job->archive)
        return make_archive(job, err);
    char library[PATH_MAX + 32], rpath[PATH_MAX + 32], file[PATH_MAX];
    (void)snprintf(library, sizeof library, "%s/libcudart.so.13", job->places.library_dir);
    /* The program finds our library when started alone; LD_LIBRARY_PATH, which `warpline run` sets, goes before it. */
    (void)snprintf(rpath, sizeof rpath, "-Wl,--enable-new-dtags,-rpath,%s", job->places.library_dir);
    words_add(&command, job->clang);
    words_add(&command, "-o");
    words_add(&command, job->output ? job->output : "a.out");
    const bool done = has_device_link(&job->objects);
    for (size_t i = 0; i < job->objects.count; i++)
        add_library(&command, job->objects.word[i], !done && has_linked_code(job->objects.word[i]));
    words_add(&command, library);
    words_add(&command, rpath);
    /* From a link alone CMake reads in the linker's own command where libraries lie; from a whole build, toolkit_say_places(). */
    if (job->toolkit && job->verbose && job->sources.count == 0) {
        (void)snprintf(library, sizeof library, "-L%.*s/lib64", PATH_MAX, job->toolkit);
        words_add(&command, library);
        words_add(&command, "-v");
    }
    for (size_t i = 0; i < job->link_flags.count; i++)
        add_library(&command, job->link_flags.word[i], !done && names_linked_code(&job->link_flags, job->link_flags.word[i], file));
    const bool ok = run_command(job, &command, err);
    words_clear(&command);
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
    return error_set(err, "cannot make a folder for intermediate files under %s: %s", base && base[0] ? base : "/tmp", strerror(reason));
}

static bool compile_all(struct job *job, struct error *err)
{
    if (job->toolkit && job->verbose)
        toolkit_say_places(job);
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
    if (job->ptx_only) {
        char ptx[PATH_MAX];
        if (job->sources.count != 1 || strcmp(suffix_of(job->sources.word[0]), ".cu") != 0)
            return error_set_code(err, CODE_USAGE, "-ptx takes one .cu file");
        object_name(job->sources.word[0], ".ptx", ptx);
        return compile_device(job, job->sources.word[0], "0", job->output ? job->output : ptx, err);
    }
    if (job->to_screen)
        return show_source(job, err);
    if (job->device_link)
        return make_device_link(job, err);
    return make_scratch(job, err) && compile_sources(job, err) && (job->compile_only || link_program(job, err));
}

enum exit_code cuda_compile(char *const *arguments, size_t count, struct error *err)
{
    struct job job = { 0 };
    const bool ok = compile_job_read(&job, arguments, count, err) && compile_all(&job, err);
    for (size_t i = 0; i < job.made.count; i++)
        (void)unlink(job.made.word[i]);
    if (job.scratch[0])
        (void)rmdir(job.scratch);
    words_clear(&job.sources);
    words_clear(&job.objects);
    words_clear(&job.flags);
    words_clear(&job.link_flags);
    words_clear(&job.made);
    words_clear(&job.options);
    return ok ? CODE_OK : err->code;
}
