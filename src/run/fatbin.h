/* fatbin.h - the PTX inside what a CUDA program hands to the runtime.
 *
 * Either a container of entries (PTX or machine code, plain, LZ4 or zstd) or, in programs made by clang, the PTX text itself. */
#ifndef WARPLINE_RUN_FATBIN_H
#define WARPLINE_RUN_FATBIN_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#define FATBIN_MAGIC 0xBA55ED50u
/* No PTX text is larger than this. A field that says so is damaged, and no memory is taken for it. */
enum { FATBIN_MAX_TEXT = 512 << 20 };

/* What __cudaRegisterFatBinary is given. */
struct fatbin_wrapper {
    uint32_t magic, version; /* 1: data is a container; 2: device-linked, extra is a NULL-ended list of containers */
    const void *data;
    const void *extra;
};

struct fatbin_ptx {
    char *text; /* NUL-terminated; owned by the caller; NULL when there is none */
    size_t length;
    uint32_t architecture;                  /* 75 for compute_75; 0 unknown */
    uint32_t entries, machine_code_entries; /* how many the container had of each kind */
};

/* Size of the object at `data` as its own header tells it. It is for containers in memory, whose end nobody else knows. A PTX
 * text ends with NUL. */
size_t fatbin_size(const void *data);

/* Reads at most `size` bytes. Of several architectures the newest PTX is taken. True without text when there is no PTX; false
 * when the bytes are damaged. */
bool fatbin_read(const void *data, size_t size, struct fatbin_ptx *out, struct error *err);
#endif
