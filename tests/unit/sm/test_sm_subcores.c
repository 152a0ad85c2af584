/* Sub-cores: what each scheduler has for itself, and how the instructions that have units of their own are timed. */
#include "sm_bench.h"

enum { ADDS = 16, INTERVAL = 4 };

#define ADD(to, a, b)                                                                                                              \
    {                                                                                                                              \
        .class = CLASS_INT_ADD, .dst = to, .src = { a, b }                                                                         \
    }

static void two_units_for_two_schedulers(struct machine_config *m)
{
    m->l1i.perfect = true;
    m->sm.fetch_width = 4;
    m->sm.latency_int.value[0] = m->sm.interval_int.value[0] = INTERVAL;
}

static void subcores(struct machine_config *m)
{
    two_units_for_two_schedulers(m);
    m->sm.subcore_collectors = 2;
}

static void one_collector(struct machine_config *m)
{
    subcores(m);
    m->sm.latency_int.value[0] = m->sm.interval_int.value[0] = 1;
    m->sm.subcore_collectors = 1;
}

static void two_collectors(struct machine_config *m)
{
    one_collector(m);
    m->sm.subcore_collectors = 2;
}

static struct sm_counters run_of(const struct script_row *rows, uint32_t count, uint32_t threads,
                                 void (*change)(struct machine_config *))
{
    struct bench b;
    bench_open(&b, rows, count, threads, change);
    bench_run(&b);
    const struct sm_counters counters = *sm_counters(b.sm);
    bench_close(&b);
    return counters;
}

static uint64_t cycles_of_adds(uint32_t warps, void (*change)(struct machine_config *))
{
    struct script_row rows[ADDS + 1];
    for (uint32_t i = 0; i < ADDS; i++)
        rows[i] = (struct script_row)ADD((uint16_t)(10 + i), 1, 2);
    rows[ADDS] = (struct script_row)EXIT;
    return run_of(rows, ADDS + 1, warps * 32, change).cycles;
}

/* Without sub-cores a lone warp has both units. */
static void a_warp_has_the_units_of_its_scheduler_alone(void **state)
{
    (void)state;
    assert_true(cycles_of_adds(1, two_units_for_two_schedulers) < ADDS * INTERVAL / 2 + 20);
    assert_true(cycles_of_adds(1, subcores) >= ADDS * INTERVAL);
}

static void schedulers_do_not_hinder_each_other(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_adds(2, subcores), cycles_of_adds(1, subcores));
    assert_true(cycles_of_adds(3, subcores) > cycles_of_adds(2, subcores)); /* warps 0 and 2 are of one scheduler */
}

/* Of 16 banks a sub-core has 8: registers 2 and 10 lie in one of them. */
static void banks_are_divided(void **state)
{
    (void)state;
    static const struct script_row rows[] = { ADD(1, 2, 10), EXIT };
    assert_int_equal(run_of(rows, COUNT(rows), 32, two_units_for_two_schedulers).bank_conflicts, 0);
    const struct sm_counters divided = run_of(rows, COUNT(rows), 32, subcores);
    assert_true(divided.bank_conflicts > 0);
    assert_int_equal(divided.bank_reads, 2);
}

/* One instruction collects its two operands of one bank in two cycles; with a second unit the next one is taken up meanwhile. */
static void collectors_are_the_schedulers_own(void **state)
{
    (void)state;
    assert_true(cycles_of_adds(1, one_collector) > cycles_of_adds(1, two_collectors));
    assert_int_equal(cycles_of_adds(2, one_collector), cycles_of_adds(1, one_collector));
}

static uint64_t far_apart(struct script_lane lane)
{
    return 4096 + 128ull * lane.lane;
}

/* The cycle, from the first store's on, in which the last of three dependent adds after three stores issues. */
static uint64_t add_after_stores(void (*change)(struct machine_config *))
{
    static const struct script_row rows[] = {
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1, 2 }, .address = far_apart },
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1, 2 }, .address = far_apart },
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 1, 2 }, .address = far_apart },
        ADD(5, 1, 2),
        ADD(6, 5, 2),
        ADD(7, 6, 2),
        EXIT,
    };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, change);
    bench_run(&b);
    const uint64_t after = b.issued[0][5] - b.issued[0][0];
    assert_int_equal(b.writes, 3 * 32);
    bench_close(&b);
    return after;
}

enum { STORE_CYCLES = 32 }; /* of one of these stores in the LSU */

/* A store that waits for the LSU keeps a collector, and no more: arithmetic of the same scheduler goes on in the other. */
static void memory_keeps_one_collector(void **state)
{
    (void)state;
    assert_true(add_after_stores(subcores) < STORE_CYCLES);
}

/* ---- collectors that all pipes share, without sub-cores ----------------------------------------------------------------- */

static void share(struct machine_config *m, uint32_t collectors)
{
    two_units_for_two_schedulers(m);
    m->sm.shared_collectors = collectors;
}

static void share_one(struct machine_config *m)
{
    share(m, 1);
}

static void share_two(struct machine_config *m)
{
    share(m, 2);
}

/* What waits for the LSU takes a collector away from the other pipes. */
static void all_pipes_share_the_collectors(void **state)
{
    (void)state;
    assert_true(add_after_stores(two_units_for_two_schedulers) < STORE_CYCLES);
    assert_true(add_after_stores(share_two) < STORE_CYCLES);
    assert_true(add_after_stores(share_one) >= STORE_CYCLES);
}

