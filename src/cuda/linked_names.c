#include "cuda/linked_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"

enum { DIGITS = 16 }; /* of clang's hash of the file's -cuid */
static const char registration[] = "__cudaRegisterLinkedBinary";

static const char *end_of_name(const char *name)
{
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return name;
}

/* Bytes of "__static__<sixteen digits>" or its like at the text's beginning; 0: something else stands there. */
static size_t suffix_length(const char *text)
{
    static const char *const marks[] = { "__static__", "__intern__", ".static.", ".intern." };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t mark = strlen(marks[i]);
        if (strncmp(text, marks[i], mark) == 0 && strspn(text + mark, "0123456789abcdef") == DIGITS)
            return mark + DIGITS;
    }
    return 0;
}

void linked_names_mend(const char *text, struct text_buffer *out)
{
    while (*text) {
        const size_t plain = strcspn(text, "_.");
        text_append_bytes(out, text, plain);
        text += plain;
        const size_t suffix = suffix_length(text);
        if (strncmp(text, registration, sizeof registration - 1) == 0) {
            text_append(out, "__cudaWarplineLinked");
            text = end_of_name(text);
        } else if (suffix) {
            text += suffix;
        } else if (*text) {
            text_append_bytes(out, text++, 1);
        }
    }
}

bool linked_names_mend_file(const char *path, struct error *err)
{
    size_t length;
    char *text = text_read_file(path, (size_t)1 << 30, &length, err);
    struct text_buffer out = { 0 };
    if (!text)
        return false;
    linked_names_mend(text, &out);
    const bool ok = atomic_file_write(path, out.text, out.length, err);
    free(text);
    text_buffer_clear(&out);
    return ok;
}
