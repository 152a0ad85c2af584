/* decoupled-l1d where its rules end: what the text leaves open decided otherwise, tag stores of other shapes, intervals of the duel
 * that say little, what it costs. */
#include "decoupled_bench.h"

static void a_load_below_the_threshold_can_join_its_line(void **state)
{
    (void)state;
    for (int join = 0; join < 2; join++) {
        struct cache c;
        OPEN(&c, join ? "policy.decoupled-l1d.join=true" : "policy.decoupled-l1d.join=false");
        const struct policy_access a = at(SM, 'A');
        for (int i = 0; i < 2; i++) { /* a new entry, and one below */
            struct policy_lookup lookup = { .fill_bytes = 128 };
            hooks_before_lookup(&c.b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
            assert_int_equal(lookup.no_allocate, join);
            assert_int_equal(lookup.bypass, !join);
        }
        unbind_policies(&c.b);
    }
}

/* Four lines and five entries. E's line evicts A's: B, C and D are halved to 1, and E, which came in, keeps its 2. So the next
 * entry takes A's place, although E is the one used longest ago. */
static void shifting_spares_the_entry_that_comes_in(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.ageing=shift", "policy.decoupled-l1d.tag_ways=5");
    for (uint64_t line = 'A'; line <= 'E'; line++)
        assert_int_equal(bring(&c, line), 3);
    assert_int_equal(load(&c, 'A'), AROUND); /* 1 */
    for (uint64_t line = 'B'; line <= 'D'; line++)
        assert_int_equal(load(&c, line), HIT);
    assert_int_equal(load(&c, 'X'), AROUND);
    assert_true(find(&c, SM, 'E') < WAYS);
    assert_int_equal(count(&c).lines_taken_along, 0);
    unbind_policies(&c.b);
}

/* One set of tags over all sets of lines: three lines of three sets share two entries. */
static void a_fully_associative_tag_store(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_sets=1", "policy.decoupled-l1d.tag_ways=2");
    const struct cache_hooks *h = &c.b.instance->hooks.cache[LEVEL_L1];
    static const uint64_t lines[] = { 0, 1, 0, 2, 0, 1 }; /* 0 has a count: 1 makes room for 2 */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct policy_access a = fake_load(LEVEL_L1, SM, lines[i] * 128, 32);
        struct policy_lookup lookup = { .fill_bytes = 128 };
        assert_int_equal(a.set, lines[i]);
        hooks_before_lookup(h, &a, &lookup);
        assert_int_equal(lookup.bypass, i != 4); /* the third load of line 0 */
    }
    assert_int_equal(count(&c).new_entries, 4);
    assert_int_equal(count(&c).entries_evicted, 2);
    unbind_policies(&c.b);
}

static void tag_sets_divide_the_caches(void **state)
{
    (void)state;
    struct error err = { 0 };
    struct fake_machine machine = { 0 };
    struct policy_set *set = policy_set_new(NULL, "decoupled-l1d", &err);
    struct param_space *space = param_space_new();
    policy_set_add_params(set, space);
    assert_true(param_set_assignment(space, "policy.decoupled-l1d.tag_sets=3", "test", &err));
    param_space_free(space);
    const struct policy_geometry g = fake_geometry();
    const struct policy_machine m = fake_policy_machine(&machine);
    assert_null(policy_set_bind(set, &g, &m, &err));
    assert_non_null(strstr(err.text, "a tag store of 3 sets does not go with an L1 of 32"));
    policy_set_free(set);
}

/* ---- SM dueling ---- */

static bool follower_filters(const struct cache *c)
{
    return hooks_probe_cycles(&c->b.instance->hooks.cache[LEVEL_L1], 2) != 0;
}

/* An SM's loads, of which so many of a hundred miss; then the interval ends. */
static void interval(struct cache *c, uint32_t loads_0, uint32_t misses_0, uint32_t loads_1, uint32_t misses_1)
{
    const struct cache_hooks *h = &c->b.instance->hooks.cache[LEVEL_L1];
    for (uint32_t sm = 0; sm < 2; sm++)
        for (uint32_t i = 0; i < (sm ? loads_1 : loads_0); i++) {
            const struct policy_access a = at(sm, i);
            hooks_accessed(h, &a, i < (sm ? misses_1 : misses_0) ? OUTCOME_BYPASSED : OUTCOME_MERGED, NO_WAY);
        }
    hooks_serial(&c->b.instance->hooks, c->clock += 500);
}

