/* stream-bypass, mrpb, bypass-l1 and bypass-all. */
#include "fake_machine.h"

#include <string.h>

static bool bypasses(const struct bound *b, const struct policy_access *a)
{
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&b->instance->hooks.cache[a->level], a, &lookup);
    return lookup.bypass;
}

/* A load that the open cache misses or, with `hit`, serves. */
static void load(struct bound *b, uint32_t level, uint32_t unit, uint64_t line, bool hit)
{
    const struct policy_access a = fake_load(level, unit, line * 128, b->instance->geometry.cache[level].sets);
    const bool past = bypasses(b, &a);
    hooks_accessed(&b->instance->hooks.cache[level], &a,
                   past  ? OUTCOME_BYPASSED
                   : hit ? OUTCOME_HIT
                         : OUTCOME_MISS,
                   past ? NO_WAY : 0);
}

static bool is_closed(struct bound *b, uint32_t level, uint32_t unit)
{
    const struct policy_access far = fake_load(level, unit, 1ull << 40, 32);
    return bypasses(b, &far);
}

static void end_period(struct bound *b, uint64_t n)
{
    hooks_serial(&b->instance->hooks, n * 10000);
}

static void a_stream_closes_the_l1_and_reuse_reopens_it(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "stream-bypass", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    uint64_t line = 0;
    for (int i = 0; i < 1000; i++, line++)
        load(&b, LEVEL_L1, 3, line, false);
    assert_false(is_closed(&b, LEVEL_L1, 3)); /* not before the period ends */
    end_period(&b, 1);
    assert_true(is_closed(&b, LEVEL_L1, 3));
    assert_false(is_closed(&b, LEVEL_L1, 4)); /* each L1 by itself */
    for (int i = 0; i < 1000; i++, line++)
        load(&b, LEVEL_L1, 3, line, false);
    end_period(&b, 2);
    assert_true(is_closed(&b, LEVEL_L1, 3));
    for (int i = 0; i < 1000; i++)
        load(&b, LEVEL_L1, 3, (uint64_t)i % 64, false); /* 64 lines fit: the tags see hits */
    end_period(&b, 3);
    assert_false(is_closed(&b, LEVEL_L1, 3));
    unbind_policies(&b);
}

/* SM 3's L1 is closed, and 32 lines are loaded again and again. Between two rounds, each line is written to, or the L1 is emptied:
 * had it been open, nothing would be found. True: it was opened. */
