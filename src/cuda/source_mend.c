/* source_mend.c - small changes to a source's text, where nvcc takes what clang does not. */
#include "cuda/source_mend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

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

char *source_mend_text(const char *text)
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

/* The file in the folder of the one that includes it, or in one that -I names. */
static bool find_included(const struct job *job, const char *from, const char *name, size_t length, char path[PATH_MAX])
{
    const char *slash = strrchr(from, '/');
    const int folder = slash ? (int)(slash - from) + 1 : 0;
    if (snprintf(path, PATH_MAX, "%.*s%.*s", folder, from, (int)length, name) < PATH_MAX && access(path, R_OK) == 0)
        return true;
    for (size_t i = 0; i < job->flags.count; i++) {
        const char *flag = job->flags.word[i];
        if (strncmp(flag, "-I", 2) != 0 || (!flag[2] && i + 1 >= job->flags.count))
            continue;
        const char *dir = flag[2] ? flag + 2 : job->flags.word[i + 1];
        if (snprintf(path, PATH_MAX, "%s/%.*s", dir, (int)length, name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    }
    return false;
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

static bool add_copy(struct job *job, const char *file, const char *text, struct words *command, struct error *err)
{
    char copy[PATH_MAX + 64], flag[3 * PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s/mended%zu", job->scratch, job->copies++);
    FILE *out = fopen(copy, "w");
    const bool ok = out && fputs(text, out) >= 0;
    if (!out || fclose(out) != 0 || !ok)
        return error_set(err, "cannot write %s", copy);
    (void)snprintf(flag, sizeof flag, "%s;%s", file, copy);
    const char *const words[] = { "-Xclang", "-remap-file", "-Xclang", flag };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words_add(command, words[i]);
    return true;
}

bool source_mend_flags(struct job *job, const char *source, struct words *command, struct error *err)
{
    struct words files = { 0 };
    bool ok = true;
    words_add(&files, source);
    for (size_t i = 0; i < files.count && ok; i++) {
        struct error ignored = { 0 }; /* clang says better than we what it cannot read */
        size_t length;
        char *text = text_read_file(files.word[i], MAX_SOURCE, &length, &ignored);
        char *mended = text && strlen(text) == length ? source_mend_text(text) : NULL;
        if (mended)
            ok = add_copy(job, files.word[i], mended, command, err);
        if (text)
            add_included(job, files.word[i], text, &files);
        free(mended);
        free(text);
    }
    words_clear(&files);
    return ok;
}
