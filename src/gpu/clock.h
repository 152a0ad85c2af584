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
    uint64_t period[CLOCK_COUNT]; /* in ticks */
    uint64_t next[CLOCK_COUNT];   /* time of the domain's next tick */
    uint64_t count[CLOCK_COUNT];  /* number of that tick */
    /* Of domains that should tick together, those that go first; NULL: all of them do. src/reference fills it in. */
    uint32_t (*first_of)(void *context, uint32_t mask);
    void *context;
};

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_COUNT]);
void clocks_align(struct clocks *c);
/* Domains that tick at the earliest time, bit per domain; their next ticks are set. */
uint32_t clocks_step(struct clocks *c);
/* Time of tick number `n` of a domain, n not before its next; UINT64_MAX stays so. */
uint64_t clocks_time_of(const struct clocks *c, enum clock_domain d, uint64_t n);
/* Skips every tick before `time`. */
void clocks_jump(struct clocks *c, uint64_t time);
#endif
