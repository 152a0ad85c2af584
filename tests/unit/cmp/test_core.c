/* The timing of a core, worked out by hand: width, dependences, latencies, misses side by side and one after the other, window,
 * store buffer, MSHRs. Traces are written here, a handful of instructions each; memory is a DDR3 channel whose first access to a
 * bank takes ACTIVATE + READ = 11 + 11 clocks of 1.25 ns, and a precharge of 11 before where another row is open. */
#include "../cmocka_all.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../test_folder.h"
#include "cmp/core.h"
#include "cmp/page_map.h"
#include "cmp/shared_cache.h"
#include "table_2_3.h"

enum { MOST = 4096 };
static struct cpu_inst program[MOST];
static uint32_t length;

static struct cpu_inst *add(uint8_t dest, uint8_t source)
{
    struct cpu_inst *i = &program[length];
    *i = (struct cpu_inst){ .pc = 0x400000 + (uint64_t)(length % 16) * 4, .dest = { dest }, .source = { source } };
    length++;
    return i;
}

static struct cpu_inst *add_load(uint8_t dest, uint8_t source, uint64_t address)
{
    struct cpu_inst *i = add(dest, source);
    i->address[CPU_STORES] = address;
    return i;
}

struct outcome {
    struct cpu_counters cpu;
    struct llc_counters llc;
};

static struct outcome run_program(const struct cmp_machine *machine, bool functional)
{
    struct error err = { 0 };
    struct outcome o;
    struct cpu_trace_writer *w = cpu_trace_writer_open("p.wct", "p.wct", &err);
    assert_true(cpu_trace_write(w, program, length, &err) && cpu_trace_writer_close(w, &err));
    struct cpu_trace *trace = cpu_trace_open("p.wct", &err);
    struct cmp *cmp = cmp_new(machine, NULL, &trace, 1, &(struct cmp_limits){ .functional = functional }, &err);
    if (!cmp || !cmp_run(cmp, &err))
        fail_msg("%s", err.text);
    uint32_t groups;
    (void)cmp_stat_groups(cmp, &groups);
    assert_int_equal(groups, 3);
    struct dram_counters dram;
    void *const counters[] = { &o.cpu, &o.llc, &dram };
    assert_true(cmp_core_counters(cmp, 0, counters).complete);
    cmp_free(cmp);
    cpu_trace_free(trace);
    (void)unlink("p.wct");
    return o;
}

/* What `fill` takes behind a warm-up of 64 plain instructions, so that the first line of instructions is there. */
static uint64_t cycles_of(void (*fill)(void), const struct cmp_machine *machine)
{
    struct cmp_machine m = *machine;
    m.cmp.warmup = 64;
    length = 0;
    for (uint32_t i = 0; i < 64; i++)
        (void)add(0, 0);
    fill();
    return run_program(&m, false).cpu.cycles;
}

static void independent(void)
{
    for (uint32_t i = 0; i < 400; i++)
        (void)add((uint8_t)(3 + i % 8), 0);
}
static void chain(void)
{
    for (uint32_t i = 0; i < 400; i++)
        (void)add(3, 3);
}
static void divisions(void)
{
    for (uint32_t i = 0; i < 100; i++)
        add(3, 3)->kind = CPU_DIVIDE << CPU_CLASS_SHIFT;
}

static void four_independent_instructions_per_cycle(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    assert_int_equal(cycles_of(independent, &m), 100);
}
static void a_chain_goes_one_by_one(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    assert_in_range(cycles_of(chain, &m), 400, 402);
}
static void latencies_are_those_of_the_class(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    assert_in_range(cycles_of(divisions, &m), 2000, 2022);
}

/* ---- misses ---- */

static void one_miss(void)
{
    (void)add_load(3, 0, 0x10000000);
}
static void two_side_by_side(void)
{
    (void)add_load(3, 0, 0x10000000);
    (void)add_load(4, 0, 0x20000000);
}
static void two_in_a_row(void)
{
    (void)add_load(3, 0, 0x10000000);
    (void)add_load(4, 3, 0x20000000);
}
static void two_of_one_line(void)
{
    (void)add_load(3, 0, 0x10000000);
    (void)add_load(4, 0, 0x10000008);
}

