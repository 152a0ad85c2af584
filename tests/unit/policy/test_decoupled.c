/* decoupled-l1d: every branch of figure 7 of Li et al., ICS 2015, on one set of the L1 that the test plays; and the duel of two
 * SMs.
 *
 * The data store has 4 ways and evicts the least recently used; lines are letters of set 0. Thresholds are 2 unless a test says. */
#include "decoupled_bench.h"

static void first_a_new_entry_then_a_count_then_a_line(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    assert_int_equal(load(&c, 'A'), AROUND); /* probe miss: an entry with count 0 */
    assert_int_equal(load(&c, 'A'), AROUND); /* no position: 1, below 2 */
    assert_int_equal(load(&c, 'A'), LINE);   /* 2: reached */
    assert_int_equal(load(&c, 'A'), HIT);    /* position */
    const struct decoupled_l1d_counters n = count(&c);
    assert_int_equal(n.probes, 4);
    assert_int_equal(n.new_entries, 1);
    assert_int_equal(n.below, 1);
    assert_int_equal(n.reached, 1);
    assert_int_equal(n.committed, 1);
    assert_int_equal(n.lines_allocated, 1);
    assert_int_equal(n.free_lines_seen, 4 + 4 + 4 + 3);
    unbind_policies(&c.b);
}

static void a_pending_line_is_a_pending_hit(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    assert_int_equal(bring(&c, 'A'), 3);
    c.way[SM][0].pending = true;
    assert_int_equal(load(&c, 'A'), HIT);
    assert_int_equal(count(&c).committed, 1);
    unbind_policies(&c.b);
}

static void thresholds_and_the_first_access(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.threshold=1");
    assert_int_equal(bring(&c, 'A'), 2);
    unbind_policies(&c.b);
    OPEN(&c, "policy.decoupled-l1d.threshold=5");
    assert_int_equal(bring(&c, 'A'), 6);
    unbind_policies(&c.b);
    OPEN(&c, "policy.decoupled-l1d.threshold=2", "policy.decoupled-l1d.first_counts=true");
    assert_int_equal(bring(&c, 'A'), 2);
    unbind_policies(&c.b);
    OPEN(&c, "policy.decoupled-l1d.threshold=63"); /* six bits hold it */
    assert_int_equal(bring(&c, 'A'), 64);
    unbind_policies(&c.b);
}

/* A count holds 63: with hits that count, A is used 200 times, and forty other lines, of which each ages it twice, are enough to
 * make its entry the smallest. */
static void counts_have_six_bits(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=1", "policy.decoupled-l1d.count_hits=true");
    assert_int_equal(bring(&c, 'A'), 2);
    for (int i = 0; i < 200; i++)
        assert_int_equal(load(&c, 'A'), HIT);
    for (uint64_t line = 1000; line < 1025; line++) /* A: 63, less 2 for each but the first: 14 */
        assert_int_equal(bring(&c, line), 2);
    assert_int_equal(find(&c, SM, 'A'), 0);
    for (uint64_t line = 1025; line < 1040; line++)
        assert_int_equal(bring(&c, line), 2);
    assert_int_equal(find(&c, SM, 'A'), WAYS);
    unbind_policies(&c.b);
}

static void a_kernel_begins_without_candidates(void **state)
{
    (void)state;
    struct cache c;
    const struct policy_kernel k = { .name = "k" };
    OPEN(&c);
    assert_int_equal(bring(&c, 'A'), 3);
    (void)load(&c, 'B');
    (void)load(&c, 'B'); /* 1 */
    hooks_kernel_start(&c.b.instance->hooks, &k);
    assert_int_equal(load(&c, 'A'), HIT); /* its line is there, and so is its entry */
    assert_int_equal(bring(&c, 'B'), 3);  /* from the beginning */
    unbind_policies(&c.b);
}

