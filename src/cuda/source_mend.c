/* source_mend.c - small changes to a source's text, for code that nvcc accepts and clang does not. */
#include "cuda/source_mend.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/array_mend.h"
#include "cuda/launch_mend.h"
#include "cuda/template_mend.h"

enum { MAX_SOURCE = 64 << 20, MAX_FILES = 256 };

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* One of the words that may stand before alignas in a declaration; *cuda when it is an attribute of CUDA's. */
static bool is_specifier(const char *word, size_t length, bool *cuda)
{
    static const char *const cudas[] = { "__shared__", "__device__", "__constant__", "__managed__" };
    static const char *const others[] = { "extern", "static", "inline", "const", "constexpr", "volatile" };
    for (size_t i = 0; i < sizeof cudas / sizeof *cudas; i++)
        if (strlen(cudas[i]) == length && memcmp(cudas[i], word, length) == 0)
            return *cuda = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == length && memcmp(others[i], word, length) == 0)
            return true;
    return false;
}

/* Where the specifiers before `at` begin; `at` itself when none of them is CUDA's. */
static size_t specifiers_before(const char *text, size_t at)
{
    bool cuda = false;
    size_t first = at;
    for (size_t end = at;;) {
        while (end > 0 && isspace((unsigned char)text[end - 1]))
            end--;
        size_t start = end;
        while (start > 0 && is_word(text[start - 1]))
            start--;
        if (start == end || !is_specifier(text + start, end - start, &cuda))
            return cuda ? first : at;
        first = end = start;
    }
}

/* Behind the bracket that closes the one at `at`; 0 when there is none. */
static size_t behind_brackets(const char *text, size_t at)
{
    int depth = 0;
    for (; text[at]; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0)
            return at + 1;
    }
    return 0;
}

/* alignas in front of the specifiers. NULL: nothing to change, as for the others below. */
static char *mend_alignment(const char *text)
{
    static const char name[] = "alignas";
    struct text_buffer out = { 0 };
    size_t done = 0;
    for (const char *found = strstr(text, name); found; found = strstr(found + 1, name)) {
        const size_t at = (size_t)(found - text), bracket = at + strlen(name) + strspn(found + strlen(name), " ");
        const size_t first = specifiers_before(text, at);
        const size_t end = text[bracket] == '(' ? behind_brackets(text, bracket) : 0;
        if (first == at || first < done || end == 0)
            continue;
        text_append_bytes(&out, text + done, first - done);
        text_append_bytes(&out, text + at, end - at);
        text_append_bytes(&out, " ", 1);
        text_append_bytes(&out, text + first, at - first);
        done = end;
    }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}

/* The special registers that programs name in inline PTX with one %, as nvcc lets them. */
static bool is_special_register(const char *name)
{
    static const char *const known[] = {
        "tid",         "ntid",        "ctaid",       "nctaid",         "laneid",          "warpid",
        "nwarpid",     "smid",        "nsmid",       "gridid",         "clock",           "clock64",
        "clock_hi",    "envreg",      "globaltimer", "globaltimer_lo", "globaltimer_hi",  "lanemask_eq",
        "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge",    "total_smem_size", "dynamic_smem_size",
        NULL
    };
    size_t length = 0;
    while (is_word(name[length]))
        length++;
    for (size_t i = 0; known[i]; i++)
        if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
            return true;
    return false;
}

/* The brackets of the asm(...) that `found` may be: their place and, in *end, the one behind them; *end is 0 when it is none. */
static size_t asm_brackets(const char *text, const char *found, size_t *end)
{
    size_t at = (size_t)(found - text) + 3;
    *end = 0;
    if (at > 3 && is_word(found[-1]) && found[-1] != '_')
        return at;
    at += strspn(text + at, "_ \t\n");
    if (strncmp(text + at, "volatile", 8) == 0 || strncmp(text + at, "__volatile__", 12) == 0)
        at += strcspn(text + at, " \t\n(");
    at += strspn(text + at, " \t\n");
    *end = text[at] == '(' ? behind_brackets(text, at) : 0;
    return at;
}

