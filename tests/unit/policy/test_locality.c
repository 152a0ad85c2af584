/* locality: what it counts, load by load. */
#include "fake_machine.h"

#include <string.h>

extern const struct policy policy_locality;

static uint64_t counted(const struct bound *b, const char *name)
{
    uint64_t counters[128];
    policy_instance_counters(b->instance, 0, counters);
    for (uint32_t i = 0; policy_locality.counters->counters[i].name; i++)
        if (!strcmp(policy_locality.counters->counters[i].name, name))
            return counters[i];
    fail_msg("no counter %s", name);
    return 0;
}

static void load(struct bound *b, uint64_t line)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, line * 128, b->instance->geometry.cache[LEVEL_L1].sets);
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MISS, NO_WAY);
}

static void start(struct bound *b)
{
    const struct policy_kernel k = { .name = "k" };
    bind_policies(b, "locality", NULL);
    hooks_kernel_start(&b->instance->hooks, &k);
}

/* Li et al., figure 4: "the reuse distance for access pattern ABCA is 2". The lines fall into different sets, so that A's set saw
 * nothing between. */
static void a_distance_in_accesses_passes_over_sets(void **state)
{
    (void)state;
    struct bound b;
    start(&b);
    for (uint64_t line = 0; line < 20; line++)
        load(&b, line);
    assert_int_equal(counted(&b, "accesses_between.beyond"), 20);
    assert_int_equal(counted(&b, "distance.beyond"), 20);
    load(&b, 0); /* 19 others lie between */
    assert_int_equal(counted(&b, "accesses_between.16_127"), 1);
    assert_int_equal(counted(&b, "distance.0_3"), 1);
    load(&b, 1); /* 19 again: the load of line 0 is one of them */
    assert_int_equal(counted(&b, "accesses_between.16_127"), 2);
    load(&b, 1);
    assert_int_equal(counted(&b, "accesses_between.0_15"), 1);
    unbind_policies(&b);
}

/* A line, `others` loads of two other lines, and the line again. */
static void with_others_between(uint64_t others, const char *expected)
{
    struct bound b;
    start(&b);
    load(&b, 7);
    for (uint64_t i = 0; i < others; i++)
        load(&b, 1000 + i % 2);
    const uint64_t before = counted(&b, expected);
    load(&b, 7);
    assert_int_equal(counted(&b, expected), before + 1);
    assert_int_equal(counted(&b, "accesses_between.0_15") + counted(&b, "accesses_between.16_127") +
                         counted(&b, "accesses_between.128_1023") + counted(&b, "accesses_between.1024_8191") +
                         counted(&b, "accesses_between.beyond"),
                     others + 2);
    unbind_policies(&b);
}

static void every_load_between_counts_and_bins_end_where_they_say(void **state)
{
    (void)state;
    with_others_between(15, "accesses_between.0_15");
    with_others_between(16, "accesses_between.16_127");
    with_others_between(127, "accesses_between.16_127");
    with_others_between(128, "accesses_between.128_1023");
    with_others_between(1024, "accesses_between.1024_8191");
    with_others_between(8191, "accesses_between.1024_8191");
    with_others_between(8192, "accesses_between.beyond");
}

/* Paper 003, figure 11: the stream that takes the L1. What goes around is between nothing, and in no footprint. */
static void what_goes_around_can_be_left_out(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct bound b;
        const struct policy_kernel k = { .name = "k" };
        bind_policies(&b, "locality", (const char *const[]){ all ? "policy.locality.path=all" : "policy.locality.path=l1", NULL });
        hooks_kernel_start(&b.instance->hooks, &k);
        load(&b, 7);
        for (uint64_t line = 100; line < 103; line++) {
            struct policy_access a = fake_load(LEVEL_L1, 0, line * 128, 32);
            hooks_accessed(&b.instance->hooks.cache[LEVEL_L1], &a, OUTCOME_BYPASSED, NO_WAY);
        }
        load(&b, 8);
        load(&b, 7); /* one load between, or four */
        assert_int_equal(counted(&b, "accesses_between.0_1"), all ? 0 : 1);
        assert_int_equal(counted(&b, "accesses_between.0_15"), 1);
        hooks_kernel_end(&b.instance->hooks, &k);
        assert_int_equal(counted(&b, "window_lines"), all ? 5 : 2);
        unbind_policies(&b);
    }
}

