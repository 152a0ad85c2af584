/* Tables 2.1 and 2.2, algorithm 1 and the duel of paper 002's chapter 2, worked out by hand; its rivals mlp-lin and ta-drrip; the
 * oracle of figure 2.1. One set of eight ways in slice 3 of the fake machine; banks are bits 13 to 15 of an address, rows what is
 * above. */
#include "fake_machine.h"

#include <string.h>

#include "policy/remap.h"

enum { UNIT = 3, SETS = 64, WAYS = 8, LINE = 128 };

struct at_set {
    struct bound b;
    const struct cache_hooks *h;
    struct policy_self *self;
};

static void open_set(struct at_set *s, const char *policy, const char *const *assignments)
{
    bind_policies(&s->b, policy, assignments);
    s->h = &s->b.instance->hooks.cache[LEVEL_L2];
    s->self = &s->b.instance->self[0];
}

/* The n-th line of a set. */
static struct policy_access access_to(uint64_t n, uint32_t set, uint64_t cycle)
{
    struct policy_access a = fake_load(LEVEL_L2, UNIT, (n * SETS + set) * LINE, SETS);
    a.cycle = cycle;
    return a;
}

static void insert(struct at_set *s, const struct policy_access *a, uint32_t way)
{
    s->h->replacement.call.inserted(s->h->replacement.self, a, way);
}
static void hit(struct at_set *s, const struct policy_access *a, uint32_t way)
{
    s->h->replacement.call.promoted(s->h->replacement.self, a, way, false);
}
static void fill(struct at_set *s, struct policy_access a, uint32_t way, uint64_t cycle)
{
    a.cycle = cycle;
    hooks_filled(s->h, &a, way);
}
static uint32_t choose(struct at_set *s, const struct policy_access *a)
{
    const uint64_t all = (1u << WAYS) - 1;
    return s->h->replacement.call.victim(s->h->replacement.self, a, &all);
}
static void evict(struct at_set *s, uint64_t n, uint32_t set, uint32_t way)
{
    const struct policy_evicted e = { .line = n * SETS + set, .unit = UNIT, .set = set, .way = way, .level = LEVEL_L2 };
    s->h->replacement.call.removed(s->h->replacement.self, &e);
}
static struct remap_line *line_of(struct at_set *s, uint32_t set, uint32_t way)
{
    return policy_line_state(s->self, LEVEL_L2, UNIT, set, way);
}

/* ---- table 2.1 ---- */

static uint8_t perd_of(struct at_set *s, uint64_t n)
{
    const struct policy_access a = access_to(n, 5, 0);
    insert(s, &a, 0);
    return line_of(s, 5, 0)->perd;
}

/* Stages of five: 0 to 4 evictions ago are near, the five before intermediate, the five before those far, and older ones are gone.
 */
static void reuse_distances_are_those_of_table_2_1(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "remap", NULL);
    assert_int_equal(perd_of(&s, 100), 0);
    for (uint64_t n = 100; n < 104; n++)
        evict(&s, n, 5, 1);
    assert_int_equal(perd_of(&s, 100), 3);
    assert_int_equal(perd_of(&s, 103), 3);
    assert_int_equal(perd_of(&s, 104), 0);
    evict(&s, 104, 5, 1); /* the fifth: the stage is full and moves down */
    for (uint64_t n = 100; n < 105; n++)
        assert_int_equal(perd_of(&s, n), 2);
    for (uint64_t n = 105; n < 111; n++)
        evict(&s, n, 5, 1);
    assert_int_equal(perd_of(&s, 110), 3);
    assert_int_equal(perd_of(&s, 105), 2);
    assert_int_equal(perd_of(&s, 109), 2);
    assert_int_equal(perd_of(&s, 100), 1);
    for (uint64_t n = 111; n < 115; n++)
        evict(&s, n, 5, 1);
    assert_int_equal(perd_of(&s, 104), 0);
    assert_int_equal(perd_of(&s, 105), 1);
    assert_int_equal(perd_of(&s, 114), 2);
    unbind_policies(&s.b);
}