enum between { NOTHING, STORES, FLUSHES };
static bool reopens(enum between between)
{
    struct bound b;
    bind_policies(&b, "stream-bypass", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    for (uint64_t line = 1000; line < 2000; line++)
        load(&b, LEVEL_L1, 3, line, false);
    end_period(&b, 1);
    for (int round = 0; round < 20; round++) {
        for (uint64_t line = 0; line < 32; line++)
            load(&b, LEVEL_L1, 3, line, false);
        for (uint64_t line = 0; line < 32 && between == STORES; line++) {
            struct policy_access store = fake_load(LEVEL_L1, 3, line * 128, 32);
            store.write = true;
            assert_false(bypasses(&b, &store));
        }
        if (between == FLUSHES)
            hooks_flushed(&b.instance->hooks.cache[LEVEL_L1], LEVEL_L1, 3);
    }
    end_period(&b, 2);
    const bool open = !is_closed(&b, LEVEL_L1, 3);
    unbind_policies(&b);
    return open;
}

static void tags_of_a_closed_l1_go_as_its_lines_would(void **state)
{
    (void)state;
    assert_true(reopens(NOTHING));
    assert_false(reopens(STORES));
    assert_false(reopens(FLUSHES));
}

/* All L1s miss every load, at 50 misses per kilo-instruction: thrashing, not a stream. */
static void miss_for_a_period(struct bound *b, uint64_t *line, uint64_t mpki)
{
    for (uint32_t sm = 0; sm < FAKE_SMS; sm++) {
        for (int i = 0; i < 200; i++)
            load(b, LEVEL_L1, sm, (*line)++, false);
        b->machine.totals[sm].thread_instructions += 100000;
        b->machine.totals[sm].l1_misses += 100 * mpki;
    }
}

static void a_thrashing_l1_stays_open_until_throttling_has_had_its_time(void **state)
{
    (void)state;
    struct bound b;
    const struct policy_kernel k = { .name = "k" };
    uint64_t line = 0, period = 0;
    bind_policies(&b, "stream-bypass,dwt-cs", NULL);
    hooks_kernel_start(&b.instance->hooks, &k);
    for (int i = 0; i < 8; i++) { /* dwt-cs's 3 + 3, one for the limit to show, one since periods do not begin together */
        miss_for_a_period(&b, &line, 50);
        end_period(&b, ++period);
        assert_false(is_closed(&b, LEVEL_L1, 3));
    }
    miss_for_a_period(&b, &line, 50);
    end_period(&b, ++period);
    assert_true(is_closed(&b, LEVEL_L1, 3));
    hooks_kernel_start(&b.instance->hooks, &k); /* another launch gets its time again: its L1s are opened */
    miss_for_a_period(&b, &line, 50);
    end_period(&b, ++period);
    assert_false(is_closed(&b, LEVEL_L1, 3));
    miss_for_a_period(&b, &line, 10); /* exactly the threshold: a stream */
    end_period(&b, ++period);
    assert_true(is_closed(&b, LEVEL_L1, 3));
    unbind_policies(&b);

    static const char *const at_once[] = { "policy.stream-bypass.dwt_cs_first=false", NULL };
    static const char *const shorter[] = { "policy.dwt-cs.trigger_periods=1", "policy.dwt-cs.sample_periods=1", NULL };
    static const struct {
        const char *policies;
        const char *const *settings;
        uint32_t periods;
    } cases[] = { { "stream-bypass,dwt-cs", at_once, 0 }, { "stream-bypass", NULL, 0 }, { "dwt-cs,stream-bypass", shorter, 4 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bind_policies(&b, cases[i].policies, cases[i].settings);
        hooks_kernel_start(&b.instance->hooks, &k);
        for (period = 0; !is_closed(&b, LEVEL_L1, 3) && period < 20;) {
            miss_for_a_period(&b, &line, 50);
            end_period(&b, ++period);
        }
        assert_int_equal(period, cases[i].periods + 1);
        unbind_policies(&b);
    }
}

static void the_threshold_is_strict_and_few_accesses_decide_nothing(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "stream-bypass", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    for (uint64_t i = 0; i < 1000; i++)
        load(&b, LEVEL_L1, 0, i, i % 10 == 0); /* 90 % misses: not above 90 % */
    for (uint64_t i = 0; i < 127; i++)
        load(&b, LEVEL_L1, 1, i, false); /* all missed, but fewer than min_accesses */
    for (uint64_t i = 0; i < 1000; i++)
        load(&b, LEVEL_L2, 0, i, i == 0);
    end_period(&b, 1);
    assert_false(is_closed(&b, LEVEL_L1, 0));
    assert_false(is_closed(&b, LEVEL_L1, 1));
    assert_true(is_closed(&b, LEVEL_L2, 0));
    struct policy_access atomic = fake_load(LEVEL_L2, 0, 0, 64), local = fake_load(LEVEL_L2, 0, 0, 64);
    atomic.atomic = true;
    local.local = true;
    assert_false(bypasses(&b, &atomic));
    assert_false(bypasses(&b, &local));
    unbind_policies(&b);
}

/* At an L2 slice stores count, and a miss brings only the sectors that it touches, in the tags of a closed one as well. */
static void a_slice_counts_stores_and_sectors(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "stream-bypass", NULL);
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    for (uint64_t i = 0; i < 1000; i++) {
        struct policy_access store = fake_load(LEVEL_L2, 2, i * 128, 64);
        store.write = true;
        hooks_accessed(&b.instance->hooks.cache[LEVEL_L2], &store, OUTCOME_WRITE_MISS, 0);
    }
    end_period(&b, 1);
    assert_true(is_closed(&b, LEVEL_L2, 2));
    for (uint64_t period = 2; period < 4; period++) { /* 128 lines by 4 sectors, then the same again */
        for (uint64_t i = 0; i < 512; i++) {
            struct policy_access a = fake_load(LEVEL_L2, 2, i % 128 * 128, 64);
            a.sectors = (uint8_t)(1u << i / 128);
            assert_true(bypasses(&b, &a));
        }
        end_period(&b, period);
        assert_int_equal(is_closed(&b, LEVEL_L2, 2), period == 2);
    }
    unbind_policies(&b);
}

/* Set 0 holds four lines: of five in turn none is found, of four with a fifth seldom between, those that were used last stay. The
 * tags begin empty at each closing. */
static void tags_of_a_closed_cache_are_replaced_least_recently_used_first(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "stream-bypass", (const char *const[]){ "policy.stream-bypass.threshold=0.5", NULL });
    const struct policy_kernel k = { .name = "k" };
    hooks_kernel_start(&b.instance->hooks, &k);
    for (uint64_t i = 0; i < 200; i++)
        load(&b, LEVEL_L1, 0, 1000 + i, false);
    end_period(&b, 1);
    for (uint64_t i = 0; i < 200; i++)
        load(&b, LEVEL_L1, 0, i % 5 * 32, false);
    end_period(&b, 2);
    assert_true(is_closed(&b, LEVEL_L1, 0));
    static const uint64_t turn[] = { 0, 1, 2, 0, 1, 3, 0, 1, 4 }; /* 0 and 1 are used again before they are the oldest */
    for (uint64_t i = 0; i < 207; i++)
        load(&b, LEVEL_L1, 0, turn[i % 9] * 32, false);
    end_period(&b, 3);
    assert_false(is_closed(&b, LEVEL_L1, 0));
    for (uint64_t i = 0; i < 200; i++)
        load(&b, LEVEL_L1, 0, 1000 + i, false);
    end_period(&b, 4);
    for (uint64_t i = 0; i < 128; i++) /* 65 lines that miss; lines 0 and 32 were there before */
        load(&b, LEVEL_L1, 0, i < 65 ? i : 1, false);
    end_period(&b, 5);
    assert_true(is_closed(&b, LEVEL_L1, 0));
    unbind_policies(&b);
}

