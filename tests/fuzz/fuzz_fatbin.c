/* Fatbin containers and PTX texts: any bytes are read or refused in a sentence. */
#include <stdlib.h>
#include <string.h>

#include "run/elf_check.h"
#include "run/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = { 0 };
    struct fatbin_ptx ptx;
    if (fatbin_read(data, size, &ptx, &err)) {
        require(!ptx.text || strlen(ptx.text) == ptx.length);
        free(ptx.text);
    } else {
        require(err.text[0] && err.code == CODE_INPUT && !ptx.text);
    }
    bool uses;
    void *aligned = aligned_alloc(16, (size + 16) & ~(size_t)15); /* a mapped file is aligned */
    memcpy(aligned, data, size);
    (void)elf_check_bytes("app", aligned, size, &uses, &err);
    free(aligned);
    return 0;
}
