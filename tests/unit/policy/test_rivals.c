/* What paper 003 compares with: pdp, profiled-bypass in its three forms, bypass-l1 with local memory. */
#include "fake_machine.h"

#include <string.h>

/* ---- pdp: one set of four ways, played by hand ---- */

struct played {
    struct bound b;
    uint64_t in[4]; /* line of each way; 0 free */
};

static struct policy_access at(uint64_t line)
{
    return fake_load(LEVEL_L1, 3, line * 32 * 128, 32); /* all in set 0 */
}

static uint64_t valid_ways(const struct played *p)
{
    uint64_t mask = 0;
    for (uint32_t w = 0; w < 4; w++)
        mask |= (uint64_t)(p->in[w] != 0) << w;
    return mask;
}

/* One load; the way it is in afterwards, NO_WAY when it went around. `pending`: ways that wait for their data. */
static uint32_t load(struct played *p, uint64_t line, uint64_t pending)
{
    const struct cache_hooks *h = &p->b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = at(line);
    for (uint32_t w = 0; w < 4; w++)
        if (p->in[w] == line) {
            hooks_accessed(h, &a, OUTCOME_HIT, w);
            return w;
        }
    uint32_t way = 0;
    while (way < 4 && p->in[way])
        way++;
    const uint64_t candidates = valid_ways(p) & ~pending;
    if (way == 4) {
        if (h->replacement.call.declines(h->replacement.self, &a, &candidates)) {
            hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY);
            return NO_WAY;
        }
        way = h->replacement.call.victim(h->replacement.self, &a, &candidates);
    }
    p->in[way] = line;
    hooks_accessed(h, &a, OUTCOME_MISS, way);
    return way;
}

static uint64_t pdp_counter(const struct played *p, size_t offset)
{
    uint64_t all[8] = { 0 };
    policy_instance_counters(p->b.instance, 0, all);
    return all[offset];
}

static void a_line_is_protected_for_its_distance(void **state)
{
    (void)state;
    struct played p = { 0 };
    bind_policies(&p.b, "pdp", (const char *const[]){ "policy.pdp.distance=5", NULL });
    for (uint64_t line = 1; line <= 4; line++)
        assert_int_equal(load(&p, line, 0), line - 1); /* remaining: 1 2 3 4 */
    assert_int_equal(load(&p, 5, 0), NO_WAY);          /* asked at 1 2 3 4; afterwards 0 1 2 3 */
    assert_int_equal(load(&p, 6, 0), 0);               /* way 0 is at 0: 4 0 1 2 */
    assert_int_equal(load(&p, 2, 0), 1);               /* the fifth access after its last, a hit, which renews: 3 4 0 1 */
    assert_int_equal(load(&p, 7, 0), 2);               /* 2 3 4 0 */
    assert_int_equal(load(&p, 8, 0), 3);
    assert_int_equal(pdp_counter(&p, 0), 1);
    unbind_policies(&p.b);
}

static void a_load_that_joins_a_fetch_renews_too(void **state)
{
    (void)state;
    struct played p = { 0 };
    bind_policies(&p.b, "pdp", (const char *const[]){ "policy.pdp.distance=5", NULL });
    for (uint64_t line = 1; line <= 4; line++)
        (void)load(&p, line, 0); /* remaining: 1 2 3 4 */
    const struct policy_access a = at(1);
    hooks_accessed(&p.b.instance->hooks.cache[LEVEL_L1], &a, OUTCOME_MERGED, 0); /* 4 1 2 3 */
    assert_int_equal(load(&p, 5, 0), NO_WAY);                                    /* 3 0 1 2 */
    assert_int_equal(load(&p, 6, 0), 1);
    unbind_policies(&p.b);
}

static void of_unprotected_lines_the_least_recently_used_goes(void **state)
{
    (void)state;
    struct played p = { 0 };
    bind_policies(&p.b, "pdp", (const char *const[]){ "policy.pdp.distance=1", NULL });
    for (uint64_t line = 1; line <= 4; line++)
        (void)load(&p, line, 0); /* remaining: 0 0 0 0 */
    (void)load(&p, 1, 0);        /* line 1 is the youngest now */
    assert_int_equal(load(&p, 5, 0), 1);
    unbind_policies(&p.b);
}

static void lines_on_their_way_are_protected(void **state)
{
    (void)state;
    struct played p = { 0 };
    bind_policies(&p.b, "pdp", (const char *const[]){ "policy.pdp.distance=2", NULL });
    for (uint64_t line = 1; line <= 4; line++)
        (void)load(&p, line, 0);
    (void)load(&p, 4, 0);                       /* all but way 3 at 0 */
    assert_int_equal(load(&p, 5, 0x7), NO_WAY); /* the others wait for data, and way 3 is protected: the load goes around */
    assert_int_equal(load(&p, 5, 0xf), NO_WAY); /* nobody can go */
    assert_int_equal(load(&p, 5, 0x7), 3);      /* the loads that went around have used up its distance */
    unbind_policies(&p.b);
}

