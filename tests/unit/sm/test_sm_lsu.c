/* The load/store unit of one SM: coalescing into requests, replies into registers, conflicts, and what holds it back. */
#include "sm_bench.h"

static uint64_t in_a_row(struct script_lane l)
{
    return 0x10000 + 4 * l.lane;
}
static uint64_t one_sector(struct script_lane l)
{
    return 0x10000 + 4 * (l.lane % 8);
}
static uint64_t line_each(struct script_lane l)
{
    return 0x10000 + 128 * l.lane;
}
static uint64_t same_bank(struct script_lane l)
{
    return 128 * l.lane;
}
static uint64_t bank_each(struct script_lane l)
{
    return 4 * l.lane;
}

static void a_load_is_back_after_the_memory_has_answered(void **state)
{
    (void)state;
    static const struct script_row rows[] = { LOAD(1, in_a_row), USE(1), EXIT };
    uint64_t wait[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct bench b;
        bench_open(&b, rows, COUNT(rows), 32, NULL);
        b.answer_cycles = i ? 300 : 200;
        bench_run(&b);
        assert_int_equal(b.reads, 1); /* a row of words is one line */
        wait[i] = b.issued[0][1] - b.issued[0][0];
        assert_true(wait[i] > b.answer_cycles);
        bench_close(&b);
    }
    assert_int_equal(wait[1], wait[0] + 100);
}

