/* rounded_clocks.c - the order in which clocks tick when their periods are added up as doubles. */
#include "reference/rounded_clocks.h"

#include <stdlib.h>

#include "base/error.h"
#include "reference/apart_clocks.h"

/* When core and DRAM should tick together, one of them ticks first because of rounding. Entry k says which, for the k-th such
 * time after the clocks were aligned. The order is the same after every alignment. */
enum { TOGETHER, CORE_FIRST, DRAM_FIRST };
struct rounded_clocks {
    struct clocks *clocks;
    uint64_t latency;                    /* of DRAM, in core cycles */
    double core_period, dram_period;     /* seconds, as the reference has them */
    double core_time, dram_time;         /* sums of as many periods as lead to the time after the last entry */
    uint64_t core_each, dram_each;       /* ticks from one such time to the next */
    uint64_t aligned_dram, aligned_core; /* numbers of their ticks at time 0 */
    uint64_t before_dram, before_core;   /* the same before the last alignment */
    uint64_t asked, answer;              /* the last delay: channels ask for the same tick one after the other */
    uint8_t *order;
    uint64_t count, room;
    struct apart_clocks *apart; /* not NULL: core, network and L2 do not have one frequency; it does all of this */
};

/* The k-th time at which core and DRAM should tick together. One byte per such time: 25 core cycles on a GTX 480. */
static uint8_t order_at(struct rounded_clocks *r, uint64_t k)
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

static uint32_t first_of(void *rounded, uint32_t mask)
{
    struct rounded_clocks *r = rounded;
    const struct clocks *c = r->clocks;
    const uint32_t dram = 1u << CLOCK_DRAM;
    if (!(mask & dram) || mask == dram)
        return mask;
    const uint8_t order = order_at(r, c->next[CLOCK_DRAM] / (c->period[CLOCK_DRAM] * r->dram_each));
    return order == TOGETHER ? mask : order == DRAM_FIRST ? dram : mask & ~dram;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

struct rounded_clocks *rounded_clocks_new(struct clocks *c, const uint64_t khz[CLOCK_COUNT], uint64_t dram_latency,
                                          uint64_t l2_latency)
{
    struct rounded_clocks *r = must_calloc(1, sizeof *r);
    const uint64_t core_khz = khz[CLOCK_CORE], dram_khz = khz[CLOCK_DRAM], common = gcd(core_khz, dram_khz);
    r->clocks = c;
    r->latency = dram_latency;
    if (khz[CLOCK_NET] != core_khz || khz[CLOCK_L2] != core_khz) {
        r->apart = must_calloc(1, sizeof *r->apart);
        apart_clocks_init(r->apart, c, khz, dram_latency, l2_latency);
        return r;
    }
    r->core_period = 1 / ((double)core_khz * 1000);
    r->dram_period = 1 / ((double)dram_khz * 1000);
    r->core_each = core_khz / common;
    r->dram_each = dram_khz / common;
    c->first_of = first_of;
    c->context = r;
    rounded_clocks_aligned(r);
    return r;
}

void rounded_clocks_free(struct rounded_clocks *r)
{
    if (!r)
        return;
    free(r->apart);
    free(r->order);
    free(r);
}

bool rounded_clocks_apart(const struct rounded_clocks *r)
{
    return r->apart;
}

void rounded_clocks_aligned(struct rounded_clocks *r)
{
    if (r->apart) {
        apart_clocks_aligned(r->apart);
        return;
    }
    r->before_dram = r->aligned_dram;
    r->before_core = r->aligned_core;
    r->aligned_dram = r->clocks->count[CLOCK_DRAM];
    r->aligned_core = r->clocks->count[CLOCK_CORE];
    r->asked = UINT64_MAX;
}

/* Ticks of the core before DRAM tick `n`, counted from the alignment. When both tick at the same time the DRAM's comes first,
 * unless rounding decides otherwise. */
static uint64_t core_ticks_before(struct rounded_clocks *r, uint64_t n)
{
    const uint64_t time = n * r->clocks->period[CLOCK_DRAM], period = r->clocks->period[CLOCK_CORE];
    const bool later = time % period == 0 && order_at(r, n / r->dram_each) == CORE_FIRST;
    return (time + period - 1) / period + later;
}

/* The first DRAM tick after `wanted` ticks of the core (at least one), both counted from the alignment. That is the DRAM tick at
 * the time of the core's tick `wanted` - 1 if the core goes first there, and otherwise the next one. */
static uint64_t dram_tick_after(struct rounded_clocks *r, uint64_t wanted)
{
    const uint64_t at = (wanted - 1) * r->clocks->period[CLOCK_CORE] / r->clocks->period[CLOCK_DRAM];
    return core_ticks_before(r, at) >= wanted ? at : at + 1;
}

uint64_t rounded_clocks_delay(void *rounded, uint64_t now)
{
    struct rounded_clocks *r = rounded;
    if (!r->latency)
        return now;
    if (r->apart)
        return core_wait_over(&r->apart->dram, now);
    if (now != r->asked) {
        r->asked = now;
        r->answer = r->aligned_dram + dram_tick_after(r, core_ticks_before(r, now - r->aligned_dram) + r->latency);
    }
    return r->answer;
}

uint64_t rounded_clocks_l2_delay(void *rounded, uint64_t now)
{
    struct rounded_clocks *r = rounded;
    return core_wait_over(&r->apart->l2, now);
}

uint64_t rounded_clocks_moved(void *rounded, uint64_t tick)
{
    struct rounded_clocks *r = rounded;
    if (r->apart)
        return core_wait_moved(&r->apart->dram, r->apart, tick);
    if (tick < r->aligned_dram)
        return tick;
    /* At most one tick of the core lies between two of the DRAM. So `wanted` was the number of core ticks before `tick`. */
    const uint64_t wanted = core_ticks_before(r, tick - r->before_dram), past = r->aligned_core - r->before_core;
    return r->aligned_dram + (wanted > past ? dram_tick_after(r, wanted - past) : 0);
}
