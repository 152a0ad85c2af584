/* script_front.h - a front end for tests: a kernel written as rows; what memory holds follows from addresses. */
#ifndef WARPLINE_TESTS_SCRIPT_FRONT_H
#define WARPLINE_TESTS_SCRIPT_FRONT_H
#include "front/front.h"

struct script_lane {
    uint32_t cta, warp, lane, times;
}; /* times: how often this warp has executed this row before */

struct script_row {
    uint8_t class, space, bytes, cache_op;
    uint16_t dst, src[3];   /* 0: none */
    uint32_t target, trips; /* branches: go to row `target` so many times, then fall through */
    uint64_t (*address)(struct script_lane lane);
};

/* The last row must be CLASS_EXIT. `threads` per CTA. */
struct front *script_front(const struct script_row *rows, uint32_t count, uint32_t ctas, uint32_t threads);
void script_front_free(struct front *front);
/* From the first instruction to the last that is no exit, both included, on this clock; set it before the run. */
void script_front_time(struct front *front, const struct front_clock *clock);
uint64_t script_front_span(const struct front *front);
/* Lanes whose atomics the machine has carried out so far; only with reference.late_atomics. */
uint64_t script_front_late_lanes(const struct front *front);
#endif
