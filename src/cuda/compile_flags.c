/* Reads the command line of `warpline cc`: its own flags, clang's, and nvcc's, which become clang's or nothing. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/compile_job.h"

/* Takes the text over. */
static void words_keep(struct words *w, char *text)
{
    if (w->count + 1 >= w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 32;
        w->word = must_realloc(w->word, w->capacity * sizeof *w->word);
    }
    w->word[w->count++] = text;
    w->word[w->count] = NULL;
}

void words_add(struct words *w, const char *text) { words_keep(w, must_strdup(text)); }

void words_add_all(struct words *w, const struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        words_add(w, more->word[i]);
}

void words_clear(struct words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->word[i]);
    free(w->word);
    *w = (struct words){ 0 };
}

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

/* nvcc's flags that clang does not know. A flag of NOTHING asks for what we do anyway, or tunes a binary we do not make. */
enum foreign_kind { FOREIGN_NOTHING, FOREIGN_SKIP_NEXT, FOREIGN_PASS_NEXT, FOREIGN_LINK_NEXT, FOREIGN_REPLACE };
static const struct foreign_flag {
    const char *flag;
    enum foreign_kind kind;
    const char *with;
} foreign_flags[] = {
    { "-Xptxas", FOREIGN_SKIP_NEXT, NULL },
    { "--no-compress", FOREIGN_NOTHING, NULL },
    { "-no-compress", FOREIGN_NOTHING, NULL },
    { "--display-error-number", FOREIGN_NOTHING, NULL },
    { "--no-display-error-number", FOREIGN_NOTHING, NULL },
    { "--Wno-deprecated-gpu-targets", FOREIGN_NOTHING, NULL },
    { "-nodlink", FOREIGN_NOTHING, NULL },
    { "-noprof", FOREIGN_NOTHING, NULL },
    { "--no-host-device-initializer-list", FOREIGN_NOTHING, NULL },
    { "-nohdinitlist", FOREIGN_NOTHING, NULL },
    { "--no-host-device-move-forward", FOREIGN_NOTHING, NULL },
    { "--relaxed-constexpr", FOREIGN_NOTHING, NULL },
    { "--source-in-ptx", FOREIGN_NOTHING, NULL },
    { "--extra-device-vectorization", FOREIGN_NOTHING, NULL },
    { "-lnvToolsExt", FOREIGN_NOTHING, NULL },
    { "--keep-dir", FOREIGN_SKIP_NEXT, NULL },
    { "-keep-dir", FOREIGN_SKIP_NEXT, NULL },
    { "-split-compile", FOREIGN_SKIP_NEXT, NULL },
    { "--split-compile", FOREIGN_SKIP_NEXT, NULL },
    { "-dopt", FOREIGN_SKIP_NEXT, NULL },
    { "--dopt", FOREIGN_SKIP_NEXT, NULL },
    { "-diag-warn", FOREIGN_SKIP_NEXT, NULL },
    { "--diag-warn", FOREIGN_SKIP_NEXT, NULL },
    { "-diag-error", FOREIGN_SKIP_NEXT, NULL },
    { "--diag-error", FOREIGN_SKIP_NEXT, NULL },
    { "-time", FOREIGN_SKIP_NEXT, NULL },
    { "--time", FOREIGN_SKIP_NEXT, NULL },
    { "--ftz", FOREIGN_SKIP_NEXT, NULL },
    { "--Werror", FOREIGN_SKIP_NEXT, NULL },
    { "-opt-info", FOREIGN_SKIP_NEXT, NULL },
    { "--ptxas-options", FOREIGN_SKIP_NEXT, NULL },
    { "-Xnvlink", FOREIGN_SKIP_NEXT, NULL },
    { "-Xfatbin", FOREIGN_SKIP_NEXT, NULL },
    { "-Xcudafe", FOREIGN_SKIP_NEXT, NULL },
    { "-diag-suppress", FOREIGN_SKIP_NEXT, NULL },
    { "--diag-suppress", FOREIGN_SKIP_NEXT, NULL },
    { "-ccbin", FOREIGN_SKIP_NEXT, NULL },
    { "--compiler-bindir", FOREIGN_SKIP_NEXT, NULL },
    { "-maxrregcount", FOREIGN_SKIP_NEXT, NULL },
    { "--maxrregcount", FOREIGN_SKIP_NEXT, NULL },
    { "-code", FOREIGN_SKIP_NEXT, NULL },
    { "--gpu-code", FOREIGN_SKIP_NEXT, NULL },
    { "--threads", FOREIGN_SKIP_NEXT, NULL },
    { "-default-stream", FOREIGN_SKIP_NEXT, NULL },
    { "--default-stream", FOREIGN_SKIP_NEXT, NULL },
    { "--machine", FOREIGN_SKIP_NEXT, NULL },
    { "-t", FOREIGN_SKIP_NEXT, NULL },
    { "-Xarchive", FOREIGN_SKIP_NEXT, NULL },
    { "-arch-list", FOREIGN_SKIP_NEXT, NULL },
    { "-Werror", FOREIGN_NOTHING, NULL }, /* clang's warnings are not nvcc's */
    { "-ftz", FOREIGN_SKIP_NEXT, NULL },
    { "-prec-div", FOREIGN_SKIP_NEXT, NULL },
    { "-prec-sqrt", FOREIGN_SKIP_NEXT, NULL },
    { "-cudart", FOREIGN_SKIP_NEXT, NULL },
    { "--cudart", FOREIGN_SKIP_NEXT, NULL },
    { "-cudart=shared", FOREIGN_NOTHING, NULL },
    { "--cudart=shared", FOREIGN_NOTHING, NULL },
    { "-lcudart", FOREIGN_NOTHING, NULL },
    { "-lineinfo", FOREIGN_REPLACE, "-gline-tables-only" },
    { "-use_fast_math", FOREIGN_REPLACE, "-fcuda-approx-transcendentals" },
    { "--use_fast_math", FOREIGN_REPLACE, "-fcuda-approx-transcendentals" },
    { "--extended-lambda", FOREIGN_NOTHING, NULL },
    { "--expt-extended-lambda", FOREIGN_NOTHING, NULL },
    { "--expt-relaxed-constexpr", FOREIGN_NOTHING, NULL },
    { "-extended-lambda", FOREIGN_NOTHING, NULL },
    { "-expt-extended-lambda", FOREIGN_NOTHING, NULL },
    { "-expt-relaxed-constexpr", FOREIGN_NOTHING, NULL },
    { "-Wno-deprecated-gpu-targets", FOREIGN_NOTHING, NULL },
    { "-res-usage", FOREIGN_NOTHING, NULL },
    { "--resource-usage", FOREIGN_NOTHING, NULL },
    { "-allow-unsupported-compiler", FOREIGN_NOTHING, NULL },
    { "--allow-unsupported-compiler", FOREIGN_NOTHING, NULL },
    { "-forward-unknown-to-host-compiler", FOREIGN_NOTHING, NULL },
    { "--forward-unknown-to-host-compiler", FOREIGN_NOTHING, NULL },
    { "-forward-unknown-opts", FOREIGN_NOTHING, NULL },
    { "-src-in-ptx", FOREIGN_NOTHING, NULL },
    { "-err-no", FOREIGN_NOTHING, NULL },
    { "-Wreorder", FOREIGN_NOTHING, NULL },
    { "-dlto", FOREIGN_NOTHING, NULL },
    { "-cudart=static", FOREIGN_NOTHING, NULL },
    { "--cudart=static", FOREIGN_NOTHING, NULL },
    { "-lcudart_static", FOREIGN_NOTHING, NULL },
    { "-save-temps", FOREIGN_NOTHING, NULL },
    { "--save-temps", FOREIGN_NOTHING, NULL },
    { "-restrict", FOREIGN_NOTHING, NULL },
    { "--restrict", FOREIGN_NOTHING, NULL },
    { "-keep", FOREIGN_NOTHING, NULL },
    { "--keep", FOREIGN_NOTHING, NULL },
    { "-extra-device-vectorization", FOREIGN_NOTHING, NULL },
    { "-lcuda", FOREIGN_NOTHING, NULL },
    { "-lcurand", FOREIGN_NOTHING, NULL }, /* all of it is in our header */
    { "-lcudadevrt", FOREIGN_NOTHING, NULL },
    { "-G", FOREIGN_REPLACE, "-gline-tables-only" }, /* lines for the kernels; not their -O0 */
    { "--device-debug", FOREIGN_REPLACE, "-gline-tables-only" },
    { "--generate-line-info", FOREIGN_REPLACE, "-gline-tables-only" },
    { "--debug", FOREIGN_REPLACE, "-g" },
    { "--disable-warnings", FOREIGN_REPLACE, "-w" },
    { "-Xcompiler", FOREIGN_PASS_NEXT, NULL },
    { "--compiler-options", FOREIGN_PASS_NEXT, NULL },
    { "-Xlinker", FOREIGN_LINK_NEXT, NULL },
    { "--linker-options", FOREIGN_LINK_NEXT, NULL },
    { NULL, FOREIGN_NOTHING, NULL }
};

