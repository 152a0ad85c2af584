/* rounded_clocks.h - clocks as GPGPU-Sim has them. It adds up periods that are rounded to doubles. Ticks that should coincide
 * then come apart: the DRAM's tick falls a step before or after the others, in the same way for thousands of cycles. It also
 * counts the fixed latency of DRAM in core cycles, and the latency between network and L2 where their clocks differ from the
 * core's (apart_clocks.h). */
#ifndef WARPLINE_REFERENCE_ROUNDED_CLOCKS_H
#define WARPLINE_REFERENCE_ROUNDED_CLOCKS_H
#include "gpu/clock.h"

struct rounded_clocks;
/* Makes the clocks tick in this way from now on. They must outlive this. */
struct rounded_clocks *rounded_clocks_new(struct clocks *c, const uint64_t khz[CLOCK_COUNT], uint64_t dram_latency,
                                          uint64_t l2_latency);
/* Core, network and L2 do not have one frequency. */
bool rounded_clocks_apart(const struct rounded_clocks *r);
void rounded_clocks_free(struct rounded_clocks *r);
void rounded_clocks_aligned(struct rounded_clocks *r); /* after each clocks_align */
/* The number of the first DRAM tick at which the core has ticked `dram_latency` times more than at DRAM tick `now`. */
uint64_t rounded_clocks_delay(void *rounded, uint64_t now);
/* The same for ticks of the L2 and `l2_latency`, where the clocks are apart. */
uint64_t rounded_clocks_l2_delay(void *rounded, uint64_t now);
/* Translates an answer `tick` from before the last alignment, for a wait that goes on across it. The core must not be faster
 * than the DRAM. */
uint64_t rounded_clocks_moved(void *rounded, uint64_t tick);
#endif
