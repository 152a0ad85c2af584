/* The branch predictor learns what it should: patterns, long histories, targets by path; and cannot learn chance. */
#include "../cmocka_all.h"

#include "base/prng.h"
#include "cmp/branch_predictor.h"

enum { ROUNDS = 20000, LATE = 10000 };

static void a_loop_of_seven_is_learnt(void **state)
{
    (void)state;
    struct branch_predictor *p = branch_predictor_new();
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const bool right = branch_predict_direction(p, 0x401000, i % 7 != 6);
        wrong += i >= LATE && !right;
    }
    assert_in_range(wrong, 0, 20);
    branch_predictor_free(p);
}

/* The second branch does what the first did 40 branches ago: only a long history tells. */
static void a_distant_branch_is_remembered(void **state)
{
    (void)state;
    struct branch_predictor *p = branch_predictor_new();
    struct prng random;
    uint32_t wrong = 0, asked = 0;
    prng_seed(&random, 3);
    for (uint32_t i = 0; i < 5000; i++) {
        const bool first = prng_below(&random, 2);
        (void)branch_predict_direction(p, 0x500000, first);
        for (uint32_t k = 0; k < 39; k++)
            (void)branch_predict_direction(p, 0x500100 + 8 * k, true);
        const bool right = branch_predict_direction(p, 0x500800, first);
        asked += i >= 2500;
        wrong += i >= 2500 && !right;
    }
    assert_in_range(wrong, 0, asked / 20);
    branch_predictor_free(p);
}

static void chance_is_not_predicted(void **state)
{
    (void)state;
    struct branch_predictor *p = branch_predictor_new();
    struct prng random;
    uint32_t wrong = 0;
    prng_seed(&random, 5);
    for (uint32_t i = 0; i < ROUNDS; i++)
        wrong += !branch_predict_direction(p, 0x600000, prng_below(&random, 2));
    assert_in_range(wrong, ROUNDS * 2 / 5, ROUNDS * 3 / 5);
    branch_predictor_free(p);
}

static void a_target_follows_the_path(void **state)
{
    (void)state;
    struct branch_predictor *p = branch_predictor_new();
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) { /* three targets in turn */
        const bool right = branch_predict_target(p, 0x700000, 0x800000 + 0x40 * (i % 3));
        wrong += i >= LATE && !right;
    }
    assert_int_equal(wrong, 0);
    branch_predictor_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_of_seven_is_learnt),
        cmocka_unit_test(a_distant_branch_is_remembered),
        cmocka_unit_test(chance_is_not_predicted),
        cmocka_unit_test(a_target_follows_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