bool takes_value(const char *flag)
{
    static const char *const known[] = { "-I", "-D", "-U", "-L", "-l", "-include", "-isystem", "-Xclang", "-Xlinker", "-framework",
                                         "-MF", "-MT", "-MQ", NULL };
    for (size_t i = 0; known[i]; i++)
        if (strcmp(flag, known[i]) == 0)
            return true;
    return false;
}

static bool is_link_flag(const char *flag)
{
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 || strncmp(flag, "-Wl,", 4) == 0 ||
           strcmp(flag, "-Xlinker") == 0 || strcmp(flag, "-shared") == 0 || strcmp(flag, "-static") == 0 || strcmp(flag, "-rdynamic") == 0 || strcmp(flag, "-pthread") == 0 || strcmp(flag, "-fopenmp") == 0;
}

static void add_flag(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    const char *flag = arguments[*i];
    const bool links = is_link_flag(flag);
    if (strcmp(flag, "-lgomp") == 0) { /* clang's threads are libomp's, and with both loaded each library knows only its own */
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

/* "-Wall,-O2" of -Xcompiler is two flags for the host's compiler, which here compiles for both sides; some it does not know. */
static void pass_list(struct job *job, const char *list, const char *prefix)
{
    static const char *const unknown[] = { "-fno-strict-overflow", "-rdynamic", "-static-libgcc", "-static-libstdc++", "-Werror",
                                           "-Wno-maybe-uninitialized", "-Wno-format-truncation", "-fno-gnu-unique", NULL };
    char *copy = must_strdup(list), *state = NULL;
    for (char *flag = strtok_r(copy, ", \"'", &state); flag; flag = strtok_r(NULL, ", \"'", &state)) {
        char whole[PATH_MAX];
        size_t k = 0;
        while (unknown[k] && strcmp(flag, unknown[k]) != 0)
            k++;
        if (unknown[k])
            continue;
        (void)snprintf(whole, sizeof whole, "%s%s", prefix, flag);
        char *one[] = { whole };
        size_t at = 0;
        add_flag(job, one, 1, &at);
    }
    free(copy);
}

/* Of several architectures (-gencode arch=compute_70,code=sm_70) the newest is compiled for. */
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

/* The long names of flags that have a value: as the next word, or after '='. */
static bool read_long_name(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    static const char *const names[][2] = { { "--define-macro", "-D" }, { "--undefine-macro", "-U" }, { "--include-path", "-I" },
                                            { "--system-include", "-isystem" }, { "--pre-include", "-include" }, { "--library", "-l" },
                                            { "-isystem", "-isystem" }, { "-include", "-include" }, { "--library-path", "-L" }, { "--optimize", "-O" }, { NULL, NULL } };
    const char *a = arguments[*i];
    for (size_t k = 0; names[k][0]; k++) {
        const size_t length = strlen(names[k][0]);
        if (strncmp(a, names[k][0], length) != 0 || (a[length] != '=' && (a[length] != 0 || *i + 1 >= count)))
            continue;
        const char *value = a[length] ? a + length + 1 : arguments[++*i];
        char whole[PATH_MAX + 16];
        const bool apart = names[k][1][2] != 0; /* -isystem, -include */
        (void)snprintf(whole, sizeof whole, "%s%s", names[k][1], apart ? "" : value);
        struct words *to = is_link_flag(whole) ? &job->link_flags : &job->flags;
        words_add(to, whole);
        if (apart)
            words_add(to, value);
        return true;
    }
    return false;
}

/* nvcc's flags that carry their value after '='. */
static bool read_foreign_value(struct job *job, const char *a)
{
    static const char *const ignored[] = { "-Werror=", "--Werror=", "-t=", "-arch-list=", "-Xarchive=", "-Xptxas=", "--ptxas-options=", "-maxrregcount=",
                                           "--maxrregcount=", "-code=", "--gpu-code=", "-ccbin=", "--compiler-bindir=", "-Xfatbin=",
                                           "-Xnvlink=", "-diag-suppress=", "--diag-suppress=", "--default-stream=", "-default-stream=",
                                           "--threads=", "-split-compile=", "--split-compile=", "-dopt=", "--dopt=", "-brief-diag=", "--brief-diagnostics=",
                                           "-diag-warn=", "--diag-warn=", "-diag-error=", "--diag-error=", "-time=", "--time=", "-keep-dir=", "--keep-dir=",
                                           "-compress-mode=", "--compress-mode=", "-static-global-template-stub=", "--static-global-template-stub=",
                                           "-ftz=", "--ftz=", "-prec-div=", "--prec-div=", "-prec-sqrt=", "--prec-sqrt=",
                                           "-fmad=true", "--fmad=true", "--machine=", "-Xcudafe=", NULL };
    if (strncmp(a, "-gencode=", 9) == 0 || strncmp(a, "--generate-code=", 16) == 0) {
        read_gencode(job, strchr(a, '=') + 1);
        return true;
    }
    static const char *const passed[] = { "-Xcompiler=", "--compiler-options=", NULL };
    for (size_t i = 0; ignored[i]; i++)
        if (strncmp(a, ignored[i], strlen(ignored[i])) == 0)
            return true;
    for (size_t i = 0; passed[i]; i++)
        if (strncmp(a, passed[i], strlen(passed[i])) == 0) {
            pass_list(job, a + strlen(passed[i]), "");
            return true;
        }
    if (strncmp(a, "-Xlinker=", 9) == 0) {
        pass_list(job, a + 9, "-Wl,");
        return true;
    }
    if (strcmp(a, "-fmad=false") == 0 || strcmp(a, "--fmad=false") == 0) {
        words_add(&job->flags, "-ffp-contract=off");
        return true;
    }
    return false;
}

/* True when the flag was one of nvcc's own and has been dealt with. */
static bool read_foreign(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    for (const struct foreign_flag *f = foreign_flags; f->flag; f++) {
        if (strcmp(arguments[*i], f->flag) != 0)
            continue;
        if (f->kind == FOREIGN_REPLACE)
            words_add(&job->flags, f->with);
        if (f->kind == FOREIGN_PASS_NEXT && *i + 1 < count)
            pass_list(job, arguments[*i + 1], "");
        if (f->kind == FOREIGN_LINK_NEXT && *i + 1 < count)
            pass_list(job, arguments[*i + 1], "-Wl,");
        if (f->kind != FOREIGN_REPLACE && f->kind != FOREIGN_NOTHING)
            ++*i;
        return true;
    }
    return read_foreign_value(job, arguments[*i]) || read_long_name(job, arguments, count, i);
}

/* What is to be made, other than a program. */
static bool read_product(struct job *job, const char *a)
{
    static const struct { const char *flag; size_t field; } products[] = {
        { "-c", offsetof(struct job, compile_only) },       { "--compile", offsetof(struct job, compile_only) },
        { "-dc", offsetof(struct job, compile_only) },      { "--device-c", offsetof(struct job, compile_only) },
        { "-dw", offsetof(struct job, compile_only) },      { "-ptx", offsetof(struct job, ptx_only) },
        { "--ptx", offsetof(struct job, ptx_only) },        { "-v", offsetof(struct job, verbose) },
        { "--verbose", offsetof(struct job, verbose) },     { "-dlink", offsetof(struct job, device_link) },
        { "--device-link", offsetof(struct job, device_link) }, { "-lib", offsetof(struct job, archive) },
        { "--lib", offsetof(struct job, archive) },         { "-E", offsetof(struct job, to_screen) },
        { "-M", offsetof(struct job, to_screen) },          { "-MM", offsetof(struct job, to_screen) },
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (strcmp(a, products[i].flag) == 0) {
            *(bool *)((char *)job + products[i].field) = true;
            if (products[i].field == offsetof(struct job, to_screen))
                words_add(&job->flags, a);
            job->linked |= strcmp(a, "-dc") == 0 || strcmp(a, "--device-c") == 0;
            return true;
        }
    return false;
}

/* -rdc, whichever way it is written. */
static bool read_linking(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    static const char *const names[] = { "-rdc", "--relocatable-device-code" };
    for (size_t k = 0; k < 2; k++) {
        const size_t length = strlen(names[k]);
        const char *a = arguments[*i];
        if (strncmp(a, names[k], length) != 0 || (a[length] != '=' && (a[length] != 0 || *i + 1 >= count)))
            continue;
        job->linked = strcmp(a[length] ? a + length + 1 : arguments[++*i], "true") == 0;
        return true;
    }
    return false;
}

/* What is asked of nvcc as a toolkit's compiler, and the making of such a toolkit. */
static bool read_toolkit(struct job *job, char *const *arguments, size_t count, size_t *i)
{
    const char *a = arguments[*i];
    if (strcmp(a, "--version") == 0 || strcmp(a, "-V") == 0)
        job->say_version = true;
    else if (strcmp(a, "--toolkit") == 0 && *i + 1 < count)
        job->new_toolkit = arguments[++*i];
    else if (strncmp(a, "--as-nvcc=", 10) == 0)
        job->toolkit = a + 10;
    else
        return false;
    return true;
}

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

/* CMake writes long lists of -I and objects into a file. Its words are kept: what is read points to them. */
static bool read_options_file(struct job *job, const char *path, struct error *err)
{
    size_t length;
    char *text = text_read_file(path, (size_t)16 << 20, &length, err);
    if (!text)
        return false;
    struct words words = { 0 };
    split_options(&words, text);
    free(text);
    const bool ok = compile_job_read(job, words.word, words.count, err);
    for (size_t i = 0; i < words.count; i++)
        words_keep(&job->options, words.word[i]);
    free(words.word);
    return ok;
}

static bool read_one(struct job *job, char *const *arguments, size_t count, size_t *i, struct error *err)
{
    const char *a = arguments[*i];
    if (strcmp(a, "-o") == 0 || strcmp(a, "--output-file") == 0) {
        if (*i + 1 >= count)
            return error_set_code(err, CODE_USAGE, "-o needs the name of the program to write");
        job->output = arguments[++*i];
    } else if (read_toolkit(job, arguments, count, i)) {
        return true;
    } else if ((strcmp(a, "--options-file") == 0 || strcmp(a, "-optf") == 0) && *i + 1 < count) {
        return read_options_file(job, arguments[++*i], err);
    } else if (read_product(job, a) || read_linking(job, arguments, count, i)) {
        return true;
    } else if (strcmp(a, "-cubin") == 0 || strcmp(a, "-fatbin") == 0 || strcmp(a, "--cubin") == 0 || strcmp(a, "--fatbin") == 0) {
        return error_set_code(err, CODE_USAGE, "%s: no machine code is made here; -ptx writes the PTX", a);
    } else if ((strcmp(a, "-gencode") == 0 || strcmp(a, "--generate-code") == 0) && *i + 1 < count) {
        read_gencode(job, arguments[++*i]);
    } else if (strncmp(a, "-arch=", 6) == 0 || strncmp(a, "--gpu-architecture=", 19) == 0) {
        job->arch = strchr(a, '=') + 1;
    } else if ((strcmp(a, "-arch") == 0 || strcmp(a, "--gpu-architecture") == 0) && *i + 1 < count) {
        job->arch = arguments[++*i];
    } else if (strcmp(a, "-std") == 0 || strcmp(a, "--std") == 0) {
        if (*i + 1 < count)
            job->standard = arguments[++*i];
    } else if (strcmp(a, "-x") == 0 && *i + 1 < count && strcmp(arguments[*i + 1], "cu") == 0) {
        ++*i;
        job->all_cuda = true;
    } else if (strcmp(a, "-x=cu") == 0 || strcmp(a, "--x=cu") == 0) {
        job->all_cuda = true;
    } else if (strncmp(a, "-std=", 5) == 0 || strncmp(a, "--std=", 6) == 0) {
        job->standard = strchr(a, '=') + 1;
    } else if (a[0] != '-' || a[1] == 0) {
        words_add(is_source(a) ? &job->sources : &job->objects, a);
    } else if (!read_foreign(job, arguments, count, i)) {
        add_flag(job, arguments, count, i);
    }
    return true;
}

bool compile_job_read(struct job *job, char *const *arguments, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!read_one(job, arguments, count, &i, err))
            return false;
    return true;
}
