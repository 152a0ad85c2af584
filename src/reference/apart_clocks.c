/* apart_clocks.c - the order in which clocks tick when their periods are added up as doubles, for any four frequencies. */
#include "reference/apart_clocks.h"

#include "base/error.h"

static void restart(struct tick_cursor *c)
{
    c->time = c->core_time = 0;
    c->tick = c->core = 0;
}

static void go_to_next(struct tick_cursor *c)
{
    c->time += c->period;
    c->tick++;
    for (; c->core_time < c->time; c->core++)
        c->core_time += c->core_period;
}

static void go_to(struct tick_cursor *c, uint64_t tick)
{
    while (c->tick < tick)
        go_to_next(c);
}

static uint64_t go_until_core(struct tick_cursor *c, uint64_t core)
{
    while (c->core < core)
        go_to_next(c);
    return c->tick;
}

/* Domains that tick next. Ticks that the machine has jumped over are added first. */
static uint32_t first_of(void *apart, uint32_t mask)
{
    struct apart_clocks *a = apart;
    double first = 0;
    for (uint32_t d = 0; d < CLOCK_COUNT; d++) {
        for (; a->added[d] < a->clocks->count[d]; a->added[d]++)
            a->time[d] += a->period[d];
        first = d == 0 || a->time[d] < first ? a->time[d] : first;
    }
    mask = 0;
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        mask |= (uint32_t)(a->time[d] == first) << d;
    return mask;
}

static void wait_init(struct core_wait *w, const struct apart_clocks *a, enum clock_domain domain, uint64_t latency)
{
    *w = (struct core_wait){ .domain = domain, .latency = latency };
    w->now.period = a->period[domain];
    w->now.core_period = a->period[CLOCK_CORE];
    w->over = w->before = w->now;
}

void apart_clocks_init(struct apart_clocks *a, struct clocks *c, const uint64_t khz[CLOCK_COUNT], uint64_t dram_latency,
                       uint64_t l2_latency)
{
    *a = (struct apart_clocks){ .clocks = c };
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        a->period[d] = 1 / ((double)khz[d] * 1000);
    wait_init(&a->dram, a, CLOCK_DRAM, dram_latency);
    wait_init(&a->l2, a, CLOCK_L2, l2_latency);
    c->first_of = first_of;
    c->context = a;
    apart_clocks_aligned(a);
}

static void wait_aligned(struct core_wait *w, const struct clocks *c)
{
    w->before = w->now;
    w->before_aligned = w->aligned;
    w->aligned = c->count[w->domain];
    restart(&w->now);
    restart(&w->over);
}

void apart_clocks_aligned(struct apart_clocks *a)
{
    for (uint32_t d = 0; d < CLOCK_COUNT; d++) {
        a->time[d] = 0;
        a->added[d] = a->clocks->count[d];
    }
    a->before_core = a->aligned_core;
    a->aligned_core = a->clocks->count[CLOCK_CORE];
    wait_aligned(&a->dram, a->clocks);
    wait_aligned(&a->l2, a->clocks);
}

uint64_t core_wait_over(struct core_wait *w, uint64_t now)
{
    require(now >= w->aligned + w->now.tick);
    go_to(&w->now, now - w->aligned);
    go_to(&w->over, w->now.tick);
    return w->aligned + go_until_core(&w->over, w->now.core + w->latency);
}

uint64_t core_wait_moved(const struct core_wait *w, const struct apart_clocks *a, uint64_t tick)
{
    if (tick < w->aligned)
        return tick;
    struct tick_cursor before = w->before, after = w->now;
    go_to(&before, tick - w->before_aligned);
    restart(&after);
    const uint64_t past = a->aligned_core - a->before_core;
    return w->aligned + (before.core > past ? go_until_core(&after, before.core - past) : 0);
}
