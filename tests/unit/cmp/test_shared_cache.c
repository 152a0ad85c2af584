/* The shared cache: hits, merges, victims, write-backs, and what the policies' hooks are told. */
#include "../cmocka_all.h"

#include <string.h>

#include "cmp/memory.h"
#include "cmp/shared_cache.h"
#include "table_2_3.h"

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
static uint32_t only_way(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    (void)self, (void)a, (void)candidates;
    return 0;
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

static uint64_t told[2]; /* which misses of each core got their data: a bit each */
static void filled(void *context, uint32_t core, uint64_t miss, uint64_t cycle)
{
    (void)context, (void)cycle;
    told[core] |= UINT64_C(1) << miss;
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

/* Three cores have three times the sets of one: as many neighbouring lines as the cache holds all stay. */
static void three_cores_use_all_their_sets(void **state)
{
    (void)state;
    static const struct cache_hooks none;
    const struct cmp_config config = { .l3 = { .bytes = SETS * WAYS * CMP_LINE_BYTES, .ways = WAYS } };
    struct shared_cache *c = shared_cache_new(&config, 3, &none, filled, NULL);
    for (uint64_t line = 0; line < 3 * SETS * WAYS; line++)
        assert_false(read_line(c, line));
    for (uint64_t line = 0; line < 3 * SETS * WAYS; line++)
        assert_true(read_line(c, line));
    assert_int_equal(shared_cache_counters(c, 0)->evictions, 0);
    shared_cache_free(c);
}

/* Three want a line that comes once: all of them get it. */
static void whoever_waits_for_a_line_gets_it(void **state)
{
    (void)state;
    static const struct cache_hooks none;
    const struct cmp_machine machine = table_2_3();
    struct shared_cache *c = shared_cache_new(&machine.cmp, 2, &none, filled, NULL);
    struct cmp_memory *memory = cmp_memory_new(&machine, shared_cache_arrived, c);
    shared_cache_connect(c, memory);
    told[0] = told[1] = 0;
    static const struct shared_read reads[] = { { .line = 9, .miss = 1 },
                                                { .line = 9, .miss = 2, .core = 1 },
                                                { .line = 9, .miss = 3 } };
    for (uint32_t i = 0; i < 3; i++)
        assert_false(shared_cache_read(c, &reads[i]));
    while (cmp_memory_next(memory) != UINT64_MAX)
        cmp_memory_step(memory);
    assert_int_equal(told[0], 1 << 1 | 1 << 3);
    assert_int_equal(told[1], 1 << 2);
    assert_int_equal(shared_cache_counters(c, 0)->misses, 1);
    assert_int_equal(shared_cache_counters(c, 0)->merged + shared_cache_counters(c, 1)->merged, 2);
    cmp_memory_free(memory);
    shared_cache_free(c);
}

static struct cmp_memory *watched;
static uint32_t waiting_at_insertion;
static void looks_at_its_bank(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)self, (void)way;
    struct policy_dram_view view;
    cmp_memory_view(watched, a->address, &view);
    waiting_at_insertion = view.waiting;
}

/* A miss of set 0 whose victim is dirty or not: how long it takes. Both lines are in one bank. */
static uint64_t cycles_of_a_miss(bool dirty_victim)
{
    struct cmp_machine machine = table_2_3();
    machine.cmp.l3 = (struct cmp_cache_config){ .bytes = 1024 * CMP_LINE_BYTES, .ways = 1 };
    const struct cache_hooks hooks = { .replacement = { "test", NULL, { only_way, looks_at_its_bank, promoted, removed, NULL } } };
    struct shared_cache *c = shared_cache_new(&machine.cmp, 1, &hooks, filled, NULL);
    watched = cmp_memory_new(&machine, shared_cache_arrived, c);
    shared_cache_connect(c, watched);
    if (dirty_victim)
        shared_cache_write(c, 0, 0, 0);
    (void)shared_cache_read(c, &(struct shared_read){ .line = 1024, .cycle = 100 });
    while (cmp_memory_next(watched) != UINT64_MAX)
        cmp_memory_step(watched);
    const struct llc_counters *k = shared_cache_counters(c, 0);
    assert_int_equal(k->writebacks, dirty_victim);
    const uint64_t cycles = k->miss_cycles;
    struct dram_counters dram;
    cmp_memory_counters(watched, &dram);
    assert_int_equal(dram.reads, 1);
    assert_int_equal(dram.writes, dirty_victim);
    if (dirty_victim) { /* and what a write-back pushes out goes to memory as well */
        shared_cache_write(c, 0, 1024, 1000);
        shared_cache_write(c, 0, 2048, 1000);
        while (cmp_memory_next(watched) != UINT64_MAX)
            cmp_memory_step(watched);
        cmp_memory_counters(watched, &dram);
        assert_int_equal(dram.writes, 2);
    }
    cmp_memory_free(watched);
    shared_cache_free(c);
    return cycles;
}

/* Algorithm 2 of paper 002: the request goes to memory first. Its victim's write-back neither holds it up nor is a conflict. */
static void a_read_goes_before_the_write_back_of_its_victim(void **state)
{
    (void)state;
    const uint64_t alone = cycles_of_a_miss(false);
    waiting_at_insertion = 9;
    assert_int_equal(cycles_of_a_miss(true), alone);
    assert_int_equal(waiting_at_insertion, 0);
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
        cmocka_unit_test(the_least_recently_used_leaves), cmocka_unit_test(a_write_back_takes_a_line_and_is_no_use),
        cmocka_unit_test(three_cores_use_all_their_sets), cmocka_unit_test(whoever_waits_for_a_line_gets_it),
        cmocka_unit_test(policies_are_told_and_asked),    cmocka_unit_test(a_read_goes_before_the_write_back_of_its_victim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