/* Two ways of tags: A has count 1, B has 0, so that C takes B's entry. */
static void the_entry_with_the_smallest_count_goes(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=3");
    (void)load(&c, 'A');
    (void)load(&c, 'B');
    (void)load(&c, 'A');
    (void)load(&c, 'C');
    assert_int_equal(count(&c).entries_evicted, 1);
    (void)load(&c, 'A');                   /* still there: 2 */
    assert_int_equal(load(&c, 'A'), LINE); /* 3 */
    assert_int_equal(count(&c).new_entries, 3);
    (void)load(&c, 'B');
    assert_int_equal(count(&c).new_entries, 4); /* had to be made again */
    unbind_policies(&c.b);
}

static void of_equal_counts_the_least_recently_used_goes(void **state)
{
    (void)state;
    struct cache c;
    for (int lru = 0; lru < 2; lru++) {
        OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=9",
             lru ? "policy.decoupled-l1d.ties=lru" : "policy.decoupled-l1d.ties=way");
        (void)load(&c, 'A');
        (void)load(&c, 'A'); /* 1 */
        (void)load(&c, 'B');
        (void)load(&c, 'B'); /* 1, and younger */
        (void)load(&c, 'A'); /* 2 */
        (void)load(&c, 'B'); /* 2 */
        (void)load(&c, 'C'); /* takes A's either way: the older one, and the lower way */
        (void)load(&c, 'C'); /* 1, in way 0; B has 2: the next goes for C whatever the ties */
        (void)load(&c, 'C'); /* 2: equal to B's, and younger */
        const uint64_t made = count(&c).new_entries;
        (void)load(&c, 'D'); /* lru: B's; way: C's */
        (void)load(&c, lru ? 'C' : 'B');
        assert_int_equal(count(&c).new_entries, made + 1);
        unbind_policies(&c.b);
    }
}

/* A reference of A at count 1 is lost when B's line is allocated: A needs one load more. */
static void an_allocation_ages_the_others(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    (void)load(&c, 'A');
    (void)load(&c, 'A');                     /* A: 1 */
    assert_int_equal(bring(&c, 'B'), 3);     /* A: 0 */
    assert_int_equal(load(&c, 'A'), AROUND); /* 1 */
    assert_int_equal(load(&c, 'A'), LINE);
    assert_int_equal(count(&c).ageings, 2);
    unbind_policies(&c.b);
}

/* Two ways of tags. A keeps the 2 with which it got its line; B has 1, and makes room for C. */
static void an_allocation_does_not_age_its_own_entry(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2");
    assert_int_equal(bring(&c, 'A'), 3);
    (void)load(&c, 'B');
    (void)load(&c, 'B');
    (void)load(&c, 'C');
    assert_int_equal(load(&c, 'A'), HIT);
    unbind_policies(&c.b);
}

/* Four lines fill the set; the fifth evicts the oldest, whose entry stays with count 0 and no position. */
static void a_full_set_evicts_by_the_data_stores_order(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    for (uint64_t line = 'A'; line <= 'D'; line++)
        (void)bring(&c, line);
    (void)load(&c, 'X');
    (void)load(&c, 'X'); /* X: 1 */
    const uint64_t aged = count(&c).ageings;
    assert_int_equal(bring(&c, 'E'), 3);
    assert_int_equal(count(&c).ageings, aged + 1); /* evicted and allocated: once */
    assert_int_equal(find(&c, SM, 'A'), WAYS);
    assert_int_equal(load(&c, 'B'), HIT);
    const uint64_t made = count(&c).new_entries;
    assert_int_equal(load(&c, 'A'), AROUND); /* its entry is there: 1 */
    assert_int_equal(load(&c, 'A'), LINE);   /* 2 */
    assert_int_equal(count(&c).new_entries, made);
    assert_int_equal(load(&c, 'X'), AROUND); /* X lost its 1 to E and 0 stayed 0 for A: 1 now */
    assert_int_equal(load(&c, 'X'), LINE);
    unbind_policies(&c.b);
}