static void sets_have_buffers_of_their_own_unless_the_cache_has_one(void **state)
{
    (void)state;
    struct at_set s;
    const char *const cache[] = { "policy.remap.vb=cache", NULL };
    for (uint32_t one = 0; one < 2; one++) {
        open_set(&s, "remap", one ? cache : NULL);
        evict(&s, 7, 4, 0); /* in set 4 */
        const uint64_t line = 7 * SETS + 4;
        assert_int_equal(remap_perd(s.self, UNIT, 4, line), 3);
        assert_int_equal(remap_perd(s.self, UNIT, 5, line), one ? 3 : 0);
        unbind_policies(&s.b);
    }
}

static void about_one_percent_is_found_wrongly(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "remap", NULL);
    uint32_t wrong = 0;
    for (uint64_t n = 0; n < 4; n++)
        evict(&s, n, 5, 1);
    for (uint64_t n = 1000; n < 11000; n++)
        wrong += remap_perd(s.self, UNIT, 5, n * SETS + 5) != 0;
    assert_in_range(wrong, 1, 300);
    unbind_policies(&s.b);
}

/* ---- table 2.2 ---- */

static void costs_are_those_of_table_2_2(void **state)
{
    (void)state;
    struct remap_bank b = { 0 };
    const struct policy_dram_view idle = { .row = 9 }, busy = { .row = 9, .waiting = 1 };
    assert_int_equal(remap_mac(&b, &idle), 2); /* nothing was asked: the row is not open */
    assert_int_equal(remap_mac(&b, &busy), 3);
    remap_note_row(&b, 9);
    assert_int_equal(remap_mac(&b, &idle), 0); /* no conflict, row hit */
    assert_int_equal(remap_mac(&b, &busy), 3); /* who waits opened the row: a miss among the earlier ones */
    remap_note_row(&b, 9);
    assert_int_equal(remap_mac(&b, &busy), 1); /* conflict, all hits */
    remap_note_row(&b, 8);
    assert_int_equal(remap_mac(&b, &idle), 2);
    assert_int_equal(remap_mac(&b, &busy), 3);
    remap_note_row(&b, 9);
    assert_int_equal(remap_mac(&b, &idle), 0);
    assert_int_equal(remap_mac(&b, &busy), 3);
}

/* Through the hook: dram_view gives bank, row and who waits; reads are noted, write-backs are not. */
static void costs_come_from_dram_view(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "remap", NULL);
    struct policy_access a = access_to(0, 1, 0), same_row = access_to(0, 2, 0), other_row = access_to(8, 1, 0);
    assert_int_equal(a.address >> 13, same_row.address >> 13);
    assert_true(a.address >> 16 != other_row.address >> 16 && (a.address >> 13 & 7) == (other_row.address >> 13 & 7));
    insert(&s, &a, 0);
    assert_int_equal(line_of(&s, 1, 0)->mac, 2);
    insert(&s, &same_row, 0);
    assert_int_equal(line_of(&s, 2, 0)->mac, 0);
    s.b.machine.dram_waiting = 2;
    insert(&s, &same_row, 1);
    assert_int_equal(line_of(&s, 2, 1)->mac, 1);
    insert(&s, &other_row, 1);
    assert_int_equal(line_of(&s, 1, 1)->mac, 3);
    s.b.machine.dram_waiting = 0;
    other_row.write = true;
    insert(&s, &other_row, 1);
    assert_int_equal(line_of(&s, 1, 1)->mac, 0);
    insert(&s, &a, 0); /* the row before was the other one, by the read: the write-back did not change it */
    assert_int_equal(line_of(&s, 1, 0)->mac, 2);
    unbind_policies(&s.b);
}

/* ---- algorithm 1 ---- */

static void set_line(struct at_set *s, uint32_t way, uint8_t rrpv, uint8_t perd, uint8_t mac)
{
    *line_of(s, 5, way) = (struct remap_line){ .rrpv = rrpv, .perd = perd, .mac = mac };
}

