/* latte-cc by hand: dedicated sets, what is counted when, the tolerance under both kinds of schedulers, the least AMAT, periods;
 * and its rival that counts hits alone. BPC stands for SC, so that no codes have to be learnt first. */
#include "compress_bench.h"

enum { PHASE = 16, PERIOD = 10, SM = 3, FOLLOWER = 1 };
enum { NONE, BDI = 2, BPC = 11 }; /* cycles that a hit takes longer tell the mode */

/* Sets of each mode: 0, 6, 12, 18; 2, 8, 14, 20; 4, 10, 16, 22. */
static uint32_t set_of(uint32_t mode)
{
    return 2 * mode;
}

#define POLICY_NAME "policy.latte-cc."
static const char *const small[] = { POLICY_NAME "phase_accesses=16", POLICY_NAME "miss_latency=10", NULL };

static void touch(struct compress_bench *b, uint32_t set, enum policy_outcome outcome)
{
    const struct policy_access a = access_to(SM, set, 0, b->cycle);
    hooks_accessed(&b->instance->hooks.cache[LEVEL_L1], &a, outcome, 0);
}

struct mix {
    uint32_t hits, misses;
};

/* A phase: these accesses to a dedicated set of each mode, the others to a set that follows. */
static void play(struct compress_bench *b, struct mix none, struct mix low, struct mix high)
{
    const struct mix mixes[] = { none, low, high };
    uint32_t left = PHASE;
    for (uint32_t m = 0; m < 3; m++) {
        for (uint32_t i = 0; i < mixes[m].hits; i++, left--)
            touch(b, set_of(m), OUTCOME_HIT);
        for (uint32_t i = 0; i < mixes[m].misses; i++, left--)
            touch(b, set_of(m), OUTCOME_MISS);
    }
    for (; left; left--)
        touch(b, FOLLOWER, OUTCOME_MERGED);
    b->cycle += 100;
}

static void idle_phases(struct compress_bench *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        play(b, (struct mix){ 0, 0 }, (struct mix){ 0, 0 }, (struct mix){ 0, 0 });
}

/* The mode of a set, from what a hit on a line filled now takes. */
static uint32_t mode_at(struct compress_bench *b, uint32_t set)
{
    static uint32_t way;
    way = (way + 1) % 16;
    drop(b, SM, set, way, EVICTED_BY_FLUSH);
    b->cycle += 1000;
    struct policy_access a = access_to(SM, set, way, b->cycle);
    (void)stored(b, &a, way, true);
    const struct cache_hooks *h = &b->instance->hooks.cache[LEVEL_L1];
    return h->storage.call.fill_cycles(h->storage.self, &a, way) == 2   ? BDI
           : h->storage.call.fill_cycles(h->storage.self, &a, way) == 6 ? BPC
                                                                        : NONE;
}