/* Two ways of tags. A's line ages its count to 0 when B comes in; the third line takes A's entry, and its line goes along. */
static void an_entry_that_goes_takes_its_line_along(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=1");
    assert_int_equal(bring(&c, 'A'), 2); /* A: 1 */
    assert_int_equal(bring(&c, 'B'), 2); /* B: 1, A: 0 */
    assert_int_equal(load(&c, 'C'), AROUND);
    assert_int_equal(find(&c, SM, 'A'), WAYS);
    assert_int_equal(load(&c, 'B'), HIT);
    const struct decoupled_l1d_counters n = count(&c);
    assert_int_equal(n.lines_taken_along, 1);
    assert_int_equal(n.ageings, 3); /* two allocations and this eviction */
    unbind_policies(&c.b);
}

static void lines_on_their_way_keep_their_entries(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=1");
    (void)bring(&c, 'A');
    (void)bring(&c, 'B'); /* A: 0, B: 1 */
    c.way[SM][0].pending = true;
    assert_int_equal(load(&c, 'C'), AROUND); /* A cannot go: B does */
    assert_int_equal(load(&c, 'A'), HIT);
    assert_int_equal(find(&c, SM, 'B'), WAYS);
    assert_int_equal(load(&c, 'C'), LINE); /* into way 1 */
    c.way[SM][1].pending = true;
    assert_int_equal(load(&c, 'D'), AROUND); /* nobody can go: around, without an entry */
    assert_int_equal(count(&c).no_entry, 1);
    c.way[SM][1].pending = false;
    const uint64_t made = count(&c).new_entries;
    (void)load(&c, 'D');
    assert_int_equal(count(&c).new_entries, made + 1);
    unbind_policies(&c.b);
}

/* A load that reached the threshold waits for an MSHR. Meanwhile others take its entry; with its line it gets one again, at the
 * threshold, and the line is found there. */
static void a_load_that_waited_gets_its_entry_again(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=1");
    const struct cache_hooks *h = &c.b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = at(SM, 'A');
    struct policy_lookup lookup = { .fill_bytes = 128 };
    (void)load(&c, 'A');
    hooks_before_lookup(h, &a, &lookup); /* 1: reached, and the L1 refuses it for now */
    assert_false(lookup.bypass);
    (void)load(&c, 'B');
    const struct policy_access b = at(SM, 'B');
    hooks_before_lookup(h, &b, &lookup); /* 1 as A has, and younger */
    (void)load(&c, 'C');                 /* takes A's entry */
    assert_int_equal(count(&c).entries_evicted, 1);
    const uint64_t made = count(&c).new_entries;
    c.way[SM][0].line = 'A' + 1;
    c.way[SM][0].stamp = ++c.clock;
    hooks_accessed(h, &a, OUTCOME_MISS, 0);
    assert_int_equal(count(&c).lines_allocated, 1);
    assert_int_equal(load(&c, 'A'), HIT);
    assert_int_equal(count(&c).committed, 1);
    assert_int_equal(count(&c).new_entries, made); /* of loads that found none: this one had */
    unbind_policies(&c.b);
}

/* Hits leave an entry's count alone unless count_hits: then B, which was hit often, outlives A. */
static void hits_count_only_when_asked(void **state)
{
    (void)state;
    struct cache c;
    for (int counts = 0; counts < 2; counts++) {
        OPEN(&c, "policy.decoupled-l1d.tag_ways=2", "policy.decoupled-l1d.threshold=1",
             counts ? "policy.decoupled-l1d.count_hits=true" : "policy.decoupled-l1d.count_hits=false");
        (void)bring(&c, 'A');
        for (int i = 0; i < 3; i++)
            assert_int_equal(load(&c, 'A'), HIT);
        (void)bring(&c, 'B'); /* A: 0, or 1 + 3 - 1; B: 1 */
        (void)load(&c, 'C');
        assert_int_equal(find(&c, SM, counts ? 'B' : 'A'), WAYS);
        assert_int_equal(find(&c, SM, counts ? 'A' : 'B') < WAYS, true);
        unbind_policies(&c.b);
    }
}

