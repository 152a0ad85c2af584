/* Replacement policies on short traces whose outcome was worked out by hand. One set of four ways; a letter is a line. */
#include "fake_machine.h"

#include <string.h>

enum { WAYS = 4 };

struct one_set {
    struct bound b;
    const struct cache_hooks *h;
    char way[WAYS];
    char evicted[64];
};

static void open_set(struct one_set *s, const char *policy, const char *const *assignments)
{
    *s = (struct one_set){ 0 };
    bind_policies(&s->b, policy, assignments);
    s->h = &s->b.instance->hooks.cache[LEVEL_L1];
}

static struct policy_access access_of(char line)
{
    struct policy_access a = fake_load(LEVEL_L1, 2, (uint64_t)line * 32 * 128, 32); /* all in set 0 */
    a.pc = (uint64_t)line * 8;
    return a;
}

static uint32_t find(const struct one_set *s, char line)
{
    for (uint32_t w = 0; w < WAYS; w++)
        if (s->way[w] == line)
            return w;
    return NO_WAY;
}

static void run(struct one_set *s, const char *trace)
{
    for (; *trace; trace++) {
        const struct policy_access a = access_of(*trace);
        uint32_t w = find(s, *trace);
        if (w != NO_WAY) {
            s->h->replacement.call.promoted(s->h->replacement.self, &a, w, false);
            continue;
        }
        w = find(s, '\0');
        if (w == NO_WAY) {
            const uint64_t all = (1u << WAYS) - 1;
            w = s->h->replacement.call.victim(s->h->replacement.self, &a, &all);
            const struct policy_evicted e = { .unit = 2, .set = 0, .way = w, .level = LEVEL_L1, .by = &a };
            s->h->replacement.call.removed(s->h->replacement.self, &e);
            s->evicted[strlen(s->evicted)] = s->way[w];
        }
        s->way[w] = *trace;
        s->h->replacement.call.inserted(s->h->replacement.self, &a, w);
    }
}

static void expect(const char *policy, const char *const *assignments, const char *trace, const char *evicted)
{
    struct one_set s;
    open_set(&s, policy, assignments);
    run(&s, trace);
    assert_string_equal(s.evicted, evicted);
    unbind_policies(&s.b);
}

static void lru_evicts_the_least_recently_used(void **state)
{
    (void)state;
    expect("lru", NULL, "abcdaefbg", "bcda"); /* the hit on a makes b the oldest; e goes for b, f for c, b for d, g for a */
}

static void fifo_ignores_hits(void **state)
{
    (void)state;
    expect("fifo", NULL, "abcdaefag", "abcd"); /* e for a in spite of its hit, f for b, a comes back for c, g for d */
}

/* Fills are long (2). The hit makes a immediate (0). e: none distant, age once (a 1, bcd 3): b goes. f: c. g: d. h: e and f, g are
 * long, a 1; age once: e f g distant, a 2: e goes. */
static void srrip_keeps_what_was_hit(void **state)
{
    (void)state;
    expect("srrip", NULL, "abcdaefgh", "bcde");
}

/* With one bit, a fill is "long" = 0 as a hit is, and srrip is not-recently-used. */
static void srrip_of_one_bit_is_nru(void **state)
{
    (void)state;
    expect("srrip", (const char *const[]){ "policy.srrip.bits=1", NULL }, "abcde", "a");
}

/* Fills are distant, so that the newcomer takes the first distant way each time, and all but one way keep their lines. When each is
 * drawn long, brrip is srrip. */
static void brrip_keeps_most_of_a_working_set(void **state)
{
    (void)state;
    expect("brrip", (const char *const[]){ "policy.brrip.long_every=65536", NULL }, "abcdefg", "aef");
    expect("brrip", (const char *const[]){ "policy.brrip.long_every=1", NULL }, "abcdefg", "abc");
}

/* A walk through all 32 sets in their order, 64 times: one fill in 32 is long, on the mean two of each set's, and no set is left
 * out because of where it stands. */