static void an_interval_needs_loads_of_both(void **state)
{
    (void)state;
    struct cache c;
    open_with(&c, NULL);
    interval(&c, 100, 0, 0, 0);
    interval(&c, 0, 0, 100, 100);
    assert_false(follower_filters(&c)); /* still SM 1's, as at first */
    assert_int_equal(count(&c).intervals, 0);
    interval(&c, 100, 50, 100, 50);
    assert_true(follower_filters(&c));
    interval(&c, 100, 100, 0, 0);
    interval(&c, 0, 0, 100, 0);
    assert_true(follower_filters(&c));
    assert_int_equal(count(&c).intervals, 1);
    unbind_policies(&c.b);
}

/* With `stay` it takes more than ten points either way. Loads that join a fetch are no misses. */
static void with_stay_both_bounds_are_points(void **state)
{
    (void)state;
    struct cache c;
    open_with(&c, (const char *const[]){ "policy.decoupled-l1d.within=stay", NULL });
    interval(&c, 100, 40, 100, 50);
    assert_false(follower_filters(&c));
    interval(&c, 100, 39, 100, 50);
    assert_true(follower_filters(&c));
    interval(&c, 200, 120, 100, 50); /* 60 % and 50 % */
    assert_true(follower_filters(&c));
    interval(&c, 200, 122, 100, 50);
    assert_false(follower_filters(&c));
    unbind_policies(&c.b);
}

/* Section 4.3 assumes two SMs at least. */
static void a_single_sm_has_the_design(void **state)
{
    (void)state;
    struct bound b;
    struct policy_geometry g = fake_geometry();
    g.sms = g.cache[LEVEL_L1].units = 1;
    bind_policies_on(&b, NULL, &g, "decoupled-l1d", NULL);
    hooks_serial(&b.instance->hooks, 500);
    assert_int_equal(hooks_probe_cycles(&b.instance->hooks.cache[LEVEL_L1], 0), 1);
    unbind_policies(&b);
}

/* Two entries for four lines: when the filter begins, the lines that get none go. */
static void lines_without_an_entry_go(void **state)
{
    (void)state;
    struct cache c;
    open_with(&c, (const char *const[]){ "policy.decoupled-l1d.tag_ways=2", NULL });
    for (uint64_t line = 'A'; line <= 'D'; line++)
        assert_int_equal(load_of(&c, 2, line), LINE);
    interval(&c, 100, 50, 100, 50);
    assert_true(follower_filters(&c));
    uint32_t there = 0;
    for (uint64_t line = 'A'; line <= 'D'; line++)
        there += find(&c, 2, line) < WAYS;
    assert_int_equal(there, 2);
    unbind_policies(&c.b);
}

/* ---- section 6.5 ---- */

/* 8 bits more per entry, 256 entries instead of 128, 2 bits per set, and the ninth bit that the paper's two lack. */
static void it_costs_what_the_paper_says(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    const struct policy_self *self = &c.b.instance->self[0];
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    assert_int_equal(self->policy->hardware(self->config, self->geometry, rows), 5);
    static const uint64_t bits[] = { 256 * 6, 256 * 2, 256, 128 * (28 + 2 + 3), 32 * 2 }; /* tags: 40 bits less 7 and 5 */
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(rows[i].entries * rows[i].bits, bits[i]);
    double read_pj = 0, leakage_mw = 0;
    for (const struct policy_energy *e = self->policy->energy; e->structure; e++) {
        read_pj += e->use_pj;
        leakage_mw += 15 * e->leakage_mw;
    }
    assert_float_equal(read_pj, 2.0, 1e-9); /* 0.002 nJ */
    assert_float_equal(leakage_mw, 1.7, 1e-9);
    unbind_policies(&c.b);
}

/* As many entries as lines: there are no further ones, and none of 6.5's energy is theirs. */
static void a_tag_store_without_further_entries_pays_none(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=4");
    const struct policy_self *self = &c.b.instance->self[0];
    struct policy_structure s[POLICY_STRUCTURES_MAX];
    assert_int_equal(policy_structures(self->policy, self->config, self->geometry, s), 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(s[i].entries > 0);
    unbind_policies(&c.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_below_the_threshold_can_join_its_line),
        cmocka_unit_test(shifting_spares_the_entry_that_comes_in),
        cmocka_unit_test(a_fully_associative_tag_store),
        cmocka_unit_test(tag_sets_divide_the_caches),
        cmocka_unit_test(an_interval_needs_loads_of_both),
        cmocka_unit_test(with_stay_both_bounds_are_points),
        cmocka_unit_test(a_single_sm_has_the_design),
        cmocka_unit_test(lines_without_an_entry_go),
        cmocka_unit_test(it_costs_what_the_paper_says),
        cmocka_unit_test(a_tag_store_without_further_entries_pays_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
