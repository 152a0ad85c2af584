/* Clock domains: exact ones, and those that drift by the rounding of their periods as the reference's do. */
#include "../cmocka_all.h"

#include <stdlib.h>

#include "gpu/clock.h"

enum { CORE = 1u << CLOCK_CORE | 1u << CLOCK_NET | 1u << CLOCK_L2, DRAM = 1u << CLOCK_DRAM };
static const uint64_t gtx480[CLOCK_COUNT] = { 700000, 700000, 700000, 924000 };

static struct clocks make(bool rounded)
{
    struct clocks c = { 0 };
    clocks_init(&c, gtx480);
    if (rounded)
        clocks_round(&c, 700000, 924000);
    return c;
}

static void ticks_that_coincide_are_one_step(void **state)
{
    (void)state;
    struct clocks c = make(false);
    assert_int_equal(clocks_step(&c), CORE | DRAM); /* time 0 */
    uint32_t together = 0;
    while (c.count[CLOCK_CORE] <= 2500)
        together += clocks_step(&c) == (CORE | DRAM);
    assert_int_equal(together, 100); /* every 25 core cycles */
}

/* The sums themselves, one addition per tick, as the reference makes them. */
static void rounded_clocks_go_as_sums_of_doubles(void **state)
{
    (void)state;
    struct clocks c = make(true);
    const double core_period = 1 / (700.0 * 1000000), dram_period = 1 / (924.0 * 1000000);
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        double core = 0, dram = 0;
        clocks_align(&c);
        for (uint32_t step = 0; step < 200000; step++) {
            const double first = core < dram ? core : dram;
            const uint32_t expected = (core <= first ? CORE : 0u) | (dram <= first ? DRAM : 0u);
            assert_int_equal(clocks_step(&c), expected);
            core += expected & CORE ? core_period : 0;
            dram += expected & DRAM ? dram_period : 0;
        }
    }
    clocks_clear(&c);
}

/* A latency in core cycles, found by stepping. */
static void latencies_are_counted_in_core_cycles(void **state)
{
    (void)state;
    for (uint32_t rounded = 0; rounded < 2; rounded++) {
        struct clocks c = make(rounded);
        static uint64_t core_before[12000]; /* per DRAM tick */
        for (uint32_t kernel = 0; kernel < 2; kernel++) {
            (void)clocks_dram_after(&c, c.count[CLOCK_DRAM], 100); /* an answer that holds no longer */
            clocks_align(&c);
            const uint64_t start = c.count[CLOCK_DRAM], core_start = c.count[CLOCK_CORE];
            while (c.count[CLOCK_DRAM] < start + 11990) {
                const uint64_t core = c.count[CLOCK_CORE] - core_start, n = c.count[CLOCK_DRAM] - start;
                if (clocks_step(&c) & DRAM) /* it goes before the core's work of the same step */
                    core_before[n] = core;
            }
            for (uint64_t n = 0; n < 11000; n++) {
                uint64_t ready = n;
                while (core_before[ready] < core_before[n] + 100)
                    ready++;
                assert_int_equal(clocks_dram_after(&c, start + n, 100), start + ready);
                assert_int_equal(clocks_dram_after(&c, start + n, 0), start + n);
            }
        }
        clocks_clear(&c);
    }
}

/* The same for one that goes on in the next kernel, which begins at any time of it. */
static void latencies_go_on_over_an_alignment(void **state)
{
    (void)state;
    for (uint32_t rounded = 0; rounded < 2; rounded++) {
        struct clocks c = make(rounded);
        for (uint32_t kernel = 0; kernel < 4000; kernel++) {
            uint64_t asked = UINT64_MAX, ready = 0, wanted = 0;
            for (uint32_t step = 0; step < 300 + kernel % 241; step++) {
                const uint64_t core = c.count[CLOCK_CORE], dram = c.count[CLOCK_DRAM];
                if (!(clocks_step(&c) & DRAM) || step < 300 || asked != UINT64_MAX)
                    continue;
                asked = dram;
                wanted = core + 100;
                ready = clocks_dram_after(&c, asked, 100);
            }
            clocks_align(&c);
            const uint64_t moved = clocks_dram_moved(&c, ready);
            if (asked == UINT64_MAX || ready < c.count[CLOCK_DRAM]) /* it is over */
                continue;
            uint64_t dram, core;
            do {
                dram = c.count[CLOCK_DRAM];
                core = c.count[CLOCK_CORE];
            } while (!(clocks_step(&c) & DRAM) || core < wanted);
            assert_int_equal(moved, dram);
        }
        clocks_clear(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ticks_that_coincide_are_one_step),
                                        cmocka_unit_test(rounded_clocks_go_as_sums_of_doubles),
                                        cmocka_unit_test(latencies_are_counted_in_core_cycles),
                                        cmocka_unit_test(latencies_go_on_over_an_alignment) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
