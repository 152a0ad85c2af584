/* compile_flags.c - reads the command line of `warpline cc`: its own flags, clang's, and nvcc's, which become clang's or
 * nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/compile_job.h"

const char *suffix_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot ? dot : "";
}

static bool is_source(const char *file)
{
    static const char *const known[] = { ".cu", ".cpp", ".cc", ".cxx", ".C", ".c", NULL };
    for (size_t i = 0; known[i]; i++)
        if (strcmp(suffix_of(file), known[i]) == 0)
            return true;
    return false;
}

/* nvcc's flags that clang does not know, without their dashes: nvcc accepts one dash or two. */
static const char *const asks_for_nothing[] = { /* what we do anyway */
                                                "no-compress",
                                                "display-error-number",
                                                "no-display-error-number",
                                                "err-no",
                                                "Wno-deprecated-gpu-targets",
                                                "Wreorder",
                                                "nodlink",
                                                "noprof",
                                                "no-host-device-initializer-list",
                                                "nohdinitlist",
                                                "no-host-device-move-forward",
                                                "relaxed-constexpr",
                                                "expt-relaxed-constexpr",
                                                "extended-lambda",
                                                "expt-extended-lambda",
                                                "source-in-ptx",
                                                "src-in-ptx",
                                                "extra-device-vectorization",
                                                "res-usage",
                                                "resource-usage",
                                                "allow-unsupported-compiler",
                                                "forward-unknown-to-host-compiler",
                                                "forward-unknown-opts",
                                                "dlto",
                                                "save-temps",
                                                "keep",
                                                "restrict",
                                                "lcudart",
                                                "lcudart_static",
                                                "lcudadevrt",
                                                "lcuda",
                                                "lculibos",
                                                "lnvToolsExt",
                                                "lcurand",
                                                "lcurand_static",
                                                "lcublas",
                                                "lcublas_static",
                                                "lcublasLt",
                                                "lcublasLt_static",
                                                "lcufft",
                                                "lcufft_static",
                                                "lcusparse",
                                                "lcusparse_static",
                                                "lcusolver",
                                                "lcusolver_static", /* in our headers */
                                                "lnvJitLink",
                                                "lnvJitLink_static",
                                                "lnvrtc",
                                                "lnvrtc_static",
                                                "lnvrtc-builtins_static",
                                                "lnvptxcompiler_static", /* in our libcudart */
                                                NULL
};
static const char *const tunes_what_we_do_not_make[] = { /* each with a value */
                                                         "Xptxas",
                                                         "ptxas-options",
                                                         "Xnvlink",
                                                         "nvlink-options",
                                                         "Xfatbin",
                                                         "fatbin-options",
                                                         "Xcudafe",
                                                         "Xarchive",
                                                         "archive-options",
                                                         "keep-dir",
                                                         "split-compile",
                                                         "dopt",
                                                         "diag-warn",
                                                         "diag-error",
                                                         "diag-suppress",
                                                         "brief-diag",
                                                         "brief-diagnostics",
                                                         "time",
                                                         "opt-info",
                                                         "ccbin",
                                                         "compiler-bindir",
                                                         "maxrregcount",
                                                         "code",
                                                         "gpu-code",
                                                         "arch-list",
                                                         "threads",
                                                         "t",
                                                         "default-stream",
                                                         "machine",
                                                         "ftz",
                                                         "prec-div",
                                                         "prec-sqrt",
                                                         "cudart",
                                                         "compress-mode",
                                                         "static-global-template-stub",
                                                         NULL
};
static const char *const clang_calls_it[][2] = { { "lineinfo", "-gline-tables-only" },
                                                 { "generate-line-info", "-gline-tables-only" },
                                                 { "G", "-gline-tables-only" },
                                                 { "device-debug",
                                                   "-gline-tables-only" }, /* line numbers for the kernels, but not their -O0 */
                                                 { "use_fast_math", "-fcuda-approx-transcendentals" },
                                                 { "debug", "-g" },
                                                 { "disable-warnings", "-w" },
                                                 { "shared", "-shared" },
                                                 { NULL, NULL } };

bool takes_value(const char *flag)
{
    static const char *const known[] = { "-I",      "-D",       "-U",         "-L",  "-l",  "-include", "-isystem",
                                         "-Xclang", "-Xlinker", "-framework", "-MF", "-MT", "-MQ",      NULL };
    for (size_t i = 0; known[i]; i++)
        if (strcmp(flag, known[i]) == 0)
            return true;
    return false;
}

static bool is_link_flag(const char *flag)
{
    static const char *const known[] = { "-Xlinker", "-shared", "-static", "-rdynamic", "-pthread", "-fopenmp", NULL };
    for (size_t i = 0; known[i]; i++)
        if (strcmp(flag, known[i]) == 0)
            return true;
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 || strncmp(flag, "-Wl,", 4) == 0;
}