/* Costs with R = 3 - rrpv:  way 0: R 3, 1: R 0, 2: R 1... See the sums beside each line. */
static void the_line_of_least_cost_leaves(void **state)
{
    (void)state;
    struct at_set s;
    const char *const first[] = { "policy.remap.duel=off", NULL };
    const char *const second[] = { "policy.remap.duel=off", "policy.remap.beta=4", "policy.remap.gamma=1", NULL };
    const struct policy_access a = access_to(50, 5, 0);
    for (uint32_t pair = 0; pair < 2; pair++) {
        open_set(&s, "remap", pair ? second : first);
        set_line(&s, 0, 3, 3, 3); /* 0 + 3 + 12 = 15;  0 + 12 + 3 = 15 */
        set_line(&s, 1, 0, 0, 2); /* 3 + 0 + 8 = 11;   3 + 0 + 2 = 5 */
        set_line(&s, 2, 1, 3, 0); /* 2 + 3 + 0 = 5;    2 + 12 + 0 = 14 */
        set_line(&s, 3, 3, 1, 1); /* 0 + 1 + 4 = 5;    0 + 4 + 1 = 5 */
        set_line(&s, 4, 2, 0, 1); /* 1 + 0 + 4 = 5;    1 + 0 + 1 = 2 */
        set_line(&s, 5, 0, 1, 0); /* 3 + 1 + 0 = 4;    3 + 4 + 0 = 7 */
        set_line(&s, 6, 3, 2, 3); /* 0 + 2 + 12 = 14;  0 + 8 + 3 = 11 */
        set_line(&s, 7, 0, 3, 3); /* 3 + 3 + 12 = 18;  3 + 12 + 3 = 18 */
        assert_int_equal(choose(&s, &a), pair ? 4 : 5);
        set_line(&s, pair ? 4 : 5, 0, 3, 3); /* without it: 5 of ways 2, 3, 4, the first;  5 of ways 1 and 3, the first */
        assert_int_equal(choose(&s, &a), pair ? 1 : 2);
        unbind_policies(&s.b);
    }
}

/* No line is distant: predictions grow by one until one is, as in SRRIP; hits begin anew. */
static void predictions_age(void **state)
{
    (void)state;
    struct at_set s;
    const struct policy_access a = access_to(50, 5, 0);
    open_set(&s, "remap", NULL);
    for (uint32_t w = 0; w < WAYS; w++)
        set_line(&s, w, w == 2 ? 0 : 2, 0, 0);
    assert_int_equal(choose(&s, &a), 0);
    assert_int_equal(line_of(&s, 5, 0)->rrpv, 3);
    assert_int_equal(line_of(&s, 5, 2)->rrpv, 1);
    const struct policy_access b = access_to(3, 5, 0);
    hit(&s, &b, 0);
    assert_int_equal(line_of(&s, 5, 0)->rrpv, 0);
    assert_int_equal(choose(&s, &a), 1);
    unbind_policies(&s.b);
}

static void recency_by_last_use(void **state)
{
    (void)state;
    struct at_set s;
    const char *const lru[] = { "policy.remap.recency=lru", "policy.remap.beta=0", "policy.remap.gamma=0", "policy.remap.duel=off",
                                NULL };
    open_set(&s, "remap", lru);
    for (uint32_t w = 0; w < WAYS; w++) {
        const struct policy_access a = access_to(w, 5, 0);
        insert(&s, &a, w);
    }
    const struct policy_access again = access_to(0, 5, 0), next = access_to(50, 5, 0);
    hit(&s, &again, 0);
    assert_int_equal(remap_recency_of(s.self, &next, 1), 0); /* the two oldest of eight are the lowest quarter */
    assert_int_equal(remap_recency_of(s.self, &next, 3), 1);
    assert_int_equal(remap_recency_of(s.self, &next, 0), 3);
    assert_int_equal(choose(&s, &next), 1);
    unbind_policies(&s.b);
}

/* ---- the duel ---- */

/* Sets 0 and 32 of 64 lead for the first weights, 16 and 48 for the second. One dear miss outweighs two cheap ones by cost, and
 * not by number. */