/* Dispatch at 0, issue at 1, look-ups 1 + 10 + 30, memory: 22 clocks are 27.5 cycles, and a few clocks more on the way through the
 * channel's queues; the last plain instruction retired at 1. */
static void a_miss_takes_the_levels_and_memory(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    const uint64_t plain = cycles_of(one_miss, &m);
    assert_in_range(plain, 41 + 28, 41 + 28 + 6);
    struct cmp_machine far = m;
    far.cmp.l3.latency += 100;
    assert_int_equal(cycles_of(one_miss, &far), plain + 100);
    far.cmp.l2.latency += 50;
    assert_int_equal(cycles_of(one_miss, &far), plain + 150);
}

/* Each instruction in a page of its own, at its beginning, sixteen pages in turn: they lie in two sets of the L1I, which have eight
 * ways together, and fit into the L2. The first time round they come from memory, then from the L2. */
static void far_instructions(void)
{
    for (uint32_t i = 0; i < 80; i++)
        add((uint8_t)(3 + i % 8), 0)->pc = 0x800000 + (uint64_t)(i % 16) * 4096;
}

/* The L1I's look-up comes before the L2's, as the L1D's does: what it takes longer, each line that is fetched takes longer. */
static void a_fetch_takes_the_levels_too(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    const uint64_t plain = cycles_of(far_instructions, &m);
    struct cmp_machine slow = m;
    slow.cmp.l1i.latency += 10; /* eight clocks of memory */
    assert_int_equal(cycles_of(far_instructions, &slow), plain + 10 * 80);
    slow = m;
    slow.cmp.l1d.latency += 10; /* no data are loaded */
    assert_int_equal(cycles_of(far_instructions, &slow), plain);
}

static void independent_misses_overlap(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    const uint64_t one = cycles_of(one_miss, &m);
    assert_in_range(cycles_of(two_side_by_side, &m), one, one + 20);
    assert_in_range(cycles_of(two_in_a_row, &m), 2 * one - 4, 2 * one + 18);
    assert_in_range(cycles_of(two_of_one_line, &m), one, one + 1);
}

static void with_one_mshr_they_do_not(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    const uint64_t one = cycles_of(one_miss, &m);
    m.cmp.mshrs = 1;
    assert_in_range(cycles_of(two_side_by_side, &m), 2 * one - 20, 2 * one + 4);
}

static void miss_and_more(void)
{
    (void)add_load(3, 0, 0x10000000);
    for (uint32_t i = 0; i < 127; i++)
        (void)add((uint8_t)(4 + i % 8), 0);
    (void)add_load(20, 0, 0x20000000); /* the 129th: it enters when the first has left */
}

static void the_window_holds_128(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    const uint64_t one = cycles_of(one_miss, &m);
    assert_in_range(cycles_of(miss_and_more, &m), 2 * one - 4, 2 * one + 18);
    m.cmp.rob = 256;
    assert_in_range(cycles_of(miss_and_more, &m), one + 28, one + 60);
}

static void a_window_full_of_finished(void)
{
    (void)add_load(3, 0, 0x10000000);
    for (uint32_t i = 0; i < 127; i++)
        (void)add((uint8_t)(4 + i % 8), 0);
}

/* They wait for the load and then retire four at a time: 31 cycles more. */
static void four_retire_per_cycle(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    assert_int_equal(cycles_of(a_window_full_of_finished, &m), cycles_of(one_miss, &m) + 31);
}

