/* apart_clocks.h - clocks as rounded_clocks.h has them, for machines whose core, network and L2 do not have one frequency. Rounding
 * may then change the order of any two ticks, so every tick's time is added up, where rounded_clocks.c does so only for ticks that
 * should coincide. The reference counts the latency between network and L2 in core cycles too. */
#ifndef WARPLINE_REFERENCE_APART_CLOCKS_H
#define WARPLINE_REFERENCE_APART_CLOCKS_H
#include "gpu/clock.h"

/* Goes through the ticks of a domain since the alignment: `core` is how many ticks of the core come before tick `tick`. The core
 * goes last of those that tick together. */
struct tick_cursor {
    double period, core_period;
    double time, core_time; /* of these ticks */
    uint64_t tick, core;
};

/* A latency in core cycles that is waited for in ticks of another domain. */
struct core_wait {
    enum clock_domain domain;
    uint64_t latency, aligned;            /* aligned: the number of the domain's tick at time 0 */
    struct tick_cursor now, over, before; /* before: `now` before the last alignment */
    uint64_t before_aligned;
};

struct apart_clocks {
    struct clocks *clocks;
    double period[CLOCK_COUNT], time[CLOCK_COUNT]; /* seconds; of the next tick */
    uint64_t added[CLOCK_COUNT];                   /* number of that tick, as struct clocks counts */
    uint64_t aligned_core, before_core;
    struct core_wait dram, l2;
};

/* Makes the clocks tick in this way from now on. They must outlive this. */
void apart_clocks_init(struct apart_clocks *a, struct clocks *c, const uint64_t khz[CLOCK_COUNT], uint64_t dram_latency,
                       uint64_t l2_latency);
void apart_clocks_aligned(struct apart_clocks *a); /* after each clocks_align */
/* The first tick of the domain at which the core has ticked `latency` times more than at tick `now`. `now` never goes back. */
uint64_t core_wait_over(struct core_wait *w, uint64_t now);
/* Translates an answer from before the last alignment, for a wait that goes on across it. Where the core is faster than the domain
 * the answer may be one tick late: which of the core's ticks it was for is not known. */
uint64_t core_wait_moved(const struct core_wait *w, const struct apart_clocks *a, uint64_t tick);
#endif