static void a_store_evicts(void **state)
{
    (void)state;
    struct cache c;
    for (int keeps = 0; keeps < 2; keeps++) {
        OPEN(&c, keeps ? "policy.decoupled-l1d.stores=keep" : "policy.decoupled-l1d.stores=evict");
        (void)bring(&c, 'A'); /* 2 */
        (void)load(&c, 'B');
        (void)load(&c, 'B'); /* 1 */
        store(&c, 'A');
        assert_int_equal(load(&c, 'A'), keeps ? LINE : AROUND); /* 3, or 1 */
        if (!keeps)
            assert_int_equal(load(&c, 'A'), LINE);
        (void)load(&c, 'B'); /* aged by the store, if that is an eviction, and by A's new line */
        assert_int_equal(load(&c, 'B'), LINE);
        assert_int_equal(count(&c).ageings, keeps ? 3 : 4);
        store(&c, 'Z'); /* of a line that is not here: nothing */
        assert_int_equal(count(&c).probes, keeps ? 3 + 2 + 1 + 2 : 3 + 2 + 2 + 2);
        unbind_policies(&c.b);
    }
}

static void shifting_halves_at_evictions_only(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.ageing=shift", "policy.decoupled-l1d.threshold=4");
    for (int i = 0; i < 4; i++)
        (void)load(&c, 'A'); /* 3 */
    (void)bring(&c, 'B');    /* an allocation: A stays 3 */
    assert_int_equal(count(&c).ageings, 0);
    store(&c, 'B'); /* an eviction: A has 1 */
    assert_int_equal(bring(&c, 'A'), 3);
    unbind_policies(&c.b);
}

static void a_flush_forgets(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c);
    (void)bring(&c, 'A');
    (void)load(&c, 'B');
    (void)load(&c, 'B');
    tell_evicted(&c, SM, 0, EVICTED_BY_FLUSH);
    assert_int_equal(bring(&c, 'B'), 3);
    assert_int_equal(bring(&c, 'A'), 3);
    unbind_policies(&c.b);
}