static void bypass_policies_spare_local_memory(void **state)
{
    (void)state;
    struct bound l1, all;
    bind_policies(&l1, "bypass-l1", NULL);
    bind_policies(&all, "bypass-all", NULL);
    struct policy_access a = fake_load(LEVEL_L1, 0, 128, 32);
    assert_true(bypasses(&l1, &a));
    assert_true(bypasses(&all, &a));
    a.local = true;
    assert_false(bypasses(&l1, &a));
    assert_false(bypasses(&all, &a));
    const struct policy_access at_l2 = fake_load(LEVEL_L2, 0, 128, 64);
    assert_false(bypasses(&l1, &at_l2));
    assert_true(bypasses(&all, &at_l2));
    unbind_policies(&l1);
    unbind_policies(&all);
}

/* ---- mrpb ---- */

static struct request *handle(uint64_t n)
{
    return (struct request *)(uintptr_t)(n * 64);
}

static bool push(const struct bound *b, uint16_t warp, uint64_t n)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, n * 128, 32);
    a.warp = warp;
    a.request = handle(n);
    return b->instance->hooks.lsu.call.push(b->instance->hooks.lsu.self, &a);
}

/* The order in which requests leave, as numbers. */
static void expect_order(const struct bound *b, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct request *r = b->instance->hooks.lsu.call.next(b->instance->hooks.lsu.self, 0, i);
        assert_ptr_equal(r, handle(numbers[i]));
        b->instance->hooks.lsu.call.taken(b->instance->hooks.lsu.self, 0, r);
    }
    assert_null(b->instance->hooks.lsu.call.next(b->instance->hooks.lsu.self, 0, 0));
}

