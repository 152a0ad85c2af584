/* test_cache_policy.c - what policies are told by an L1, and what they may decide there: index, service, refusals, replacement. */
#include "cache_policy_bench.h"

static void a_policy_owns_the_set_index(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.set_index.call = always_set_1;
    b.hooks.set_index.self = &b.self;
    start(&b);
    for (uint64_t i = 0; i < 2; i++)
        assert_int_equal(load(&b, i * 128).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 2 * 128).outcome, CACHE_REFUSED_LINE_ALLOC);
    (void)drain(&b);
    finish(&b);
}

static void a_part_of_a_line_holds_only_that_part(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    b.told.answer.fill_bytes = 32;
    start(&b);
    assert_int_equal(load(&b, 64).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 96).outcome, CACHE_REFUSED_MSHR_MERGE); /* not on its way */
    assert_int_equal(load(&b, 64).outcome, CACHE_MERGED);
    assert_int_equal(drain(&b), 32);
    assert_int_equal(load(&b, 64).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 96).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 32);
    assert_int_equal(load(&b, 64).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 96).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(l1_counters(b.l1)->evictions, 0);
    finish(&b);
}

static void a_policy_serves_a_miss_from_elsewhere(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(serve, on_serve);
    HOOK(accessed, on_accessed);
    b.told.serve = true;
    start(&b);
    const struct l1_answer a = load(&b, 0);
    assert_int_equal(a.outcome, CACHE_SERVED);
    assert_int_equal(a.extra_cycles, 9);
    assert_int_equal(b.told.outcome, OUTCOME_ELSEWHERE);
    assert_false(a.later);
    b.told.later = true;
    assert_true(load(&b, 0).later);
    assert_true(l1_idle(b.l1));
    finish(&b);
}

/* A search that found nothing took 9 cycles: the fetch leaves after these. */
static void a_search_in_vain_delays_the_fetch(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(serve, on_serve);
    start(&b);
    const uint64_t asked = b.now;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    assert_int_equal(l1_next_event(b.l1, asked + 1), asked + 9);
    l1_cycle(b.l1, asked + 8);
    assert_int_equal(b.below.out.port.ring.count, 0);
    l1_cycle(b.l1, asked + 9);
    assert_int_equal(b.below.out.port.ring.count, 1);
    (void)drain(&b);
    finish(&b);
}

static void a_policy_is_told_when_the_cache_is_emptied(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(flushed, on_flushed);
    HOOK(evicted, on_evicted);
    start(&b);
    l1_invalidate(b.l1); /* though it is empty */
    assert_int_equal(b.told.flushed, 1);
    assert_int_equal(b.told.evicted, 0);
    (void)load(&b, 0);
    (void)drain(&b);
    l1_invalidate(b.l1);
    assert_int_equal(b.told.flushed, 2);
    assert_int_equal(b.told.evicted, 1);
    finish(&b);
}

static void a_policy_may_hold_misses_back(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(may_miss, on_may_miss);
    start(&b);
    b.told.forbid = true;
    assert_int_equal(load(&b, 0).outcome, CACHE_REFUSED_POLICY);
    assert_false(cache_refusal_lasts(CACHE_REFUSED_POLICY));
    assert_int_equal(l1_counters(b.l1)->refused_policy, 1);
    b.told.forbid = false;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    (void)drain(&b);
    finish(&b);
}

static void refusals_are_told_once_per_episode_with_their_length(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    HOOK(refused_end, on_refused_end);
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    struct request *r = load_of(&b, 0x200);
    const uint64_t first = b.now;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_int_equal(b.told.refused, 1);
    assert_int_equal(b.told.cause, CAUSE_LINE_ALLOC);
    (void)drain(&b);
    assert_int_equal(l1_access(b.l1, r, b.now).outcome, CACHE_MISS);
    assert_int_equal(b.told.refused_cycles, b.now - first);
    (void)drain(&b);
    finish(&b);
}

