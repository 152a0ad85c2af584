/* Clock domains. tests/unit/reference has those that drift by the rounding of their periods. */
#include "../cmocka_all.h"

#include "gpu/clock.h"

enum { CORE = 1u << CLOCK_CORE | 1u << CLOCK_NET | 1u << CLOCK_L2, DRAM = 1u << CLOCK_DRAM };
static const uint64_t gtx480[CLOCK_COUNT] = { 700000, 700000, 700000, 924000 };

static void ticks_that_coincide_are_one_step(void **state)
{
    (void)state;
    struct clocks c = { 0 };
    clocks_init(&c, gtx480);
    assert_int_equal(clocks_step(&c), CORE | DRAM); /* time 0 */
    uint32_t together = 0;
    while (c.count[CLOCK_CORE] <= 2500)
        together += clocks_step(&c) == (CORE | DRAM);
    assert_int_equal(together, 100); /* every 25 core cycles */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ticks_that_coincide_are_one_step) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
