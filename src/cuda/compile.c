#include "cuda/compile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/compile_job.h"
#include "cuda/device_ir.h"

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
                                         "-target-sdk-version=11.0", "-Wno-unknown-cuda-version", NULL };
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

/* From the source to intermediate code as clang first writes it, before any optimisation. */
static bool translate_device(struct job *job, const char *source, const char *ir, struct error *err)
{
    struct words command = { 0 };
    bool ok = cuda_base(job, &command, err);
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

static bool compile_device(struct job *job, const char *source, const char *ptx, struct error *err)
{
    char ir[PATH_MAX + 160];
    (void)snprintf(ir, sizeof ir, "%s.ll", ptx);
    const bool ok = translate_device(job, source, ir, err) && device_ir_mend_file(ir, err) && optimise_device(job, ir, ptx, err);
    (void)unlink(ir);
    return ok;
}

static bool compile_cuda(struct job *job, const char *source, const char *object, struct error *err)
{
    char ptx[PATH_MAX + 128];
    (void)snprintf(ptx, sizeof ptx, "%s.ptx", object);
    if (!compile_device(job, source, ptx, err))
        return false;
    words_add(&job->made, ptx);
    struct words command = { 0 };
    bool ok = cuda_base(job, &command, err);
    if (ok) {
        static const char *const last[] = { "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL };
        for (size_t i = 0; last[i]; i++)
            words_add(&command, last[i]);
        words_add(&command, ptx);
        words_add(&command, "-c");
        words_add(&command, "-o");
        words_add(&command, object);
        words_add(&command, source);
        ok = run_command(job, &command, err);
    }
    words_clear(&command);
    return ok;
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

static bool link_program(struct job *job, struct error *err)
{
    struct words command = { 0 };
    char library[PATH_MAX + 32], rpath[PATH_MAX + 32];
    (void)snprintf(library, sizeof library, "%s/libcudart.so.13", job->places.library_dir);
    /* The program finds our library when started alone; LD_LIBRARY_PATH, which `warpline run` sets, goes before it. */
    (void)snprintf(rpath, sizeof rpath, "-Wl,--enable-new-dtags,-rpath,%s", job->places.library_dir);
    words_add(&command, job->clang);
    words_add(&command, "-o");
    words_add(&command, job->output ? job->output : "a.out");
    words_add_all(&command, &job->objects);
    words_add(&command, library);
    words_add(&command, rpath);
    words_add_all(&command, &job->link_flags);
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
        return compile_device(job, job->sources.word[0], job->output ? job->output : ptx, err);
    }
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
    return ok ? CODE_OK : err->code;
}
