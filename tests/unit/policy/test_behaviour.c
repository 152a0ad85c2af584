/* What the first paper says its techniques and baselines do, each on a small kernel made for it, on the paper's machine. */
#include "../cmocka_all.h"
#include "../gpu/script_front.h"
#include "gpu/machine.h"
#include "policy/policy_set.h"

#include <string.h>

enum { R_VALUE = 1, R_SUM };

struct outcome {
    struct kernel_result result;
    struct gpu *gpu;
    struct machine_config *config;
    struct policy_set *set;
};

/* `settings` are "key=value", ended by NULL, over the paper's table 1. */
static struct outcome run(const struct script_row *rows, uint32_t count, uint32_t ctas, uint32_t threads, const char *policies,
                          const char *const *settings, uint64_t max_cycles)
{
    struct error err = { 0 };
    struct outcome o = { .config = machine_config_new(), .set = policy_set_new(NULL, policies, &err) };
    struct param_space *space = param_space_new();
    machine_config_bind(o.config, space);
    policy_set_add_params(o.set, space);
    bool ok = param_load(space, "gtx480-16k", &err);
    for (; ok && settings && *settings; settings++)
        ok = param_set_assignment(space, *settings, "test", &err);
    param_space_free(space);
    struct front *front = script_front(rows, count, ctas, threads);
    const struct gpu_limits limits = { .max_cycles = max_cycles };
    ok = ok && (o.gpu = gpu_new(o.config, o.set, &err)) && gpu_run(o.gpu, front, &limits, &o.result, &err);
    if (!ok)
        fail_msg("%s", err.text);
    script_front_free(front);
    return o;
}

static uint64_t counter(const struct outcome *o, const char *group, const char *name)
{
    uint32_t count;
    const struct stat_group *const *groups = gpu_stat_groups(o->gpu, &count);
    for (uint32_t g = 0; g < count; g++)
        for (const struct stat_counter *c = groups[g]->counters; !strcmp(groups[g]->name, group) && c->name; c++)
            if (!strcmp(c->name, name))
                return *(const uint64_t *)(const void *)((const char *)o->result.counters[g] + c->offset);
    fail_msg("there is no counter %s.%s", group, name);
    return 0;
}

static uint64_t finish(struct outcome *o)
{
    const uint64_t cycles = o->result.cycles;
    kernel_result_clear(&o->result);
    gpu_free(o->gpu);
    machine_config_free(o->config);
    policy_set_free(o->set);
    return cycles;
}

#define ROWS(rows) rows, sizeof(rows) / sizeof((rows)[0])
#define LOAD(where)                                                                                                                \
    {                                                                                                                              \
        .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = R_VALUE, .address = where                                   \
    }
#define USE                                                                                                                        \
    {                                                                                                                              \
        .class = CLASS_FP_ADD, .dst = R_SUM, .src = { R_SUM, R_VALUE }                                                             \
    }
#define WORK                                                                                                                       \
    {                                                                                                                              \
        .class = CLASS_FP_ADD, .dst = R_SUM, .src = { R_SUM }                                                                      \
    }
#define REPEAT(trips_)                                                                                                             \
    {                                                                                                                              \
        .class = CLASS_BRANCH, .target = 0, .trips = trips_                                                                        \
    }
#define EXIT                                                                                                                       \
    {                                                                                                                              \
        .class = CLASS_EXIT                                                                                                        \
    }

/* ---- section 4.3: a column of a matrix whose rows are 32 lines long, from an address aligned to 128 KiB ---- */

static uint64_t column(struct script_lane l)
{
    return 0xC0000000 + (uint64_t)l.lane * 32 * 128 + l.times * 4;
}
static const struct script_row one_column[] = { LOAD(column), USE, EXIT };

