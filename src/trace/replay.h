/* replay.h - the front end that reads encoded CTAs (wlt_format.h), wherever they come from. */
#ifndef WARPLINE_TRACE_REPLAY_H
#define WARPLINE_TRACE_REPLAY_H
#include "trace/memory_image.h"
#include "trace/warp_encoder.h"

/* Where the CTAs of a kernel come from: a .wlt file, or a text that is translated as it is read. */
struct cta_source {
    /* Puts the CTA's bytes into `out`; may add to the table of instructions and to the slots. */
    bool (*fetch)(struct cta_source *source, uint32_t cta_id, struct bytes *out, struct error *err);
    /* Says that the bytes of a CTA make no sense. Returns false. */
    bool (*damaged)(struct cta_source *source, uint32_t cta_id, const char *what, struct error *err);
    void (*destroy)(struct cta_source *source);
    struct front_launch launch;
    struct code_slots slots;
    struct memory_image *image; /* device memory, when stores come with values; NULL: they do not. The source's owner keeps it */
};
/* The front end owns the source. */
struct front *replay_new(struct cta_source *source);
#endif
