/* clock.c - the clock domains as integer ticks: which of them tick next, and jumping over ticks in which nothing happens. */
#include "gpu/clock.h"

#include <stdlib.h>

#include "base/error.h"

/* Who ticks first where core and DRAM should tick together: entry k is for the k-th such time after they were aligned, which is the
 * same after every alignment. */
enum { TOGETHER, CORE_FIRST, DRAM_FIRST };
struct clock_rounding {
    double core_period, dram_period; /* seconds, as the reference has them */
    double core_time, dram_time;     /* sums of so many periods as lead to the time after the last entry */
    uint64_t core_each, dram_each;   /* ticks from one such time to the next */
    uint8_t *order;
    uint64_t count, room;
};

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_COUNT])
{
    uint64_t common = khz[0];
    for (uint32_t d = 1; d < CLOCK_COUNT; d++)
        common = common / gcd(common, khz[d]) * khz[d];
    for (uint32_t d = 0; d < CLOCK_COUNT; d++) {
        c->period[d] = common / khz[d];
        c->count[d] = 0;
    }
    clocks_align(c);
}

void clocks_align(struct clocks *c)
{
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        c->next[d] = 0;
    c->before_dram = c->aligned_dram;
    c->before_core = c->aligned_core;
    c->aligned_dram = c->count[CLOCK_DRAM];
    c->aligned_core = c->count[CLOCK_CORE];
    c->after.now = UINT64_MAX;
}

void clocks_round(struct clocks *c, uint64_t core_khz, uint64_t dram_khz)
{
    const uint64_t common = gcd(core_khz, dram_khz);
    require(c->period[CLOCK_NET] == c->period[CLOCK_CORE] && c->period[CLOCK_L2] == c->period[CLOCK_CORE]);
    c->rounding = must_calloc(1, sizeof *c->rounding);
    c->rounding->core_period = 1 / ((double)core_khz * 1000);
    c->rounding->dram_period = 1 / ((double)dram_khz * 1000);
    c->rounding->core_each = core_khz / common;
    c->rounding->dram_each = dram_khz / common;
}

void clocks_clear(struct clocks *c)
{
    if (c->rounding)
        free(c->rounding->order);
    free(c->rounding);
    c->rounding = NULL;
}

/* The k-th time at which core and DRAM should tick together. One byte per such time: 25 core cycles on a GTX 480. */
static uint8_t order_at(struct clock_rounding *r, uint64_t k)
{
    while (k >= r->count) {
        if (r->count == r->room) {
            r->room = r->room * 2 + 4096;
            r->order = must_realloc(r->order, r->room);
        }
        r->order[r->count++] = r->core_time == r->dram_time ? TOGETHER : r->core_time < r->dram_time ? CORE_FIRST : DRAM_FIRST;
        for (uint64_t i = 0; i < r->core_each; i++)
            r->core_time += r->core_period;
        for (uint64_t i = 0; i < r->dram_each; i++)
            r->dram_time += r->dram_period;
    }
    return r->order[k];
}

/* Of domains that should tick together, those that the reference would let go first. */
static uint32_t first_of(struct clocks *c, uint32_t mask)
{
    const uint32_t dram = 1u << CLOCK_DRAM;
    if (!(mask & dram) || mask == dram)
        return mask;
    const uint8_t order = order_at(c->rounding, c->next[CLOCK_DRAM] / (c->period[CLOCK_DRAM] * c->rounding->dram_each));
    return order == TOGETHER ? mask : order == DRAM_FIRST ? dram : mask & ~dram;
}

/* Ticks of the core before DRAM tick `n`, counted from the alignment. Of ticks at the same time the DRAM's comes first, but for
 * rounding. */
static uint64_t core_ticks_before(struct clocks *c, uint64_t n)
{
    const uint64_t time = n * c->period[CLOCK_DRAM], period = c->period[CLOCK_CORE];
    const bool later = time % period == 0 && c->rounding && order_at(c->rounding, n / c->rounding->dram_each) == CORE_FIRST;
    return (time + period - 1) / period + later;
}

/* The first DRAM tick after `wanted` ticks of the core, one at least, both counted from the alignment: once tick `wanted` - 1 of
 * the core is past, at the same time if the core goes first, otherwise at the next. */
static uint64_t dram_tick_after(struct clocks *c, uint64_t wanted)
{
    const uint64_t at = (wanted - 1) * c->period[CLOCK_CORE] / c->period[CLOCK_DRAM];
    return core_ticks_before(c, at) >= wanted ? at : at + 1;
}

static uint64_t dram_after(struct clocks *c, uint64_t now, uint64_t core_cycles)
{
    if (!core_cycles)
        return now;
    return c->aligned_dram + dram_tick_after(c, core_ticks_before(c, now - c->aligned_dram) + core_cycles);
}

uint64_t clocks_dram_moved(struct clocks *c, uint64_t tick)
{
    if (tick < c->aligned_dram)
        return tick;
    /* Not more than one tick of the core lies between two of the DRAM: so many were wanted as come before `tick`. */
    const uint64_t wanted = core_ticks_before(c, tick - c->before_dram), past = c->aligned_core - c->before_core;
    return c->aligned_dram + (wanted > past ? dram_tick_after(c, wanted - past) : 0);
}

uint64_t clocks_dram_after(struct clocks *c, uint64_t now, uint64_t core_cycles)
{
    if (now != c->after.now || core_cycles != c->after.core_cycles) {
        c->after.now = now;
        c->after.core_cycles = core_cycles;
        c->after.answer = dram_after(c, now, core_cycles);
    }
    return c->after.answer;
}

uint32_t clocks_step(struct clocks *c)
{
    uint64_t first = c->next[0];
    for (uint32_t d = 1; d < CLOCK_COUNT; d++)
        first = c->next[d] < first ? c->next[d] : first;
    uint32_t mask = 0;
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        mask |= (uint32_t)(c->next[d] == first) << d;
    if (c->rounding)
        mask = first_of(c, mask);
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        if (mask >> d & 1) {
            c->next[d] += c->period[d];
            c->count[d]++;
        }
    return mask;
}

uint64_t clocks_time_of(const struct clocks *c, enum clock_domain d, uint64_t n)
{
    if (n == UINT64_MAX)
        return UINT64_MAX;
    return n <= c->count[d] ? c->next[d] : c->next[d] + (n - c->count[d]) * c->period[d];
}

void clocks_jump(struct clocks *c, uint64_t time)
{
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        if (c->next[d] < time) {
            const uint64_t ticks = (time - c->next[d] + c->period[d] - 1) / c->period[d];
            c->next[d] += ticks * c->period[d];
            c->count[d] += ticks;
        }
}