static void add_joined(struct words *to, const char *flag, const char *value)
{
    struct text_buffer whole = { 0 };
    text_append(&whole, "%s%s", flag, value);
    words_add(to, whole.text);
    text_buffer_clear(&whole);
}

static void add_flag(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    const char *flag = arguments[*i];
    const bool links = is_link_flag(flag), named = strcmp(flag, "-l") == 0 || strcmp(flag, "-L") == 0;
    if (named && *i + 1 < count) { /* one word, however it was written, because link_step.c looks for it */
        add_joined(&job->link_flags, flag, arguments[++*i]);
        return;
    }
    if (strcmp(flag, "-lgomp") == 0) { /* clang's threads are libomp's; with both libraries loaded each would know only its own
                                        * threads */
        words_add(&job->link_flags, "-fopenmp");
        return;
    }
    /* -pthread and -fopenmp mean something to compiler and linker both. */
    const bool both = strcmp(flag, "-pthread") == 0 || strcmp(flag, "-fopenmp") == 0;
    struct words *to = links ? &job->link_flags : &job->flags;
    words_add(to, flag);
    if (both)
        words_add(&job->flags, flag);
    if (takes_value(flag) && *i + 1 < count)
        words_add(to, arguments[++*i]);
}

static void add_one_flag(struct job *job, char *flag)
{
    size_t at = 0;
    add_flag(job, &flag, 1, &at);
}

/* "-Wall,-O2" of -Xcompiler are two flags for the host's compiler. Here that one compiles for both sides, and does not know all
 * of them. */
static void pass_list(struct job *job, const char *list, const char *prefix)
{
    static const char *const unknown[] = { "-fno-strict-overflow",   "-rdynamic",       "-static-libgcc",
                                           "-static-libstdc++",      "-Werror",         "-Wno-maybe-uninitialized",
                                           "-Wno-format-truncation", "-fno-gnu-unique", NULL };
    char *copy = must_strdup(list), *state = NULL;
    for (char *flag = strtok_r(copy, ", \"'", &state); flag; flag = strtok_r(NULL, ", \"'", &state)) {
        size_t k = 0;
        while (unknown[k] && strcmp(flag, unknown[k]) != 0)
            k++;
        const bool is_c = strncmp(flag, "-std=c9", 7) == 0 || strncmp(flag, "-std=gnu9", 9) == 0 ||
                          strncmp(flag, "-std=c1", 7) == 0 || strncmp(flag, "-std=gnu1", 9) == 0;
        if (unknown[k] || is_c) /* g++ warns about a -std of C and goes on in C++ */
            continue;
        struct text_buffer whole = { 0 };
        text_append(&whole, "%s%s", prefix, flag);
        add_one_flag(job, whole.text);
        text_buffer_clear(&whole);
    }
    free(copy);
}

/* Of several architectures (-gencode arch=compute_70,code=sm_70) the newest is taken. */
static void read_gencode(struct job *job, const char *text)
{
    const char *number = strpbrk(text, "0123456789");
    const unsigned long wanted = number ? strtoul(number, NULL, 10) : 0;
    const char *before = job->arch_text[0] ? job->arch_text + 3 : "0";
    if (wanted > strtoul(before, NULL, 10) && wanted < 1000) {
        (void)snprintf(job->arch_text, sizeof job->arch_text, "sm_%lu", wanted);
        job->arch = job->arch_text;
    }
}

/* Where the words are, and which is read. */
struct reader {
    struct job *job;
    char *const *arguments;
    size_t count, at;
    unsigned depth; /* of option files in option files */
    struct error *err;
};

static const char *without_dashes(const char *flag)
{
    return flag + (flag[1] == '-' ? 2 : 1);
}

/* The value, when this is the flag: what follows its '=', or the next word. NULL: it is another flag. */
static const char *value_after(struct reader *r, const char *flag, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(flag, name, length) != 0)
        return NULL;
    if (flag[length] == '=')
        return flag + length + 1;
    return flag[length] == 0 && r->at + 1 < r->count ? r->arguments[++r->at] : NULL;
}
static const char *value_of(struct reader *r, const char *name, const char *other)
{
    const char *flag = without_dashes(r->arguments[r->at]), *value = value_after(r, flag, name);
    return value ? value : value_after(r, flag, other);
}