static void scattered_lanes_make_a_request_each(void **state)
{
    (void)state;
    static const struct script_row rows[] = { LOAD(1, line_each), USE(1), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    bench_run(&b);
    assert_int_equal(b.reads, 32);
    assert_int_equal(sm_counters(b.sm)->transactions, 32);
    assert_int_equal(sm_l1_counters(b.sm)->misses, 32);
    bench_close(&b);
}

static void a_second_load_of_a_line_hits(void **state)
{
    (void)state;
    static const struct script_row rows[] = { LOAD(1, in_a_row), USE(1), LOAD(2, in_a_row), USE(2), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    bench_run(&b);
    assert_int_equal(b.reads, 1);
    assert_int_equal(sm_l1_counters(b.sm)->hits, 1);
    assert_true(b.issued[0][3] - b.issued[0][2] < 60); /* no way to memory */
    bench_close(&b);
}

static uint32_t extra_probe_cycles;
static uint32_t probe_cycles(struct policy_self *self, uint32_t sm)
{
    (void)self, (void)sm;
    return extra_probe_cycles;
}

/* `wait`: cycles from a load that hits to its use. Scattered hits after it show how many go through the pipeline per cycle. */
static void measure_probes(uint32_t cycles, uint64_t *wait, uint64_t *many)
{
    static const struct script_row rows[] = {
        LOAD(1, in_a_row), USE(1), LOAD(2, in_a_row), USE(2), LOAD(3, line_each), USE(3), LOAD(4, line_each), USE(4), EXIT
    };
    static struct policy_hooks hooks;
    struct bench b;
    hooks = (struct policy_hooks){ 0 };
    hooks.cache[LEVEL_L1].probe_cycles.count = 1;
    hooks.cache[LEVEL_L1].probe_cycles.hook[0].call = probe_cycles;
    extra_probe_cycles = cycles;
    bench_hooks = cycles ? &hooks : NULL;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    bench_run(&b);
    *wait = b.issued[0][3] - b.issued[0][2];
    *many = b.issued[0][7] - b.issued[0][6];
    bench_close(&b);
    bench_hooks = NULL;
}

static void a_longer_probe_delays_and_does_not_thin_out(void **state)
{
    (void)state;
    uint64_t plain, plain_many;
    measure_probes(0, &plain, &plain_many);
    for (uint32_t cycles = 1; cycles <= POLICY_PROBE_MAX + 4; cycles += 4) {
        const uint64_t longer = cycles < POLICY_PROBE_MAX ? cycles : POLICY_PROBE_MAX; /* no policy may ask for more */
        uint64_t wait, many;
        measure_probes(cycles, &wait, &many);
        assert_int_equal(wait, plain + longer);
        assert_int_equal(many, plain_many + longer); /* 32 accesses are as close behind each other as ever */
    }
}

static void conflicts_between_shared_banks_take_a_cycle_each(void **state)
{
    (void)state;
    static const struct script_row free_way[] = {
        { .class = CLASS_LOAD, .space = SPACE_SHARED, .bytes = 4, .dst = 1, .src = { 9 }, .address = bank_each }, USE(1), EXIT
    };
    static const struct script_row conflict[] = {
        { .class = CLASS_LOAD, .space = SPACE_SHARED, .bytes = 4, .dst = 1, .src = { 9 }, .address = same_bank }, USE(1), EXIT
    };
    uint64_t wait[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct bench b;
        bench_open(&b, i ? conflict : free_way, 3, 32, NULL);
        bench_run(&b);
        assert_int_equal(b.reads, 0);
        wait[i] = b.issued[0][1] - b.issued[0][0];
        assert_int_equal(sm_counters(b.sm)->stall_shared, i ? 31 : 0);
        bench_close(&b);
    }
    assert_int_equal(wait[1], wait[0] + 31);
}

static uint64_t one_word(struct script_lane l)
{
    (void)l;
    return 64;
}

static void atomics_in_turn(struct machine_config *m)
{
    m->sm.shared_atomics_in_turn = true;
}

/* Loads of one word stay one access; so do atomics where they do not take turns. */
static void atomics_on_one_shared_word_may_take_turns(void **state)
{
    (void)state;
    static const struct script_row load[] = {
        { .class = CLASS_LOAD, .space = SPACE_SHARED, .bytes = 4, .dst = 1, .src = { 9 }, .address = one_word }, USE(1), EXIT
    };
    static const struct script_row atomic[] = {
        { .class = CLASS_ATOMIC, .space = SPACE_SHARED, .bytes = 4, .dst = 1, .src = { 9 }, .address = one_word }, USE(1), EXIT
    };
    static const struct script_row apart[] = {
        { .class = CLASS_ATOMIC, .space = SPACE_SHARED, .bytes = 4, .dst = 1, .src = { 9 }, .address = bank_each }, USE(1), EXIT
    };
    static const struct {
        const struct script_row *rows;
        bool in_turn;
        uint32_t stalled;
    } cases[] = { { load, true, 0 }, { atomic, false, 0 }, { atomic, true, 31 }, { apart, true, 0 } };
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        struct bench b;
        bench_open(&b, cases[i].rows, 3, 32, cases[i].in_turn ? atomics_in_turn : NULL);
        bench_run(&b);
        assert_int_equal(sm_counters(b.sm)->stall_shared, cases[i].stalled);
        bench_close(&b);
    }
}

/* Of one sector: a slice answers each of a line's sectors, and so would the bench have to. */
static void a_store_leaves_and_nobody_waits_for_it(void **state)
{
    (void)state;
    static const struct script_row rows[] = {
        { .class = CLASS_STORE, .space = SPACE_GLOBAL, .bytes = 4, .src = { 8, 9 }, .address = one_sector }, USE(3), EXIT
    };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    b.answer_cycles = 400;
    bench_run(&b);
    assert_int_equal(b.writes, 1);
    assert_true(b.issued[0][1] - b.issued[0][0] < 50);
    bench_close(&b);
}

static void a_full_network_holds_requests_and_loses_none(void **state)
{
    (void)state;
    static const struct script_row rows[] = { LOAD(1, line_each), USE(1), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    while (!b.issued[0][0])
        bench_cycle(&b);
    mock_out_fill(&b.below, true);
    for (uint32_t i = 0; i < 500; i++)
        bench_cycle(&b);
    assert_int_equal(b.reads, 0);
    assert_true(sm_l1_counters(b.sm)->refused_miss_queue > 0);
    mock_out_fill(&b.below, false);
    bench_run(&b);
    assert_int_equal(b.reads, 32);
    assert_true(b.issued[0][1] > b.issued[0][0] + 500);
    bench_close(&b);
}

/* The bench visits the SM in every cycle; a machine would not, and relies on the bit. */
static void what_comes_from_outside_wakes_it(void **state)
{
    (void)state;
    static const struct script_row rows[] = { LOAD(1, in_a_row), USE(1), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, NULL);
    assert_int_equal(b.woken, 1); /* a CTA */
    while (sm_active(b.sm)) {
        const uint32_t answered = b.answered;
        b.woken = 0;
        bench_cycle(&b);
        assert_int_equal(b.woken, b.answered > answered); /* instructions and data */
    }
    b.woken = 0;
    sm_policy_regate(b.sm);
    assert_int_equal(b.woken, 1);
    bench_close(&b);
}

static uint64_t sector_each(struct script_lane l)
{
    return 0x10000 + 32 * l.lane;
}

static void set_sectors(struct machine_config *m)
{
    m->l1.sectored = m->l1.sector_requests = true;
    m->l1.sets = 4;
    m->l1.ways = 64;
    m->l1.index = 0;
}
static void set_banks(struct machine_config *m)
{
    set_sectors(m);
    m->l1.banks = 4;
}

/* From a load that hits to its use; the load before it brought the data. */
static uint64_t hit_cycles(uint64_t (*where)(struct script_lane), void (*change)(struct machine_config *), uint32_t transactions)
{
    const struct script_row rows[] = { LOAD(1, where), USE(1), LOAD(2, where), USE(2), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 32, change);
    bench_run(&b);
    assert_int_equal(sm_counters(b.sm)->transactions, 2 * transactions);
    assert_int_equal(sm_l1_counters(b.sm)->hits, transactions);
    const uint64_t cycles = b.issued[0][3] - b.issued[0][2];
    bench_close(&b);
    return cycles;
}

static void sectors_go_to_four_banks_at_once(void **state)
{
    (void)state;
    assert_int_equal(hit_cycles(in_a_row, set_sectors, 4), hit_cycles(in_a_row, set_banks, 4) + 3);
    assert_int_equal(hit_cycles(sector_each, set_sectors, 32), hit_cycles(sector_each, set_banks, 32) + 24);
    assert_int_equal(hit_cycles(line_each, set_sectors, 32), hit_cycles(line_each, set_banks, 32)); /* all in one bank */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_is_back_after_the_memory_has_answered),
        cmocka_unit_test(scattered_lanes_make_a_request_each),
        cmocka_unit_test(a_second_load_of_a_line_hits),
        cmocka_unit_test(a_longer_probe_delays_and_does_not_thin_out),
        cmocka_unit_test(conflicts_between_shared_banks_take_a_cycle_each),
        cmocka_unit_test(atomics_on_one_shared_word_may_take_turns),
        cmocka_unit_test(a_store_leaves_and_nobody_waits_for_it),
        cmocka_unit_test(a_full_network_holds_requests_and_loses_none),
        cmocka_unit_test(what_comes_from_outside_wakes_it),
        cmocka_unit_test(sectors_go_to_four_banks_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