/* 8192 different lines: all of them are remembered. */
static void as_many_lines_as_are_asked_for_are_remembered(void **state)
{
    (void)state;
    struct bound b;
    start(&b);
    for (int round = 0; round < 2; round++)
        for (uint64_t line = 0; line < 8192; line++)
            load(&b, line * 3);
    assert_int_equal(counted(&b, "accesses_between.1024_8191"), 8192);
    unbind_policies(&b);
}

static void load_at(struct bound *b, uint64_t pc, uint64_t line)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, line * 128, b->instance->geometry.cache[LEVEL_L1].sets);
    a.pc = pc;
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MISS, NO_WAY);
}

static void end_kernel(struct bound *b)
{
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_end(&b->instance->hooks, &k);
}

/* Oh et al., section 2.3: a load streams when more than 95 % of its accesses miss in a cache without end. */
static void a_load_streams_above_95_percent(void **state)
{
    (void)state;
    for (uint64_t again = 4; again <= 5; again++) { /* of 100 */
        struct bound b;
        start(&b);
        for (uint64_t i = 0; i < 100; i++)
            load_at(&b, 8, i < 100 - again ? i : 0);
        end_kernel(&b);
        assert_int_equal(counted(&b, "streaming_lines"), again == 4 ? 96 : 0);
        assert_int_equal(counted(&b, "working_set_lines"), again == 4 ? 0 : 1); /* line 0, however often */
        unbind_policies(&b);
    }
}

/* `lines` lines, each so often. */
static void use(struct bound *b, uint64_t pc, uint64_t lines, uint64_t times)
{
    for (uint64_t i = 0; i < lines * times; i++)
        load_at(b, pc, pc * 1000 + i % lines);
}

/* Figure 2: the working set of the four most frequent loads, "excluding any load that is processing streaming data". The two most
 * frequent here stream, so that ranks 2 to 5 are the four; the seventh is too rare. */
static void the_top_four_loads_are_those_that_do_not_stream(void **state)
{
    (void)state;
    struct bound b;
    start(&b);
    use(&b, 8, 400, 1);
    use(&b, 16, 300, 1);
    for (uint64_t i = 0; i < 5; i++)
        use(&b, 24 + 8 * i, 20 - i, 4);
    end_kernel(&b);
    assert_int_equal(counted(&b, "streaming_lines"), 700);
    assert_int_equal(counted(&b, "working_set_lines"), 20 + 19 + 18 + 17 + 16);
    assert_int_equal(counted(&b, "top_working_set_lines"), 20 + 19 + 18 + 17);
    assert_int_equal(counted(&b, "load.0.pc"), 8);
    assert_int_equal(counted(&b, "load.0.streaming_lines"), 400);
    assert_int_equal(counted(&b, "load.2.pc"), 24);
    assert_int_equal(counted(&b, "load.2.accesses"), 80);
    assert_int_equal(counted(&b, "load.2.working_set_lines"), 20);
    assert_int_equal(counted(&b, "load.7.accesses"), 0);
    unbind_policies(&b);
}

static uint64_t reuses(const struct bound *b)
{
    uint64_t counters[128], sum = 0;
    policy_instance_counters(b->instance, 0, counters);
    for (uint32_t i = 0; policy_locality.counters->counters[i].name; i++)
        sum += strstr(policy_locality.counters->counters[i].name, ".reuse.") ? counters[i] : 0;
    return sum;
}

