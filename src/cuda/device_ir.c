/* device_ir.c - mends clang's intermediate code for the device: variables that the host may name must not be folded away. */
#include "cuda/device_ir.h"

#include <stdlib.h>
#include <string.h>

static bool contains(const char *text, size_t length, const char *part)
{
    return memmem(text, length, part, strlen(part)) != NULL;
}

/* Names that C++ mangles belong to static variables, unless they lie in the unnamed namespace. Names that are left as written
 * belong to variables of an unnamed type. */
static bool is_host_visible(const char *name, size_t length, bool alone)
{
    if (alone && strncmp(name, "_ZL", 3) == 0)
        return true;
    if (contains(name, length, "_GLOBAL__N_"))
        return !contains(name, length, "_ZZ"); /* static in a function */
    return length > 0 && name[0] != '.' && name[0] != '"' && strncmp(name, "_Z", 2) != 0;
}

/* Of `@name = internal addrspace(1) global ...`: where `internal` begins and where `global` does. */
static bool find_private_variable(const char *line, size_t length, bool alone, size_t *internal, size_t *global)
{
    static const char *const spaces[] = { " = internal addrspace(1) ", " = internal addrspace(4) " };
    if (length == 0 || line[0] != '@')
        return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const char *found = memmem(line, length, spaces[i], strlen(spaces[i]));
        if (!found)
            continue;
        const size_t name = (size_t)(found - line);
        *internal = name + strlen(" = ");
        *global = name + strlen(spaces[i]);
        return length - *global > 7 && memcmp(line + *global, "global ", 7) == 0 && is_host_visible(line + 1, name - 1, alone);
    }
    return false;
}

/* Lines of functions: their heads and bodies. Elsewhere the word could only be text of the program. */
static bool is_code(const char *line, size_t length)
{
    return contains(line, length, " noundef") &&
           (strncmp(line, "  ", 2) == 0 || strncmp(line, "define", 6) == 0 || strncmp(line, "declare", 7) == 0);
}

/* The line without the word `noundef`, wherever it stands outside of quotes. */
static void append_without_noundef(struct text_buffer *out, const char *line, size_t length)
{
    static const char word[] = " noundef";
    bool quoted = false;
    for (size_t i = 0; i < length;) {
        const bool found = !quoted && length - i >= sizeof word - 1 && memcmp(line + i, word, sizeof word - 1) == 0;
        quoted ^= line[i] == '"';
        if (!found)
            text_append_bytes(out, line + i, 1);
        i += found ? sizeof word - 1 : 1;
    }
}

static void mend(const char *module, bool alone, struct text_buffer *out)
{
    while (*module) {
        const size_t length = strcspn(module, "\n");
        const size_t whole = module[length] ? length + 1 : length;
        size_t internal, global;
        if (find_private_variable(module, length, alone, &internal, &global)) {
            const size_t space = internal + strlen("internal ");
            text_append_bytes(out, module, internal);
            text_append_bytes(out, module + space, global - space);
            text_append(out, "externally_initialized ");
            text_append_bytes(out, module + global, whole - global);
        } else if (is_code(module, length)) {
            append_without_noundef(out, module, whole);
        } else {
            text_append_bytes(out, module, whole);
        }
        module += whole;
    }
}

void device_ir_mend(const char *module, struct text_buffer *out)
{
    mend(module, false, out);
}
void device_ir_mend_alone(const char *module, struct text_buffer *out)
{
    mend(module, true, out);
}