static void stores_count_only_when_asked(void **state)
{
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        struct played p = { 0 };
        bind_policies(
            &p.b, "pdp",
            (const char *const[]){ "policy.pdp.distance=8", stores ? "policy.pdp.stores=true" : "policy.pdp.stores=false", NULL });
        for (uint64_t line = 1; line <= 4; line++)
            (void)load(&p, line, 0); /* remaining: 4 5 6 7 */
        struct policy_access store = at(77);
        store.write = true;
        for (int i = 0; i < 8; i++)
            hooks_accessed(&p.b.instance->hooks.cache[LEVEL_L1], &store, OUTCOME_WRITE_MISS, NO_WAY);
        assert_int_equal(load(&p, 9, 0), stores ? 0 : NO_WAY);
        unbind_policies(&p.b);
    }
}

/* A load that joins a fetch whose line is gone needs a way, and is not asked whether it wants one. */
static void a_victim_is_found_even_if_all_are_protected(void **state)
{
    (void)state;
    struct played p = { 0 };
    bind_policies(&p.b, "pdp", (const char *const[]){ "policy.pdp.distance=8", NULL });
    for (uint64_t line = 1; line <= 4; line++)
        (void)load(&p, line, 0); /* remaining: 4 5 6 7 */
    const struct cache_hooks *h = &p.b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = at(9);
    const uint64_t candidates = 0xe; /* way 0 waits for its data */
    assert_int_equal(h->replacement.call.victim(h->replacement.self, &a, &candidates), 1);
    assert_int_equal(pdp_counter(&p, 1), 1);
    assert_int_equal(pdp_counter(&p, 2), 1);
    unbind_policies(&p.b);
}

static void a_distance_of_16_has_four_bits(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "pdp", NULL);
    const struct policy_self *self = &b.instance->self[0];
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    assert_int_equal(self->policy->hardware(self->config, self->geometry, rows), 1);
    assert_int_equal(rows[0].entries, 128);
    assert_int_equal(rows[0].bits, 4); /* 0 to 15: the access that sets it lowers it too */
    unbind_policies(&b);
}

/* ---- profiled-bypass ---- */

/* Line 10: three loads of SM 3 in launch 0. Line 11: one of SM 3, three of all. Sorted by launch, SM, line. */
static const struct policy_profile_record records[] = { { { 0, 3, 10 }, 3 },          { { 0, 3, 11 }, 1 },
                                                        { { 0, UINT64_MAX, 10 }, 3 }, { { 0, UINT64_MAX, 11 }, 3 },
                                                        { { 1, 3, 12 }, 9 },          { { 1, UINT64_MAX, 12 }, 9 } };

static bool caches(const char *filter, uint32_t threshold, uint64_t launch, uint32_t sm, uint64_t line)
{
    const struct policy_profile profile = { .launch = launch, .record = records, .count = sizeof records / sizeof records[0] };
    char f[64], t[64];
    (void)snprintf(f, sizeof f, "policy.profiled-bypass.filter=%s", filter);
    (void)snprintf(t, sizeof t, "policy.profiled-bypass.threshold=%u", threshold);
    struct bound b;
    bind_policies(&b, "profiled-bypass", (const char *const[]){ f, t, NULL });
    policy_instance_free(b.instance);
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    const struct policy_machine m = fake_policy_machine(&b.machine);
    policy_set_take_profile(b.set, 0, &profile);
    b.instance = policy_set_bind(b.set, &g, &m, &err);
    const struct policy_access a = fake_load(LEVEL_L1, sm, line * 128, 32);
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    unbind_policies(&b);
    return !lookup.bypass;
}

static void the_three_filters(void **state)
{
    (void)state;
    assert_true(caches("local", 2, 0, 3, 10));  /* 3 > 2 */
    assert_false(caches("local", 3, 0, 3, 10)); /* not above */
    assert_false(caches("local", 1, 0, 4, 10)); /* another SM never loaded it */
    assert_false(caches("local", 1, 0, 3, 11));
    assert_true(caches("global", 2, 0, 3, 11));
    assert_true(caches("global", 2, 0, 9, 11)); /* whichever SM asks */
    assert_false(caches("global", 3, 0, 9, 11));
    assert_true(caches("combined", 2, 0, 3, 10));
    assert_true(caches("combined", 2, 0, 3, 11)); /* all SMs together suffice */
    assert_false(caches("combined", 3, 0, 3, 11));
    assert_false(caches("combined", 1, 0, 3, 12)); /* of another launch */
    assert_true(caches("combined", 1, 1, 3, 12));
    assert_false(caches("combined", 1, 0, 3, 99)); /* unknown */
}

