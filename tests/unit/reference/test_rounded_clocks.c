/* Clocks that drift by the rounding of their periods, as the reference's do. */
#include "cmocka_all.h"
#include "reference/rounded_clocks.h"

enum { CORE = 1u << CLOCK_CORE | 1u << CLOCK_NET | 1u << CLOCK_L2, DRAM = 1u << CLOCK_DRAM };

static struct rounded_clocks *make(struct clocks *c)
{
    static const uint64_t gtx480[CLOCK_COUNT] = { 700000, 700000, 700000, 924000 };
    *c = (struct clocks){ 0 };
    clocks_init(c, gtx480);
    return rounded_clocks_new(c, 700000, 924000, 100);
}

static void align(struct clocks *c, struct rounded_clocks *r)
{
    clocks_align(c);
    rounded_clocks_aligned(r);
}

/* The sums themselves, one addition per tick, as the reference makes them. */
static void rounded_clocks_go_as_sums_of_doubles(void **state)
{
    (void)state;
    struct clocks c;
    struct rounded_clocks *r = make(&c);
    const double core_period = 1 / (700.0 * 1000000), dram_period = 1 / (924.0 * 1000000);
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        double core = 0, dram = 0;
        align(&c, r);
        for (uint32_t step = 0; step < 200000; step++) {
            const double first = core < dram ? core : dram;
            const uint32_t expected = (core <= first ? CORE : 0u) | (dram <= first ? DRAM : 0u);
            assert_int_equal(clocks_step(&c), expected);
            core += expected & CORE ? core_period : 0;
            dram += expected & DRAM ? dram_period : 0;
        }
    }
    rounded_clocks_free(r);
}

/* A latency in core cycles, found by stepping. */
static void latencies_are_counted_in_core_cycles(void **state)
{
    (void)state;
    struct clocks c;
    struct rounded_clocks *r = make(&c);
    static uint64_t core_before[12000]; /* per DRAM tick */
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        (void)rounded_clocks_delay(r, c.count[CLOCK_DRAM]); /* an answer that holds no longer */
        align(&c, r);
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
            assert_int_equal(rounded_clocks_delay(r, start + n), start + ready);
        }
    }
    rounded_clocks_free(r);
}

/* The same for one that goes on in the next kernel, which begins at any time of it. */
static void latencies_go_on_over_an_alignment(void **state)
{
    (void)state;
    struct clocks c;
    struct rounded_clocks *r = make(&c);
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rounded_clocks_go_as_sums_of_doubles),
                                        cmocka_unit_test(latencies_are_counted_in_core_cycles),
                                        cmocka_unit_test(latencies_go_on_over_an_alignment) };
    return cmocka_run_group_tests_name("rounded clocks", tests, NULL, NULL);
}