static void local_memory_is_filtered_unless_told(void **state)
{
    (void)state;
    for (int local = 0; local < 2; local++) {
        struct cache c;
        OPEN(&c, local ? "policy.decoupled-l1d.local=true" : "policy.decoupled-l1d.local=false");
        struct policy_access a = at(SM, 'A');
        a.local = true;
        struct policy_lookup lookup = { .fill_bytes = 128 };
        hooks_before_lookup(&c.b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
        assert_int_equal(lookup.bypass, local);
        unbind_policies(&c.b);
    }
}

/* As many tags as lines: candidates take entries, and the lines of those lie idle. With twice as many they do not. */
static void a_tag_store_that_is_too_small_leaves_lines_unused(void **state)
{
    (void)state;
    uint64_t idle[2];
    for (int large = 0; large < 2; large++) {
        struct cache c;
        OPEN(&c, large ? "policy.decoupled-l1d.tag_ways=8" : "policy.decoupled-l1d.tag_ways=4", "policy.decoupled-l1d.threshold=1");
        for (int i = 0; i < 400; i++) {
            (void)load(&c, 'A' + (uint64_t)i / 2 % 4); /* four lines that are used again */
            if (i % 3 == 0)
                (void)load(&c, 1000 + (uint64_t)i); /* and a stream */
        }
        idle[large] = count(&c).free_lines_seen * 100 / count(&c).probes;
        unbind_policies(&c.b);
    }
    assert_true(idle[0] >= 50); /* half a line of every set, at least */
    assert_true(idle[1] < 20);
}

static void a_threshold_of_nothing_is_the_plain_cache(void **state)
{
    (void)state;
    struct cache c;
    OPEN(&c, "policy.decoupled-l1d.threshold=0");
    assert_int_equal(load(&c, 'A'), LINE);
    assert_int_equal(count(&c).probes, 0);
    assert_int_equal(hooks_probe_cycles(&c.b.instance->hooks.cache[LEVEL_L1], SM), 0);
    unbind_policies(&c.b);
    OPEN(&c);
    assert_int_equal(hooks_probe_cycles(&c.b.instance->hooks.cache[LEVEL_L1], SM), 1);
    unbind_policies(&c.b);
}

/* ---- SM dueling ---- */

static void interval(struct cache *c, uint64_t *n)
{
    hooks_serial(&c->b.instance->hooks, ++*n * 500);
}

static void stream(struct cache *c, uint64_t *line, uint32_t loads)
{
    for (uint32_t i = 0; i < loads; i++, ++*line)
        for (uint32_t sm = 0; sm < 3; sm++)
            (void)load_of(c, sm, *line);
}

/* Every line twice in a row: the plain cache hits half of the loads, the filter none. */
static void pairs(struct cache *c, uint64_t *line, uint32_t loads)
{
    for (uint32_t i = 0; i < loads; i++, ++*line)
        for (uint32_t sm = 0; sm < 3; sm++) {
            (void)load_of(c, sm, *line);
            (void)load_of(c, sm, *line);
        }
}

static bool follower_filters(const struct cache *c)
{
    return hooks_probe_cycles(&c->b.instance->hooks.cache[LEVEL_L1], 2) != 0;
}

static void the_duel_switches_over_on_a_stream_and_back_on_reuse(void **state)
{
    (void)state;
    struct cache c;
    uint64_t n = 0, line = 1;
    open_with(&c, NULL);
    assert_int_equal(hooks_probe_cycles(&c.b.instance->hooks.cache[LEVEL_L1], 0), 1); /* SM 0 has the design */
    assert_int_equal(hooks_probe_cycles(&c.b.instance->hooks.cache[LEVEL_L1], 1), 0); /* SM 1 the plain cache */
    assert_false(follower_filters(&c));                                               /* the rest follow SM 1 at first */
    stream(&c, &line, 50);
    assert_false(follower_filters(&c)); /* not before the interval ends */
    interval(&c, &n);
    assert_true(follower_filters(&c));
    assert_int_equal(load_of(&c, 2, 7777), AROUND);
    pairs(&c, &line, 50);
    interval(&c, &n);
    assert_false(follower_filters(&c));
    assert_int_equal(load_of(&c, 2, 8888), LINE);
    interval(&c, &n); /* nobody of both loads: as it was */
    assert_false(follower_filters(&c));
    stream(&c, &line, 50);
    interval(&c, &n);
    assert_true(follower_filters(&c));
    assert_int_equal(count(&c).switches, 3);
    assert_int_equal(count(&c).intervals, 3);
    assert_int_equal(hooks_probe_cycles(&c.b.instance->hooks.cache[LEVEL_L1], 1), 0);
    unbind_policies(&c.b);
}

/* A line that is there when the filter begins has the threshold as its count: of two entries the candidate's goes. And the SM's
 * probes take longer from then on, which the machine has to hear. */
static void lines_that_are_there_count_as_used(void **state)
{
    (void)state;
    struct cache c;
    uint64_t n = 0, line = 1000;
    open_with(&c, (const char *const[]){ "policy.decoupled-l1d.tag_ways=2", NULL });
    assert_int_equal(load_of(&c, 2, 'A'), LINE); /* the plain cache */
    for (uint32_t i = 0; i < 50; i++, line++)
        for (uint32_t sm = 0; sm < 2; sm++)
            (void)load_of(&c, sm, line);
    interval(&c, &n);
    assert_true(follower_filters(&c));
    assert_int_equal(c.b.machine.regated[2], 1);
    assert_int_equal(load_of(&c, 2, 'B'), AROUND);
    assert_int_equal(load_of(&c, 2, 'B'), AROUND); /* B: 1, A: 2 */
    assert_int_equal(load_of(&c, 2, 'C'), AROUND);
    assert_int_equal(load_of(&c, 2, 'A'), HIT);
    unbind_policies(&c.b);
}

static void inside_the_difference_it_can_stay(void **state)
{
    (void)state;
    struct cache c;
    uint64_t n = 0, line = 1;
    open_with(&c, (const char *const[]){ "policy.decoupled-l1d.within=stay", NULL });
    stream(&c, &line, 50); /* both miss everything */
    interval(&c, &n);
    assert_false(follower_filters(&c));
    unbind_policies(&c.b);
    open_with(&c, (const char *const[]){ "policy.decoupled-l1d.within=stay", "policy.decoupled-l1d.bypass_misses=false", NULL });
    stream(&c, &line, 50); /* what goes around is no miss here */
    interval(&c, &n);
    assert_true(follower_filters(&c));
    unbind_policies(&c.b);
}

/* Points: SM 0 misses 10 of 100 more than SM 1 is inside, 11 is not. */
static void the_difference_is_in_points(void **state)
{
    (void)state;
    for (uint32_t more = 10; more <= 11; more++) {
        struct cache c;
        uint64_t n = 0;
        open_with(&c, NULL);
        const struct cache_hooks *h = &c.b.instance->hooks.cache[LEVEL_L1];
        for (uint32_t i = 0; i < 100; i++) {
            const struct policy_access ours = at(0, i), plain = at(1, i);
            hooks_accessed(h, &ours, i < 50 + more ? OUTCOME_BYPASSED : OUTCOME_HIT, i < 50 + more ? NO_WAY : 0);
            hooks_accessed(h, &plain, i < 50 ? OUTCOME_BYPASSED : OUTCOME_HIT, i < 50 ? NO_WAY : 0);
        }
        interval(&c, &n);
        assert_int_equal(follower_filters(&c), more == 10);
        unbind_policies(&c.b);
    }
}

/* Lines that are there when the filter is switched on have the threshold as their count, and stay hits. */
static void switched_on_it_adopts_what_is_there(void **state)
{
    (void)state;
    struct cache c;
    uint64_t n = 0, line = 1000;
    open_with(&c, NULL);
    assert_int_equal(load_of(&c, 2, 'A'), LINE);
    for (uint32_t i = 0; i < 50; i++, line++)
        for (uint32_t sm = 0; sm < 2; sm++)
            (void)load_of(&c, sm, line);
    interval(&c, &n);
    assert_true(follower_filters(&c));
    assert_int_equal(load_of(&c, 2, 'A'), HIT);
    assert_int_equal(load_of(&c, 2, 'B'), AROUND);
    unbind_policies(&c.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_a_new_entry_then_a_count_then_a_line),
        cmocka_unit_test(a_pending_line_is_a_pending_hit),
        cmocka_unit_test(thresholds_and_the_first_access),
        cmocka_unit_test(counts_have_six_bits),
        cmocka_unit_test(a_kernel_begins_without_candidates),
        cmocka_unit_test(the_entry_with_the_smallest_count_goes),
        cmocka_unit_test(of_equal_counts_the_least_recently_used_goes),
        cmocka_unit_test(an_allocation_ages_the_others),
        cmocka_unit_test(an_allocation_does_not_age_its_own_entry),
        cmocka_unit_test(a_full_set_evicts_by_the_data_stores_order),
        cmocka_unit_test(an_entry_that_goes_takes_its_line_along),
        cmocka_unit_test(lines_on_their_way_keep_their_entries),
        cmocka_unit_test(a_load_that_waited_gets_its_entry_again),
        cmocka_unit_test(hits_count_only_when_asked),
        cmocka_unit_test(a_store_evicts),
        cmocka_unit_test(shifting_halves_at_evictions_only),
        cmocka_unit_test(a_flush_forgets),
        cmocka_unit_test(local_memory_is_filtered_unless_told),
        cmocka_unit_test(a_tag_store_that_is_too_small_leaves_lines_unused),
        cmocka_unit_test(a_threshold_of_nothing_is_the_plain_cache),
        cmocka_unit_test(the_duel_switches_over_on_a_stream_and_back_on_reuse),
        cmocka_unit_test(lines_that_are_there_count_as_used),
        cmocka_unit_test(inside_the_difference_it_can_stay),
        cmocka_unit_test(the_difference_is_in_points),
        cmocka_unit_test(switched_on_it_adopts_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