/* In the strings of asm(...): %smid becomes %%smid. */
static char *mend_registers(const char *text)
{
    struct text_buffer out = { 0 };
    size_t done = 0, end;
    for (const char *found = strstr(text, "asm"); found; found = strstr(found + 1, "asm"))
        for (size_t at = asm_brackets(text, found, &end); at < end; at++) {
            const bool alone = text[at] == '%' && text[at - 1] != '%' && at >= done && is_special_register(text + at + 1);
            if (!alone)
                continue;
            text_append_bytes(&out, text + done, at - done);
            text_append_bytes(&out, "%", 1);
            done = at;
        }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}

/* "r"(a) "l"(b): nvcc does not miss the comma between the operands of asm. */
static char *mend_operands(const char *text)
{
    struct text_buffer out = { 0 };
    size_t done = 0, end;
    for (const char *found = strstr(text, "asm"); found; found = strstr(found + 1, "asm"))
        for (size_t at = asm_brackets(text, found, &end); at < end;) {
            const size_t code = mend_behind_no_code(text, at);
            if (code != at) {
                at = code;
                continue;
            }
            at++;
            if (at < end && at > done && text[at - 1] == ')' && text[at + strspn(text + at, " \t\n")] == '"') {
                text_append_bytes(&out, text + done, at - done);
                text_append_bytes(&out, ",", 1);
                done = at;
            }
        }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}

/* Three of `bracket` at `at` with spaces or line ends between them: the place behind them. 0: not three, or nothing between
 * them. */
static size_t behind_spaced(const char *text, size_t at, char bracket)
{
    bool spaced = false;
    for (int i = 0; i < 3; i++, at++) {
        while (i && isspace((unsigned char)text[at])) {
            at++;
            spaced = true;
        }
        if (text[at] != bracket)
            return 0;
    }
    return spaced ? at : 0;
}

/* k << < a, b >> >(...): the brackets of a launch, as some formatters leave them. "<< <" is nothing else in C++. */
static char *mend_launches(const char *text)
{
    struct text_buffer out = { 0 };
    size_t done = 0, open = 0;
    for (size_t at = 0; text[at];) {
        const size_t code = mend_behind_no_code(text, at);
        if (code != at) {
            at = code;
            continue;
        }
        const char bracket = text[at];
        const size_t end = bracket == '<' || (bracket == '>' && open) ? behind_spaced(text, at, bracket) : 0;
        if (!end) {
            open = bracket == ';' || bracket == '{' || bracket == '}' ? 0 : open;
            at++;
            continue;
        }
        text_append_bytes(&out, text + done, at - done);
        text_append_bytes(&out, bracket == '<' ? "<<<" : ">>>", 3);
        for (; at < end; at++) /* lines keep their numbers */
            if (text[at] == '\n')
                text_append_bytes(&out, "\n", 1);
        done = end;
        open = bracket == '<';
    }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}

char *source_mend_text(const char *text)
{
    char *(*const mends[])(const char *) = { mend_alignment,       mend_registers,        mend_operands,    mend_launches,
                                             mend_device_launches, mend_member_templates, mend_array_values };
    char *mended = NULL;
    for (size_t i = 0; i < sizeof mends / sizeof *mends; i++) {
        char *next = mends[i](mended ? mended : text);
        if (!next)
            continue;
        free(mended);
        mended = next;
    }
    return mended;
}

/* The folder of headers that the flag names, or the word behind it; NULL when it names none. */
static const char *header_folder(const char *flag, const char *next)
{
    static const char *const known[] = { "-I", "-isystem" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(flag, known[i], strlen(known[i])) == 0)
            return flag[strlen(known[i])] ? flag + strlen(known[i]) : next;
    return NULL;
}