/* The L3 has one set of two lines. While both are on their way none may leave: a third load goes around the cache. */
static void lines_on_their_way_stay(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    m.cmp.l3 = (struct cmp_cache_config){ .bytes = 2 * CMP_LINE_BYTES, .ways = 2, .latency = 30 };
    m.cmp.warmup = 64;
    length = 0;
    for (uint32_t i = 0; i < 64; i++)
        (void)add(0, 0);
    for (uint32_t i = 0; i < 3; i++)
        (void)add_load((uint8_t)(3 + i), 0, 0x10000000 + i * 0x100000);
    const struct outcome o = run_program(&m, false);
    assert_int_equal(o.llc.misses, 3);
    assert_int_equal(o.llc.bypassed, 1);
    assert_int_equal(o.llc.evictions, 1); /* of the line of instructions */
}

/* A store to a line that a load brought: when eight others push it out of its set, it is written back. */
static void a_store_that_hits_makes_the_line_dirty(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    for (uint32_t stored = 0; stored < 2; stored++) {
        length = 0;
        (void)add_load(3, 0, 0x10000000);
        if (stored)
            add(0, 3)->address[0] = 0x10000000;
        for (uint32_t i = 1; i <= 8; i++)
            (void)add_load(4, 0, 0x10000000 + i * 4096);
        const struct outcome o = run_program(&m, true);
        assert_int_equal(o.cpu.l1d_misses, 9);
        assert_int_equal(o.cpu.l1d_writebacks, stored);
    }
}

/* L1D of one line, L2 of two, L3 of one, all close to the core. A and B are in the L2, and dirty or not; C and D push them out. The
 * L3's line is on its way to C then, so that D, A and B go straight to memory, which serves in order. */
static uint64_t cycles_in_memory(const struct cmp_machine *m, bool dirty)
{
    static const uint64_t page = 0x10000000;
    length = 0;
    for (uint32_t step = 0; step < 3; step++) { /* A and B, A and B again, C and D */
        struct cpu_inst *i = add((uint8_t)(4 + step), 0);
        uint64_t *address = &i->address[dirty && step == 1 ? 0 : CPU_STORES];
        address[0] = page + (step / 2 * 2) * CMP_LINE_BYTES;
        address[1] = address[0] + CMP_LINE_BYTES;
        for (uint32_t wait = 0; wait < 400; wait++)
            (void)add(3, 3);
    }
    return run_program(m, false).llc.miss_cycles;
}

/* What leaves an L2 reaches the shared cache no earlier than the read that pushes it out, and does not hold that up in memory. */
static void write_backs_follow_their_reads(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    m.cmp.l1d = (struct cmp_cache_config){ .bytes = CMP_LINE_BYTES, .ways = 1, .latency = 1 };
    m.cmp.l2 = (struct cmp_cache_config){ .bytes = 2 * CMP_LINE_BYTES, .ways = 2, .latency = 2 };
    m.cmp.l3 = (struct cmp_cache_config){ .bytes = CMP_LINE_BYTES, .ways = 1, .latency = 3 };
    assert_int_equal(cycles_in_memory(&m, true), cycles_in_memory(&m, false));
}

/* The same page of two programs lies at two places; that of one program always at one. */
static void each_core_has_its_own_pages(void **state)
{
    (void)state;
    struct page_map map[3];
    for (uint32_t i = 0; i < 3; i++)
        page_map_init(&map[i], 88172645463325252, i % 2);
    uint32_t alike = 0;
    for (uint64_t page = 1; page <= 10000; page++) {
        const uint64_t place = page_map_draw(&map[0], page);
        alike += place == page_map_draw(&map[1], page);
        assert_int_equal(place, page_map_draw(&map[2], page));
        assert_int_equal(place, page_map_draw(&map[0], page));
    }
    assert_true(alike < 3);
    for (uint32_t i = 0; i < 3; i++)
        page_map_clear(&map[i]);
}

static void stores(void)
{
    for (uint32_t i = 0; i < 5; i++)
        add(0, 3)->address[0] = 0x10000000 + (uint64_t)i * 4096;
    (void)add(4, 0);
}