/* Flags with a value that clang knows by another name. */
static bool read_renamed(struct reader *r)
{
    static const char *const names[][2] = { { "define-macro", "-D" },
                                            { "undefine-macro", "-U" },
                                            { "include-path", "-I" },
                                            { "library", "-l" },
                                            { "library-path", "-L" },
                                            { "optimize", "-O" },
                                            { "system-include", "-isystem" },
                                            { "pre-include", "-include" },
                                            { "isystem", "-isystem" },
                                            { "include", "-include" },
                                            { "ftemplate-depth", "-ftemplate-depth=" },
                                            { "ftemplate-backtrace-limit", "-ftemplate-backtrace-limit=" },
                                            { NULL, NULL } };
    for (size_t k = 0; names[k][0]; k++) {
        const char *value = value_after(r, without_dashes(r->arguments[r->at]), names[k][0]), *with = names[k][1];
        if (!value)
            continue;
        const bool apart = strlen(with) > 2 && with[strlen(with) - 1] != '='; /* -isystem, -include */
        struct words *to = is_link_flag(with) ? &r->job->link_flags : &r->job->flags;
        add_joined(to, with, apart ? "" : value);
        if (apart)
            words_add(to, value);
        return true;
    }
    return false;
}

/* -Werror exists in clang, with nothing behind it, and in nvcc, with kinds of warnings. Clang's warnings are not nvcc's, so
 * neither form is used. */
static bool read_errors(struct reader *r)
{
    static const char *const kinds[] = { "all-warnings",
                                         "cross-execution-space-call",
                                         "default-stream-launch",
                                         "deprecated-declarations",
                                         "ext-lambda-captures-this",
                                         "missing-launch-bounds",
                                         "reorder",
                                         NULL };
    const char *flag = without_dashes(r->arguments[r->at]);
    if (strncmp(flag, "Werror", 6) != 0 || (flag[6] != 0 && flag[6] != '='))
        return false;
    const char *next = flag[6] == 0 && r->at + 1 < r->count ? r->arguments[r->at + 1] : "";
    for (size_t i = 0; kinds[i]; i++)
        if (strncmp(next, kinds[i], strlen(kinds[i])) == 0) {
            r->at++;
            break;
        }
    return true;
}

/* True when the flag was one of nvcc's own and has been dealt with. */
static bool read_foreign(struct reader *r)
{
    const char *flag = without_dashes(r->arguments[r->at]), *value;
    for (size_t i = 0; asks_for_nothing[i]; i++)
        if (strcmp(flag, asks_for_nothing[i]) == 0)
            return true;
    for (size_t i = 0; tunes_what_we_do_not_make[i]; i++)
        if (value_after(r, flag, tunes_what_we_do_not_make[i]))
            return true;
    for (size_t i = 0; clang_calls_it[i][0]; i++)
        if (strcmp(flag, clang_calls_it[i][0]) == 0) {
            add_one_flag(r->job, (char *)(uintptr_t)clang_calls_it[i][1]);
            return true;
        }
    if ((value = value_of(r, "Xcompiler", "compiler-options")))
        pass_list(r->job, value, "");
    else if ((value = value_of(r, "Xlinker", "linker-options")))
        pass_list(r->job, value, "-Wl,");
    else if ((value = value_of(r, "gencode", "generate-code")))
        read_gencode(r->job, value);
    else if ((value = value_after(r, flag, "fmad")))
        words_add(&r->job->flags, strcmp(value, "false") == 0 ? "-ffp-contract=off" : "-ffp-contract=fast");
    return value || read_errors(r) || read_renamed(r);
}

/* What is to be made, other than a program. */
static bool read_product(struct job *job, const char *a)
{
    static const struct {
        const char *flag;
        size_t field;
    } products[] = {
        { "-c", offsetof(struct job, compile_only) },
        { "--compile", offsetof(struct job, compile_only) },
        { "-dc", offsetof(struct job, compile_only) },
        { "--device-c", offsetof(struct job, compile_only) },
        { "-dw", offsetof(struct job, compile_only) },
        { "-ptx", offsetof(struct job, ptx_only) },
        { "--ptx", offsetof(struct job, ptx_only) },
        { "-fatbin", offsetof(struct job, fatbin) },
        { "--fatbin", offsetof(struct job, fatbin) },
        { "-v", offsetof(struct job, verbose) },
        { "--verbose", offsetof(struct job, verbose) },
        { "-dryrun", offsetof(struct job, dry_run) },
        { "--dryrun", offsetof(struct job, dry_run) },
        { "-dlink", offsetof(struct job, device_link) },
        { "--device-link", offsetof(struct job, device_link) },
        { "-lib", offsetof(struct job, archive) },
        { "--lib", offsetof(struct job, archive) },
        { "-cuda", offsetof(struct job, to_cxx) },
        { "--cuda", offsetof(struct job, to_cxx) },
        { "-E", offsetof(struct job, to_screen) },
        { "-M", offsetof(struct job, to_screen) },
        { "-MM", offsetof(struct job, to_screen) },
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (strcmp(a, products[i].flag) == 0) {
            *(bool *)((char *)job + products[i].field) = true;
            if (products[i].field == offsetof(struct job, to_screen))
                words_add(&job->flags, a);
            job->compile_only |= job->to_cxx;
            job->linked |= strcmp(a, "-dc") == 0 || strcmp(a, "--device-c") == 0;
            return true;
        }
    return false;
}

/* What nvcc would do and we do not, with what to do instead. */
static bool refuse(struct reader *r)
{
    static const char *const rows[][2] = {
        { "cubin", "no machine code is made here; -ptx writes the PTX" },
        { "run", "compile it, and start it with 'warpline run ./PROGRAM'" },
    };
    const char *a = r->arguments[r->at];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(without_dashes(a), rows[i][0]) == 0)
            return !error_set_code(r->err, CODE_USAGE, "%s: %s", a, rows[i][1]);
    return false;
}

