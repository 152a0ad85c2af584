/* The worked example of Mascar (Sethia et al., HPCA 2015), figure 3: three warps, two loads then four additions; a load takes five
 * cycles. Round robin with unlimited requests: 21 cycles; with two at a time: 26. Mascar, in memory-priority mode from the start,
 * with two at a time: 23. */
#include "cmocka_all.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "script_front.h"

static uint64_t anywhere(struct script_lane l)
{
    return 0xC0000000 + l.warp * 4096;
}
#define LOAD(reg)                                                                                                                  \
    {                                                                                                                              \
        .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = reg, .address = anywhere                                    \
    }
#define ADD(reg, a, b)                                                                                                             \
    {                                                                                                                              \
        .class = CLASS_INT_ADD, .dst = reg, .src = { a, b }                                                                        \
    }
static const struct script_row figure[] = { LOAD(1),      LOAD(2),      ADD(3, 1, 2),           ADD(4, 3, 1),
                                            ADD(5, 4, 2), ADD(6, 5, 1), { .class = CLASS_EXIT } };

static uint64_t cycles_with(const char *loads, const char *policy, const char *setting)
{
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct policy_set *order = policy_set_new(NULL, policy, &err);
    policy_set_add_params(order, space);
    if (!param_load(space, "toy", &err) || !param_set(space, "sm.ideal_loads", loads, "test", &err) ||
        (setting && !param_set_assignment(space, setting, "test", &err)))
        fail_msg("%s", err.text);
    struct gpu *gpu = gpu_new(config, order, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    struct front *front = script_front(figure, sizeof figure / sizeof figure[0], 1, 96);
    script_front_time(front, gpu_clock(gpu));
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    const uint64_t span = script_front_span(front);
    kernel_result_clear(&result);
    script_front_free(front);
    gpu_free(gpu);
    policy_set_free(order);
    param_space_free(space);
    machine_config_free(config);
    return span;
}

static void test_unlimited_requests_take_21_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_with("0", "lrr", NULL), 21);
}

static void test_two_requests_take_26_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_with("2", "lrr", NULL), 26);
}

/* W0's loads at t = 1 and 2; W1's at 7 and 8, when slots come free, while W0 adds from 8 to 11; W2's at 13 and 14; it adds from 20
 * to 23. */
static void test_mascar_takes_23_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_with("2", "mascar", "policy.mascar.mode=memory"), 23);
    assert_int_equal(cycles_with("2", "mascar-schedule", "policy.mascar-schedule.mode=memory"), 23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unlimited_requests_take_21_cycles),
        cmocka_unit_test(test_two_requests_take_26_cycles),
        cmocka_unit_test(test_mascar_takes_23_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
