/* wlt_reader.h - what the replaying front end uses of the reader. */
#ifndef WARPLINE_TRACE_WLT_READER_H
#define WARPLINE_TRACE_WLT_READER_H
#include "trace/wlt.h"
#include "trace/wlt_format.h"

struct wlt_cta_place {
    uint32_t block, offset, bytes;
};

/* A kernel as its chunk describes it; the caller clears. */
struct wlt_kernel {
    char *name;
    struct front_launch launch; /* .kernel is `name`, .code is `code` */
    struct inst *code;
    uint64_t *memory, *blocks; /* places in the file */
    uint32_t memory_count, block_count;
    struct wlt_cta_place *ctas;
};
bool wlt_reader_kernel(struct wlt_reader *reader, uint64_t event, struct wlt_kernel *out, struct error *err);
void wlt_kernel_clear(struct wlt_kernel *kernel);

/* A copy of a CTA's bytes, appended to `out`, which is emptied first. A few blocks are kept unpacked. */
bool wlt_reader_cta(struct wlt_reader *reader, const struct wlt_kernel *kernel, uint32_t cta, struct bytes *out, struct error *err);
const char *wlt_reader_name(const struct wlt_reader *reader);
/* Device memory as the trace knows it, NULL when it has no values; and a call that brings it to the state at the kernel's
 * beginning. */
struct memory_image *wlt_reader_image(const struct wlt_reader *reader);
bool wlt_reader_memory(struct wlt_reader *reader, const struct wlt_kernel *kernel, struct error *err);
#endif