/* Stores do not hold up what follows, unless their buffer is full. */
static void stores_wait_in_their_buffer(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    assert_in_range(cycles_of(stores, &m), 2, 8);
    m.cmp.store_buffer = 2;
    assert_in_range(cycles_of(stores, &m), 2 * 70, 3 * 110);
}

static void coin_branches(void)
{
    uint32_t s = 1;
    for (uint32_t i = 0; i < 400; i++) {
        struct cpu_inst *b = add(CPU_REG_IP, CPU_REG_FLAGS);
        s = s * 1664525u + 1013904223u;
        b->kind = CPU_BRANCH;
        b->taken = (uint8_t)(s >> 31);
    }
}

/* Some half of them are wrong, and each costs the way from its result to the next dispatch. */
static void a_wrong_branch_costs_the_redirect(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    const uint64_t twelve = cycles_of(coin_branches, &m);
    m.cmp.redirect = 22;
    const uint64_t more = cycles_of(coin_branches, &m) - twelve;
    assert_int_equal(more % 10, 0);
    assert_in_range(more / 10, 120, 280);
}

/* ---- the measured part ---- */

static void warm_up_is_not_counted(void **state)
{
    (void)state;
    struct cmp_machine m = table_2_3();
    length = 0;
    for (uint32_t i = 0; i < 1000; i++)
        (void)add_load((uint8_t)(3 + i % 8), 0, 0x10000000 + (uint64_t)i * 64);
    const struct outcome whole = run_program(&m, false);
    m.cmp.warmup = 600;
    const struct outcome part = run_program(&m, false);
    assert_int_equal(whole.cpu.instructions, 1000);
    assert_int_equal(part.cpu.instructions, 400);
    assert_int_equal(part.cpu.loads, 400);
    assert_true(part.cpu.cycles < whole.cpu.cycles);
    assert_int_equal(whole.llc.misses, 1001); /* a line of instructions is among them */
    m.cmp.instructions = 900;                 /* beyond the end: the trace begins anew, and its lines are there */
    const struct outcome again = run_program(&m, false);
    assert_int_equal(again.cpu.instructions, 900);
    assert_int_equal(again.cpu.l1d_accesses, 900);
}

static void functional_runs_count_the_same(void **state)
{
    (void)state;
    const struct cmp_machine m = table_2_3();
    length = 0;
    for (uint32_t i = 0; i < MOST; i++)
        (void)add_load((uint8_t)(3 + i % 8), (uint8_t)(3 + i % 5), 0x10000000 + (uint64_t)(i * 7919 % 1500) * 64);
    const struct outcome timed = run_program(&m, false), plain = run_program(&m, true);
    assert_int_equal(timed.cpu.l1d_misses, plain.cpu.l1d_misses);
    assert_int_equal(timed.cpu.l2_misses, plain.cpu.l2_misses);
    assert_int_equal(timed.llc.misses, plain.llc.misses);
    assert_int_equal(plain.cpu.cycles, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_independent_instructions_per_cycle),
        cmocka_unit_test(a_chain_goes_one_by_one),
        cmocka_unit_test(latencies_are_those_of_the_class),
        cmocka_unit_test(a_miss_takes_the_levels_and_memory),
        cmocka_unit_test(a_fetch_takes_the_levels_too),
        cmocka_unit_test(independent_misses_overlap),
        cmocka_unit_test(with_one_mshr_they_do_not),
        cmocka_unit_test(the_window_holds_128),
        cmocka_unit_test(four_retire_per_cycle),
        cmocka_unit_test(lines_on_their_way_stay),
        cmocka_unit_test(a_store_that_hits_makes_the_line_dirty),
        cmocka_unit_test(write_backs_follow_their_reads),
        cmocka_unit_test(each_core_has_its_own_pages),
        cmocka_unit_test(stores_wait_in_their_buffer),
        cmocka_unit_test(a_wrong_branch_costs_the_redirect),
        cmocka_unit_test(warm_up_is_not_counted),
        cmocka_unit_test(functional_runs_count_the_same),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