static void read_language(struct job *job, const char *language)
{
    job->all_cuda |= strcmp(language, "cu") == 0;
    if (strcmp(language, "cu") != 0) {
        words_add(&job->flags, "-x");
        words_add(&job->flags, language);
    }
}

static bool read_all(struct reader *r);

/* Words as a shell divides them: quotes of both kinds hold blanks, a backslash takes the next letter as it is. */
static void split_options(struct words *words, const char *text)
{
    struct text_buffer word = { 0 };
    char quote = 0;
    bool inside = false;
    for (const char *c = text;; c++) {
        const bool blank = *c == 0 || (!quote && strchr(" \t\r\n", *c));
        if (blank && inside) {
            words_add(words, word.text ? word.text : "");
            text_buffer_clear(&word);
            inside = false;
        }
        if (*c == 0)
            break;
        if (blank)
            continue;
        inside = true;
        if (*c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            text_append_bytes(&word, ++c, 1);
        else
            text_append_bytes(&word, c, 1);
    }
    text_buffer_clear(&word);
}

/* -optf: CMake writes long lists of -I and objects into a file. Its words are kept, because the job points to them. */
static bool read_options_file(struct reader *r, const char *path)
{
    size_t length;
    struct words words = { 0 };
    if (r->depth == 8)
        return error_set(r->err, "%s: option files name each other more than 8 deep", path);
    char *text = text_read_file(path, (size_t)16 << 20, &length, r->err);
    if (!text)
        return false;
    split_options(&words, text);
    free(text);
    const bool ok = read_all(
        &(struct reader){ .job = r->job, .arguments = words.word, .count = words.count, .depth = r->depth + 1, .err = r->err });
    words_keep(&r->job->options, &words);
    return ok;
}

/* What build systems ask nvcc as a toolkit's compiler. */
static bool read_toolkit(struct reader *r)
{
    const char *a = r->arguments[r->at];
    if (strcmp(a, "--version") == 0 || strcmp(a, "-V") == 0)
        r->job->say_version = true;
    else if (strncmp(a, "--as-nvcc=", 10) == 0)
        r->job->toolkit = a + 10;
    else
        return false;
    return true;
}

static bool read_one(struct reader *r)
{
    struct job *job = r->job;
    const char *a = r->arguments[r->at], *value;
    if (a[0] != '-' || a[1] == 0) {
        words_add(is_source(a) ? &job->sources : &job->objects, a);
        return true;
    }
    if (read_product(job, a) || read_toolkit(r))
        return true;
    if (refuse(r))
        return false;
    if ((value = value_of(r, "optf", "options-file")))
        return read_options_file(r, value);
    if (strcmp(a, "-o") == 0 && r->at + 1 >= r->count)
        return error_set_code(r->err, CODE_USAGE, "-o needs the name of the program to write");
    if (strcmp(a, "--toolkit") == 0 && r->at + 1 >= r->count)
        return error_set_code(r->err, CODE_USAGE, "--toolkit needs the name of the folder to make");
    if ((value = value_of(r, "o", "output-file")))
        job->output = value;
    else if ((value = value_of(r, "toolkit", "toolkit")))
        job->new_toolkit = value;
    else if ((value = value_of(r, "rdc", "relocatable-device-code")))
        job->linked = strcmp(value, "true") == 0;
    else if ((value = value_of(r, "arch", "gpu-architecture")))
        job->arch = value;
    else if ((value = value_of(r, "std", "std")))
        job->standard = value;
    else if ((value = value_of(r, "x", "x")))
        read_language(job, value);
    else if (!read_foreign(r))
        add_flag(job, r->arguments, r->count, &r->at);
    return true;
}

static bool read_all(struct reader *r)
{
    for (r->at = 0; r->at < r->count; r->at++)
        if (!read_one(r))
            return false;
    return true;
}

bool compile_job_read(struct job *job, char *const *arguments, size_t count, struct error *err)
{
    return read_all(&(struct reader){ .job = job, .arguments = arguments, .count = count, .err = err });
}
