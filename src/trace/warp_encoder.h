/* warp_encoder.h - writes the streams of a warp (see wlt_format.h) step by step. */
#ifndef WARPLINE_TRACE_WARP_ENCODER_H
#define WARPLINE_TRACE_WARP_ENCODER_H
#include "trace/lane_addresses.h"
#include "trace/wlt_format.h"

/* The place of each instruction with addresses in a warp's memory of shapes, given when it is first seen. */
struct code_slots {
    uint32_t *slot; /* per instruction; UINT32_MAX: none yet */
    uint32_t room, count;
};
void code_slots_init(struct code_slots *slots, uint32_t code_count);
void code_slots_grow(struct code_slots *slots, uint32_t code_count);
void code_slots_clear(struct code_slots *slots);
static inline uint32_t code_slots_of(struct code_slots *slots, uint32_t index)
{
    if (index >= slots->room)
        code_slots_grow(slots, index + 1);
    if (slots->slot[index] == UINT32_MAX)
        slots->slot[index] = slots->count++;
    return slots->slot[index];
}

struct warp_encoder {
    struct bytes flow, operands, values;
    uint32_t next; /* instruction that follows the last one */
    uint32_t mask;
    uint32_t pending; /* instructions of the segment that is open */
    uint32_t jumped;  /* of the open segment: its FLOW_ bits */
    int64_t distance;
    struct lane_memory *memory; /* by slot */
    uint32_t memory_room;
};
void warp_encoder_start(struct warp_encoder *w);
/* `index`: of step->inst in the table. Values are the caller's to append. */
void warp_encoder_step(struct warp_encoder *w, struct code_slots *slots, uint32_t index, const struct warp_step *step);
void warp_encoder_end(struct warp_encoder *w);
/* A CTA's bytes: the lengths of its warps' streams and the streams; with `data`, the values too. Ends the encoders. */
void warp_encoders_join(struct warp_encoder *warps, uint32_t count, bool data, struct bytes *out);
void warp_encoder_free(struct warp_encoder *w);
#endif