static void the_duel_is_about_cost(void **state)
{
    (void)state;
    struct at_set s;
    const char *const misses[] = { "policy.remap.duel=misses", NULL };
    for (uint32_t by_misses = 0; by_misses < 2; by_misses++) {
        open_set(&s, "remap", by_misses ? misses : NULL);
        struct remap_unit *u = remap_unit_of(s.self, UNIT);
        struct policy_access a = access_to(0, 0, 0);
        s.b.machine.dram_waiting = 1;
        insert(&s, &a, 0); /* 3 against the first */
        assert_int_equal(u->selector, by_misses ? 1 : 3);
        s.b.machine.dram_waiting = 0;
        for (uint64_t n = 0; n < 2; n++) { /* row hits, 0: the first is what opens the row of bank 0 for itself */
            a = access_to(0, 16, 0);
            insert(&s, &a, 1);
        }
        assert_int_equal(u->selector, by_misses ? -1 : 3);
        const struct policy_access follower = access_to(50, 5, 0);
        for (uint32_t w = 0; w < WAYS; w++)
            set_line(&s, w, 3, 3, 0); /* first: 3, second: 12 */
        set_line(&s, 6, 3, 0, 1);     /* first: 4, second: 1 */
        assert_int_equal(choose(&s, &follower), by_misses ? 0 : 6);
        a = access_to(1, 0, 0);
        a.write = true;
        insert(&s, &a, 2); /* a write-back is no miss */
        assert_int_equal(u->selector, by_misses ? -1 : 3);
        unbind_policies(&s.b);
    }
}

static void parts_alone(void **state)
{
    (void)state;
    struct at_set s;
    const struct policy_access a = access_to(50, 5, 0);
    for (uint32_t mac = 0; mac < 2; mac++) {
        open_set(&s, mac ? "srrip-mac" : "srrip-perd", NULL);
        for (uint32_t w = 0; w < WAYS; w++)
            set_line(&s, w, 3, 1, 1); /* 4 */
        set_line(&s, 3, 1, 0, 3);     /* perd: 2; mac: 14 */
        set_line(&s, 4, 1, 3, 0);     /* perd: 14; mac: 2 */
        assert_int_equal(choose(&s, &a), mac ? 4 : 3);
        unbind_policies(&s.b);
    }
}

static void true_latencies_are_counted(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "srrip-mac", NULL);
    const struct policy_access a = access_to(0, 1, 1000), b = access_to(0, 2, 1000);
    insert(&s, &a, 0);
    insert(&s, &b, 0);
    fill(&s, a, 0, 1060);
    fill(&s, b, 0, 1020);
    fill(&s, b, 0, 1500); /* twice is once */
    struct {
        uint64_t value[64];
    } sum;
    policy_instance_counters(s.b.instance, 0, &sum);
    const struct stat_counter *rows = s.self->policy->counters->counters;
    for (uint32_t i = 0; rows[i].name; i++) {
        const uint64_t v = sum.value[rows[i].offset / 8];
        if (strcmp(rows[i].name, "mac.higher.cycles") == 0)
            assert_int_equal(v, 60);
        if (strcmp(rows[i].name, "mac.higher.below_100") == 0 || strcmp(rows[i].name, "mac.lowest.below_25") == 0)
            assert_int_equal(v, 1);
        if (strcmp(rows[i].name, "mac.lowest.filled") == 0)
            assert_int_equal(v, 1);
    }
    unbind_policies(&s.b);
}

/* 3 x 5 x 10 bits x 1024 sets. */
static void the_victim_buffer_is_18_75_kb(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "remap", NULL);
    struct policy_geometry g = fake_geometry();
    g.cache[LEVEL_L2] = (struct policy_cache_geometry){ .units = 1, .sets = 1024, .ways = 16, .line_bytes = 64 };
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    const uint32_t n = s.self->policy->hardware(s.self->config, &g, rows);
    uint64_t filters = 0, per_line = 0;
    for (uint32_t i = 0; i < n; i++) {
        filters += strstr(rows[i].name, "3 filters") ? rows[i].entries * rows[i].bits : 0;
        per_line += strstr(rows[i].name, "per line") ? rows[i].bits : 0;
    }
    assert_int_equal(filters, 153600); /* 18.75 KB */
    assert_int_equal(per_line, 4);
    unbind_policies(&s.b);
}

