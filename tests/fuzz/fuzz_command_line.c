/* Command lines: words separated by newlines are parsed or refused, for every command, without running it. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { WORDS_MAX = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *rest = text, *words[WORDS_MAX];
    memcpy(text, data, size);
    text[size] = '\0';
    int count = 0;
    for (char *word; count < WORDS_MAX && (word = strsep(&rest, "\n"));)
        words[count++] = word;
    for (const struct command *const *c = cli_commands; *c; c++) {
        void *options = must_calloc(1, (*c)->options_size);
        struct command_call call;
        struct error err = { 0 };
        bool help;
        if (!cli_parse(*c, count, words, options, &call, &help, &err))
            require(err.code == CODE_USAGE && err.text[0]);
        cli_options_clear(*c, options);
        free(call.arguments);
        free(options);
    }
    free(text);
    return 0;
}
