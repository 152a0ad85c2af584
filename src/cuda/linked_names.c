/* linked_names.c - names of device code across files: weak and inline names are shared, private ones are kept apart. */
#include "cuda/linked_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Digits of clang's hash of the file's -cuid. clang writes it without leading zeros, so one file in sixteen has fewer digits. */
enum { LEAST_DIGITS = 12, MOST_DIGITS = 16 };
static const char registration[] = "__cudaRegisterLinkedBinary";

static const char *end_of_name(const char *name)
{
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return name;
}

/* Bytes of "__static__<digits>" or its like at the text's beginning; 0: something else stands there. */
static size_t suffix_length(const char *text)
{
    static const char *const marks[] = { "__static__", "__intern__", ".static.", ".intern." };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t mark = strlen(marks[i]);
        const size_t digits = strncmp(text, marks[i], mark) == 0 ? strspn(text + mark, "0123456789abcdef") : 0;
        if (digits >= LEAST_DIGITS && digits <= MOST_DIGITS)
            return mark + digits;
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
