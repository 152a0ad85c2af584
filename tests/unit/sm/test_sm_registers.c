/* The register file of one SM as policies see it: who has which registers, accesses at the banks, when a CTA is drained, requests
 * that go first, and loads that a policy answers when it likes. */
#include "policy/hooks.h"
#include "sm_bench.h"

static uint64_t in_a_row(struct script_lane l)
{
    return 0x10000 + 4 * l.lane;
}
static uint64_t line_each(struct script_lane l)
{
    return 0x10000 + 128 * l.lane;
}

static struct {
    struct policy_hooks hooks;
    struct policy_self self;
    uint64_t done_at[8], drained_at, injected_at; /* register accesses by token */
    struct request *held;
    struct sm *sm;
    bool gate;
} told;

static void register_done(struct policy_self *self, const struct policy_sm_view *v, uint64_t token)
{
    (void)self;
    told.done_at[token] = v->cycle;
    if (token == 5) /* and another one at once, which may get the place of this one */
        assert_true(sm_policy_access_register(told.sm, 9, true, 0, 6, v->cycle));
}
static void drained(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    (void)self, (void)cta;
    assert_int_equal(cta_slot, 0);
    told.drained_at = v->cycle;
}
static void injected(struct policy_self *self, const struct policy_sm_view *v, uint64_t token)
{
    (void)self;
    assert_int_equal(token, 77);
    told.injected_at = v->cycle;
}
static void serve(struct policy_self *self, const struct policy_access *a, struct policy_serve *answer)
{
    (void)self;
    told.held = a->request;
    *answer = (struct policy_serve){ .served = true, .later = true };
}
static void gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *g)
{
    (void)self, (void)v;
    g->run = told.gate ? 0 : g->run;
}

#define HOOK(table, function) (table.hook[table.count++] = (__typeof__(table.hook[0])){ function, &told.self })

static void open(struct bench *b, const struct script_row *rows, uint32_t count, uint32_t threads, bool serves)
{
    memset(&told, 0, sizeof told);
    HOOK(told.hooks.register_done, register_done);
    HOOK(told.hooks.cta_drained, drained);
    HOOK(told.hooks.injected, injected);
    HOOK(told.hooks.warp_gate, gate);
    if (serves)
        HOOK(told.hooks.cache[LEVEL_L1].serve, serve);
    bench_hooks = &told.hooks;
    bench_open(b, rows, count, threads, NULL);
    bench_hooks = NULL;
}

static const struct script_row one_load[] = { LOAD(1, in_a_row), USE(1), EXIT };

static void a_cta_has_a_range_of_registers_that_can_be_taken_away(void **state)
{
    (void)state;
    struct bench b;
    open(&b, one_load, COUNT(one_load), 96, false);
    struct policy_registers r = sm_policy_cta_registers(b.sm, 0);
    const uint32_t all = b.machine->sm.registers, count = r.count;
    assert_int_equal(r.first, 0);
    assert_int_equal(count, 3 * ((b.front->launch.registers_per_thread + 3) & ~3u)); /* three warps */
    assert_true(count > 0);
    assert_int_equal(sm_policy_free_registers(b.sm), all - 32 * count);
    assert_int_equal(sm_policy_cta_registers(b.sm, 1).count, 0); /* no such CTA */
    sm_policy_release_registers(b.sm, 0);
    assert_int_equal(sm_policy_cta_registers(b.sm, 0).count, 0);
    assert_int_equal(sm_policy_free_registers(b.sm), all);
    assert_null(sm_registers_broken(b.sm));
    assert_true(sm_policy_take_registers(b.sm, 0));
    assert_int_equal(sm_policy_cta_registers(b.sm, 0).count, count);
    bench_run(&b);
    const struct sm_counters *c = sm_counters(b.sm);
    assert_int_equal(c->register_cycles, (c->cycles - 1) * count); /* it ends in the last cycle */
    assert_int_equal(c->register_cycles_held, 0);
    bench_close(&b);
}

static void a_warp_without_registers_is_noticed(void **state)
{
    (void)state;
    struct bench b;
    open(&b, one_load, COUNT(one_load), 32, false);
    while (!b.issued[0][0])
        bench_cycle(&b);
    sm_policy_release_registers(b.sm, 0); /* too early: its load is under way */
    assert_non_null(strstr(sm_registers_broken(b.sm), "no registers"));
    assert_true(sm_policy_take_registers(b.sm, 0));
    assert_null(sm_registers_broken(b.sm));
    bench_run(&b);
    bench_close(&b);
}