/* What the first run adds, in order. */
static struct {
    uint64_t key[3];
} added[8];
static uint32_t additions;

static void add(void *store, uint32_t unit, const uint64_t key[POLICY_PROFILE_WORDS], uint64_t amount)
{
    (void)store, (void)unit;
    assert_int_equal(amount, 1);
    memcpy(added[additions++].key, key, sizeof added[0].key);
}

/* Every load of global or local memory counts twice: for its SM, and for all. It changes nothing. */
static void the_first_run_counts_loads_alone(void **state)
{
    (void)state;
    static const struct policy_profile profile = { .launch = 5, .records = true, .add = add };
    struct bound b;
    bind_policies(&b, "profiled-bypass", NULL);
    policy_instance_free(b.instance);
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    const struct policy_machine m = fake_policy_machine(&b.machine);
    policy_set_take_profile(b.set, 0, &profile);
    b.instance = policy_set_bind(b.set, &g, &m, &err);
    struct policy_access a = fake_load(LEVEL_L1, 3, 10 * 128, 32);
    struct policy_lookup lookup = { .fill_bytes = 128 };
    additions = 0;
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    a.local = true;
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    a.write = true;
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    assert_false(lookup.bypass);
    assert_int_equal(additions, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(added[i].key[0], 5);
        assert_true(added[i].key[1] == (i % 2 ? UINT64_MAX : 3));
        assert_int_equal(added[i].key[2], 10);
    }
    unbind_policies(&b);
}

/* Figures 3 and 5(b): how often each SM loaded its lines in the launch that begins. */
static void lines_are_counted_by_their_loads(void **state)
{
    (void)state;
    static const struct policy_profile_record lines[] = { { { 0, 3, 1 }, 9 },  { { 1, 3, 1 }, 1 },         { { 1, 3, 2 }, 1 },
                                                          { { 1, 3, 3 }, 1 },  { { 1, 3, 4 }, 2 },         { { 1, 3, 5 }, 2 },
                                                          { { 1, 4, 1 }, 3 },  { { 1, 4, 2 }, 4 },         { { 1, 4, 3 }, 4 },
                                                          { { 1, 4, 4 }, 4 },  { { 1, 4, 5 }, 5 },         { { 1, 4, 6 }, 8 },
                                                          { { 1, 4, 7 }, 8 },  { { 1, 4, 8 }, 8 },         { { 1, 4, 9 }, 8 },
                                                          { { 1, 4, 10 }, 9 }, { { 1, UINT64_MAX, 1 }, 4 } };
    static const struct policy_profile profile = { .launch = 1, .record = lines, .count = sizeof lines / sizeof *lines };
    struct bound b;
    bind_policies(&b, "profiled-bypass", NULL);
    policy_instance_free(b.instance);
    struct error err = { 0 };
    const struct policy_geometry g = fake_geometry();
    const struct policy_machine m = fake_policy_machine(&b.machine);
    policy_set_take_profile(b.set, 0, &profile);
    b.instance = policy_set_bind(b.set, &g, &m, &err);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    struct policy_access a = fake_load(LEVEL_L1, 3, 99 * 128, 32);
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    uint64_t n[16] = { 0 }; /* recorded, cached, bypassed, unknown, lines of 1, 2, 3 to 4, 5 to 8, more */
    policy_instance_counters(b.instance, 0, n);
    static const uint64_t expected[] = { 0, 0, 1, 1, 3, 2, 4, 5, 1 };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(n[i], expected[i]);
    unbind_policies(&b);
}

/* ---- BALL ---- */

static void local_memory_goes_around_only_when_asked(void **state)
{
    (void)state;
    for (int local = 0; local < 2; local++) {
        struct bound b;
        bind_policies(&b, "bypass-l1",
                      (const char *const[]){ local ? "policy.bypass-l1.local=true" : "policy.bypass-l1.local=false", NULL });
        struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
        struct policy_lookup global = { .fill_bytes = 128 }, spill = global;
        hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &global);
        a.local = true;
        hooks_before_lookup(&b.instance->hooks.cache[LEVEL_L1], &a, &spill);
        assert_true(global.bypass);
        assert_int_equal(spill.bypass, local);
        unbind_policies(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_protected_for_its_distance),
        cmocka_unit_test(a_load_that_joins_a_fetch_renews_too),
        cmocka_unit_test(of_unprotected_lines_the_least_recently_used_goes),
        cmocka_unit_test(lines_on_their_way_are_protected),
        cmocka_unit_test(stores_count_only_when_asked),
        cmocka_unit_test(a_victim_is_found_even_if_all_are_protected),
        cmocka_unit_test(a_distance_of_16_has_four_bits),
        cmocka_unit_test(the_three_filters),
        cmocka_unit_test(the_first_run_counts_loads_alone),
        cmocka_unit_test(lines_are_counted_by_their_loads),
        cmocka_unit_test(local_memory_goes_around_only_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
