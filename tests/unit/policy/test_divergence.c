/* divergence: distances, bins of the degree, kinds of hits and use of lines, counted by hand. */
#include "fake_machine.h"
#include "policy/reuse_distance.h"

#define STAT_DEF "policy/divergence_counters.def"
#define STAT_NAME divergence
#include "stat/declare.h"

static struct policy_access load_at(uint64_t pc, uint32_t degree, uint64_t line)
{
    struct policy_access a = fake_load(LEVEL_L1, 2, line * 32 * 128, 32); /* all in set 0 */
    a.pc = pc;
    a.transactions = (uint8_t)degree;
    a.bytes[0] = 0xF;
    return a;
}

static void start_kernel(struct bound *b, uint64_t launch)
{
    const struct policy_kernel k = { .name = "k", .launch = launch };
    hooks_kernel_start(&b->instance->hooks, &k);
}

static struct divergence_counters end_kernel(struct bound *b)
{
    struct divergence_counters c;
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_end(&b->instance->hooks, &k);
    policy_instance_counters(b->instance, 0, &c);
    return c;
}

static void use(struct bound *b, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], a, outcome, way);
}

static void distances_are_lines_of_the_set_in_the_kernel(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "divergence", NULL);
    start_kernel(&b, 0);
    static const uint64_t lines[] = { 0, 1, 0, 0, 2, 3, 1 }; /* first, first, 1, 0, first, first, 3 */
    for (uint32_t i = 0; i < 7; i++) {
        const struct policy_access a = load_at(8, i == 6 ? 20 : 1, lines[i]);
        use(&b, &a, OUTCOME_BYPASSED, NO_WAY);
    }
    for (uint64_t i = 0; i < 300; i++) { /* further than the stack: still not the first use */
        const struct policy_access a = load_at(16, 2, 100 + i);
        use(&b, &a, OUTCOME_BYPASSED, NO_WAY);
    }
    const struct policy_access far = load_at(16, 2, 0);
    use(&b, &far, OUTCOME_BYPASSED, NO_WAY);
    const struct divergence_counters c = end_kernel(&b);
    assert_int_equal(c.loads, 308);
    assert_int_equal(c.all_first, 4 + 300);
    assert_int_equal(c.all_0, 1);
    assert_int_equal(c.all_1, 1);
    assert_int_equal(c.all_3, 1);
    assert_int_equal(c.all_more, 1);
    assert_int_equal(c.load_0_pc, 16); /* the most accesses */
    assert_int_equal(c.load_0_bin_1_first, 300);
    assert_int_equal(c.load_0_bin_1_more, 1);
    assert_int_equal(c.load_1_pc, 8);
    assert_int_equal(c.load_1_bin_0_first, 4);
    assert_int_equal(c.load_1_bin_3_3, 1); /* degree 20 */
    start_kernel(&b, 1);                   /* the next kernel begins anew */
    use(&b, &far, OUTCOME_BYPASSED, NO_WAY);
    assert_int_equal(end_kernel(&b).all_first, 4 + 300 + 1);
    unbind_policies(&b);
}

static void hits_are_temporal_spatial_or_mixed(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "divergence", NULL);
    start_kernel(&b, 0);
    struct policy_access a = load_at(8, 1, 0);
    use(&b, &a, OUTCOME_MISS, 1);
    use(&b, &a, OUTCOME_HIT, 1); /* the same bytes */
    a.bytes[0] = 0xFF0;
    use(&b, &a, OUTCOME_MERGED, 1); /* others */
    a.bytes[0] = 0xFFFF;
    use(&b, &a, OUTCOME_HIT, 1); /* some of each */
    use(&b, &a, OUTCOME_HIT, 1);
    a.bytes[0] = 0;
    a.bytes[1] = 1ull << 63;
    use(&b, &a, OUTCOME_HIT, 1);
    use(&b, &a, OUTCOME_MISS, 1); /* a new line: nothing is touched yet */
    a.bytes[0] = 1;
    a.bytes[1] = 0;
    use(&b, &a, OUTCOME_HIT, 1);
    a.local = true;
    use(&b, &a, OUTCOME_HIT, 1);
    const struct divergence_counters c = end_kernel(&b);
    assert_int_equal(c.hits_temporal, 2);
    assert_int_equal(c.hits_spatial, 3);
    assert_int_equal(c.hits_mixed, 1);
    unbind_policies(&b);
}

static void use_of_lines_is_told_by_who_brought_them(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "divergence", NULL);
    start_kernel(&b, 0);
    const struct policy_access narrow = load_at(8, 1, 0), wide = load_at(8, 16, 0);
    struct policy_evicted e = { .unit = 2, .set = 0, .way = 0, .level = LEVEL_L1, .sectors_used = 15 };
    use(&b, &narrow, OUTCOME_MISS, 0);
    hooks_evicted(&b.instance->hooks.cache[LEVEL_L1], &e);
    hooks_evicted(&b.instance->hooks.cache[LEVEL_L1], &e); /* nobody's */
    use(&b, &wide, OUTCOME_MISS, 0);
    use(&b, &narrow, OUTCOME_HIT, 0);
    e.sectors_used = 8;
    hooks_evicted(&b.instance->hooks.cache[LEVEL_L1], &e);
    const struct divergence_counters c = end_kernel(&b);
    assert_int_equal(c.use_0_4, 1);
    assert_int_equal(c.use_3_1, 1);
    assert_int_equal(c.use_0_1 + c.use_0_2 + c.use_0_3 + c.use_3_2 + c.use_3_3 + c.use_3_4 + c.use_1_1 + c.use_2_1, 0);
    unbind_policies(&b);
}

/* 1, 2-3, 4-15, 16 and more. */
static void degrees_are_sorted_into_bins(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "divergence", NULL);
    start_kernel(&b, 0);
    static const uint32_t degrees[] = { 1, 2, 3, 4, 15, 16, 32 };
    for (uint32_t i = 0; i < 7; i++) {
        const struct policy_access a = load_at(8, degrees[i], i);
        use(&b, &a, OUTCOME_BYPASSED, NO_WAY);
    }
    const struct divergence_counters c = end_kernel(&b);
    assert_int_equal(c.load_0_bin_0_first, 1);
    assert_int_equal(c.load_0_bin_1_first, 2);
    assert_int_equal(c.load_0_bin_2_first, 2);
    assert_int_equal(c.load_0_bin_3_first, 2);
    unbind_policies(&b);
}

/* The stack is as deep as it says: what is further back has its depth, and nothing is written behind it. */
static void the_stack_of_distances_has_an_end(void **state)
{
    (void)state;
    static struct {
        struct reuse_set set;
        uint64_t behind;
    } s;
    static struct reuse_seen seen;
    s.behind = 77;
    for (uint64_t line = 0; line < REUSE_DEPTH + 50; line++)
        assert_int_equal(reuse_distance(&s.set, &seen, line, 1), REUSE_FIRST);
    assert_int_equal(s.set.count, REUSE_DEPTH);
    assert_int_equal(s.behind, 77);
    assert_int_equal(reuse_distance(&s.set, &seen, 50, 1), REUSE_DEPTH - 1); /* the last that is there */
    assert_int_equal(reuse_distance(&s.set, &seen, 0, 1), REUSE_DEPTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_lines_of_the_set_in_the_kernel),
        cmocka_unit_test(hits_are_temporal_spatial_or_mixed),
        cmocka_unit_test(use_of_lines_is_told_by_who_brought_them),
        cmocka_unit_test(degrees_are_sorted_into_bins),
        cmocka_unit_test(the_stack_of_distances_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
