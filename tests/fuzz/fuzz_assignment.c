/* --set: any text is taken or refused in a sentence; what is taken reads back as the same value. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fuzz_table.h"

static void write_back(void *context, const char *name, const struct param *row, const char *value)
{
    (void)row;
    struct error err = { 0 };
    if (!param_set(context, name, value, "echo", &err))
        panic("%s=%s does not read back: %s", name, value, err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    struct fuzz_machine machine = { 0 };
    struct error err = { 0 };
    struct param_space *space = param_space_new();
    param_defaults(fuzz_table, &machine);
    param_space_add(space, "", fuzz_table, &machine);
    if (param_set_assignment(space, text, "--set", &err)) {
        const struct fuzz_machine taken = machine;
        param_each(space, write_back, space);
        require(!memcmp(&taken, &machine, sizeof taken));
    } else {
        require(err.text[0] && err.code == CODE_INPUT);
    }
    param_space_free(space);
    free(text);
    return 0;
}