bool source_find_header(const struct job *job, const char *name, size_t length, char path[PATH_MAX])
{
    for (size_t i = 0; i < job->flags.count; i++) {
        const char *folder = header_folder(job->flags.word[i], job->flags.word[i + 1]);
        if (folder && snprintf(path, PATH_MAX, "%s/%.*s", folder, (int)length, name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* The file in the folder of the one that includes it, or in one that a flag names. */
static bool find_included(const struct job *job, const char *from, const char *name, size_t length, char path[PATH_MAX])
{
    const char *slash = strrchr(from, '/');
    const int folder = slash ? (int)(slash - from) + 1 : 0;
    if (snprintf(path, PATH_MAX, "%.*s%.*s", folder, from, (int)length, name) < PATH_MAX && access(path, R_OK) == 0)
        return true;
    return source_find_header(job, name, length, path);
}

static void add_included(const struct job *job, const char *from, const char *text, struct words *files)
{
    char path[PATH_MAX];
    for (const char *found = strstr(text, "#include"); found && files->count < MAX_FILES; found = strstr(found + 1, "#include")) {
        const char *quote = found + 8 + strspn(found + 8, " \t");
        const char *end = *quote == '"' ? strpbrk(quote + 1, "\"\n") : NULL;
        if (!end || *end != '"' || !find_included(job, from, quote + 1, (size_t)(end - quote - 1), path))
            continue;
        size_t known = 0;
        while (known < files->count && strcmp(files->word[known], path) != 0)
            known++;
        if (known == files->count)
            words_add(files, path);
    }
}

bool source_add_copy(struct job *job, const char *file, const char *text, struct words *command, struct error *err)
{
    char copy[PATH_MAX + 64], flag[3 * PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s/mended%zu", job->scratch, job->copies++);
    FILE *out = fopen(copy, "w");
    const bool ok = out && fputs(text, out) >= 0;
    if (!out || fclose(out) != 0 || !ok)
        return error_set(err, "cannot write %s: %s", copy, strerror(errno));
    (void)snprintf(flag, sizeof flag, "%s;%s", file, copy);
    const char *const words[] = { "-Xclang", "-remap-file", "-Xclang", flag };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words_add(command, words[i]);
    return true;
}

/* Calls `look` with the text of the source and of each file that it includes by name in quotes, until it says no. */
static bool each_file(const struct job *job, const char *source, bool (*look)(void *context, const char *file, const char *text),
                      void *context)
{
    struct words files = { 0 };
    bool go_on = true;
    words_add(&files, source);
    for (size_t i = 0; i < files.count && go_on; i++) {
        struct error ignored = { 0 }; /* clang reports better than we do what it cannot read */
        size_t length;
        char *text = text_read_file(files.word[i], MAX_SOURCE, &length, &ignored);
        if (text && strlen(text) == length)
            go_on = look(context, files.word[i], text);
        if (text)
            add_included(job, files.word[i], text, &files);
        free(text);
    }
    words_clear(&files);
    return go_on;
}

struct mending {
    struct job *job;
    struct words *command;
    struct error *err;
};
static bool mend_one(void *context, const char *file, const char *text)
{
    const struct mending *m = context;
    char *mended = source_mend_text(text);
    const bool ok = !mended || source_add_copy(m->job, file, mended, m->command, m->err);
    free(mended);
    return ok;
}
bool source_mend_flags(struct job *job, const char *source, struct words *command, struct error *err)
{
    return each_file(job, source, mend_one, &(struct mending){ job, command, err });
}

/* False when the text includes one of the libraries that are kernels in headers. */
static bool names_no_library(void *context, const char *file, const char *text)
{
    static const char *const names[] = { "cublas", "cufft", "cusolver", "cusparse" };
    (void)context;
    (void)file;
    for (const char *found = strstr(text, "#include"); found; found = strstr(found + 1, "#include")) {
        const char *name = found + 8 + strspn(found + 8, " \t");
        for (size_t i = 0; i < sizeof names / sizeof *names && (*name == '<' || *name == '"'); i++)
            if (strncmp(name + 1, names[i], strlen(names[i])) == 0)
                return false;
    }
    return true;
}
bool source_uses_libraries(const struct job *job, const char *source)
{
    return !each_file(job, source, names_no_library, NULL);
}
