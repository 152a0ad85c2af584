/* What ReMAP is compared with in chapter 2 of paper 002, worked out by hand: mlp-lin and ta-drrip; and the oracle of figure 2.1. */
#include "llc_bench.h"

/* A at 0 and B at 100, both there at 200: A is charged 100 + 50, B 50. C alone for 430: 7 quanta. */
static void lines_on_their_way_share_the_cycles(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    const struct policy_access a = access_to(0, 5, 0), b = access_to(1, 5, 100), c = access_to(2, 5, 1000);
    insert(&s, &a, 0);
    insert(&s, &b, 1);
    fill(&s, a, 0, 200);
    fill(&s, b, 1, 200);
    insert(&s, &c, 2);
    fill(&s, c, 2, 1430);
    for (uint32_t w = 3; w < WAYS; w++) {
        const struct policy_access d = access_to(w, 5, 5000);
        insert(&s, &d, w);
        fill(&s, d, w, 5010);
    }
    const struct policy_access next = access_to(50, 5, 9000);
    /* recency + 4 x quanta: A 0 + 8, B 1 + 0, C 2 + 28, then 3, 4, ... */
    assert_int_equal(choose(&s, &next), 1);
    hit(&s, &b, 1); /* A 8, B 7, C 1 + 28, the others 2, 3, ... */
    assert_int_equal(choose(&s, &next), 3);
    unbind_policies(&s.b);
}

/* Two lines at once for 120 cycles, of two cores: 60 each when the chip shares, 120 each when every core has its own. */
static void cores_may_share_cycles_or_not(void **state)
{
    (void)state;
    struct at_set s;
    const char *const own[] = { "policy.mlp-lin.among=core", NULL };
    for (uint32_t core = 0; core < 2; core++) {
        open_set(&s, "mlp-lin", core ? own : NULL);
        struct policy_access a = access_to(0, 5, 0), b = access_to(1, 5, 0);
        b.sm = 1;
        insert(&s, &a, 0);
        insert(&s, &b, 1);
        fill(&s, a, 0, 120);
        fill(&s, b, 1, 120);
        uint64_t counters[16] = { 0 };
        policy_instance_counters(s.b.instance, 0, counters);
        assert_int_equal(counters[1], core ? 240 : 120); /* cost */
        unbind_policies(&s.b);
    }
}

/* A and B at 0; A leaves at 100, before its data came. B is charged 50 and then 100 alone: two quanta, not three. */
static void a_line_that_leaves_is_charged_until_then(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    const struct policy_access a = access_to(0, 5, 0), b = access_to(1, 5, 0);
    insert(&s, &a, 0);
    insert(&s, &b, 1);
    const struct policy_evicted e = { .line = 5, .cycle = 100, .unit = UNIT, .set = 5, .way = 0, .level = LEVEL_L2 };
    s.h->replacement.call.removed(s.h->replacement.self, &e);
    fill(&s, b, 1, 200);
    uint64_t counters[16] = { 0 };
    policy_instance_counters(s.b.instance, 0, counters);
    assert_int_equal(counters[0], 1);   /* misses */
    assert_int_equal(counters[1], 150); /* cost */
    assert_int_equal(counters[4], 1);   /* two quanta */
    unbind_policies(&s.b);
}

/* Recency 0 and a quantum more cost as much as recency 4: the line that was not used for longer leaves, wherever it lies. */
static void of_equals_the_less_recent_leaves(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    for (uint32_t i = 0; i < WAYS; i++) { /* the last way is the oldest line; 4 quanta for all but this and the one of recency 4 */
        const struct policy_access a = access_to(i, 5, i * 1000);
        insert(&s, &a, WAYS - 1 - i);
        fill(&s, a, WAYS - 1 - i, i * 1000 + (i == 0 ? 60 : i == 4 ? 0 : 240));
    }
    const struct policy_access next = access_to(50, 5, 9000);
    assert_int_equal(choose(&s, &next), WAYS - 1);
    unbind_policies(&s.b);
}

