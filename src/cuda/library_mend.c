/* library_mend.c - what is changed in CUB and Thrust: which tuning policy is taken, and lists of a vector's elements. */
#include "cuda/library_mend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/source_mend.h"

enum { MAX_HEADER = 1 << 20 };

/* `if constexpr` is of C++17; clang knows it in older ones too, and would say so. */
#define QUIET "_Pragma(\"clang diagnostic push\") _Pragma(\"clang diagnostic ignored \\\"-Wc++17-extensions\\\"\") "
#define LOUD "_Pragma(\"clang diagnostic pop\")"

/* Behind `word` when it is the next one at `at`; NULL when another is. */
static const char *behind(const char *at, const char *word)
{
    while (at && isspace((unsigned char)*at))
        at++;
    return at && strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

char *library_mend_policies(const char *text)
{
    static const char choice[] = "if (ptx_version < PTX_VERSION)";
    const char *found = strstr(text, choice);
    if (!found)
        return NULL;
    const char *older = found + strlen(choice);
    const char *end = behind(behind(behind(older, "{"), "return PrevPolicyT::Invoke(ptx_version, op);"), "}");
    if (!behind(end, "return op.template Invoke<PolicyT>();"))
        return NULL;
    struct text_buffer out = { 0 };
    text_append_bytes(&out, text, (size_t)(found - text));
    text_append(&out, QUIET "if constexpr (__CUDA_ARCH_LIST__ < PTX_VERSION)");
    text_append_bytes(&out, older, (size_t)(end - older));
    text_append(&out, " else " LOUD "%s", end);
    return out.text;
}

char *library_mend_lists(const char *text)
{
    static const char *const names[] = { "device_vector", "host_vector" };
    for (size_t i = 0; i < sizeof names / sizeof *names && !strstr(text, "initializer_list"); i++) {
        char class[32];
        (void)snprintf(class, sizeof class, "  class %s\n", names[i]);
        const char *found = strstr(text, class), *end = found ? strstr(found, "public:") : NULL;
        if (!end || !memchr(found, '{', (size_t)(end - found)))
            continue;
        end += strlen("public:");
        struct text_buffer out = { 0 };
        text_append_bytes(&out, text, (size_t)(end - text));
        text_append(&out, " %s(::std::initializer_list<T> l) : Parent(l.begin(), l.end()) {}", names[i]);
        text_append(&out, " %s(::std::initializer_list<T> l, const Alloc &a) : Parent(l.begin(), l.end(), a) {}", names[i]);
        text_append(&out, " %s &operator=(::std::initializer_list<T> l) { Parent::assign(l.begin(), l.end()); return *this; }%s",
                    names[i], end);
        return out.text;
    }
    return NULL;
}

/* The header that the program would include; false when there is none. */
static bool find_header(const struct job *job, const char *name, char path[PATH_MAX])
{
    static const char *const usual[] = { "/usr/local/include", "/usr/include" };
    if (source_find_header(job, name, strlen(name), path))
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (snprintf(path, PATH_MAX, "%s/%s", usual[i], name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

bool library_mend_flags(struct job *job, struct words *command, struct error *err)
{
    static const struct {
        const char *name;
        char *(*mend)(const char *text);
    } headers[] = { { "cub/util_device.cuh", library_mend_policies },
                    { "thrust/device_vector.h", library_mend_lists },
                    { "thrust/host_vector.h", library_mend_lists } };
    bool ok = true;
    for (size_t i = 0; i < sizeof headers / sizeof *headers && ok; i++) {
        char path[PATH_MAX];
        struct error ignored = { 0 }; /* clang reports better than we do what it cannot read */
        size_t length;
        char *text = find_header(job, headers[i].name, path) ? text_read_file(path, MAX_HEADER, &length, &ignored) : NULL;
        char *mended = text && strlen(text) == length ? headers[i].mend(text) : NULL;
        ok = !mended || source_add_copy(job, path, mended, command, err);
        free(text);
        free(mended);
    }
    return ok;
}
