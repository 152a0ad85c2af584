/* Configurations of GPGPU-Sim: option files and, behind a byte of 1, the network's file. Any bytes become a configuration or are
 * refused in a sentence, twice with the same outcome. */
#include <stdlib.h>
#include <string.h>

#include "import/machine.h"

static bool convert(const char *options, const char *network, struct import_result *result, struct error *err)
{
    struct options all = { 0 };
    const bool ok = options_parse(&all, "fuzz.config", options, err) &&
                    (!network || options_parse_network(&all, "fuzz.icnt", network, err)) && import_machine(&all, true, result, err);
    options_clear(&all);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *network = strchr(text, 1);
    if (network)
        *network++ = '\0';
    struct import_result first = { 0 }, second = { 0 };
    struct error first_err = { 0 }, second_err = { 0 };
    const bool ok = convert(text, network, &first, &first_err);
    require(convert(text, network, &second, &second_err) == ok);
    require(!strcmp(first_err.text, second_err.text) && !strcmp(first.policies, second.policies));
    require(!ok || !strcmp(first.config.text, second.config.text));
    require(ok || (first_err.text[0] && first_err.code == CODE_INPUT && !strchr(first_err.text, '\n')));
    text_buffer_clear(&first.config);
    text_buffer_clear(&second.config);
    free(text);
    return 0;
}