/* Eight lines of a follower from a cycle on, the first four of cost 2: LIN takes way 4, LRU way 0. */
static bool follows_lin(struct at_set *s, uint64_t cycle)
{
    for (uint64_t n = 0; n < WAYS; n++) {
        const struct policy_access a = access_to(n, 5, cycle + n * 1000);
        miss(s, &a, (uint32_t)n);
        fill(s, a, (uint32_t)n, cycle + n * 1000 + (n < 4 ? 120 : 0));
    }
    const struct policy_access next = access_to(50, 5, cycle + 9000);
    const uint32_t way = choose(s, &next);
    assert_true(way == 0 || way == 4);
    return way == 4;
}

static void fill_leader(struct at_set *s)
{
    for (uint64_t n = 0; n < WAYS; n++) {
        const struct policy_access a = access_to(n, 0, n * 1000);
        miss(s, &a, (uint32_t)n);
        fill(s, a, (uint32_t)n, n * 1000 + (n < 4 ? 120 : 0)); /* the first four cost 2 quanta */
    }
}

/* Set 0 leads. Its line of great cost stays, and LRU would have kept the others: when those are wanted, the votes go against LIN.
 */
static void sbar_listens_to_lru(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    fill_leader(&s);
    assert_true(follows_lin(&s, 10000));
    /* 8 comes: LIN takes way 4 (line 4), LRU would take line 0. Then 4 comes back: LRU has it, and its miss costs 3 quanta. */
    const struct policy_access eighth = access_to(8, 0, 20000), fourth = access_to(4, 0, 30000), zeroth = access_to(0, 0, 45000);
    assert_int_equal(choose(&s, &eighth), 4);
    miss(&s, &eighth, 4);
    fill(&s, eighth, 4, 20010);
    miss(&s, &fourth, 5);
    fill(&s, fourth, 5, 30200);
    assert_false(follows_lin(&s, 31000));
    for (uint32_t i = 0; i < 2; i++) { /* 0 is here still, and LRU would have missed it: 2 for LIN, and then LRU has it too */
        hit(&s, &zeroth, 0);
        hooks_accessed(s.h, &zeroth, OUTCOME_HIT, 0);
        assert_false(follows_lin(&s, 50000 + i * 10000));
    }
    const struct policy_access first = access_to(1, 0, 75000); /* 0 took the place of 1 in LRU's tags: 2 more, which is 1 for LIN */
    hit(&s, &first, 1);
    hooks_accessed(s.h, &first, OUTCOME_HIT, 1);
    assert_true(follows_lin(&s, 80000));
    unbind_policies(&s.b);
}

/* A line that is written back takes one of LRU's tags as well: line 0 is gone there, and its miss is nobody's fault. A load of a
 * line on its way is a use. */
static void write_backs_and_merges_reach_the_tags_of_lru(void **state)
{
    (void)state;
    for (uint32_t merge = 0; merge < 2; merge++) {
        struct at_set s;
        open_set(&s, "mlp-lin", NULL);
        fill_leader(&s);
        const struct policy_access zeroth = access_to(0, 0, 30000);
        struct policy_access eighth = access_to(8, 0, 20000);
        if (merge)
            hooks_accessed(s.h, &zeroth, OUTCOME_MERGED, 0); /* now 1 is the oldest, and 8 takes its tag */
        eighth.write = true;
        miss(&s, &eighth, 4);
        miss(&s, &zeroth, 5);
        fill(&s, zeroth, 5, 30200);
        assert_int_equal(follows_lin(&s, 40000), !merge);
        unbind_policies(&s.b);
    }
}

/* Six bits hold -32 to 31, whatever came before. Line 100 is lost 20 times though LRU has it, at a cost of 7: -32. Hits that LRU
 * would not have had are worth 7 each, and the fifth turns the sign; 20 make 31, and five losses turn it back. */
static void votes_saturate(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    uint64_t cycle = 0;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < (round ? 5 : 21); i++, cycle += 1000) { /* the first is new to both */
            const struct policy_access lost = access_to(100, 0, cycle);
            miss(&s, &lost, i % 2);
            fill(&s, lost, i % 2, cycle + 500);
        }
        assert_false(follows_lin(&s, cycle));
        cycle += 10000;
        for (uint64_t n = 0; n < 20; n++, cycle += 10000) {
            const struct policy_access kept = access_to(n == 19 ? 100 : 200 + 50 * round + n, 0, cycle);
            hit(&s, &kept, 0);
            hooks_accessed(s.h, &kept, OUTCOME_HIT, 0);
            assert_int_equal(follows_lin(&s, cycle), round || n >= 4);
        }
    }
    unbind_policies(&s.b);
}

