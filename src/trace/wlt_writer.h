/* wlt_writer.h - what the recording front end uses of the writer. */
#ifndef WARPLINE_TRACE_WLT_WRITER_H
#define WARPLINE_TRACE_WLT_WRITER_H
#include "trace/wlt.h"
#include "trace/wlt_format.h"

/* Starts the next kernel; ends it with all CTAs that were given, and with the table of its instructions. */
void wlt_writer_kernel_start(struct wlt_writer *writer, struct front *front);
void wlt_writer_cta(struct wlt_writer *writer, uint32_t cta_id, const struct bytes *encoded, uint64_t instructions,
                    uint64_t data_bytes);
void wlt_writer_kernel_end(struct wlt_writer *writer, const struct front_launch *launch, const char *trouble);
/* What the file says of device memory so far. The recorder keeps it up to date. NULL: values are not kept. */
struct memory_image *wlt_writer_image(const struct wlt_writer *writer);
#endif
