/* clock.h - clock domains as integers: a tick is the greatest time that divides every period.
 *
 * Domain d ticks at times 0, period[d], 2 * period[d]... after the clocks were aligned (at the start of each kernel, as in the
 * reference). `count[d]` numbers its ticks over the life of the machine: the `now` of its components. */
#ifndef WARPLINE_GPU_CLOCK_H
#define WARPLINE_GPU_CLOCK_H
#include <stdbool.h>
#include <stdint.h>

enum clock_domain { CLOCK_CORE, CLOCK_NET, CLOCK_L2, CLOCK_DRAM, CLOCK_COUNT };

struct clocks {
    uint64_t period[CLOCK_COUNT];        /* in ticks */
    uint64_t next[CLOCK_COUNT];          /* time of the domain's next tick */
    uint64_t count[CLOCK_COUNT];         /* number of that tick */
    uint64_t aligned_dram, aligned_core; /* numbers of their ticks at time 0 */
    uint64_t before_dram, before_core;   /* the same before the last alignment */
    struct clock_rounding *rounding;     /* NULL: exact */
    struct {
        uint64_t now, core_cycles, answer;
    } after; /* clocks_dram_after's last: channels ask for the same tick one after the other */
};

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_COUNT]);
void clocks_align(struct clocks *c);
/* The reference adds up periods that are rounded to doubles, so that of ticks which should coincide those of the DRAM come a step
 * before or a step after those of the others, for thousands of cycles in the same way. From now on so do these. Core, network and
 * L2 must have one frequency. */
void clocks_round(struct clocks *c, uint64_t core_khz, uint64_t dram_khz);
void clocks_clear(struct clocks *c);
/* The number of the first DRAM tick at which the core has ticked `core_cycles` times more than at DRAM tick `now`. */
uint64_t clocks_dram_after(struct clocks *c, uint64_t now, uint64_t core_cycles);
/* Its answer `tick` from before the last alignment, for a wait that goes on over it. The core must not be faster than the DRAM. */
uint64_t clocks_dram_moved(struct clocks *c, uint64_t tick);
/* Domains that tick at the earliest time, bit per domain; their next ticks are set. */
uint32_t clocks_step(struct clocks *c);
/* Time of tick number `n` of a domain, n not before its next; UINT64_MAX stays so. */
uint64_t clocks_time_of(const struct clocks *c, enum clock_domain d, uint64_t n);
/* Skips every tick before `time`. */
void clocks_jump(struct clocks *c, uint64_t time);
#endif
