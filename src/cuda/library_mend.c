/* library_mend.c - the one place of CUB that is changed: which tuning policy is taken. */
#include "cuda/library_mend.h"

#include <ctype.h>
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

bool library_mend_flags(struct job *job, struct words *command, struct error *err)
{
    static const char name[] = "cub/util_device.cuh";
    static const char *const usual[] = { "/usr/local/include/cub/util_device.cuh", "/usr/include/cub/util_device.cuh" };
    char path[PATH_MAX];
    struct error ignored = { 0 }; /* clang reports better than we do what it cannot read */
    size_t length;
    bool found = source_find_header(job, name, strlen(name), path);
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !found; i++)
        if (access(usual[i], R_OK) == 0) {
            (void)strcpy(path, usual[i]);
            found = true;
        }
    char *text = found ? text_read_file(path, MAX_HEADER, &length, &ignored) : NULL;
    char *mended = text && strlen(text) == length ? library_mend_policies(text) : NULL;
    const bool ok = !mended || source_add_copy(job, path, mended, command, err);
    free(text);
    free(mended);
    return ok;
}
