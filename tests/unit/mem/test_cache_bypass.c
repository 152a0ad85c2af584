/* test_cache_bypass.c - the road around a cache: who takes it, what can hold it up, and what never takes it. */
#include "cache_policy_bench.h"

#include "mem/l2_slice.h"

static void bypassed_loads_fill_nothing_and_are_asked_about_once(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    HOOK(accessed, on_accessed);
    b.told.answer.bypass = true;
    start(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.outcome, OUTCOME_BYPASSED);
    assert_int_equal(drain(&b), 32);
    b.told.answer.bypass = false;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 128);
    assert_int_equal(b.told.asked, 2);
    assert_int_equal(l1_counters(b.l1)->bypassed, 1);
    finish(&b);
}

static void no_allocate_uses_hits_and_sends_misses_around(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    b.told.answer.no_allocate = true;
    assert_int_equal(load(&b, 0).outcome, CACHE_MERGED);
    (void)drain(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 128).outcome, CACHE_BYPASSED);
    (void)drain(&b);
    finish(&b);
}

static void fill_miss_queue_with_stores(struct bench *b)
{
    for (uint64_t i = 0; l1_miss_queue_length(b->l1) < 8; i++) {
        struct request *w = load_of(b, 0x10000 + i * 128);
        w->kind = REQUEST_GLOBAL_WRITE;
        w->write = true;
        assert_true(l1_access(b->l1, w, b->now++).sent);
    }
}

/* What goes around the L1 goes straight to the network: full MSHRs and a full miss queue are not its business. */
static void the_bypass_road_takes_neither_mshr_nor_miss_queue(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(load(&b, i * 128).outcome, CACHE_MISS);
    assert_int_equal(l1_mshr_in_use(b.l1), 4);
    fill_miss_queue_with_stores(&b);
    b.told.answer.bypass = true;
    assert_int_equal(load(&b, 0x4000).outcome, CACHE_BYPASSED);
    assert_int_equal(b.below.out.port.ring.count, 1); /* in the network at once */
    assert_int_equal(port_peek(&b.below.out.port)->address, 0x4000);
    assert_int_equal(l1_mshr_in_use(b.l1), 4);
    assert_int_equal(l1_miss_queue_length(b.l1), 8);
    (void)drain(&b);
    finish(&b);
}

static void only_the_network_holds_up_the_bypass_road(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    HOOK(refused, on_refused);
    HOOK(refused_end, on_refused_end);
    start(&b);
    b.told.answer.bypass = true;
    mock_out_fill(&b.below, true);
    struct request *r = load_of(&b, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_NETWORK);
    assert_false(cache_refusal_lasts(CACHE_REFUSED_NETWORK)); /* nothing in the L1 tells when there is room */
    assert_int_equal(b.told.refused, 1);
    assert_int_equal(b.told.cause, CAUSE_NETWORK);
    assert_int_equal(l1_counters(b.l1)->refused_network, 3);
    assert_int_equal(l1_counters(b.l1)->global_read_refused_network, 3);
    b.told.verdict = REFUSAL_RECYCLE;
    struct request *back = load_of(&b, 0x100);
    assert_true(l1_access(b.l1, back, b.now++).recycle);
    request_free(b.pool, back);
    mock_out_fill(&b.below, false);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_BYPASSED);
    assert_int_equal(l1_counters(b.l1)->bypassed, 1);
    (void)drain(&b);
    finish(&b);
}

static void a_refused_load_may_go_around_a_full_miss_queue(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    start(&b);
    fill_miss_queue_with_stores(&b);
    b.told.verdict = REFUSAL_BYPASS;
    assert_int_equal(load(&b, 0).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.cause, CAUSE_MISS_QUEUE);
    mock_out_fill(&b.below, true);
    struct request *r = load_of(&b, 0x100);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_NETWORK);
    mock_out_fill(&b.below, false);
    (void)drain(&b);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_BYPASSED); /* it was decided, though there is room now */
    (void)drain(&b);
    finish(&b);
}

/* A replacement that lets nothing go is asked before lines, MSHRs and queues are, and never while a way is free. */
static void a_replacement_declines_before_anything_is_full(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, on_declines };
    b.told.decline = true;
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    assert_int_equal(b.told.declines_asked, 0);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_BYPASSED); /* all ways wait for a fill */
    assert_int_equal(b.told.candidates, 0);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x080).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x180).outcome, CACHE_MISS);
    fill_miss_queue_with_stores(&b);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.candidates, 3);
    b.told.decline = false;
    assert_int_equal(load(&b, 0x200).outcome, CACHE_REFUSED_MISS_QUEUE);
    (void)drain(&b);
    assert_int_equal(b.told.inserted, 4);
    finish(&b);
}

/* A dirty line is read where it is, also when only a part of it was fetched: its fetch comes back to the cache. */
static void what_a_dirty_line_serves_is_not_marked_as_bypassed(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    b.told.answer.fill_bytes = 32;
    struct request *r = load_of(&b, 0);
    r->kind = REQUEST_LOCAL_READ;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
    (void)drain(&b);
    struct request *w = load_of(&b, 0);
    w->kind = REQUEST_LOCAL_WRITE;
    w->write = true;
    assert_int_equal(l1_access(b.l1, w, b.now++).outcome, CACHE_HIT);
    request_free(b.pool, w);
    b.told.answer.bypass = true;
    r = load_of(&b, 0x60);
    r->kind = REQUEST_LOCAL_READ;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
    assert_false(r->bypass_l1);
    (void)drain(&b);
    finish(&b);
}

