/* Who is put to sleep and has something to do is seen by the check of the debug build; a limit is met to the cycle although clocks
 * jump. */
#include "cmocka_all.h"
#include "gpu/gpu_state.h"
#include "script_front.h"

#include <string.h>

static struct watched {
    struct gpu *gpu;
    uint32_t sms, slices, channels; /* found asleep */
} watched;

static uint64_t scattered(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 4096 + l.times * 128;
}

/* Loads that miss everywhere, and arithmetic without an end. */
static const struct script_row rows[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = scattered },
    { .class = CLASS_FP_MAD, .dst = 2, .src = { 1, 2, 2 } },
    { .class = CLASS_BRANCH, .target = 0, .trips = 1000 },
    { .class = CLASS_EXIT },
};

/* CTAs that run when the kernel is stopped; nobody else ends them. */
enum { CTAS = 60 };
static struct front_cta *running[CTAS];
static const struct front_ops *script;

static struct front_cta *start(struct front *front, uint32_t id, struct error *err)
{
    return running[id] = script->cta_start(front, id, err);
}

static void end(struct front *front, struct front_cta *cta)
{
    running[cta->id] = NULL;
    script->cta_end(front, cta);
}

/* Runs the kernel until a limit is met, and returns its cycles. */
static uint64_t run_until(const struct gpu_limits *limits)
{
    struct error err = { 0 };
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    param_space_free(space);
    watched = (struct watched){ .gpu = gpu_new(config, NULL, &err) };
    assert_non_null(watched.gpu);
    struct front *front = script_front(rows, sizeof rows / sizeof rows[0], CTAS, 256);
    struct front_ops ops = *(script = front->ops);
    ops.cta_start = start;
    ops.cta_end = end;
    front->ops = &ops;
    struct kernel_result result;
    if (!gpu_run(watched.gpu, front, limits, &result, &err))
        fail_msg("%s", err.text);
    const uint64_t cycles = result.cycles;
    kernel_result_clear(&result);
    for (uint32_t i = 0; i < CTAS; i++)
        if (running[i])
            end(front, running[i]);
    script_front_free(front);
    gpu_free(watched.gpu);
    machine_config_free(config);
    return cycles;
}

/* `look` is called between two ticks now and then, until it has seen enough. */
static void watch(bool (*look)(void *context, uint64_t cycles, uint64_t instructions))
{
    run_until(&(struct gpu_limits){ .progress = look });
}

/* Takes one that is awake out of the list, and puts it back. 1: the check saw it. */
static uint32_t forget(struct sleepers *s, uint32_t i, const char *text)
{
    const uint64_t bit = UINT64_C(1) << i % 64, wake = s->wake[i];
    if (!(s->awake[i / 64] & bit))
        return 0;
    s->awake[i / 64] &= ~bit;
    s->wake[i] = UINT64_MAX;
    const char *broken = gpu_broken(watched.gpu);
    const bool seen = broken && strstr(broken, text);
    s->awake[i / 64] |= bit;
    s->wake[i] = wake;
    return seen;
}

static bool look_at_memory(void *context, uint64_t cycles, uint64_t instructions)
{
    (void)context;
    (void)cycles;
    (void)instructions;
    struct module *m = &watched.gpu->module[0];
    assert_null(gpu_broken(watched.gpu));
    for (uint32_t s = 0; s < m->slice_count; s++)
        watched.slices += forget(&m->bay->slices, s, "an L2 slice sleeps");
    for (uint32_t c = 0; c < m->channel_count; c++)
        watched.channels += forget(&m->bay->channels, c, "a DRAM channel sleeps");
    return !watched.slices || !watched.channels;
}

static void a_forgotten_slice_or_channel_is_seen(void **state)
{
    (void)state;
    watch(look_at_memory);
    assert_true(watched.slices && watched.channels);
}

/* An SM is asked for the cycle after the one that it has run. It has then run that one, too: nothing goes on after this. */
static bool look_at_sms(void *context, uint64_t cycles, uint64_t instructions)
{
    (void)context;
    (void)cycles;
    (void)instructions;
    struct gpu *gpu = watched.gpu;
    struct share *s = &gpu->share[0];
    assert_null(gpu_broken(gpu));
    gpu->clocks.count[CLOCK_CORE]++;
    for (uint32_t i = 0; i < s->count && !watched.sms; i++)
        watched.sms += forget(&s->sms, i, "an SM sleeps");
    gpu->clocks.count[CLOCK_CORE]--;
    return !watched.sms;
}

static void a_forgotten_sm_is_seen(void **state)
{
    (void)state;
    watch(look_at_sms);
    assert_int_equal(watched.sms, 1);
}

/* Soon after the start all wait for their first instruction, and the clocks jump. */
static void a_jump_ends_where_the_run_is_to_stop(void **state)
{
    (void)state;
    for (uint64_t cycles = 1; cycles < 600; cycles += 7)
        assert_int_equal(run_until(&(struct gpu_limits){ .max_cycles = cycles }), cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_forgotten_slice_or_channel_is_seen),
                                        cmocka_unit_test(a_forgotten_sm_is_seen),
                                        cmocka_unit_test(a_jump_ends_where_the_run_is_to_stop) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
