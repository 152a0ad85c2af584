#include "cuda/device_ir.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"

static bool contains(const char *text, size_t length, const char *part)
{
    return memmem(text, length, part, strlen(part)) != NULL;
}

/* Names that C++ mangles are of static variables, unless they lie in the unnamed namespace; those left as they are written belong to
 * variables of an unnamed type. */
static bool is_host_visible(const char *name, size_t length)
{
    if (contains(name, length, "_GLOBAL__N_"))
        return !contains(name, length, "_ZZ"); /* static in a function */
    return length > 0 && name[0] != '.' && name[0] != '"' && strncmp(name, "_Z", 2) != 0;
}

/* Of `@name = internal addrspace(1) global ...`: where `internal` begins and where `global` does. */
static bool find_private_variable(const char *line, size_t length, size_t *internal, size_t *global)
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
        return length - *global > 7 && memcmp(line + *global, "global ", 7) == 0 && is_host_visible(line + 1, name - 1);
    }
    return false;
}

void device_ir_expose(const char *module, struct text_buffer *out)
{
    while (*module) {
        const size_t length = strcspn(module, "\n");
        const size_t whole = module[length] ? length + 1 : length;
        size_t internal, global;
        if (find_private_variable(module, length, &internal, &global)) {
            const size_t space = internal + strlen("internal ");
            text_append_bytes(out, module, internal);
            text_append_bytes(out, module + space, global - space);
            text_append(out, "externally_initialized ");
            text_append_bytes(out, module + global, whole - global);
        } else {
            text_append_bytes(out, module, whole);
        }
        module += whole;
    }
}

bool device_ir_expose_file(const char *path, struct error *err)
{
    size_t length;
    char *module = text_read_file(path, (size_t)1 << 30, &length, err);
    struct text_buffer out = { 0 };
    if (!module)
        return false;
    device_ir_expose(module, &out);
    const bool changed = out.length != length;
    const bool ok = !changed || atomic_file_write(path, out.text, out.length, err);
    free(module);
    text_buffer_clear(&out);
    return ok;
}
