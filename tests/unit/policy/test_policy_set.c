/* Names, parameters, conflicts, state and periods of a set of policies. */
#include "fake_machine.h"

#include <string.h>

static void expect_no_set(const char *names, const char *sentence)
{
    struct error err = { 0 };
    assert_null(policy_set_new(NULL, names, &err));
    assert_string_equal(err.text, sentence);
    assert_int_equal(err.code, CODE_INPUT);
}

static void bad_names_are_refused(void **state)
{
    (void)state;
    expect_no_set("lruu", "there is no policy named 'lruu'; did you mean 'lru'? (warpline list policies)");
    expect_no_set("an-idea-of-mine", "there is no policy named 'an-idea-of-mine' (warpline list policies)");
    expect_no_set("pric,lru,pric", "policy 'pric' is given twice");
    expect_no_set("dwt-pric,pric", "policy 'pric' is given twice");
    expect_no_set("lru,", "an empty name at the end of the list of policies");
    expect_no_set(",lru", "an empty name in the list of policies ',lru'");
}

static void no_names_are_no_policies(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    struct policy_set *set = policy_set_new(NULL, "", &err);
    assert_int_equal(policy_set_count(set), 0);
    for (int with_set = 0; with_set < 2; with_set++) {
        struct policy_instance *i = policy_set_bind(with_set ? set : NULL, &g, NULL, &err);
        const struct policy_hooks nothing = { .next_period = UINT64_MAX };
        assert_memory_equal(&i->hooks, &nothing, sizeof nothing);
        policy_instance_free(i);
    }
    policy_set_free(set);
}

static void a_preset_is_its_policies(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, "dwt-pric", &err);
    assert_int_equal(policy_set_count(set), 3);
    assert_string_equal(policy_set_at(set, 0)->name, "pric");
    assert_string_equal(policy_set_at(set, 1)->name, "dwt-cs");
    assert_string_equal(policy_set_at(set, 2)->name, "stream-bypass");
    policy_set_free(set);
}

static uint32_t limit_in(const struct policy_instance *instance)
{
    return *(const uint32_t *)instance->self[0].config;
}

static void kernels_have_parameters_of_their_own(void **state)
{
    (void)state;
    struct bound b;
    struct error err = { 0 };
    bind_policies(&b, "swl", (const char *const[]){ "policy.swl.limit=3", "step:policy.swl.limit=5", NULL });
    assert_true(policy_instance_kernel(b.instance, "first", &err));
    assert_int_equal(limit_in(b.instance), 3);
    assert_true(policy_instance_kernel(b.instance, "_Z4stepPfi", &err)); /* by its name in the source */
    assert_int_equal(limit_in(b.instance), 5);
    assert_true(policy_instance_kernel(b.instance, "_Z5steppPfi", &err));
    assert_int_equal(limit_in(b.instance), 3);
    assert_true(policy_instance_kernel(b.instance, "step", &err));
    assert_int_equal(limit_in(b.instance), 5);
    unbind_policies(&b);
    bind_policies(&b, "swl", (const char *const[]){ "_Z4lastPf:policy.swl.limit=60", NULL });
    assert_false(policy_instance_kernel(b.instance, "_Z4lastPf", &err)); /* what a technique refuses of the machine */
    assert_non_null(strstr(err.text, "kernel _Z4lastPf: policy 'swl': "));
    unbind_policies(&b);
}

static void expect_conflict(const char *names, const char *assignment, const char *sentence)
{
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, names, &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    if (assignment)
        assert_true(param_set_assignment(space, assignment, "test", &err));
    param_space_free(space);
    const struct policy_geometry g = fake_geometry();
    assert_int_equal(policy_set_check(set, &err), sentence == NULL);
    assert_string_equal(err.text, sentence ? sentence : "");
    err.text[0] = '\0';
    struct policy_instance *i = policy_set_bind(set, &g, NULL, &err);
    assert_int_equal(i != NULL, sentence == NULL);
    assert_string_equal(err.text, sentence ? sentence : "");
    policy_instance_free(i);
    policy_set_free(set);
}