/* Of the sets 32 to 63 the second leads. What LIN loses there turns the selector, what it loses beside it does not. */
static void each_group_has_another_leader(void **state)
{
    (void)state;
    for (uint32_t set = 32; set < 35; set++) {
        struct at_set s;
        open_set(&s, "mlp-lin", NULL);
        for (uint64_t i = 0; i < 3; i++) {
            const struct policy_access lost = access_to(100, set, i * 1000);
            miss(&s, &lost, 0);
            fill(&s, lost, 0, i * 1000 + 500);
        }
        assert_int_equal(follows_lin(&s, 10000), set != 33);
        unbind_policies(&s.b);
    }
}

static uint8_t insertion(struct at_set *s, uint16_t core, uint64_t n, uint32_t set)
{
    struct policy_access a = access_to(n, set, 0);
    a.sm = core;
    insert(s, &a, 0);
    return *(uint8_t *)policy_line_state(s->self, LEVEL_L2, UNIT, set, 0);
}

/* Core 1 misses in its srrip sets (2 of every 32) and turns to brrip; core 0 does not. */
static void each_core_has_a_duel(void **state)
{
    (void)state;
    struct at_set s;
    const char *const l2[] = { "policy.ta-drrip.at=l2", NULL };
    open_set(&s, "ta-drrip", l2);
    assert_int_equal(insertion(&s, 1, 0, 31), 2);
    for (uint64_t n = 0; n < 5; n++)
        assert_int_equal(insertion(&s, 1, n, 2), 2); /* leads as srrip, and misses */
    assert_int_equal(insertion(&s, 1, 9, 31), 3);    /* follows brrip now */
    assert_int_equal(insertion(&s, 1, 9, 0), 3);     /* another core's leader is no leader for it */
    assert_int_equal(insertion(&s, 1, 9, 3), 3);     /* its own brrip leader */
    assert_int_equal(insertion(&s, 0, 9, 31), 2);
    unbind_policies(&s.b);
    const char *const often[] = { "policy.ta-drrip.at=l2", "policy.ta-drrip.long_every=4", NULL };
    open_set(&s, "ta-drrip", often);
    uint32_t longs = 0;
    uint8_t drawn[64];
    for (uint32_t i = 0; i < 64; i++) { /* as brrip, about every fourth fill of the core is long */
        drawn[i] = insertion(&s, 1, i, 3);
        longs += drawn[i] == 2;
    }
    assert_in_range(longs, 8, 24);
    unbind_policies(&s.b);
    open_set(&s, "ta-drrip", often);
    for (uint32_t i = 0; i < 64; i++) { /* what other cores and its own srrip sets do does not change the draws */
        (void)insertion(&s, 0, i, 1);
        (void)insertion(&s, 1, i, 2);
        assert_int_equal(insertion(&s, 1, i, 3), drawn[i]);
    }
    unbind_policies(&s.b);
}

/* An L1 has one thread, its own SM: sets 0 and 1 of every 32 lead, whichever SM it is. */
static void an_l1_has_one_duel(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "ta-drrip", (const char *const[]){ "policy.ta-drrip.long_every=65536", NULL });
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    struct policy_access a = fake_load(LEVEL_L1, 2, 0, 32);
    a.sm = 2;
    for (uint32_t set = 0; set < 8; set++) {
        a.set = set;
        h->replacement.call.inserted(h->replacement.self, &a, 0);
        const uint8_t rrpv = *(uint8_t *)policy_line_state(h->replacement.self, LEVEL_L1, 2, set, 0);
        assert_int_equal(rrpv, set == 1 ? 3 : 2);
    }
    unbind_policies(&b);
}

/* ---- the oracle ---- */