static uint64_t counter(const struct compress_bench *b, const char *name)
{
    uint64_t rows[128] = { 0 };
    const uint32_t last = b->instance->count - 1;
    policy_instance_counters(b->instance, last, rows);
    for (const struct stat_counter *c = b->instance->self[last].policy->counters->counters; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return rows[c->offset / 8];
    fail_msg("no counter %s", name);
    return 0;
}

static void sets_are_dedicated_while_learning(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc", small);
    uint32_t sets[12] = { 0 };
    for (uint32_t set = 0; set < 32; set++)
        sets[mode_at(&b, set)]++;
    assert_int_equal(sets[BDI], 4);
    assert_int_equal(sets[BPC], 4);
    assert_int_equal(sets[NONE], 24); /* four dedicated, and those that follow: there is no mode yet */
    assert_int_equal(mode_at(&b, 2), BDI);
    assert_int_equal(mode_at(&b, 4), BPC);
    assert_int_equal(mode_at(&b, 6), NONE);
    idle_phases(&b, 1);
    for (uint32_t set = 0; set < 32; set++)
        assert_int_equal(mode_at(&b, set), NONE); /* nothing was seen that speaks for a mode: all follow */
    close_compress(&b);
}

static void the_least_amat_wins(void **state)
{
    (void)state;
    struct compress_bench b;
    /* Plain hit 1, BDI 3, BPC 12, miss 10. None 10; BDI (2 x 3 + 2 x 10) / 4 = 6.5; BPC (3 x 12 + 10) / 4 = 11.5. */
    open_compress(&b, "latte-cc-bpc", small);
    play(&b, (struct mix){ 0, 4 }, (struct mix){ 2, 2 }, (struct mix){ 3, 1 });
    assert_int_equal(mode_at(&b, FOLLOWER), BDI);
    assert_int_equal(mode_at(&b, set_of(2)), BDI); /* dedicated sets follow */
    close_compress(&b);
    /* None (3 + 10) / 4 = 3.25; BDI (9 + 10) / 4: as many hits, which cost more. */
    open_compress(&b, "latte-cc-bpc", small);
    play(&b, (struct mix){ 3, 1 }, (struct mix){ 3, 1 }, (struct mix){ 3, 1 });
    assert_int_equal(mode_at(&b, FOLLOWER), NONE);
    close_compress(&b);
    /* Of a mode without hits only the misses count; one whose sets saw nothing is not chosen. */
    open_compress(&b, "latte-cc-bpc", small);
    play(&b, (struct mix){ 0, 0 }, (struct mix){ 0, 2 }, (struct mix){ 0, 3 });
    assert_int_equal(mode_at(&b, FOLLOWER), BDI);
    close_compress(&b);
}

static void what_can_be_hidden_costs_nothing(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc", small);
    b.machine.occupancy[SM].ready_warps = 24; /* 12 of each scheduler, an instruction each: 12 cycles */
    play(&b, (struct mix){ 0, 4 }, (struct mix){ 2, 2 }, (struct mix){ 3, 1 });
    assert_int_equal(mode_at(&b, FOLLOWER), BPC); /* BDI 20 / 4, BPC 10 / 4 */
    assert_int_equal(counter(&b, "tolerance.sum"), 12);
    b.machine.occupancy[SM].ready_warps = 0;
    idle_phases(&b, 1); /* the counts stay, the tolerance is the last phase's */
    assert_int_equal(mode_at(&b, FOLLOWER), BDI);
    b.machine.occupancy[SM].ready_warps = 18; /* 9: BDI 20 / 4, BPC (3 x 3 + 10) / 4 */
    idle_phases(&b, 1);
    assert_int_equal(mode_at(&b, FOLLOWER), BPC);
    assert_int_equal(counter(&b, "changes"), 3);
    close_compress(&b);
}

static void issue(struct compress_bench *b, uint32_t slot, uint32_t times)
{
    struct fake_view v;
    fake_view_fill(&v, SM, 8, b->cycle);
    for (uint32_t i = 0; i < times; i++)
        hooks_issued(&b->instance->hooks, &v.view, slot, NULL, UINT32_MAX);
}

static uint64_t tolerance_with(const char *policies, const char *const *assignments)
{
    struct compress_bench b;
    open_compress(&b, policies, assignments);
    b.machine.occupancy[SM].ready_warps = 6;
    issue(&b, 0, 4); /* scheduler 0: two warps, four instructions each */
    issue(&b, 2, 4);
    issue(&b, 1, 5); /* scheduler 1: one warp, then another, then the first again */
    issue(&b, 3, 6);
    issue(&b, 1, 1);
    idle_phases(&b, 1);
    const uint64_t tolerance = counter(&b, "tolerance.sum");
    close_compress(&b);
    return tolerance;
}

static void tolerance_by_the_order_of_warps(void **state)
{
    (void)state;
    /* 20 instructions, 5 switches: 4 at a time. 3 ready warps of each scheduler. */
    assert_int_equal(tolerance_with("latte-cc-bpc", small), 12);
    assert_int_equal(tolerance_with("lrr,latte-cc-bpc", small), 3);
    assert_int_equal(tolerance_with("two-level,latte-cc-bpc", small), 3); /* its active warps take turns */
    assert_int_equal(tolerance_with("gto,latte-cc-bpc", small), 12);
    assert_int_equal(tolerance_with("gtrr,latte-cc-bpc", small), 12);
    assert_int_equal(tolerance_with("latte-cc-bpc",
                                    (const char *const[]){ POLICY_NAME "phase_accesses=16", POLICY_NAME "tolerance=turns", NULL }),
                     3);
    assert_int_equal(tolerance_with("lrr,latte-cc-bpc",
                                    (const char *const[]){ POLICY_NAME "phase_accesses=16", POLICY_NAME "tolerance=greedy", NULL }),
                     12);
    assert_int_equal(
        tolerance_with("latte-cc-bpc", (const char *const[]){ POLICY_NAME "phase_accesses=16", POLICY_NAME "scope=sm", NULL }), 24);
}

static void hits_count_a_phase_longer_than_insertions(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc", small);
    for (uint32_t i = 0; i < 4; i++)
        play(&b, (struct mix){ 0, 1 }, (struct mix){ 2, 3 }, (struct mix){ 1, 0 });
    assert_int_equal(counter(&b, "dedicated.hits.low"), 4);
    assert_int_equal(counter(&b, "dedicated.insertions.low"), 3);
    assert_int_equal(counter(&b, "dedicated.hits.high"), 2);
    assert_int_equal(counter(&b, "dedicated.insertions.none"), 1);
    idle_phases(&b, PERIOD - 4);
    play(&b, (struct mix){ 0, 1 }, (struct mix){ 2, 3 }, (struct mix){ 1, 0 }); /* learning again */
    assert_int_equal(counter(&b, "dedicated.hits.low"), 6);
    assert_int_equal(counter(&b, "dedicated.insertions.low"), 6);
    close_compress(&b);
}

static void latencies_are_measured(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc", small);
    for (uint32_t i = 0; i < 2; i++) { /* 100 and 300 cycles */
        const struct policy_access a = access_to(SM, FOLLOWER, i, 1000);
        hooks_accessed(&b.instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MISS, i);
        fill(&b, SM, FOLLOWER, i, 1100 + 200 * i);
    }
    for (uint32_t i = 0; i < PHASE - 2; i++)
        touch(&b, FOLLOWER, OUTCOME_MERGED);
    assert_int_equal(counter(&b, "miss_latency.sum"), 200);
    idle_phases(&b, 1);
    assert_int_equal(counter(&b, "miss_latency.sum"), 400); /* none measured: the last known */
    /* A queue of hits on a line of BDI: 2, 4, 6, 8 cycles, 5 in the mean: a hit costs 6. None 1 x 10 / 1; BDI (4 x 6) / 4. */
    close_compress(&b);
    open_compress(&b, "latte-cc-bpc", small);
    fill(&b, SM, set_of(1), 5, 10); /* its miss, at 0, took 10 cycles */
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(hit_cycles(&b, SM, set_of(1), 5, 2000), 2 * (i + 1));
    play(&b, (struct mix){ 2, 1 }, (struct mix){ 4, 0 }, (struct mix){ 0, 1 }); /* none (2 + 10) / 3 = 4, BDI 6, BPC 10 */
    assert_int_equal(mode_at(&b, FOLLOWER), NONE);
    close_compress(&b);
}

/* With two learning phases the others go on with the last mode until both are over. */
static void learning_is_over_before_a_mode_is_chosen(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc",
                  (const char *const[]){ POLICY_NAME "phase_accesses=16", POLICY_NAME "miss_latency=10",
                                         POLICY_NAME "learning_phases=2", NULL });
    for (uint32_t phase = 0; phase < 2; phase++) {
        assert_int_equal(mode_at(&b, FOLLOWER), NONE);
        assert_int_equal(mode_at(&b, set_of(2)), BPC);
        play(&b, (struct mix){ 0, 4 }, (struct mix){ 4, 0 }, (struct mix){ 0, 4 });
    }
    assert_int_equal(mode_at(&b, FOLLOWER), BDI);
    assert_int_equal(mode_at(&b, set_of(2)), BDI);
    close_compress(&b);
}