static void two_owners_of_a_decision_are_named(void **state)
{
    (void)state;
    expect_conflict("lru,srrip", NULL, "policies 'lru' and 'srrip' both decide the victims of the L1: name only one of them");
    expect_conflict("lru,srrip", "policy.srrip.at=l2", NULL);
    expect_conflict("lru,srrip", "policy.srrip.at=both",
                    "policies 'lru' and 'srrip' both decide the victims of the L1: name only one of them");
    expect_conflict("pric,stream-bypass,ccws,mrpb,lru", NULL, NULL);
}

static void a_parameter_of_another_policy_is_unknown(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, "swl", &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    assert_true(param_set_assignment(space, "policy.swl.limit=3", "--set", &err));
    assert_false(param_set_assignment(space, "policy.ccws.k_throttle=3", "--set", &err));
    assert_non_null(strstr(err.text, "policy.ccws.k_throttle"));
    assert_int_equal(err.code, CODE_INPUT);
    assert_false(param_set_assignment(space, "policy.swl.limit=0", "--set", &err));
    param_space_free(space);
    policy_set_free(set);
}

static void a_limit_above_the_warps_is_refused(void **state)
{
    (void)state;
    expect_conflict("lru", NULL, NULL);
    struct error err = { 0 };
    struct policy_set *set = policy_set_new(NULL, "swl", &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    assert_true(param_set_assignment(space, "policy.swl.limit=25", "--set", &err));
    const struct policy_geometry g = fake_geometry();
    assert_null(policy_set_bind(set, &g, NULL, &err));
    assert_string_equal(err.text, "policy 'swl': policy.swl.limit = 25, but a scheduler has only 24 warps");
    param_space_free(space);
    policy_set_free(set);
}

/* ---- a policy made for these tests: counts what it is told ---- */

struct probe_config {
    uint64_t period;
};
struct probe_gpu {
    uint64_t ends[8], calls;
};

static const struct param probe_params[] = {
    PARAM_U64(struct probe_config, period, "period", 100, 0, 1000000, "cycles", "of every_cycles"), PARAM_END
};
static void probe_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    *out = (struct policy_sizes){ .gpu = sizeof(struct probe_gpu),
                                  .module = 3,
                                  .sm = 1,
                                  .slice = 5,
                                  .scheduler = 7,
                                  .warp = 9,
                                  .set = { 11, 0, 13 },
                                  .line = { 15, 0, 17 } };
}
static void probe_every_cycles(struct policy_self *self, uint64_t cycle)
{
    struct probe_gpu *g = policy_gpu_state(self);
    g->ends[g->calls++ % 8] = cycle;
}
static uint64_t probe_period(const void *config)
{
    return ((const struct probe_config *)config)->period;
}
static const struct policy probe = { .name = "probe",
                                     .summary = "for tests",
                                     .source = "here",
                                     .params = probe_params,
                                     .config_size = sizeof(struct probe_config),
                                     .sizes = probe_sizes,
                                     .cycle_period = probe_period,
                                     .gpu.every_cycles = probe_every_cycles };
static const struct policy restarting_probe = { .name = "restarting",
                                                .summary = "for tests",
                                                .source = "here",
                                                .params = probe_params,
                                                .config_size = sizeof(struct probe_config),
                                                .sizes = probe_sizes,
                                                .cycle_period = probe_period,
                                                .period_restarts = true,
                                                .gpu.every_cycles = probe_every_cycles };

/* Binds declarations that are in no list, as a plug-in's would be. */
static struct policy_instance *bind_declared(const struct policy *p, const struct probe_config *config, struct error *err);

