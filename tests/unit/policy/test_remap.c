/* Tables 2.1 and 2.2, algorithm 1 and the duel of paper 002's chapter 2, worked out by hand. test_llc_rivals.c has its rivals. */
#include "llc_bench.h"
#include "policy/remap.h"

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
    a.write = true;
    insert(&s, &a, 0); /* the row before was the other one */
    assert_int_equal(line_of(&s, 1, 0)->mac, 2);
    other_row.write = false;
    insert(&s, &other_row, 1); /* and is still: the write-back did not change it */
    assert_int_equal(line_of(&s, 1, 1)->mac, 0);
    unbind_policies(&s.b);
}

/* Eight entries for each channel, as far as the table goes. */
static void channels_have_banks_of_their_own(void **state)
{
    (void)state;
    struct at_set s;
    const char *const two[] = { "policy.remap.mac_banks=16", NULL };
    for (uint32_t wide = 0; wide < 2; wide++) {
        open_set(&s, "remap", wide ? two : NULL);
        const struct policy_dram_view here = { .bank = 3 }, there = { .channel = 1, .bank = 3 };
        struct remap_bank *first = remap_unit_of(s.self, UNIT)->bank;
        assert_ptr_equal(remap_bank_of(s.self, UNIT, &here), first + 3);
        assert_ptr_equal(remap_bank_of(s.self, UNIT, &there), first + (wide ? 11 : 3));
        unbind_policies(&s.b);
    }
}

/* Each bank has its own rows, and a new line is predicted "long", one short of distant. */
static void rows_are_kept_for_each_bank(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "remap", NULL);
    static const struct {
        uint64_t n; /* bank n % 8, row n / 8 */
        uint8_t mac;
    } reads[] = { { 0, 2 }, { 1, 2 }, { 9, 2 }, { 0, 0 }, { 9, 0 }, { 7, 2 }, { 15, 2 }, { 8, 2 }, { 9, 0 } };
    for (uint32_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        const struct policy_access a = access_to(reads[i].n, 1, 0);
        insert(&s, &a, 0);
        assert_int_equal(line_of(&s, 1, 0)->mac, reads[i].mac);
        assert_int_equal(line_of(&s, 1, 0)->rrpv, 2);
    }
    unbind_policies(&s.b);
    const char *const wide[] = { "policy.remap.bits=3", NULL };
    open_set(&s, "remap", wide);
    const struct policy_access a = access_to(0, 1, 0);
    insert(&s, &a, 0);
    assert_int_equal(line_of(&s, 1, 0)->rrpv, 6);
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
    for (uint32_t w = 0; w < WAYS; w++)
        set_line(&s, w, w == 6, 0, 0); /* all were hit but one, which is one step older */
    assert_int_equal(choose(&s, &a), 6);
    assert_int_equal(line_of(&s, 5, 6)->rrpv, 3); /* two steps for all */
    assert_int_equal(line_of(&s, 5, 0)->rrpv, 2);
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

