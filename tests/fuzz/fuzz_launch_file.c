/* Launch files: any bytes are read or refused in a sentence. */
#include <stdlib.h>
#include <string.h>

#include "run/launch_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Files on this machine are no part of the input, and arrays of gigabytes no part of the test. */
    char *text = calloc(size + 1, 1);
    memcpy(text, data, size);
    const char *digits = text;
    bool large = false;
    while (!large && (digits = strpbrk(digits, "123456789"))) {
        const size_t run = strspn(digits, "0123456789eE+.");
        large = run > 6 || memchr(digits, 'e', run) || memchr(digits, 'E', run);
        digits += run;
    }
    if (!strstr(text, "file") && !strstr(text, "expect") && !large) {
        struct error err = { 0 };
        struct launch_file *file = launch_file_parse("fuzz.json", "", (const char *)data, size, 1 << 20, &err);
        require(file || (err.text[0] && err.code == CODE_INPUT));
        launch_file_free(file);
    }
    free(text);
    return 0;
}
