/* SMs that run several cycles in one visit: what they do early, what they must not, and that nobody can tell. */
#include "cmocka_all.h"
#include "gpu/gpu_state.h"
#include "script_front.h"

#include <string.h>

static uint64_t own_line(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 4 + (uint64_t)l.times * 65536;
}

/* Arithmetic for a while, a barrier before a load, a store. Who opens the barrier may issue before those that wait at it, in the
 * same cycle. */
static const struct script_row rows[] = {
    { .class = CLASS_FP_MAD, .dst = 1, .src = { 1, 2 } },
    { .class = CLASS_INT_ADD, .dst = 3, .src = { 3 } },
    { .class = CLASS_BRANCH, .target = 0, .trips = 40 },
    { .class = CLASS_BARRIER },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .address = own_line },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 2 }, .address = own_line },
    { .class = CLASS_BRANCH, .target = 0, .trips = 3 },
    { .class = CLASS_EXIT },
};
enum { ROWS = sizeof rows / sizeof rows[0], CTAS = 4, THREADS = 256 };

/* A front end in front of the script's that looks at the machine's clock. */
static struct watch {
    const struct front_ops *script;
    struct gpu *gpu;
    uint64_t early_arithmetic, early_memory; /* steps before the machine's cycle */
    uint64_t fail_from[CTAS];                /* cycle from which a step of this CTA fails; 0: none does */
    struct front_cta *running[CTAS];         /* of a run that failed they are left over */
} watch;

static struct front_cta *watched_start(struct front *front, uint32_t id, struct error *err)
{
    return watch.running[id] = watch.script->cta_start(front, id, err);
}

static void watched_end(struct front *front, struct front_cta *cta)
{
    watch.running[cta->id] = NULL;
    watch.script->cta_end(front, cta);
}

static bool watched_step(struct front *front, struct front_cta *cta, uint32_t w, struct warp_step *out, struct error *err)
{
    const uint64_t now = gpu_clock(watch.gpu)->cycle, machine = gpu_now(watch.gpu, CLOCK_CORE);
    assert_true(now >= machine);
    const uint64_t fails = watch.fail_from[cta->id];
    if (fails && now >= fails)
        return error_set(err, "CTA %u in cycle %llu", cta->id, (unsigned long long)now);
    if (!watch.script->step(front, cta, w, out, err))
        return false;
    const bool memory = out->inst->class == CLASS_LOAD || out->inst->class == CLASS_STORE;
    watch.early_memory += memory && now > machine;
    watch.early_arithmetic += !memory && now > machine;
    return true;
}

struct outcome {
    bool ok;
    struct error err;
    uint64_t cycles;
};

static struct outcome run(const char *const *settings)
{
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct outcome o = { 0 };
    for (; *settings; settings++)
        if (!param_set_assignment(space, *settings, "test", &o.err))
            fail_msg("%s", o.err.text);
    watch.gpu = gpu_new(config, NULL, &o.err);
    assert_non_null(watch.gpu);
    struct front *front = script_front(rows, ROWS, CTAS, THREADS);
    struct front_ops ops = *front->ops;
    watch.script = front->ops;
    watch.early_arithmetic = watch.early_memory = 0;
    ops.step = watched_step;
    ops.cta_start = watched_start;
    ops.cta_end = watched_end;
    front->ops = &ops;
    struct kernel_result result = { 0 };
    o.ok = gpu_run(watch.gpu, front, NULL, &result, &o.err);
    o.cycles = result.cycles;
    kernel_result_clear(&result);
    for (uint32_t i = 0; i < CTAS; i++)
        if (watch.running[i])
            watched_end(front, watch.running[i]);
    script_front_free(front);
    gpu_free(watch.gpu);
    param_space_free(space);
    machine_config_free(config);
    return o;
}

static const char *const alone[] = { "gpu.sms=2", NULL }, *const visited[] = { "gpu.sms=2", "sm.never_sleep=true", NULL };

static void test_arithmetic_runs_on_and_memory_waits(void **state)
{
    (void)state;
    const struct outcome early = run(alone);
    assert_true(early.ok);
    assert_true(watch.early_arithmetic > 100);
    assert_int_equal(watch.early_memory, 0);
    const struct outcome late = run(visited);
    assert_int_equal(watch.early_arithmetic, 0);
    assert_int_equal(early.cycles, late.cycles);
}

/* Both SMs run the same code in the same cycles. The first one runs on and meets its fault before the other is visited, but the
 * other's comes in an earlier cycle; and in the same cycle the first SM's counts. */
static void test_the_first_fault_in_time_counts(void **state)
{
    (void)state;
    for (uint64_t cycle = 1000; cycle < 1060; cycle++)
        for (uint64_t later = 0; later < 3; later++) {
            watch.fail_from[0] = cycle + later;
            watch.fail_from[1] = cycle;
            const struct outcome early = run(alone), late = run(visited);
            assert_false(early.ok);
            assert_string_equal(early.err.text, late.err.text);
            assert_int_equal(early.cycles, late.cycles);
        }
    memset(watch.fail_from, 0, sizeof watch.fail_from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic_runs_on_and_memory_waits),
        cmocka_unit_test(test_the_first_fault_in_time_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