static void a_cta_is_drained_when_its_load_is_back(void **state)
{
    (void)state;
    struct bench b;
    open(&b, one_load, COUNT(one_load), 32, false);
    while (!b.issued[0][0])
        bench_cycle(&b);
    told.gate = true;
    sm_policy_regate(b.sm);
    sm_policy_drain_cta(b.sm, 0);
    for (uint32_t i = 0; i < 400; i++)
        bench_cycle(&b);
    assert_true(told.drained_at > b.issued[0][0] + b.answer_cycles);
    assert_true(told.drained_at < b.issued[0][0] + b.answer_cycles + 60);
    assert_int_equal(b.issued[0][1], 0); /* held back, though its register is there */
    assert_true(sm_counters(b.sm)->register_cycles_held > 0);
    told.drained_at = 0;
    sm_policy_drain_cta(b.sm, 0); /* as it is already: told in the next cycle */
    bench_cycle(&b);
    assert_int_equal(told.drained_at, b.now);
    told.gate = false;
    sm_policy_regate(b.sm);
    bench_run(&b);
    assert_true(b.issued[0][1] > told.drained_at);
    bench_close(&b);
}

/* Banks 3, 3, 3 and 4: a read after its delay, writes to one bank one after the other and before a read of it. */
static void accesses_queue_at_their_banks(void **state)
{
    (void)state;
    struct bench b;
    open(&b, one_load, COUNT(one_load), 32, false);
    while (!b.issued[0][0])
        bench_cycle(&b);
    for (uint32_t i = 0; i < 40; i++) /* the SM waits for memory alone */
        bench_cycle(&b);
    const uint64_t banks = b.machine->sm.register_banks, at = b.now;
    assert_true(sm_policy_access_register(b.sm, 3, true, 0, 0, at));
    assert_true(sm_policy_access_register(b.sm, (uint32_t)(3 + banks), true, 0, 1, at));
    assert_true(sm_policy_access_register(b.sm, 3, false, 0, 2, at));
    assert_true(sm_policy_access_register(b.sm, 4, false, 5, 3, at));
    for (uint32_t i = 0; i < 10; i++)
        bench_cycle(&b);
    assert_int_equal(told.done_at[0], at + 1);
    assert_int_equal(told.done_at[1], at + 2);
    assert_int_equal(told.done_at[2], at + 3);
    assert_int_equal(told.done_at[3], at + 5);
    assert_int_equal(sm_counters(b.sm)->policy_reads, 2);
    assert_int_equal(sm_counters(b.sm)->policy_writes, 2);
    assert_int_equal(sm_counters(b.sm)->bank_conflicts, 3); /* the second write once, the read twice */
    told.sm = b.sm;
    assert_true(sm_policy_access_register(b.sm, 7, true, 0, 5, b.now));
    bench_cycle(&b);
    bench_cycle(&b);
    assert_int_equal(told.done_at[6], told.done_at[5] + 1);
    for (uint32_t i = 0; i < POLICY_ACCESS_MAX; i++)
        assert_true(sm_policy_access_register(b.sm, i, false, 1, 0, b.now));
    assert_false(sm_policy_access_register(b.sm, 0, false, 1, 0, b.now));
    bench_run(&b);
    bench_close(&b);
}

/* The answer to the policy's own read comes as soon as it was sent; 32 misses are in the L1's queue before it. */
static uint64_t cycles_to_inject(bool first)
{
    static const struct script_row rows[] = { LOAD(1, line_each), USE(1), EXIT };
    struct bench b;
    open(&b, rows, COUNT(rows), 32, false);
    while (!b.issued[0][0])
        bench_cycle(&b);
    mock_out_fill(&b.below, true); /* what the L1 wants to send piles up */
    for (uint32_t i = 0; i < 40; i++)
        bench_cycle(&b);
    assert_true(sm_policy_inject(b.sm, 0x900000, 128, false, first, 77, b.now));
    bench_cycle(&b);
    mock_out_fill(&b.below, false);
    bench_cycle(&b);
    const struct request *r = port_peek(&b.below.out.port);
    const uint64_t kind = r ? r->kind : 99;
    bench_run(&b);
    assert_true(told.injected_at > 0);
    bench_close(&b);
    return kind;
}

static void an_injection_may_go_before_the_l1s_misses(void **state)
{
    (void)state;
    assert_int_equal(cycles_to_inject(false), REQUEST_GLOBAL_READ);
    assert_int_equal(cycles_to_inject(true), REQUEST_POLICY);
}

static void a_load_served_later_waits_for_its_policy(void **state)
{
    (void)state;
    struct bench b;
    open(&b, one_load, COUNT(one_load), 32, true);
    for (uint32_t i = 0; i < 3000; i++)
        bench_cycle(&b);
    assert_non_null(told.held);
    assert_true(b.issued[0][0] && !b.issued[0][1]);
    assert_int_equal(b.reads, 0); /* nothing went to memory */
    const uint64_t at = b.now;
    sm_policy_deliver(b.sm, told.held, at);
    bench_run(&b);
    assert_true(b.issued[0][1] > at && b.issued[0][1] < at + 20);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cta_has_a_range_of_registers_that_can_be_taken_away),
        cmocka_unit_test(a_warp_without_registers_is_noticed),
        cmocka_unit_test(a_cta_is_drained_when_its_load_is_back),
        cmocka_unit_test(accesses_queue_at_their_banks),
        cmocka_unit_test(an_injection_may_go_before_the_l1s_misses),
        cmocka_unit_test(a_load_served_later_waits_for_its_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