static void a_verdict_sends_a_refused_load_around_or_back(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    b.told.verdict = REFUSAL_RECYCLE;
    struct request *back = load_of(&b, 0x200);
    const struct l1_answer a = l1_access(b.l1, back, b.now++);
    assert_int_equal(a.outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_true(a.recycle);
    b.told.verdict = REFUSAL_BYPASS;
    struct request *other = load_of(&b, 0x400);
    assert_int_equal(l1_access(b.l1, other, b.now++).outcome, CACHE_BYPASSED);
    request_free(b.pool, back);
    (void)drain(&b);
    finish(&b);
}

static void evictions_are_told_with_what_was_used(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(evicted, on_evicted);
    HOOK(filled, on_filled);
    HOOK(every_accesses, on_period);
    b.hooks.access_period[0] = 2;
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x060).outcome, CACHE_HIT);
    assert_int_equal(b.told.periods, 1);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(b.told.filled, 2);
    assert_int_equal(b.told.evicted, 0);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_MISS);
    assert_int_equal(b.told.evicted, 1);
    assert_int_equal(b.told.evicted_address, 0);
    assert_int_equal(b.told.sectors_used, 1 | 8);
    assert_int_equal(b.told.reason, EVICTED_BY_FILL);
    (void)drain(&b);
    struct request *w = load_of(&b, 0x100);
    w->kind = REQUEST_GLOBAL_WRITE;
    w->write = true;
    assert_true(l1_access(b.l1, w, b.now++).sent);
    assert_int_equal(b.told.reason, EVICTED_BY_STORE);
    (void)drain(&b);
    assert_true(l1_drop_line(b.l1, 0x210));
    assert_int_equal(b.told.reason, EVICTED_BY_FLUSH);
    assert_false(l1_drop_line(b.l1, 0x210));
    finish(&b);
}

static void replacement_is_the_policy_s(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    start(&b);
    (void)load(&b, 0x000); /* way 1 */
    (void)load(&b, 0x100); /* way 0 */
    (void)drain(&b);
    (void)load(&b, 0x000);
    assert_int_equal(b.told.promoted, 1);
    b.told.victim = 1; /* the most recently used */
    (void)load(&b, 0x200);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_HIT);
    assert_int_equal(b.told.inserted, 3);
    assert_int_equal(b.told.removed, 1);
    finish(&b);
}

/* With blind fills an emptied way may hold its line again: a policy hears of it as of any line that comes. */
static void a_line_that_comes_back_is_inserted_again(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    HOOK(filled, on_filled);
    b.told.blind_fills = true;
    start(&b);
    (void)load(&b, 0x000);
    l1_invalidate(b.l1);
    assert_int_equal(b.told.inserted, 1);
    assert_int_equal(b.told.removed, 1);
    (void)drain(&b);
    assert_int_equal(b.told.inserted, 2);
    assert_int_equal(b.told.filled, 1);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_HIT);
    finish(&b);
}

static void small_lines_share_the_space_of_a_set(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.storage.self = &b.self;
    b.hooks.storage.call = (struct policy_storage_hooks){ eight_tags, two_lines_of_space, stored, NULL, hit_cycles, NULL };
    HOOK(evicted, on_evicted);
    b.told.stored = 32;
    start(&b);
    for (uint64_t i = 0; i < 5; i++) { /* five lines in the space of two: 128 + 4 x 32 while the fifth is on its way */
        assert_int_equal(load(&b, i * 0x100).outcome, CACHE_MISS);
        (void)drain(&b);
    }
    assert_int_equal(b.told.evicted, 0);
    assert_int_equal(load(&b, 0x500).outcome, CACHE_MISS); /* 5 x 32 + 128 do not fit: the oldest goes */
    (void)drain(&b);
    assert_int_equal(b.told.evicted, 1);
    assert_int_equal(b.told.evicted_address, 0);
    const struct l1_answer a = load(&b, 0x100);
    assert_int_equal(a.outcome, CACHE_HIT);
    assert_int_equal(a.extra_cycles, 14);
    assert_int_equal(load(&b, 0x600).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x700).outcome, CACHE_MISS); /* two whole lines reserved: the rest had to go */
    assert_int_equal(load(&b, 0x800).outcome, CACHE_REFUSED_LINE_ALLOC);
    (void)drain(&b);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_owns_the_set_index),
        cmocka_unit_test(a_part_of_a_line_holds_only_that_part),
        cmocka_unit_test(a_policy_serves_a_miss_from_elsewhere),
        cmocka_unit_test(a_search_in_vain_delays_the_fetch),
        cmocka_unit_test(a_policy_is_told_when_the_cache_is_emptied),
        cmocka_unit_test(a_policy_may_hold_misses_back),
        cmocka_unit_test(refusals_are_told_once_per_episode_with_their_length),
        cmocka_unit_test(a_verdict_sends_a_refused_load_around_or_back),
        cmocka_unit_test(evictions_are_told_with_what_was_used),
        cmocka_unit_test(replacement_is_the_policy_s),
        cmocka_unit_test(a_line_that_comes_back_is_inserted_again),
        cmocka_unit_test(small_lines_share_the_space_of_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