/* What a slice points to as long as it lives. */
struct slice_parts {
    struct l2_config config;
    struct address_map_config map;
};

/* A slice of the L2 over a mock of its channel; sets and ways 0: the defaults. */
static struct l2_slice *slice_of(struct bench *b, struct slice_parts *parts, uint32_t sets, uint32_t ways)
{
    *parts = (struct slice_parts){ 0 };
    param_defaults(l2_params, &parts->config);
    param_defaults(address_map_params, &parts->map);
    parts->map.channels = parts->map.slices_per_channel = 1;
    parts->config.sets = sets ? sets : parts->config.sets;
    parts->config.ways = ways ? ways : parts->config.ways;
    parts->config.rop_latency = 0;
    b->pool = request_pool_new();
    (void)mock_port_open(&b->below);
    struct l2_slice *s = l2_slice_new(&parts->config, 0, &parts->map, b->pool, &b->below.out.port, &b->below.up);
    l2_slice_set_hooks(s, &b->hooks);
    return s;
}

static void finish_slice(struct bench *b, struct l2_slice *s)
{
    assert_null(stat_check(&l2_stat_group, l2_slice_counters(s)));
    assert_true(l2_slice_idle(s));
    assert_int_equal(request_pool_live(b->pool), 0);
    l2_slice_free(s);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static void an_l2_passes_loads_by_and_still_updates_dirty_lines(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    struct slice_parts parts;
    struct l2_slice *s = slice_of(&b, &parts, 0, 0);
    struct request *w = load_of(&b, 0);
    w->kind = REQUEST_GLOBAL_WRITE;
    w->write = true;
    w->mask.word[0] = UINT32_MAX;
    l2_slice_push(s, w, b.now);
    for (int i = 0; i < 5; i++)
        l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    b.told.answer.bypass = true;
    l2_slice_push(s, load_of(&b, 0), b.now); /* dirty here: not passed by */
    l2_slice_push(s, load_of(&b, 0x1000), b.now);
    for (int i = 0; i < 5; i++)
        l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    assert_null(l2_slice_pop_reply(s));
    assert_int_equal(b.below.out.port.ring.count, 1);
    port_push(&b.below.up, port_pop(&b.below.out.port));
    l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    assert_int_equal(l2_slice_counters(s)->bypassed, 1);
    assert_int_equal(l2_slice_counters(s)->hits, 1);
    finish_slice(&b, s);
}

/* A replacement that lets nothing go: loads and stores pass the L2 by, atomics and write-backs of an L1 find a line all the same.
 */
static void atomics_are_done_in_the_l2_whatever_policies_say(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    b.hooks.replacement.call.declines = on_declines;
    b.told.decline = true;
    struct slice_parts parts;
    struct l2_slice *s = slice_of(&b, &parts, 1, 1);
    static const uint8_t kinds[] = { REQUEST_GLOBAL_READ, REQUEST_ATOMIC, REQUEST_L1_WRITEBACK, REQUEST_GLOBAL_READ,
                                     REQUEST_ATOMIC };
    for (uint32_t i = 0; i < 5; i++) {
        struct request *r = load_of(&b, i * 0x1000);
        r->kind = kinds[i];
        r->write = kinds[i] == REQUEST_L1_WRITEBACK;
        b.told.answer.bypass = i == 4;
        l2_slice_push(s, r, b.now);
        for (int k = 0; k < 20; k++) {
            l2_slice_cycle(s, b.now++);
            struct request *below = port_pop(&b.below.out.port);
            if (below && below->kind == REQUEST_L2_WRITEBACK)
                request_free(b.pool, below);
            else if (below)
                port_push(&b.below.up, below);
            struct request *reply = l2_slice_pop_reply(s);
            if (reply)
                request_free(b.pool, reply);
        }
    }
    assert_int_equal(l2_slice_counters(s)->atomic_misses, 2);
    assert_int_equal(l2_slice_counters(s)->l1_writeback_misses, 1);
    assert_int_equal(l2_slice_counters(s)->global_read_misses, 1);
    assert_int_equal(l2_slice_counters(s)->bypassed, 1);
    assert_int_equal(l2_slice_counters(s)->writebacks, 2);
    finish_slice(&b, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bypassed_loads_fill_nothing_and_are_asked_about_once),
        cmocka_unit_test(no_allocate_uses_hits_and_sends_misses_around),
        cmocka_unit_test(the_bypass_road_takes_neither_mshr_nor_miss_queue),
        cmocka_unit_test(only_the_network_holds_up_the_bypass_road),
        cmocka_unit_test(a_refused_load_may_go_around_a_full_miss_queue),
        cmocka_unit_test(a_replacement_declines_before_anything_is_full),
        cmocka_unit_test(what_a_dirty_line_serves_is_not_marked_as_bypassed),
        cmocka_unit_test(an_l2_passes_loads_by_and_still_updates_dirty_lines),
        cmocka_unit_test(atomics_are_done_in_the_l2_whatever_policies_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