static void look(struct at_set *s, uint64_t n, enum policy_outcome outcome, uint32_t way)
{
    struct policy_access a = access_to(n, 5, 0);
    a.write = outcome == OUTCOME_WRITE_HIT || outcome == OUTCOME_WRITE_MISS;
    hooks_accessed(s->h, &a, outcome, way);
}

/* Eight lines, of which the first comes as a conflict or not (cost 3 or 2) and the others hit its row (cost 0), or conflict as
 * well. Line 0 leaves for 8. */
static void open_oracle(struct at_set *s, bool dear, bool all_dear, enum policy_eviction reason)
{
    static const char *const soon[] = { "policy.llc-oracle.horizon=10", NULL };
    open_set(s, "llc-oracle", soon);
    for (uint64_t n = 0; n < WAYS; n++) {
        s->b.machine.dram_waiting = all_dear || (dear && n == 0);
        look(s, 8 * n, OUTCOME_MISS, (uint32_t)n); /* each in another row of the bank: 3 with a conflict, else 2 */
    }
    s->b.machine.dram_waiting = 0;
    const struct policy_evicted e = { .line = 5, .unit = UNIT, .set = 5, .level = LEVEL_L2, .reason = (uint8_t)reason };
    hooks_evicted(s->h, &e);
    look(s, 800, OUTCOME_MISS, 0);
}

/* evictions, dead, live with dead, live and dearer */
static void close_oracle(struct at_set *s, uint64_t evictions, uint64_t dead, uint64_t with_dead, uint64_t dearer)
{
    for (uint32_t i = 0; i < 9; i++)
        look(s, 8 * (2 + i % 3), OUTCOME_HIT, 2 + i % 3);
    uint64_t counters[8] = { 0 };
    policy_instance_counters(s->b.instance, 0, counters);
    assert_int_equal(counters[0], evictions);
    assert_int_equal(counters[1], dead);
    assert_int_equal(counters[2], with_dead);
    assert_int_equal(counters[3], dearer);
    unbind_policies(&s->b);
}

/* Line 0 leaves and is wanted again, while 1 is never: a live line went though a dead one was there. It was dearer than another
 * only if its fetch cost more, not as much. Lines that are written, and lines that a flush takes, say nothing. */
static void the_oracle_sees_what_was_wanted(void **state)
{
    (void)state;
    struct at_set s;
    open_oracle(&s, true, false, EVICTED_BY_FILL);
    look(&s, 0, OUTCOME_BYPASSED, NO_WAY);
    close_oracle(&s, 1, 0, 1, 1);
    open_oracle(&s, false, false, EVICTED_BY_FILL);
    look(&s, 0, OUTCOME_BYPASSED, NO_WAY);
    close_oracle(&s, 1, 0, 1, 0);
    open_oracle(&s, true, true, EVICTED_BY_FILL);
    look(&s, 0, OUTCOME_BYPASSED, NO_WAY);
    close_oracle(&s, 1, 0, 1, 0);
    open_oracle(&s, true, false, EVICTED_BY_FILL);
    close_oracle(&s, 1, 1, 0, 0);
    open_oracle(&s, true, false, EVICTED_BY_FILL);
    look(&s, 0, OUTCOME_WRITE_MISS, NO_WAY);
    close_oracle(&s, 1, 1, 0, 0);
    open_oracle(&s, true, false, EVICTED_BY_FLUSH);
    look(&s, 0, OUTCOME_BYPASSED, NO_WAY);
    close_oracle(&s, 0, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_on_their_way_share_the_cycles),
        cmocka_unit_test(cores_may_share_cycles_or_not),
        cmocka_unit_test(a_line_that_leaves_is_charged_until_then),
        cmocka_unit_test(an_l1_has_one_duel),
        cmocka_unit_test(of_equals_the_less_recent_leaves),
        cmocka_unit_test(sbar_listens_to_lru),
        cmocka_unit_test(write_backs_and_merges_reach_the_tags_of_lru),
        cmocka_unit_test(votes_saturate),
        cmocka_unit_test(each_group_has_another_leader),
        cmocka_unit_test(each_core_has_a_duel),
        cmocka_unit_test(the_oracle_sees_what_was_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