static void shared_collectors_divide_nothing_else(void **state)
{
    (void)state;
    static const struct script_row rows[] = { ADD(1, 2, 10), EXIT };
    assert_int_equal(run_of(rows, COUNT(rows), 32, share_two).bank_conflicts, 0);
    assert_true(cycles_of_adds(1, share_two) < ADDS * INTERVAL / 2 + 20); /* both units */
}

/* Two adds of one cycle, of different banks, wait for one register. The first way out begins after unit 0, so what came second goes
 * first. */
static void one_register_before_the_units(struct machine_config *m)
{
    share(m, 2);
    m->sm.execute_width.value[PIPE_SP] = 1;
}

static void ways_out_serve_the_units_in_turn(void **state)
{
    (void)state;
    static const struct script_row rows[] = { ADD(10, 1, 4), ADD(10, 10, 3), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 2 * 32, one_register_before_the_units);
    bench_run(&b);
    assert_int_equal(b.issued[0][0], b.issued[1][0]);
    assert_int_equal(b.issued[1][1], b.issued[0][1] + 1); /* in that cycle warp 1 issued first */
    bench_close(&b);
}

static struct sm_timing timing_of(uint32_t class, void (*change)(struct sm_config *))
{
    struct machine_config *m = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(m, space);
    param_space_free(space);
    change(&m->sm);
    const struct sm_timing timing = sm_class_timing(&m->sm, class);
    machine_config_free(m);
    return timing;
}

static void with_a_branch_unit(struct sm_config *c)
{
    c->subcore_collectors = 2;
    c->latency_branch = 4;
    c->latency_barrier = 1;
    c->latency_other = c->interval_other = 3;
    c->latency_texture = 200;
}

static void without_subcores(struct sm_config *c)
{
    with_a_branch_unit(c);
    c->subcore_collectors = 0;
}

static void with_shared_collectors(struct sm_config *c)
{
    without_subcores(c);
    c->shared_collectors = 8;
}

static void plain(struct sm_config *c)
{
    without_subcores(c);
    c->latency_branch = c->latency_barrier = 0;
}

static void assert_timing(struct sm_timing got, uint32_t pipe, uint32_t latency, uint32_t interval)
{
    assert_int_equal(got.pipe, pipe);
    assert_int_equal(got.latency, latency);
    assert_int_equal(got.interval, interval);
}

static void branches_and_barriers_have_times_of_their_own(void **state)
{
    (void)state;
    static const uint8_t branches[] = { CLASS_BRANCH, CLASS_CALL, CLASS_RETURN }, ends[] = { CLASS_BARRIER, CLASS_EXIT };
    for (uint32_t i = 0; i < COUNT(branches); i++) {
        assert_timing(timing_of(branches[i], with_a_branch_unit), PIPE_BRANCH, 4, 4);
        assert_timing(timing_of(branches[i], without_subcores), PIPE_SP, 4, 4);
        assert_timing(timing_of(branches[i], plain), PIPE_SP, 3, 3);
    }
    for (uint32_t i = 0; i < COUNT(ends); i++) {
        assert_timing(timing_of(ends[i], with_a_branch_unit), PIPE_SP, 1, 1);
        assert_timing(timing_of(ends[i], plain), PIPE_SP, 3, 3);
    }
    assert_timing(timing_of(CLASS_TEXTURE, with_a_branch_unit), PIPE_TEXTURE, 200, 4);
    assert_timing(timing_of(CLASS_TEXTURE, plain), PIPE_SFU, 200, 4);
    assert_int_equal(timing_of(CLASS_TENSOR, with_a_branch_unit).pipe, PIPE_TENSOR);
    assert_int_equal(timing_of(CLASS_TENSOR, plain).pipe, PIPE_SFU);
    assert_timing(timing_of(CLASS_BRANCH, with_shared_collectors), PIPE_BRANCH, 4, 4);
}

static void what_cannot_be_divided_is_refused(void **state)
{
    (void)state;
    struct error err;
    struct machine_config *m = machine_config_new();
    struct param_space *space = param_space_new();
    machine_config_bind(m, space);
    param_space_free(space);
    m->sm.subcore_collectors = 2;
    assert_true(sm_config_check(&m->sm, &err));
    m->sm.register_banks = 15;
    assert_false(sm_config_check(&m->sm, &err));
    m->sm.register_banks = 16;
    m->sm.schedulers = 8;
    assert_false(sm_config_check(&m->sm, &err));
    m->sm.subcore_collectors = 0;
    assert_true(sm_config_check(&m->sm, &err));
    m->sm.shared_collectors = 8;
    assert_false(sm_config_check(&m->sm, &err));
    machine_config_free(m);
}

static void with_converters(struct sm_config *c)
{
    plain(c);
    c->latency_convert = 14;
    c->interval_sfu = 6;
}

static void conversions_are_moves_or_special_functions(void **state)
{
    (void)state;
    assert_timing(timing_of(CLASS_CONVERT, plain), PIPE_SP, 3, 3);
    assert_timing(timing_of(CLASS_CONVERT, with_converters), PIPE_SFU, 14, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_has_the_units_of_its_scheduler_alone),
        cmocka_unit_test(schedulers_do_not_hinder_each_other),
        cmocka_unit_test(banks_are_divided),
        cmocka_unit_test(collectors_are_the_schedulers_own),
        cmocka_unit_test(memory_keeps_one_collector),
        cmocka_unit_test(all_pipes_share_the_collectors),
        cmocka_unit_test(shared_collectors_divide_nothing_else),
        cmocka_unit_test(ways_out_serve_the_units_in_turn),
        cmocka_unit_test(branches_and_barriers_have_times_of_their_own),
        cmocka_unit_test(conversions_are_moves_or_special_functions),
        cmocka_unit_test(what_cannot_be_divided_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
