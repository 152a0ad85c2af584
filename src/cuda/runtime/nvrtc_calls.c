/* nvrtc_calls.c - NVRTC over `warpline cc`: the program's source goes into a folder of its own, the compiler is started on it, and
 * the PTX and what the compiler said are read back. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "nvrtc.h"
#include "run/run_program.h"
#include "runtime.h"

enum { MOST_OPTIONS = 256, MOST_BYTES = 256 << 20 };

struct name_expression {
    struct name_expression *next;
    char *text, *lowered;
};
struct _nvrtcProgram {
    char *source, *name;
    int header_count;
    char **headers, **header_names;
    struct name_expression *names; /* newest first */
    size_t name_count;
    char *ptx, *log; /* NULL: not compiled, or nothing said */
    bool compiled;
};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const texts[] = { "NVRTC_SUCCESS",
                                         "NVRTC_ERROR_OUT_OF_MEMORY",
                                         "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                         "NVRTC_ERROR_INVALID_INPUT",
                                         "NVRTC_ERROR_INVALID_PROGRAM",
                                         "NVRTC_ERROR_INVALID_OPTION",
                                         "NVRTC_ERROR_COMPILATION",
                                         "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                         "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                         "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                         "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                         "NVRTC_ERROR_INTERNAL_ERROR" };
    return (size_t)result < sizeof texts / sizeof *texts ? texts[result] : "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 0;
    return NVRTC_SUCCESS;
}
/* As `warpline cc` takes them. */
static const int architectures[] = { 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86 };
nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    *count = (int)(sizeof architectures / sizeof *architectures);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *list)
{
    memcpy(list, architectures, sizeof architectures);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count, const char *const *headers,
                               const char *const *include_names)
{
    if (!program || !source || count < 0 || (count && (!headers || !include_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct _nvrtcProgram *p = must_calloc(1, sizeof *p);
    p->source = must_strdup(source);
    p->name = must_strdup(name && name[0] ? name : "default_program");
    p->header_count = count;
    p->headers = must_calloc((size_t)count + 1, sizeof *p->headers);
    p->header_names = must_calloc((size_t)count + 1, sizeof *p->header_names);
    for (int i = 0; i < count; i++) {
        p->headers[i] = must_strdup(headers[i]);
        p->header_names[i] = must_strdup(include_names[i]);
    }
    *program = p;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !*program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    struct _nvrtcProgram *p = *program;
    for (int i = 0; i < p->header_count; i++) {
        free(p->headers[i]);
        free(p->header_names[i]);
    }
    for (struct name_expression *e = p->names, *next; e; e = next) {
        next = e->next;
        free(e->text);
        free(e->lowered);
        free(e);
    }
    free(p->headers);
    free(p->header_names);
    free(p->source);
    free(p->name);
    free(p->ptx);
    free(p->log);
    free(p);
    *program = NULL;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (!program || program->compiled)
        return program ? NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION : NVRTC_ERROR_INVALID_PROGRAM;
    struct name_expression *e = must_calloc(1, sizeof *e);
    *e = (struct name_expression){ .next = program->names, .text = must_strdup(expression) };
    program->names = e;
    program->name_count++;
    return NVRTC_SUCCESS;
}

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    const bool ok = f && fputs(text, f) >= 0;
    return f && fclose(f) == 0 && ok;
}

/* Makes the folders of "a/b/c.h" in `folder`, then the file. */
static bool write_header(const char *folder, const char *name, const char *text)
{
    struct text_buffer path = { 0 };
    if (strstr(name, "..") || name[0] == '/')
        return false;
    text_append(&path, "%s/%s", folder, name);
    for (char *slash = strchr(path.text + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path.text, 0700);
        *slash = '/';
    }
    const bool ok = write_text(path.text, text);
    text_buffer_clear(&path);
    return ok;
}

/* The source, and for each name expression a constant that holds its address: the PTX then says the name. */
static bool write_source(const struct _nvrtcProgram *p, bool default_device, const char *folder, char file[PATH_MAX])
{
    struct text_buffer text = { 0 };
    const char *slash = strrchr(p->name, '/');
    size_t number = p->name_count;
    if (default_device)
        text_append(&text, "#pragma clang force_cuda_host_device begin\n");
    text_append(&text, "#line 1 \"%s\"\n%s\n", p->name, p->source);
    if (default_device)
        text_append(&text, "#pragma clang force_cuda_host_device end\n");
    for (const struct name_expression *e = p->names; e; e = e->next)
        text_append(&text, "__device__ __attribute__((used)) const void *const warpline_name_%zu = (const void *)(%s);\n", --number,
                    e->text);
    (void)snprintf(file, PATH_MAX, "%s/%.200s.cu", folder, slash ? slash + 1 : p->name);
    const bool ok = write_text(file, text.text);
    text_buffer_clear(&text);
    return ok;
}

/* In the child: the compiler in our place, with all that it says in `log`. */
static _Noreturn void become_compiler(const char *compiler, char *const *words, const char *log)
{
    const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (out >= 0) {
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(out, STDERR_FILENO);
    }
    (void)unsetenv("LD_LIBRARY_PATH"); /* was made for the program */
    execv(compiler, words);
    (void)dprintf(STDERR_FILENO, "warpline: cannot start %s: %s\n", compiler, strerror(errno));
    _exit(127);
}

static bool run_compiler(const char *compiler, char *const *words, const char *log)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        become_compiler(compiler, words, log);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Options that NVRTC has and nvcc has not; they ask for what is so here, or for what has no meaning. */
static bool is_dropped(const char *option)
{
    static const char *const starts[] = { "-default-device",
                                          "--device-as-default-execution-space",
                                          "-dopt",
                                          "--dopt",
                                          "-pch",
                                          "--pch",
                                          "-minimal",
                                          "--minimal",
                                          "--fdevice-",
                                          "-no-source-include",
                                          "--no-source-include",
                                          "--builtin-",
                                          "-builtin-",
                                          "--extra-device-vectorization",
                                          "-jump-table-density",
                                          NULL };
    for (size_t i = 0; starts[i]; i++)
        if (strncmp(option, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* The symbol that the constant of this number was set to; lines of constants are made blank. */
static char *take_lowered(char *ptx, size_t number)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, "warpline_name_%zu = ", number);
    char *found = strstr(ptx, mark);
    if (!found)
        return NULL;
    char *value = found + strlen(mark), *end = value + strcspn(value, ";\n");
    if (strncmp(value, "generic(", 8) == 0)
        value += 8;
    char *lowered = must_calloc(1, (size_t)(end - value) + 1);
    memcpy(lowered, value, strcspn(value, ");\n"));
    char *start = found;
    while (start > ptx && start[-1] != '\n')
        start--;
    memset(start, ' ', (size_t)(end - start) + (*end == ';'));
    return lowered;
}

static void read_back(struct _nvrtcProgram *p, const char *ptx_file, const char *log_file, bool ok)
{
    struct error ignored = { 0 };
    size_t length, number = p->name_count;
    p->log = text_read_file(log_file, MOST_BYTES, &length, &ignored);
    if (!ok)
        return;
    p->ptx = text_read_file(ptx_file, MOST_BYTES, &length, &ignored);
    for (struct name_expression *e = p->names; e && p->ptx; e = e->next)
        e->lowered = take_lowered(p->ptx, --number);
}

static void remove_folder(const char *folder)
{
    char *const words[] = { "rm", "-rf", "--", (char *)(uintptr_t)folder, NULL };
    (void)run_compiler("/bin/rm", words, "/dev/null");
}

static nvrtcResult compile_in(struct _nvrtcProgram *p, const char *folder, const char *compiler, int count,
                              const char *const *options)
{
    char file[PATH_MAX], ptx[PATH_MAX], log[PATH_MAX], include[PATH_MAX], beside[PATH_MAX];
    char *words[MOST_OPTIONS + 16];
    size_t used = 0;
    (void)snprintf(ptx, sizeof ptx, "%s/out.ptx", folder);
    (void)snprintf(log, sizeof log, "%s/log", folder);
    (void)snprintf(include, sizeof include, "-I%s", folder);
    const char *slash = strrchr(p->name, '/'); /* headers are looked for where the source says that it lies */
    (void)snprintf(beside, sizeof beside, "-I%.*s", slash ? (int)(slash - p->name) + 1 : 1, slash ? p->name : ".");
    for (int i = 0; i < p->header_count; i++)
        if (!write_header(folder, p->header_names[i], p->headers[i]))
            return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    bool default_device = false;
    for (int i = 0; i < count; i++)
        default_device |=
            strcmp(options[i], "-default-device") == 0 || strcmp(options[i], "--device-as-default-execution-space") == 0;
    if (!write_source(p, default_device, folder, file))
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    static const char *const fixed[] = { "warpline", "cc", "-ptx", "-D__CUDACC_RTC__=1" };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        words[used++] = (char *)(uintptr_t)fixed[i];
    for (int i = 0; i < count; i++)
        if (!is_dropped(options[i]))
            words[used++] = (char *)(uintptr_t)options[i];
    char *const last[] = { include, beside, "-o", ptx, file, NULL };
    memcpy(words + used, last, sizeof last);
    const bool ok = run_compiler(compiler, words, log);
    read_back(p, ptx, log, ok);
    return ok && p->ptx ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    const char *compiler = getenv(BINARY_ENVIRONMENT), *place = getenv("TMPDIR");
    struct text_buffer folder = { 0 };
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || count > MOST_OPTIONS || (count && !options))
        return NVRTC_ERROR_INVALID_OPTION;
    if (!compiler) {
        (void)fprintf(stderr, "warpline: NVRTC needs the warpline that compiles: start the program with 'warpline run'\n");
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    free(program->ptx);
    free(program->log);
    program->ptx = program->log = NULL;
    text_append(&folder, "%s/warpline-nvrtc-XXXXXX", place && place[0] ? place : "/tmp");
    if (!mkdtemp(folder.text)) {
        text_buffer_clear(&folder);
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    }
    const nvrtcResult result = compile_in(program, folder.text, compiler, count, options);
    program->compiled = true;
    remove_folder(folder.text);
    text_buffer_clear(&folder);
    return result;
}

/* Texts are handed out with their last zero counted, as NVRTC does. */
static nvrtcResult text_size(nvrtcProgram program, const char *text, size_t *bytes)
{
    if (!program || !bytes)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    *bytes = (text ? strlen(text) : 0) + 1;
    return NVRTC_SUCCESS;
}
static nvrtcResult text_give(nvrtcProgram program, const char *text, char *to)
{
    if (!program || !to)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    memcpy(to, text ? text : "", (text ? strlen(text) : 0) + 1);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
    return program && !program->ptx ? NVRTC_ERROR_INVALID_PROGRAM : text_size(program, program ? program->ptx : NULL, bytes);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    return program && !program->ptx ? NVRTC_ERROR_INVALID_PROGRAM : text_give(program, program ? program->ptx : NULL, ptx);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    return nvrtcGetPTXSize(program, bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
    return nvrtcGetPTX(program, code);
}
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *bytes)
{
    return nvrtcGetPTXSize(program, bytes);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *code)
{
    return nvrtcGetPTX(program, code);
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
    return text_size(program, program ? program->log : NULL, bytes);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    return text_give(program, program ? program->log : NULL, log);
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered)
{
    if (!program || !program->compiled)
        return program ? NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION : NVRTC_ERROR_INVALID_PROGRAM;
    for (const struct name_expression *e = program->names; e; e = e->next)
        if (e->lowered && strcmp(e->text, expression) == 0) {
            *lowered = e->lowered;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