/* Four bits hold -8 to 7. */
static void the_selector_is_as_wide_as_it_says(void **state)
{
    (void)state;
    struct at_set s;
    const char *const narrow[] = { "policy.remap.selector_bits=4", NULL };
    open_set(&s, "remap", narrow);
    s.b.machine.dram_waiting = 1;
    for (uint32_t i = 0; i < 3; i++) {
        const struct policy_access other_row = access_to(8 * i, 0, 0);
        insert(&s, &other_row, 0); /* 3 against the first weights */
    }
    assert_int_equal(remap_unit_of(s.self, UNIT)->selector, 7);
    for (uint32_t i = 0; i < 6; i++) {
        const struct policy_access other_row = access_to(8 * i + 3, 16, 0);
        insert(&s, &other_row, 0);
    }
    assert_int_equal(remap_unit_of(s.self, UNIT)->selector, -8);
    unbind_policies(&s.b);
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

static uint64_t counted(const struct at_set *s, const char *name)
{
    uint64_t value[64] = { 0 };
    policy_instance_counters(s->b.instance, 0, value);
    for (const struct stat_counter *c = s->self->policy->counters->counters; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return value[c->offset / 8];
    return UINT64_MAX;
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
    assert_int_equal(counted(&s, "mac.higher.cycles"), 60);
    assert_int_equal(counted(&s, "mac.higher.below_100"), 1);
    assert_int_equal(counted(&s, "mac.lowest.below_25"), 1);
    assert_int_equal(counted(&s, "mac.lowest.filled"), 1);
    static const uint32_t cycles[] = { 24, 25, 49, 50, 99, 100 }; /* each bound belongs to the bin above it */
    for (uint32_t i = 0; i < 6; i++) {
        insert(&s, &b, 0);
        fill(&s, b, 0, 1000 + cycles[i]);
    }
    assert_int_equal(counted(&s, "mac.lowest.below_25"), 2);
    assert_int_equal(counted(&s, "mac.lowest.below_50"), 2);
    assert_int_equal(counted(&s, "mac.lowest.below_100"), 2);
    assert_int_equal(counted(&s, "mac.lowest.more"), 1);
    unbind_policies(&s.b);
}

static uint64_t bits_named(const struct at_set *s, const char *part)
{
    struct policy_geometry g = fake_geometry();
    g.cache[LEVEL_L2] = (struct policy_cache_geometry){ .units = 1, .sets = 1024, .ways = 16, .line_bytes = 64 };
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    const uint32_t n = s->self->policy->hardware(s->self->config, &g, rows);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < n; i++)
        bits += strstr(rows[i].name, part) ? rows[i].entries * rows[i].bits : 0;
    return bits;
}

/* 3 x 5 x 10 bits x 1024 sets; of 16384 lines each has 2 bits of PERD, 2 of MAC and 2 of prediction, or 4 of order when R is by
 * last use. */
static void the_victim_buffer_is_18_75_kb(void **state)
{
    (void)state;
    const char *const lru[] = { "policy.remap.recency=lru", NULL };
    for (uint32_t by_lru = 0; by_lru < 2; by_lru++) {
        struct at_set s;
        open_set(&s, "remap", by_lru ? lru : NULL);
        assert_int_equal(bits_named(&s, "3 filters"), 153600); /* 18.75 KB */
        assert_int_equal(bits_named(&s, "per line"), 4 * 16384);
        assert_int_equal(bits_named(&s, "re-reference prediction"), by_lru ? 0 : 2 * 16384);
        assert_int_equal(bits_named(&s, "order of the lines"), by_lru ? 4 * 16384 : 0);
        unbind_policies(&s.b);
    }
}

/* srrip-perd has no table of banks and no cost per line, srrip-mac no filters. */
static void parts_alone_cost_less(void **state)
{
    (void)state;
    struct at_set s;
    open_set(&s, "srrip-perd", NULL);
    assert_int_equal(bits_named(&s, "bank") + bits_named(&s, "memory access cost"), 0);
    assert_int_equal(bits_named(&s, "3 filters"), 153600);
    unbind_policies(&s.b);
    open_set(&s, "srrip-mac", NULL);
    assert_int_equal(bits_named(&s, "filter") + bits_named(&s, "reuse distance"), 0);
    assert_int_equal(bits_named(&s, "per bank"), 8 * (2 * 16 + 6));
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
        cmocka_unit_test(channels_have_banks_of_their_own),
        cmocka_unit_test(rows_are_kept_for_each_bank),
        cmocka_unit_test(the_line_of_least_cost_leaves),
        cmocka_unit_test(predictions_age),
        cmocka_unit_test(recency_by_last_use),
        cmocka_unit_test(the_duel_is_about_cost),
        cmocka_unit_test(the_selector_is_as_wide_as_it_says),
        cmocka_unit_test(parts_alone),
        cmocka_unit_test(true_latencies_are_counted),
        cmocka_unit_test(the_victim_buffer_is_18_75_kb),
        cmocka_unit_test(parts_alone_cost_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
