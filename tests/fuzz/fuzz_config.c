/* Configuration files: any bytes are read or refused in a sentence, twice with the same outcome. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_table.h"

static bool load(const char *text, struct fuzz_machine *machine, struct error *err)
{
    struct param_space *space = param_space_new();
    *machine = (struct fuzz_machine){ 0 };
    param_defaults(fuzz_table, machine);
    param_space_add(space, "", fuzz_table, machine);
    const bool ok = param_load_text(space, text, "fuzz.conf", err);
    param_space_free(space);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    /* Files on this machine are no part of the input. */
    if (!strstr(text, "include")) {
        struct fuzz_machine first, second;
        struct error first_err = { 0 }, second_err = { 0 };
        const bool ok = load(text, &first, &first_err);
        require(load(text, &second, &second_err) == ok);
        require(!memcmp(&first, &second, sizeof first) && !strcmp(first_err.text, second_err.text));
        require(ok || (first_err.text[0] && first_err.code == CODE_INPUT && !strchr(first_err.text, '\n')));
    }
    free(text);
    return 0;
}