/* What a program does changes in the middle of a period: the next learning phase sees it, and the mode is another after it. */
static void a_change_of_the_program_flips_the_mode_within_a_period(void **state)
{
    (void)state;
    for (uint32_t before = 1; before <= PERIOD; before++) {
        struct compress_bench b;
        open_compress(&b, "latte-cc-bpc", small);
        for (uint32_t i = 0; i < PERIOD + before; i++)
            play(&b, (struct mix){ 1, 3 }, (struct mix){ 4, 0 }, (struct mix){ 1, 3 });
        assert_int_equal(mode_at(&b, FOLLOWER), BDI);
        uint32_t phases = 0;
        for (; mode_at(&b, FOLLOWER) != NONE; phases++)
            play(&b, (struct mix){ 4, 0 }, (struct mix){ 1, 3 }, (struct mix){ 1, 3 });
        /* Not before the next learning phase is over, unless the carried hits of the last one say so, and then at once. */
        assert_in_range(phases, 1, PERIOD);
        assert_true(phases == PERIOD + 1 - before || before == 1);
        close_compress(&b);
    }
}

static void a_period_forgets_the_last_one(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(&b, "latte-cc-bpc", small);
    play(&b, (struct mix){ 4, 0 }, (struct mix){ 0, 8 }, (struct mix){ 0, 4 });
    idle_phases(&b, PERIOD - 1);
    assert_int_equal(mode_at(&b, FOLLOWER), NONE);
    play(&b, (struct mix){ 1, 3 }, (struct mix){ 3, 1 }, (struct mix){ 0, 4 }); /* with the eight misses, none would be better */
    assert_int_equal(mode_at(&b, FOLLOWER), BDI);
    close_compress(&b);
}

static void the_rival_counts_hits_alone(void **state)
{
    (void)state;
    struct compress_bench b;
    open_compress(
        &b, "adaptive-hit-count",
        (const char *const[]){ POLICY_NAME "phase_accesses=16", POLICY_NAME "miss_latency=10", POLICY_NAME "high=bpc", NULL });
    play(&b, (struct mix){ 0, 4 }, (struct mix){ 2, 2 }, (struct mix){ 3, 1 });
    assert_int_equal(mode_at(&b, FOLLOWER), BPC);
    close_compress(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_dedicated_while_learning),
        cmocka_unit_test(the_least_amat_wins),
        cmocka_unit_test(what_can_be_hidden_costs_nothing),
        cmocka_unit_test(tolerance_by_the_order_of_warps),
        cmocka_unit_test(hits_count_a_phase_longer_than_insertions),
        cmocka_unit_test(latencies_are_measured),
        cmocka_unit_test(learning_is_over_before_a_mode_is_chosen),
        cmocka_unit_test(a_change_of_the_program_flips_the_mode_within_a_period),
        cmocka_unit_test(a_period_forgets_the_last_one),
        cmocka_unit_test(the_rival_counts_hits_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