/* ---- rivals ---- */

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

/* Set 0 leads. Its line of great cost stays, and LRU would have kept the others: when those are wanted, the votes go against LIN.
 */
static void sbar_listens_to_lru(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "mlp-lin", NULL);
    for (uint64_t n = 0; n < WAYS; n++) {
        const struct policy_access a = access_to(n, 0, n * 1000);
        insert(&s, &a, (uint32_t)n);
        fill(&s, a, (uint32_t)n, n * 1000 + (n < 4 ? 120 : 0)); /* the first four cost 2 quanta */
    }
    /* 8 comes: LIN takes way 4 (line 4), LRU would take line 0. Then 4 comes back: LRU has it, and its miss costs 3 quanta. */
    const struct policy_access eighth = access_to(8, 0, 20000), fourth = access_to(4, 0, 30000), follower = access_to(50, 5, 40000);
    assert_int_equal(choose(&s, &eighth), 4);
    insert(&s, &eighth, 4);
    fill(&s, eighth, 4, 20010);
    insert(&s, &fourth, 5);
    fill(&s, fourth, 5, 30200);
    for (uint64_t n = 0; n < WAYS; n++) {
        const struct policy_access a = access_to(n, 5, 50000 + n * 1000);
        insert(&s, &a, (uint32_t)n);
        fill(&s, a, (uint32_t)n, 50000 + n * 1000 + (n < 4 ? 120 : 0));
    }
    assert_int_equal(choose(&s, &follower), 0); /* by LRU; LIN would take 4 */
    unbind_policies(&s.b);
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
}

/* ---- the oracle ---- */

static void look(struct at_set *s, uint64_t n, enum policy_outcome outcome, uint32_t way)
{
    const struct policy_access a = access_to(n, 5, 0);
    hooks_accessed(s->h, &a, outcome, way);
}

/* Lines 0..7 are there; 0 leaves for 8 and is wanted again, while 1 is never: a live line went though a dead one was there. */
static void the_oracle_sees_what_was_wanted(void **state)
{
    (void)state;
    struct at_set s;
    const char *const soon[] = { "policy.llc-oracle.horizon=10", NULL };
    open_set(&s, "llc-oracle", soon);
    for (uint64_t n = 0; n < WAYS; n++)
        look(&s, n, OUTCOME_MISS, (uint32_t)n);
    const struct policy_evicted e = { .line = 0 * SETS + 5, .unit = UNIT, .set = 5, .way = 0, .level = LEVEL_L2 };
    hooks_evicted(s.h, &e);
    look(&s, 8, OUTCOME_MISS, 0);
    look(&s, 0, OUTCOME_BYPASSED, NO_WAY);
    for (uint32_t i = 0; i < 8; i++)
        look(&s, 2 + i % 3, OUTCOME_HIT, 2 + i % 3);
    uint64_t counters[8] = { 0 };
    policy_instance_counters(s.b.instance, 0, counters);
    assert_int_equal(counters[0], 1); /* evictions */
    assert_int_equal(counters[1], 0); /* dead */
    assert_int_equal(counters[2], 1); /* live with dead */
    unbind_policies(&s.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reuse_distances_are_those_of_table_2_1),
        cmocka_unit_test(sets_have_buffers_of_their_own_unless_the_cache_has_one),
        cmocka_unit_test(about_one_percent_is_found_wrongly),
        cmocka_unit_test(costs_are_those_of_table_2_2),
        cmocka_unit_test(costs_come_from_dram_view),
        cmocka_unit_test(the_line_of_least_cost_leaves),
        cmocka_unit_test(predictions_age),
        cmocka_unit_test(recency_by_last_use),
        cmocka_unit_test(the_duel_is_about_cost),
        cmocka_unit_test(parts_alone),
        cmocka_unit_test(true_latencies_are_counted),
        cmocka_unit_test(the_victim_buffer_is_18_75_kb),
        cmocka_unit_test(lines_on_their_way_share_the_cycles),
        cmocka_unit_test(sbar_listens_to_lru),
        cmocka_unit_test(each_core_has_a_duel),
        cmocka_unit_test(the_oracle_sees_what_was_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