#define EXPECT_ORDER(b, ...)                                                                                                       \
    expect_order(b, (const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void mrpb_groups_requests_by_warp(void **state)
{
    (void)state;
    static const struct {
        const char *drain, *greedy;
        uint64_t order[6];
    } forms[] = {
        { "policy.mrpb.drain=fixed", "policy.mrpb.greedy=false", { 2, 5, 1, 3, 6, 4 } },
        { "policy.mrpb.drain=round-robin", "policy.mrpb.greedy=false", { 1, 4, 2, 3, 5, 6 } },
        { "policy.mrpb.drain=round-robin", "policy.mrpb.greedy=true", { 2, 5, 1, 3, 6, 4 } }, /* begins with queue 0 */
        { "policy.mrpb.drain=longest", "policy.mrpb.greedy=false", { 1, 2, 3, 5, 6, 4 } },    /* of equal lengths the first queue */
    };
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        struct bound b;
        bind_policies(&b, "mrpb", (const char *const[]){ forms[f].drain, forms[f].greedy, NULL });
        /* warp 3: 1 3 6; warp 0: 2 5; warp 9: 4 */
        assert_true(push(&b, 3, 1) && push(&b, 0, 2) && push(&b, 3, 3) && push(&b, 9, 4) && push(&b, 0, 5) && push(&b, 3, 6));
        expect_order(&b, forms[f].order, 6);
        unbind_policies(&b);
    }
}

static void mrpb_queues_are_bounded(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "mrpb", (const char *const[]){ "policy.mrpb.queue_requests=2", NULL });
    assert_true(push(&b, 5, 1) && push(&b, 5, 2));
    assert_false(push(&b, 5, 3));
    assert_true(push(&b, 6, 4));
    EXPECT_ORDER(&b, 1, 2, 4);
    assert_true(push(&b, 5, 3));
    EXPECT_ORDER(&b, 3);
    unbind_policies(&b);
}

/* The other reading of table 4: 32 requests in all queues together. */
static void mrpb_may_bound_all_queues_together(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "mrpb", (const char *const[]){ "policy.mrpb.buffer_requests=3", NULL });
    assert_true(push(&b, 5, 1) && push(&b, 6, 2) && push(&b, 7, 3));
    assert_false(push(&b, 8, 4));
    EXPECT_ORDER(&b, 1, 2, 3);
    assert_true(push(&b, 8, 4));
    unbind_policies(&b);
}

/* A queue holds 32 requests, what one instruction may need, and 48 warps have 48 queues (table 4). */
static void mrpb_has_the_queues_of_table_4(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "mrpb", NULL);
    uint64_t n = 1;
    for (uint16_t warp = 0; warp < 48; warp++)
        for (uint32_t i = 0; i < 32; i++)
            assert_true(push(&b, warp, n++));
    for (uint16_t warp = 0; warp < 48; warp++)
        assert_false(push(&b, warp, n));
    for (uint64_t i = 1; i < n; i++)
        b.instance->hooks.lsu.call.taken(b.instance->hooks.lsu.self, 0,
                                         b.instance->hooks.lsu.call.next(b.instance->hooks.lsu.self, 0, i));
    unbind_policies(&b);
}

static void mrpb_sorts_by_the_signature(void **state)
{
    (void)state;
    static const char *const forms[] = { "policy.mrpb.signature=cta", "policy.mrpb.signature=pc" };
    for (uint32_t f = 0; f < 2; f++) {
        struct bound b;
        bind_policies(&b, "mrpb", (const char *const[]){ forms[f], NULL });
        for (uint64_t n = 1; n <= 4; n++) {
            struct policy_access a = fake_load(LEVEL_L1, 0, n * 128, 32);
            a.warp = (uint16_t)n; /* by warps nothing would be reordered */
            a.cta = n % 2 ? 9 : 2;
            a.pc = 8 * (n % 2 ? 9 : 2);
            a.request = handle(n);
            assert_true(b.instance->hooks.lsu.call.push(b.instance->hooks.lsu.self, &a));
        }
        EXPECT_ORDER(&b, 2, 4, 1, 3);
        unbind_policies(&b);
    }
}

static void mrpb_bypasses_on_the_chosen_stalls(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        enum policy_refusal on_line, on_mshr;
    } forms[] = {
        { "policy.mrpb.bypass=none", REFUSAL_WAIT, REFUSAL_WAIT },
        { "policy.mrpb.bypass=associativity", REFUSAL_BYPASS, REFUSAL_WAIT },
        { "policy.mrpb.bypass=any", REFUSAL_BYPASS, REFUSAL_BYPASS },
    };
    for (size_t f = 0; f < 3; f++) {
        struct bound b;
        bind_policies(&b, "mrpb", (const char *const[]){ forms[f].form, NULL });
        const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
        struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
        assert_int_equal(hooks_refused(h, &a, CAUSE_LINE_ALLOC), forms[f].on_line);
        assert_int_equal(hooks_refused(h, &a, CAUSE_MSHR_ENTRY), forms[f].on_mshr);
        assert_int_equal(hooks_refused(h, &a, CAUSE_NETWORK), REFUSAL_WAIT); /* it goes around already */
        a.write = true;
        assert_int_equal(hooks_refused(h, &a, CAUSE_LINE_ALLOC), REFUSAL_WAIT);
        unbind_policies(&b);
    }
}

