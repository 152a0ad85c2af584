/* clock.c - the clock domains as integer ticks: which of them tick next, and jumping over ticks in which nothing happens. */
#include "gpu/clock.h"

#include "base/error.h"

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
}

uint32_t clocks_step(struct clocks *c)
{
    uint64_t first = c->next[0];
    for (uint32_t d = 1; d < CLOCK_COUNT; d++)
        first = c->next[d] < first ? c->next[d] : first;
    uint32_t mask = 0;
    for (uint32_t d = 0; d < CLOCK_COUNT; d++)
        mask |= (uint32_t)(c->next[d] == first) << d;
    if (seldom(c->first_of))
        mask = c->first_of(c->context, mask);
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
