/* assembly_source.c - assembly as C++ with one asm statement. */
#include "cuda/assembly_source.h"

#include <string.h>

/* One line of assembly as a string literal. */
static void append_line(struct text_buffer *out, const char *line, size_t length)
{
    text_append(out, "\"");
    for (size_t from = 0; from < length;) {
        const size_t plain = strcspn(line + from, "\"\\\n");
        const size_t taken = from + plain < length ? plain : length - from;
        text_append_bytes(out, line + from, taken);
        from += taken;
        if (from < length) {
            text_append(out, "\\");
            text_append_bytes(out, line + from++, 1);
        }
    }
    text_append(out, "\\n\"\n");
}

void assembly_source(const char *text, struct text_buffer *out)
{
    text_append(out, "__asm__(\n");
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        append_line(out, line, length);
        line += length + (line[length] != 0);
    }
    text_append(out, "\".text\\n\");\n"); /* the section in which the compiler takes itself to be */
}