static void brrip_s_long_fills_are_in_all_sets(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "brrip", NULL);
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    uint32_t longs[32] = { 0 }, sum = 0, none = 0;
    for (uint32_t i = 0; i < 64 * 32; i++) {
        struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
        a.set = i % 32;
        h->replacement.call.inserted(h->replacement.self, &a, 0);
        longs[a.set] += *(const uint8_t *)policy_line_state(h->replacement.self, LEVEL_L1, 0, a.set, 0) == 2;
    }
    for (uint32_t set = 0; set < 32; set++) {
        assert_in_range(longs[set], 0, 10);
        sum += longs[set];
        none += longs[set] == 0;
    }
    assert_in_range(sum, 40, 90);
    assert_in_range(none, 0, 10);
    unbind_policies(&b);
}

/* A cyclic scan over five lines in four ways: LRU misses always, brrip keeps some. */
static void brrip_resists_a_cyclic_scan(void **state)
{
    (void)state;
    struct one_set lru, brrip;
    open_set(&lru, "lru", NULL);
    open_set(&brrip, "brrip", NULL);
    run(&lru, "abcdeabcdeabcdeabcde");
    run(&brrip, "abcdeabcdeabcdeabcde");
    assert_int_equal(strlen(lru.evicted), 16);
    assert_true(strlen(brrip.evicted) <= 8);
    unbind_policies(&lru.b);
    unbind_policies(&brrip.b);
}

/* Set 0 is an srrip leader, set 4 a brrip leader, set 1 follows. Misses in set 0 turn the followers to brrip, misses in set 4 turn
 * them back. Whether a follower fills distant shows in how far the set must age until the filled way is the victim: way 1, which
 * was just hit, stays immediate only if it need not age at all. */
static bool follower_fills_distant(const struct bound *b)
{
    const struct cache_hooks *h = &b->instance->hooks.cache[LEVEL_L1];
    struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
    a.set = 1;
    h->replacement.call.inserted(h->replacement.self, &a, 0);
    h->replacement.call.promoted(h->replacement.self, &a, 1, false);
    const uint64_t way_0 = 1;
    assert_int_equal(h->replacement.call.victim(h->replacement.self, &a, &way_0), 0);
    return *(const uint8_t *)policy_line_state(h->replacement.self, LEVEL_L1, 0, 1, 1) == 0;
}

static void drrip_follows_the_better_leader(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "drrip", NULL);
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    assert_false(follower_fills_distant(&b));
    struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
    for (int i = 0; i < 3; i++) {
        a.set = 0;
        h->replacement.call.inserted(h->replacement.self, &a, 0);
    }
    assert_true(follower_fills_distant(&b));
    for (int i = 0; i < 3; i++) {
        a.set = 4;
        h->replacement.call.inserted(h->replacement.self, &a, 0);
    }
    assert_false(follower_fills_distant(&b));
    unbind_policies(&b);
}

/* A counter of two bits goes from -2 to 1: three misses of the other leader turn it, however many the first had. */
static void drrip_s_selector_saturates(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "drrip", (const char *const[]){ "policy.drrip.selector_bits=2", NULL });
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
    static const struct {
        uint32_t set, misses;
        bool distant;
    } turns[] = { { 0, 10, true }, { 4, 3, false }, { 4, 10, false }, { 0, 3, true } };
    for (uint32_t t = 0; t < sizeof turns / sizeof turns[0]; t++) {
        a.set = turns[t].set;
        for (uint32_t i = 0; i < turns[t].misses; i++)
            h->replacement.call.inserted(h->replacement.self, &a, 0);
        assert_int_equal(follower_fills_distant(&b), turns[t].distant);
    }
    unbind_policies(&b);
}

/* Every letter is its own load. A stream teaches that e..h bring nothing of use. When they come again they enter distant and
 * replace each other, while a, b and c, which were hit, stay. */
