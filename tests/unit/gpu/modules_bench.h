/* modules_bench.h - machines by their settings and scripted kernels on them, for tests of machines of several modules. */
#ifndef WARPLINE_TESTS_MODULES_BENCH_H
#define WARPLINE_TESTS_MODULES_BENCH_H
#include "cmocka_all.h"

#include <string.h>

#include "gpu/gpu_state.h"
#include "script_front.h"

static struct policy_set *policies; /* of the machine that was made last */

static inline struct gpu *machine_of(const char *const *settings, const char *names)
{
    struct machine_config *config = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(config, space);
    struct error err = { 0 };
    policies = names ? policy_set_new(NULL, names, &err) : NULL;
    if (policies)
        policy_set_add_params(policies, space);
    for (; settings && *settings; settings++)
        if (!param_set_assignment(space, *settings, "test", &err))
            fail_msg("%s", err.text);
    param_space_free(space);
    struct gpu *gpu = gpu_new(config, policies, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    machine_config_free(config);
    return gpu;
}

static inline struct gpu *machine_with(const char *const *settings)
{
    return machine_of(settings, NULL);
}

/* One kernel; the caller frees the machine and clears the result. The front end is kept until the next one: what looks at the
 * machine afterwards asks it how many CTAs there are. */
static struct front *last_front;
static inline struct kernel_result run_on(struct gpu *gpu, const struct script_row *rows, uint32_t count, uint32_t ctas,
                                          uint32_t threads)
{
    struct error err = { 0 };
    struct front *front = script_front(rows, count, ctas, threads);
    struct kernel_result result;
    if (!gpu_run(gpu, front, NULL, &result, &err))
        fail_msg("%s", err.text);
    if (last_front)
        script_front_free(last_front);
    last_front = front;
    return result;
}

static inline const void *counters_of(const struct gpu *gpu, const struct kernel_result *r, const struct stat_group *group)
{
    for (uint32_t i = 0; i < gpu->group_count; i++)
        if (gpu->groups[i] == group)
            return r->counters[i];
    fail_msg("no counters");
    return NULL;
}

/* Loads, stores and atomics all over memory. */
static inline uint64_t spread(struct script_lane l)
{
    return 0xC0000000 + ((l.cta * 977 + l.warp * 131 + l.times * 7) % 4096) * 128 + l.lane * 4;
}
static inline uint64_t strided(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.cta * 8 + l.warp) * 32 + l.lane) * 160 + l.times * 64;
}
static const struct script_row mixed[] = {
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 1, .address = spread },
    { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = 2, .address = strided },
    { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 2 }, .address = spread },
    { .class = CLASS_STORE, .space = SPACE_LOCAL, .bytes = 4, .src = { 1 }, .address = strided },
    { .class = CLASS_BRANCH, .target = 0, .trips = 5 },
    { .class = CLASS_ATOMIC, .space = SPACE_GLOBAL, .bytes = 4, .dst = 6, .src = { 2 }, .address = spread },
    { .class = CLASS_EXIT },
};
enum { MIXED = sizeof mixed / sizeof mixed[0] };
#endif