/* Table 4 read otherwise: 32 requests in all queues together. */
static void mrpb_can_have_one_bound_for_all_queues(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "mrpb", (const char *const[]){ "policy.mrpb.buffer_requests=3", NULL });
    assert_true(push(&b, 5, 1) && push(&b, 6, 2) && push(&b, 7, 3));
    assert_false(push(&b, 8, 4));
    const struct policy_self *self = &b.instance->self[0];
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    (void)self->policy->hardware(self->config, self->geometry, rows);
    assert_int_equal(rows[0].entries, 3);
    EXPECT_ORDER(&b, 1, 2, 3);
    assert_true(push(&b, 8, 4));
    EXPECT_ORDER(&b, 4);
    unbind_policies(&b);
}

/* What sorts requests: CTA 1 before CTA 2, or the PC's number of instruction, modulo 48 queues. */
static void mrpb_sorts_by_cta_or_pc(void **state)
{
    (void)state;
    static const char *const forms[] = { "policy.mrpb.signature=cta", "policy.mrpb.signature=pc" };
    for (size_t f = 0; f < 2; f++) {
        struct bound b;
        bind_policies(&b, "mrpb", (const char *const[]){ forms[f], NULL });
        for (uint64_t n = 1; n <= 4; n++) { /* CTAs 2 1 2 1; instructions 24 (of 48) and 6 */
            struct policy_access a = fake_load(LEVEL_L1, 0, n * 128, 32);
            a.warp = (uint16_t)n;
            a.cta = n % 2 ? 2 : 1;
            a.pc = n % 2 ? 8 * 24 : 8 * 6;
            a.request = handle(n);
            assert_true(b.instance->hooks.lsu.call.push(b.instance->hooks.lsu.self, &a));
        }
        EXPECT_ORDER(&b, 2, 4, 1, 3);
        unbind_policies(&b);
    }
}

/* A load that goes around already waits for the network, and loads of local memory wait for the L1. */
static void mrpb_sends_nothing_around_twice(void **state)
{
    (void)state;
    struct bound b;
    bind_policies(&b, "mrpb", (const char *const[]){ "policy.mrpb.bypass=any", NULL });
    const struct cache_hooks *h = &b.instance->hooks.cache[LEVEL_L1];
    struct policy_access a = fake_load(LEVEL_L1, 0, 0, 32);
    assert_int_equal(hooks_refused(h, &a, CAUSE_NETWORK), REFUSAL_WAIT);
    assert_int_equal(hooks_refused(h, &a, CAUSE_MISS_QUEUE), REFUSAL_BYPASS);
    a.local = true;
    assert_int_equal(hooks_refused(h, &a, CAUSE_MISS_QUEUE), REFUSAL_WAIT);
    unbind_policies(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_closes_the_l1_and_reuse_reopens_it),
        cmocka_unit_test(tags_of_a_closed_l1_go_as_its_lines_would),
        cmocka_unit_test(a_thrashing_l1_stays_open_until_throttling_has_had_its_time),
        cmocka_unit_test(the_threshold_is_strict_and_few_accesses_decide_nothing),
        cmocka_unit_test(a_slice_counts_stores_and_sectors),
        cmocka_unit_test(tags_of_a_closed_cache_are_replaced_least_recently_used_first),
        cmocka_unit_test(bypass_policies_spare_local_memory),
        cmocka_unit_test(mrpb_groups_requests_by_warp),
        cmocka_unit_test(mrpb_queues_are_bounded),
        cmocka_unit_test(mrpb_may_bound_all_queues_together),
        cmocka_unit_test(mrpb_has_the_queues_of_table_4),
        cmocka_unit_test(mrpb_sorts_by_the_signature),
        cmocka_unit_test(mrpb_bypasses_on_the_chosen_stalls),
        cmocka_unit_test(mrpb_can_have_one_bound_for_all_queues),
        cmocka_unit_test(mrpb_sorts_by_cta_or_pc),
        cmocka_unit_test(mrpb_sends_nothing_around_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