static void a_column_falls_into_one_set_and_pric_spreads_it(void **state)
{
    (void)state;
    struct outcome linear = run(ROWS(one_column), 1, 32, "", NULL, 0), pric = run(ROWS(one_column), 1, 32, "pric", NULL, 0);
    assert_int_equal(counter(&linear, "l1", "misses"), 32);
    assert_int_equal(counter(&pric, "l1", "misses"), 32);
    assert_true(counter(&linear, "l1", "refused.line_alloc") > 0); /* four ways, 32 lines */
    assert_int_equal(counter(&pric, "l1", "refused.line_alloc"), 0);
    assert_int_equal(counter(&pric, "l1", "evictions"), 0);
    assert_int_equal(counter(&linear, "l1", "evictions"), 28);
    assert_true(finish(&pric) < finish(&linear));
}

/* "Only the first four threads will successfully allocate a cache line and the remaining 28 threads will bypass the L1". */
static void mrpb_bypasses_28_of_32(void **state)
{
    (void)state;
    struct outcome o = run(ROWS(one_column), 1, 32, "mrpb", NULL, 0);
    assert_int_equal(counter(&o, "l1", "misses"), 4);
    assert_int_equal(counter(&o, "l1", "bypassed"), 28);
    assert_int_equal(counter(&o, "mrpb", "bypassed"), 28);
    (void)finish(&o);
}

/* ---- section 4.1: a stream, then a phase of reuse ---- */

static uint64_t stream(struct script_lane l)
{
    return 0xC0000000 + (((uint64_t)l.times * 64 + l.cta * 8 + l.warp) * 32 + l.lane) * 4;
}
static uint64_t reuse(struct script_lane l)
{
    return 0xE0000000 + (uint64_t)(l.times % 8) * 128 + l.lane * 4;
}

static void a_stream_closes_the_l1_and_a_later_reuse_opens_it(void **state)
{
    (void)state;
    static const struct script_row rows[] = {
        LOAD(stream), USE,
        REPEAT(400),  { .class = CLASS_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .dst = R_VALUE, .address = reuse },
        USE,          { .class = CLASS_BRANCH, .target = 3, .trips = 1500 },
        EXIT,
    };
    static const char *const one_sm[] = { "gpu.sms=1", NULL };
    struct outcome closing = run(ROWS(rows), 4, 256, "stream-bypass", one_sm, 0), plain = run(ROWS(rows), 4, 256, "", one_sm, 0);
    assert_int_equal(counter(&closing, "stream_bypass", "l1.closings"), 1);
    assert_int_equal(counter(&closing, "stream_bypass", "l1.openings"), 1);
    assert_true(counter(&closing, "l1", "bypassed") > 1000);
    assert_true(counter(&closing, "l1", "hits") > 1000);
    assert_int_equal(counter(&plain, "l1", "bypassed"), 0);
    (void)finish(&plain);
    (void)finish(&closing);
}

/* ---- section 4.2: a working set that fits for exactly four warps per scheduler ---- */

enum { WARPS_PER_CTA = 6, LINES_PER_WARP = 16, BEST_LIMIT = 4 };

/* Each warp goes round its own 16 lines, four with each load; 8 warps fill the 128 lines of the L1 exactly. The arithmetic in
 * between is long enough that more warps would be better, if they fitted. */
static uint64_t own_lines(struct script_lane l)
{
    const uint64_t warp = (uint64_t)l.cta * WARPS_PER_CTA + l.warp;
    const uint64_t line = warp * LINES_PER_WARP + (l.times % (LINES_PER_WARP / 4)) * 4 + l.lane / 8;
    return 0xC0000000 + line * 128 + l.lane % 8 * 4;
}
#define THRASH(trips_)                                                                                                             \
    {                                                                                                                              \
        LOAD(own_lines), USE, WORK, WORK, WORK, REPEAT(trips_), EXIT                                                               \
    }

static uint32_t best_static_limit(void)
{
    static const struct script_row rows[] = THRASH(60);
    uint64_t best = UINT64_MAX;
    uint32_t limit = 0;
    for (uint32_t n = 1; n <= 24; n++) {
        char setting[32];
        (void)snprintf(setting, sizeof setting, "policy.swl.limit=%u", n);
        const char *const settings[] = { "gpu.sms=1", setting, NULL };
        struct outcome o = run(ROWS(rows), 8, WARPS_PER_CTA * 32, "swl", settings, 0);
        const uint64_t cycles = finish(&o);
        if (cycles < best) {
            best = cycles;
            limit = n;
        }
    }
    return limit;
}

