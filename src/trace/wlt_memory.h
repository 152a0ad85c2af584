/* wlt_memory.h - the chunks of a .wlt file that say what the host changed in device memory before a kernel. */
#ifndef WARPLINE_TRACE_WLT_MEMORY_H
#define WARPLINE_TRACE_WLT_MEMORY_H
#include "front/front.h"
#include "trace/bytes.h"
#include "trace/memory_image.h"

/* Where the chunks go. */
struct wlt_memory_sink {
    void (*chunk)(struct wlt_memory_sink *sink, const struct bytes *content);
};
/* Brings the image up to what `front` holds now, and gives the pages that differed, in chunks. Returns how many there were. */
uint64_t wlt_memory_collect(struct memory_image *image, struct front *front, struct wlt_memory_sink *sink);
/* Puts a chunk's pages into the image; false: it makes no sense. */
bool wlt_memory_apply(struct memory_image *image, struct cursor in);
#endif
