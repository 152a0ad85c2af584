/* Clocks that drift by the rounding of their periods, as the reference's do. */
#include <string.h>

#include "cmocka_all.h"
#include "reference/rounded_clocks.h"

enum { DRAM = 1u << CLOCK_DRAM };

/* The GTX 480's, and clocks that are apart: core, network, L2, DRAM. */
enum { SETS = 3 };
static const uint64_t khz[SETS][CLOCK_COUNT] = { { 700000, 700000, 700000, 924000 },
                                                 { 700000, 1050000, 500000, 924000 },
                                                 { 871000, 987000, 1137000, 1003000 } };

static struct rounded_clocks *make(struct clocks *c, uint32_t set)
{
    *c = (struct clocks){ 0 };
    clocks_init(c, khz[set]);
    return rounded_clocks_new(c, khz[set], 100, 120);
}

static void align(struct clocks *c, struct rounded_clocks *r)
{
    clocks_align(c);
    rounded_clocks_aligned(r);
}

/* The sums themselves, one addition per tick, as the reference makes them. Now and then ticks are jumped over. */
static void go_as_sums(uint32_t set)
{
    struct clocks c;
    struct rounded_clocks *r = make(&c, set);
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        double time[CLOCK_COUNT] = { 0 };
        align(&c, r);
        for (uint32_t step = 0; step < 200000; step++) {
            double first = time[0];
            for (uint32_t d = 1; d < CLOCK_COUNT; d++)
                first = time[d] < first ? time[d] : first;
            uint32_t expected = 0;
            for (uint32_t d = 0; d < CLOCK_COUNT; d++)
                expected |= (uint32_t)(time[d] == first) << d;
            assert_int_equal(clocks_step(&c), expected);
            for (uint32_t d = 0; d < CLOCK_COUNT; d++)
                time[d] += expected >> d & 1 ? 1 / ((double)khz[set][d] * 1000) : 0;
            if (step % 1000 != 0)
                continue;
            uint64_t before[CLOCK_COUNT];
            memcpy(before, c.count, sizeof before);
            clocks_jump(&c, c.next[CLOCK_CORE] + 100 * c.period[CLOCK_CORE]);
            for (uint32_t d = 0; d < CLOCK_COUNT; d++)
                for (; before[d] < c.count[d]; before[d]++)
                    time[d] += 1 / ((double)khz[set][d] * 1000);
        }
    }
    rounded_clocks_free(r);
}

static void rounded_clocks_go_as_sums_of_doubles(void **state)
{
    (void)state;
    for (uint32_t set = 0; set < SETS; set++)
        go_as_sums(set);
}

/* A latency in core cycles, found by stepping. */
static void count_latency(uint32_t set, enum clock_domain domain, uint64_t latency, uint64_t (*delay)(void *, uint64_t))
{
    struct clocks c;
    struct rounded_clocks *r = make(&c, set);
    static uint64_t core_before[12000]; /* per tick of the domain */
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        (void)delay(r, c.count[domain]); /* an answer that holds no longer */
        align(&c, r);
        const uint64_t start = c.count[domain], core_start = c.count[CLOCK_CORE];
        while (c.count[domain] < start + 11990) {
            const uint64_t core = c.count[CLOCK_CORE] - core_start, n = c.count[domain] - start;
            if (clocks_step(&c) >> domain & 1) /* it goes before the core's work of the same step */
                core_before[n] = core;
        }
        for (uint64_t n = 0; n < 11000; n++) {
            uint64_t ready = n;
            while (core_before[ready] < core_before[n] + latency)
                ready++;
            assert_int_equal(delay(r, start + n), start + ready);
        }
    }
    rounded_clocks_free(r);
}

static void latencies_are_counted_in_core_cycles(void **state)
{
    (void)state;
    for (uint32_t set = 0; set < SETS; set++)
        count_latency(set, CLOCK_DRAM, 100, rounded_clocks_delay);
    for (uint32_t set = 1; set < SETS; set++) /* clocks that are apart */
        count_latency(set, CLOCK_L2, 120, rounded_clocks_l2_delay);
}

/* The same for one that goes on in the next kernel, which begins at any time of it. */
static void go_on_over_an_alignment(uint32_t set)
{
    struct clocks c;
    struct rounded_clocks *r = make(&c, set);
    for (uint32_t kernel = 0; kernel < 4000; kernel++) {
        uint64_t asked = UINT64_MAX, ready = 0, wanted = 0;
        for (uint32_t step = 0; step < 300 + kernel % 241; step++) {
            const uint64_t core = c.count[CLOCK_CORE], dram = c.count[CLOCK_DRAM];
            if (!(clocks_step(&c) & DRAM) || step < 300 || asked != UINT64_MAX)
                continue;
            asked = dram;
            wanted = core + 100;
            ready = rounded_clocks_delay(r, asked);
        }
        align(&c, r);
        const uint64_t moved = rounded_clocks_moved(r, ready);
        if (asked == UINT64_MAX || ready < c.count[CLOCK_DRAM]) /* it is over */
            continue;
        uint64_t dram, core;
        do {
            dram = c.count[CLOCK_DRAM];
            core = c.count[CLOCK_CORE];
        } while (!(clocks_step(&c) & DRAM) || core < wanted);
        assert_int_equal(moved, dram);
    }
    rounded_clocks_free(r);
}

static void latencies_go_on_over_an_alignment(void **state)
{
    (void)state;
    for (uint32_t set = 0; set < SETS; set++)
        go_on_over_an_alignment(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rounded_clocks_go_as_sums_of_doubles),
                                        cmocka_unit_test(latencies_are_counted_in_core_cycles),
                                        cmocka_unit_test(latencies_go_on_over_an_alignment) };
    return cmocka_run_group_tests_name("rounded clocks", tests, NULL, NULL);
}