static void dwt_cs_finds_the_best_static_limit(void **state)
{
    (void)state;
    static const struct script_row rows[] = THRASH(100000);
    assert_int_equal(best_static_limit(), BEST_LIMIT);
    struct outcome o = run(ROWS(rows), 120, WARPS_PER_CTA * 32, "dwt-cs", NULL, 61000);
    assert_int_equal(counter(&o, "dwt_cs", "settled"), 1);
    assert_int_equal(counter(&o, "dwt_cs", "limits"), BEST_LIMIT);
    assert_int_equal(counter(&o, "dwt_cs", "settle_cycles"), 60000);
    (void)finish(&o);
}

/* All three techniques together find it as well: the L1s of a kernel that thrashes are not closed before it is throttled. */
static void dwt_pric_finds_it_too(void **state)
{
    (void)state;
    static const struct script_row rows[] = THRASH(100000);
    struct outcome o = run(ROWS(rows), 120, WARPS_PER_CTA * 32, "dwt-cs,stream-bypass", NULL, 61000);
    assert_int_equal(counter(&o, "dwt_cs", "limits"), BEST_LIMIT);
    assert_int_equal(counter(&o, "dwt_cs", "search_cycles"), 60000);
    assert_int_equal(counter(&o, "stream_bypass", "l1.closings"), 0);
    (void)finish(&o);
}

static void ccws_throttles_thrashing_and_leaves_a_stream_alone(void **state)
{
    (void)state;
    static const struct script_row thrashing[] = THRASH(100), streaming[] = { LOAD(stream), USE, REPEAT(60), EXIT };
    static const char *const one_sm[] = { "gpu.sms=1", NULL };
    struct outcome plain = run(ROWS(thrashing), 120, WARPS_PER_CTA * 32, "", NULL, 0);
    struct outcome held = run(ROWS(thrashing), 120, WARPS_PER_CTA * 32, "ccws", NULL, 0);
    assert_true(counter(&held, "ccws", "losses") > 0);
    assert_true(counter(&held, "ccws", "held") > 0);
    assert_true(counter(&held, "l1", "misses") * 4 < counter(&plain, "l1", "misses") * 3);
    assert_true(finish(&held) < finish(&plain));
    struct outcome stream_plain = run(ROWS(streaming), 6, 256, "", one_sm, 0),
                   stream_held = run(ROWS(streaming), 6, 256, "ccws", one_sm, 0);
    assert_int_equal(counter(&stream_held, "ccws", "sortings"), 0);
    assert_int_equal(finish(&stream_held), finish(&stream_plain));
}

/* The machine's own greedy-then-oldest and least-recently-used are what the policies of those names do. */
static void the_defaults_are_gto_and_lru(void **state)
{
    (void)state;
    static const struct script_row rows[] = THRASH(40);
    static const char *const one_sm[] = { "gpu.sms=1", NULL };
    struct outcome plain = run(ROWS(rows), 8, WARPS_PER_CTA * 32, "", one_sm, 0);
    struct outcome named = run(ROWS(rows), 8, WARPS_PER_CTA * 32, "gto,lru", one_sm, 0);
    assert_int_equal(counter(&plain, "l1", "hits"), counter(&named, "l1", "hits"));
    assert_int_equal(finish(&plain), finish(&named));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_falls_into_one_set_and_pric_spreads_it),
        cmocka_unit_test(mrpb_bypasses_28_of_32),
        cmocka_unit_test(a_stream_closes_the_l1_and_a_later_reuse_opens_it),
        cmocka_unit_test(dwt_cs_finds_the_best_static_limit),
        cmocka_unit_test(dwt_pric_finds_it_too),
        cmocka_unit_test(ccws_throttles_thrashing_and_leaves_a_stream_alone),
        cmocka_unit_test(the_defaults_are_gto_and_lru),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
