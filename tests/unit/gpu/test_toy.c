/* The worked example of Mascar (Sethia et al., HPCA 2015), figure 3: three warps, two loads then four additions; a load takes five
 * cycles; round robin. Unlimited requests: 21 cycles. Two at a time: 26. */
#include "cmocka_all.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"
#include "script_front.h"

static uint64_t anywhere(struct script_lane l) { return 0xC0000000 + l.warp * 4096; }
#define LOAD(reg) { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = reg, .address = anywhere }
#define ADD(reg, a, b) { .class = CLASS_INT_ADD, .dst = reg, .src = { a, b } }
static const struct script_row figure[] = { LOAD(1), LOAD(2), ADD(3, 1, 2), ADD(4, 3, 1), ADD(5, 4, 2), ADD(6, 5, 1), { .class = CLASS_EXIT } };

static uint64_t cycles_with(const char *loads)
{
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    if (!param_load(space, "toy", &err) || !param_set(space, "sm.ideal_loads", loads, "test", &err))
        fail_msg("%s", err.text);
    struct policy_set *round_robin = policy_set_new(NULL, "lrr", &err);
    struct gpu *gpu = gpu_new(config, round_robin, &err);
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
    policy_set_free(round_robin);
    param_space_free(space);
    machine_config_free(config);
    return span;
}

static void test_unlimited_requests_take_21_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_with("0"), 21);
}

static void test_two_requests_take_26_cycles(void **state)
{
    (void)state;
    assert_int_equal(cycles_with("2"), 26);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unlimited_requests_take_21_cycles),
        cmocka_unit_test(test_two_requests_take_26_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