static void periods_end_on_time(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct probe_config config = { 100 };
    struct policy_instance *steady = bind_declared(&probe, &config, &err),
                           *restarting = bind_declared(&restarting_probe, &config, &err);
    struct policy_kernel k = { .name = "k", .cycle = 0 };
    hooks_kernel_start(&steady->hooks, &k);
    hooks_kernel_start(&restarting->hooks, &k);
    assert_int_equal(steady->hooks.next_period, 100);
    hooks_serial(&steady->hooks, 99);
    struct probe_gpu *s = policy_gpu_state(&steady->self[0]), *r = policy_gpu_state(&restarting->self[0]);
    assert_int_equal(s->calls, 0);
    hooks_serial(&steady->hooks, 100);
    assert_int_equal(s->calls, 1);
    assert_int_equal(s->ends[0], 100);
    assert_int_equal(steady->hooks.next_period, 200);
    k.cycle = 250;
    hooks_kernel_end(&steady->hooks, &k);
    assert_true(steady->hooks.next_period == UINT64_MAX);
    hooks_kernel_start(&steady->hooks, &k);
    hooks_kernel_start(&restarting->hooks, &k);
    assert_int_equal(steady->hooks.next_period, 300);
    assert_int_equal(restarting->hooks.next_period, 350);
    hooks_serial(&restarting->hooks, 350);
    assert_int_equal(r->ends[0], 350);
    policy_instance_free(steady);
    policy_instance_free(restarting);
}

static void a_period_of_nothing_is_refused(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct probe_config config = { 0 };
    assert_null(bind_declared(&probe, &config, &err));
    assert_string_equal(err.text, "policy 'probe': a period of 0 cycles");
}

/* Every piece of state is its own: writing all of each leaves the others as they were. */
static void state_does_not_overlap(void **state)
{
    (void)state;
    struct error err = { 0 };
    const struct probe_config config = { 100 };
    struct policy_instance *i = bind_declared(&probe, &config, &err);
    const struct policy_self *s = &i->self[0];
    uint64_t stamp = 1;
    for (int check = 0; check < 2; check++, stamp = 1) {
#define TOUCH(pointer)                                                                                                             \
    do {                                                                                                                           \
        uint64_t *p_ = (pointer);                                                                                                  \
        if (check)                                                                                                                 \
            assert_int_equal(*p_, stamp);                                                                                          \
        else {                                                                                                                     \
            assert_int_equal(*p_, 0);                                                                                              \
            *p_ = stamp;                                                                                                           \
        }                                                                                                                          \
        stamp++;                                                                                                                   \
    } while (0)
        TOUCH(policy_module_state(s, 0));
        for (uint32_t sm = 0; sm < 15; sm++) {
            TOUCH(policy_sm_state(s, sm));
            for (uint32_t k = 0; k < 2; k++)
                TOUCH(policy_scheduler_state(s, sm, k));
            for (uint32_t w = 0; w < 48; w++)
                TOUCH(policy_warp_state(s, sm, w));
            for (uint32_t set = 0; set < 32; set++) {
                TOUCH(policy_set_state(s, LEVEL_L1, sm, set));
                for (uint32_t way = 0; way < 4; way++)
                    TOUCH(policy_line_state(s, LEVEL_L1, sm, set, way));
            }
        }
        for (uint32_t slice = 0; slice < 12; slice++) {
            TOUCH(policy_slice_state(s, slice));
            for (uint32_t set = 0; set < 64; set++)
                for (uint32_t way = 0; way < 8; way++)
                    TOUCH(policy_line_state(s, LEVEL_L2, slice, set, way));
        }
#undef TOUCH
    }
    policy_instance_free(i);
}

static struct policy_instance *bind_declared(const struct policy *p, const struct probe_config *config, struct error *err)
{
    const struct policy_geometry g = fake_geometry();
    return policy_bind_one(p, config, &g, NULL, err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(no_names_are_no_policies),
        cmocka_unit_test(a_preset_is_its_policies),
        cmocka_unit_test(kernels_have_parameters_of_their_own),
        cmocka_unit_test(two_owners_of_a_decision_are_named),
        cmocka_unit_test(a_parameter_of_another_policy_is_unknown),
        cmocka_unit_test(a_limit_above_the_warps_is_refused),
        cmocka_unit_test(periods_end_on_time),
        cmocka_unit_test(a_period_of_nothing_is_refused),
        cmocka_unit_test(state_does_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