static void ship_learns_dead_loads(void **state)
{
    (void)state;
    struct one_set s;
    open_set(&s, "ship", NULL);
    run(&s, "efghijklefghijkl");
    memset(s.evicted, 0, sizeof s.evicted);
    memset(s.way, 0, sizeof s.way);
    run(&s, "abcabc");
    run(&s, "efghefgh");
    assert_string_equal(s.evicted, "efghefg");
    assert_int_not_equal(find(&s, 'a'), NO_WAY);
    assert_int_not_equal(find(&s, 'b'), NO_WAY);
    assert_int_not_equal(find(&s, 'c'), NO_WAY);
    unbind_policies(&s.b);
}

/* What a fill of this line would be predicted now: 3 distant, 2 long. */
static uint8_t prediction(const struct one_set *s, char line)
{
    const struct policy_access a = access_of(line);
    s->h->replacement.call.inserted(s->h->replacement.self, &a, 3);
    return *(const uint8_t *)policy_line_state(s->h->replacement.self, LEVEL_L1, 2, 0, 3);
}

/* With one bit, five hits count no more than one: a single line that left unused makes the load distant. A way that holds nothing
 * teaches nothing. */
static void ship_counters_saturate_and_empty_ways_do_not_count(void **state)
{
    (void)state;
    struct one_set s;
    open_set(&s, "ship", (const char *const[]){ "policy.ship.counter_bits=1", NULL });
    const struct policy_evicted e = { .unit = 2, .set = 0, .way = 3, .level = LEVEL_L1 };
    run(&s, "aaaaaa");
    assert_int_equal(prediction(&s, 'a'), 2);
    s.h->replacement.call.removed(s.h->replacement.self, &e);
    assert_int_equal(prediction(&s, 'a'), 3);
    assert_int_equal(prediction(&s, 'b'), 2);
    s.h->replacement.call.removed(s.h->replacement.self, &e); /* b, unused */
    run(&s, "bb");                                            /* and used again */
    s.h->replacement.call.removed(s.h->replacement.self, &e); /* nothing was there */
    assert_int_equal(prediction(&s, 'b'), 2);
    unbind_policies(&s.b);
}

static void rrip_takes_candidates_alone(void **state)
{
    (void)state;
    struct one_set s;
    open_set(&s, "srrip", NULL);
    run(&s, "abcd");
    const struct policy_access a = access_of('e');
    const uint64_t last_two = 0xc, third = 4;
    assert_int_equal(s.h->replacement.call.victim(s.h->replacement.self, &a, &last_two), 2);
    run(&s, "c"); /* the others are distant by now */
    assert_int_equal(s.h->replacement.call.victim(s.h->replacement.self, &a, &third), 2);
    unbind_policies(&s.b);
}

static void random_depends_on_its_seed_alone(void **state)
{
    (void)state;
    struct one_set one, same, other;
    open_set(&one, "random", NULL);
    open_set(&same, "random", (const char *const[]){ "policy.random.seed=1", NULL });
    open_set(&other, "random", (const char *const[]){ "policy.random.seed=2", NULL });
    const char *trace = "abcdefghijklmnopqrstuvwxyz";
    run(&one, trace);
    run(&same, trace);
    run(&other, trace);
    assert_string_equal(one.evicted, same.evicted);
    assert_string_not_equal(one.evicted, other.evicted);
    unbind_policies(&one.b);
    unbind_policies(&same.b);
    unbind_policies(&other.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_evicts_the_least_recently_used),
        cmocka_unit_test(fifo_ignores_hits),
        cmocka_unit_test(srrip_keeps_what_was_hit),
        cmocka_unit_test(srrip_of_one_bit_is_nru),
        cmocka_unit_test(brrip_keeps_most_of_a_working_set),
        cmocka_unit_test(brrip_s_long_fills_are_in_all_sets),
        cmocka_unit_test(brrip_resists_a_cyclic_scan),
        cmocka_unit_test(drrip_follows_the_better_leader),
        cmocka_unit_test(ship_learns_dead_loads),
        cmocka_unit_test(drrip_s_selector_saturates),
        cmocka_unit_test(ship_counters_saturate_and_empty_ways_do_not_count),
        cmocka_unit_test(rrip_takes_candidates_alone),
        cmocka_unit_test(random_depends_on_its_seed_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
