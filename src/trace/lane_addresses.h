/* lane_addresses.h - 32 addresses in a few bytes.
 *
 * Most warps touch rows: lane l is at base + (l mod p) * step + (l / p) * row, for p a power of two (a block of 16x16 threads has
 * p = 16; p = 32 is one row). The shape {p, step, row} rarely changes from one execution of an instruction to the next, and the
 * base often moves by the same amount: each warp keeps, per memory instruction, its last shape, base and move. What fits no shape
 * is a list of differences from lane to lane. */
#ifndef WARPLINE_TRACE_LANE_ADDRESSES_H
#define WARPLINE_TRACE_LANE_ADDRESSES_H
#include "trace/bytes.h"

struct lane_shape {
    int64_t step, row;
    uint8_t period_log; /* 0..5 */
};

/* What writer and reader both know of a memory instruction of a warp. All zero at the warp's start, except `base`. */
struct lane_memory {
    struct lane_shape shape;
    uint64_t base; /* of lane 0, whether it was active or not; lists: of the first active lane */
    int64_t move;
};

/* `lanes` is not 0. `space` (0..7) is stored with them. */
void lane_addresses_write(struct bytes *out, struct lane_memory *memory, uint32_t lanes, const uint64_t address[32], uint8_t space);
/* False: the bytes end early or make no sense. Fills all 32 of `address` when there is a shape, else those of `lanes`. */
bool lane_addresses_read(struct cursor *in, struct lane_memory *memory, uint32_t lanes, uint64_t address[32], uint8_t *space);
#endif
