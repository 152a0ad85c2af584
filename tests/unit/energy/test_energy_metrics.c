/* test_energy_metrics.c - parallel efficiency and EDP scaling efficiency, by hand. */
#include "../cmocka_all.h"

#include <math.h>

#include "energy/energy_metrics.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fabs((double)(b)))

/* 6.2: linear speedup at equal energy is 100 %, for every power. */
static void linear_scaling_is_a_hundred(void **state)
{
    (void)state;
    const struct energy_point one = { 8, 4 }, four = { 8, 1 };
    assert_near(energy_parallel_efficiency(one, four, 4), 100);
    assert_near(energy_edpse(one, four, 4, 1), 100);
    assert_near(energy_edpse(one, four, 4, 2), 100);
}

/* By hand: 32 modules, 18 times as fast, 10 % more energy: 100 x 18 / (32 x 1.1) = 51.1 %, the paper's last number. */
static void the_papers_best_machine(void **state)
{
    (void)state;
    const struct energy_point one = { 1, 18 }, many = { 1.1, 1 };
    assert_true(fabs(energy_edpse(one, many, 32, 1) - 51.136) < 0.001);
    assert_true(fabs(energy_parallel_efficiency(one, many, 32) - 56.25) < 1e-9);
}

static void slower_and_hungrier_is_less(void **state)
{
    (void)state;
    const struct energy_point one = { 10, 2 }, two = { 20, 1.5 };
    assert_near(energy_edp(two, 1), 30);
    assert_near(energy_edp(two, 2), 45);
    assert_near(energy_parallel_efficiency(one, two, 2), 100 * 2 / 3.0);
    assert_near(energy_edpse(one, two, 2, 1), 100 * 20 / (2 * 30.0)); /* 6.2 */
    assert_near(energy_edpse(one, two, 2, 2), 100 * 40 / (4 * 45.0)); /* 6.3 */
    assert_near(energy_edpse(one, two, 2, 0), 50);                    /* energy alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_scaling_is_a_hundred),
        cmocka_unit_test(the_papers_best_machine),
        cmocka_unit_test(slower_and_hungrier_is_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
