/* The shared cache: hits, merges, victims, write-backs, and what the policies' hooks are told. */
#include "../cmocka_all.h"

#include <string.h>

#include "cmp/shared_cache.h"

enum { SETS = 4, WAYS = 2 };

/* A policy that writes down what it is told, and evicts way 1 whenever it may. */
static struct {
    uint32_t inserted, promoted, removed, filled, accessed[8];
    bool decline;
    uint64_t victim_candidates;
} seen;

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    (void)self, (void)a;
    seen.victim_candidates = candidates[0];
    return candidates[0] >> 1 & 1 ? 1 : 0;
}
static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)self, (void)way;
    assert_int_equal(a->level, LEVEL_L2);
    assert_int_equal(a->set, a->line % SETS);
    seen.inserted++;
}
static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)self, (void)a, (void)way, (void)pending;
    seen.promoted++;
}
static void removed(struct policy_self *self, const struct policy_evicted *e)
{
    (void)self, (void)e;
    seen.removed++;
}
static bool declines(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    (void)self, (void)a, (void)candidates;
    return seen.decline;
}
static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)self, (void)a, (void)way;
    seen.accessed[outcome]++;
}
static void filled_hook(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)self, (void)a, (void)way;
    seen.filled++;
}

static void filled(void *context, uint32_t core, uint64_t miss, uint64_t cycle)
{
    (void)context, (void)core, (void)miss, (void)cycle;
}

static struct shared_cache *new_cache(const struct cache_hooks *hooks, bool promote)
{
    memset(&seen, 0, sizeof seen);
    const struct cmp_config config = { .l3 = { .bytes = SETS * WAYS * CMP_LINE_BYTES, .ways = WAYS },
                                       .promote_writebacks = promote };
    return shared_cache_new(&config, 1, hooks, filled, NULL);
}

static bool read_line(struct shared_cache *c, uint64_t line)
{
    return shared_cache_read(c, &(struct shared_read){ .line = line });
}

static void the_least_recently_used_leaves(void **state)
{
    (void)state;
    static const struct cache_hooks none;
    struct shared_cache *c = new_cache(&none, false);
    assert_false(read_line(c, 0));
    assert_false(read_line(c, 4));
    assert_true(read_line(c, 0));
    assert_false(read_line(c, 8)); /* 4 leaves */
    assert_true(read_line(c, 0));
    assert_false(read_line(c, 4));
    const struct llc_counters *k = shared_cache_counters(c, 0);
    assert_int_equal(k->reads, 6);
    assert_int_equal(k->misses, 4);
    assert_int_equal(k->evictions, 2);
    assert_int_equal(k->writebacks, 0);
    shared_cache_free(c);
}

static void a_write_back_takes_a_line_and_is_no_use(void **state)
{
    (void)state;
    static const struct cache_hooks none;
    for (uint32_t promote = 0; promote < 2; promote++) {
        struct shared_cache *c = new_cache(&none, promote);
        shared_cache_write(c, 0, 0, 0);
        (void)read_line(c, 4);
        shared_cache_write(c, 0, 0, 0); /* a hit: 0 is the older one still, unless that counts as use */
        assert_false(read_line(c, 8));
        assert_int_equal(shared_cache_counters(c, 0)->write_hits, 1);
        assert_int_equal(shared_cache_counters(c, 0)->writebacks, promote ? 0 : 1);
        assert_int_equal(read_line(c, 0), promote);
        shared_cache_free(c);
    }
}

static void policies_are_told_and_asked(void **state)
{
    (void)state;
    struct cache_hooks hooks = { .replacement = { "test", NULL, { victim, inserted, promoted, removed, declines } } };
    hooks.accessed.count = hooks.filled.count = 1;
    hooks.accessed.hook[0].call = accessed;
    hooks.filled.hook[0].call = filled_hook;
    struct shared_cache *c = new_cache(&hooks, false);
    (void)read_line(c, 0);
    (void)read_line(c, 4);
    assert_true(read_line(c, 0));
    (void)read_line(c, 8); /* way 1, where 4 is */
    assert_int_equal(seen.victim_candidates, 3);
    assert_true(read_line(c, 0));
    assert_int_equal(seen.inserted, 3);
    assert_int_equal(seen.promoted, 2);
    assert_int_equal(seen.removed, 1);
    assert_int_equal(seen.filled, 3);
    assert_int_equal(seen.accessed[OUTCOME_HIT], 2);
    assert_int_equal(seen.accessed[OUTCOME_MISS], 3);
    seen.decline = true;
    assert_false(read_line(c, 12)); /* goes around */
    assert_int_equal(shared_cache_counters(c, 0)->bypassed, 1);
    assert_int_equal(seen.accessed[OUTCOME_BYPASSED], 1);
    assert_true(read_line(c, 8));
    shared_cache_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_leaves),
        cmocka_unit_test(a_write_back_takes_a_line_and_is_no_use),
        cmocka_unit_test(policies_are_told_and_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