/* Paper 000, section 3.1: whose reuse it is, against the access before. */
static void reuse_is_the_thread_s_the_warp_s_the_block_s_the_core_s_or_the_gpu_s(void **state)
{
    (void)state;
    static const struct {
        uint64_t launch;
        uint16_t sm, warp;
        uint32_t cta, lanes;
        const char *kind;
    } steps[] = { { 0, 2, 5, 9, 0x0f, NULL }, /* the miss */
                  { 0, 2, 5, 9, 0x18, "intra_thread" }, { 0, 2, 5, 9, 0x20, "inter_thread" },
                  { 0, 2, 6, 9, 0x20, "intra_block" }, /* the lane is the same, the thread another */
                  { 0, 2, 6, 10, 0x20, "intra_core" },  { 0, 3, 6, 11, 0x20, "inter_core" },
                  { 1, 3, 6, 11, 0x20, "inter_kernel" } };
    static const uint32_t levels[] = { LEVEL_L1, LEVEL_L2 };
    for (uint32_t n = 0; n < 2; n++) {
        struct bound b;
        start(&b);
        for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            const bool l1 = levels[n] == LEVEL_L1;
            if (l1 && steps[i].kind && !strcmp(steps[i].kind, "inter_core"))
                continue; /* an L1 has one core */
            const struct policy_kernel k = { .name = "k", .launch = steps[i].launch };
            hooks_kernel_start(&b.instance->hooks, &k);
            struct policy_access a = fake_load(levels[n], 0, 128, 32);
            a.sm = l1 ? 2 : steps[i].sm;
            a.warp = steps[i].warp;
            a.cta = steps[i].cta;
            a.lanes = steps[i].lanes;
            const uint64_t before = reuses(&b);
            const enum policy_outcome found = i % 2 ? OUTCOME_HIT : OUTCOME_MERGED; /* a line on its way is used again, too */
            hooks_accessed(&b.instance->hooks.cache[levels[n]], &a, steps[i].kind ? found : OUTCOME_MISS, 1);
            assert_int_equal(reuses(&b), before + (steps[i].kind != NULL));
            char name[64];
            (void)snprintf(name, sizeof name, "%s.reuse.%s", l1 ? "l1" : "l2", steps[i].kind);
            assert_int_equal(steps[i].kind ? counted(&b, name) : 1, 1);
        }
        unbind_policies(&b);
    }
}

/* One line of a stream: the L1 asks for its four sectors. Another warp's four are reuses of that warp, none of its own. */
static void sectors_of_one_miss_are_no_reuse_at_an_l2(void **state)
{
    (void)state;
    struct bound b;
    start(&b);
    for (uint16_t warp = 0; warp < 2; warp++)
        for (uint32_t sector = 0; sector < 4; sector++) {
            struct policy_access a = fake_load(LEVEL_L2, 0, 128, 64);
            a.warp = warp;
            a.sectors = (uint8_t)(1u << sector);
            hooks_accessed(&b.instance->hooks.cache[LEVEL_L2], &a, sector ? OUTCOME_HIT : OUTCOME_MISS, 1);
            if (warp) /* a second miss would bring it anew */
                hooks_accessed(&b.instance->hooks.cache[LEVEL_L2], &a, OUTCOME_HIT, 1);
        }
    assert_int_equal(counted(&b, "l2.reuse.intra_block"), 3);
    assert_int_equal(counted(&b, "l2.reuse.intra_thread"), 4);
    assert_int_equal(reuses(&b), 7);
    const struct policy_evicted e = { .address = 128, .line = 1, .set = 1, .way = 1, .level = LEVEL_L2 };
    hooks_evicted(&b.instance->hooks.cache[LEVEL_L2], &e);
    struct policy_access a = fake_load(LEVEL_L2, 0, 128, 64);
    a.sectors = 8;
    hooks_accessed(&b.instance->hooks.cache[LEVEL_L2], &a, OUTCOME_HIT, 1);
    assert_int_equal(reuses(&b), 7);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_in_accesses_passes_over_sets),
        cmocka_unit_test(what_goes_around_can_be_left_out),
        cmocka_unit_test(every_load_between_counts_and_bins_end_where_they_say),
        cmocka_unit_test(as_many_lines_as_are_asked_for_are_remembered),
        cmocka_unit_test(a_load_streams_above_95_percent),
        cmocka_unit_test(the_top_four_loads_are_those_that_do_not_stream),
        cmocka_unit_test(sectors_of_one_miss_are_no_reuse_at_an_l2),
        cmocka_unit_test(reuse_is_the_thread_s_the_warp_s_the_block_s_the_core_s_or_the_gpu_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
