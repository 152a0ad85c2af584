/* Issue, operand collection, pipes and fetch of one SM, each by the cycles in which instructions issue. */
#include "sm_bench.h"

#define ADD(to, a, b)                                                                                                              \
    {                                                                                                                              \
        .class = CLASS_INT_ADD, .dst = to, .src = { a, b }                                                                         \
    }

/* Cycles between the issues of two rows of warp 0, once the code is in the instruction cache: a loop runs everything twice. */
static uint64_t distance(const struct script_row *rows, uint32_t count, uint32_t from, uint32_t to,
                         void (*change)(struct machine_config *))
{
    struct bench b;
    bench_open(&b, rows, count, 32, change);
    bench_run(&b);
    const uint64_t cycles = b.issued[0][to] - b.issued[0][from];
    bench_close(&b);
    return cycles;
}

static void dependent_instructions_wait_for_the_latency(void **state)
{
    (void)state;
    static const struct script_row chain[] = {
        ADD(1, 2, 3), ADD(4, 1, 3), { .class = CLASS_BRANCH, .target = 0, .trips = 2 }, EXIT
    };
    static const struct script_row apart[] = {
        ADD(1, 2, 3), ADD(4, 5, 6), { .class = CLASS_BRANCH, .target = 0, .trips = 2 }, EXIT
    };
    struct bench b;
    bench_open(&b, chain, COUNT(chain), 32, NULL);
    const uint32_t latency = b.timing[CLASS_INT_ADD].latency;
    bench_run(&b);
    bench_close(&b);
    const uint64_t free_way = distance(apart, COUNT(apart), 0, 1, NULL), bound_way = distance(chain, COUNT(chain), 0, 1, NULL);
    assert_true(free_way < bound_way);
    assert_true(bound_way >= latency); /* the operands' way to the pipe comes on top */
}

static void set_latency(struct machine_config *m)
{
    m->sm.latency_int.value[0] += 10;
}

static void a_longer_latency_is_seen_to_the_cycle(void **state)
{
    (void)state;
    static const struct script_row chain[] = {
        ADD(1, 2, 3), ADD(4, 1, 3), { .class = CLASS_BRANCH, .target = 0, .trips = 2 }, EXIT
    };
    assert_int_equal(distance(chain, COUNT(chain), 0, 1, set_latency), distance(chain, COUNT(chain), 0, 1, NULL) + 10);
}

static struct sm_counters counters_of(const struct script_row *rows, uint32_t count, uint32_t threads)
{
    struct bench b;
    bench_open(&b, rows, count, threads, NULL);
    bench_run(&b);
    const struct sm_counters counters = *sm_counters(b.sm);
    bench_close(&b);
    return counters;
}

/* Registers 2 and 18 lie in one of 16 banks; 2 and 3 in two. */
static void operands_of_one_bank_conflict(void **state)
{
    (void)state;
    static const struct script_row same[] = { ADD(1, 2, 18), EXIT }, other[] = { ADD(1, 2, 3), EXIT };
    const struct sm_counters conflict = counters_of(same, COUNT(same), 32), none = counters_of(other, COUNT(other), 32);
    assert_int_equal(conflict.bank_reads, 2);
    assert_int_equal(none.bank_reads, 2);
    assert_int_equal(none.bank_conflicts, 0);
    assert_true(conflict.bank_conflicts > 0);
}

/* Special functions start every so many cycles, however many are ready. */
static void the_interval_of_a_pipe_is_kept(void **state)
{
    (void)state;
    enum { SPECIALS = 24 };
    struct script_row special[SPECIALS + 2] = { [SPECIALS] = { .class = CLASS_BRANCH, .target = 0, .trips = 2 },
                                                [SPECIALS + 1] = EXIT };
    for (uint16_t i = 0; i < SPECIALS; i++)
        special[i] = (struct script_row){ .class = CLASS_SFU, .dst = (uint16_t)(2 * i + 1), .src = { (uint16_t)(2 * i + 2) } };
    struct bench b;
    bench_open(&b, special, COUNT(special), 32, NULL);
    bench_run(&b);
    const uint32_t interval = b.timing[CLASS_SFU].interval;
    assert_true(interval > 1);
    /* In the last round the code is in its cache, and what lies before the pipe is full. */
    assert_int_equal(b.issued[0][SPECIALS - 1] - b.issued[0][SPECIALS - 5], 4 * interval);
    bench_close(&b);
}

static void nothing_issues_before_its_code_has_come(void **state)
{
    (void)state;
    static const struct script_row one[] = { ADD(1, 2, 3), EXIT };
    struct bench b;
    bench_open(&b, one, COUNT(one), 32, NULL);
    b.answer_cycles = 500;
    bench_run(&b);
    assert_true(b.issued[0][0] > 500);
    assert_true(b.issued[0][0] < 520);
    assert_int_equal(b.reads, 0);
    bench_close(&b);
}

/* Warps of both schedulers issue in the same cycle; two warps of one scheduler do not. */
static void a_scheduler_issues_one_instruction_per_cycle(void **state)
{
    (void)state;
    static const struct script_row one[] = { ADD(1, 2, 3), EXIT };
    struct bench b;
    bench_open(&b, one, COUNT(one), 128, NULL);
    assert_int_equal(b.machine->sm.schedulers, 2);
    bench_run(&b);
    for (uint32_t v = 0; v < 4; v++)
        for (uint32_t w = v + 1; w < 4; w++)
            if (v % 2 == w % 2)
                assert_int_not_equal(b.issued[v][0], b.issued[w][0]);
    const struct sm_counters *c = sm_counters(b.sm);
    assert_int_equal(c->warp_instructions, 8);
    assert_int_equal(c->slots, c->slots_issued + c->slots_idle + c->slots_scoreboard + c->slots_pipe);
    bench_close(&b);
}

static uint64_t somewhere(struct script_lane l)
{
    (void)l;
    return 0x160;
}

static void set_two_issues(struct machine_config *m)
{
    m->sm.issues_per_warp = 2;
}

static void set_two_of_a_kind(struct machine_config *m)
{
    set_two_issues(m);
    m->sm.issues_apart = false;
}

/* Cycles from the first of two instructions to the second, which are fetched together. */
static uint64_t apart(const struct script_row *rows, uint32_t count, void (*set)(struct machine_config *m), uint64_t seconds)
{
    struct bench b;
    bench_open(&b, rows, count, 32, set);
    bench_run(&b);
    const uint64_t cycles = b.issued[0][1] - b.issued[0][0];
    const struct sm_counters *c = sm_counters(b.sm);
    assert_int_equal(c->second_issues, seconds);
    assert_int_equal(c->slots_issued + seconds, c->warp_instructions);
    bench_close(&b);
    return cycles;
}

/* Two instructions of a warp go in one cycle if they can: to two pipes, or anywhere, but never the second before its operand. */
static void a_warp_may_issue_two(void **state)
{
    (void)state;
    static const struct script_row load_and_add[] = { LOAD(1, somewhere), ADD(2, 3, 4), EXIT };
    static const struct script_row adds[] = { ADD(1, 3, 4), ADD(2, 3, 4), EXIT };
    static const struct script_row chain[] = { ADD(1, 3, 4), ADD(2, 1, 4), EXIT };
    assert_int_equal(apart(load_and_add, COUNT(load_and_add), NULL, 0), 1);
    assert_int_equal(apart(load_and_add, COUNT(load_and_add), set_two_issues, 1), 0);
    assert_int_equal(apart(adds, COUNT(adds), set_two_issues, 0), 1);
    assert_int_equal(apart(adds, COUNT(adds), set_two_of_a_kind, 1), 0);
    assert_true(apart(chain, COUNT(chain), set_two_of_a_kind, 0) > 1);
}

static void set_perfect(struct machine_config *m)
{
    m->l1i.perfect = m->l1c.perfect = true;
}

static void set_wide_fetch(struct machine_config *m)
{
    set_perfect(m);
    m->sm.fetch_width = 4;
}

/* The cycle in which the last of eight warps issues its first instruction. */
static uint64_t last_first_issue(void (*change)(struct machine_config *))
{
    static const struct script_row one[] = { ADD(1, 2, 3), EXIT };
    struct bench b;
    uint64_t last = 0;
    bench_open(&b, one, COUNT(one), 256, change);
    bench_run(&b);
    for (uint32_t w = 0; w < 8; w++)
        last = b.issued[w][0] > last ? b.issued[w][0] : last;
    assert_int_equal(b.answered, change ? 0 : 1); /* of the code's one line */
    bench_close(&b);
    return last;
}

static void a_perfect_cache_fetches_nothing(void **state)
{
    (void)state;
    assert_true(last_first_issue(set_perfect) + 100 <= last_first_issue(NULL));
}

/* Eight fetches, one a cycle or four; of four, three are decoded in the same cycle. */
static void several_warps_are_fetched_in_a_cycle(void **state)
{
    (void)state;
    assert_true(last_first_issue(set_wide_fetch) < last_first_issue(set_perfect));
}

static void set_constants_on_alu(struct machine_config *m)
{
    set_perfect(m);
    m->sm.latency_const = 7;
}

static void set_two_steps(struct machine_config *m)
{
    m->sm.collector_steps = 2;
}

/* Operands that lie in two banks are there after one step. */
static void operands_are_collected_in_steps(void **state)
{
    (void)state;
    static const struct script_row chain[] = {
        ADD(1, 2, 3), ADD(4, 1, 3), { .class = CLASS_BRANCH, .target = 0, .trips = 2 }, EXIT
    };
    assert_int_equal(distance(chain, COUNT(chain), 0, 1, set_two_steps) + 1, distance(chain, COUNT(chain), 0, 1, NULL));
}

/* Cycles from a read in this space to the use of what it read; a sum in its place would take as long with the same latency. */
static void assert_reads_take(uint64_t latency, uint8_t class, uint8_t space, void (*set)(struct machine_config *m))
{
    const struct script_row rows[] = { { .class = class, .space = space, .bytes = 4, .dst = 1, .src = { 9 }, .address = somewhere },
                                       USE(1),
                                       { .class = CLASS_BRANCH, .target = 0, .trips = 2 },
                                       EXIT };
    static const struct script_row sum[] = { ADD(1, 2, 3), ADD(4, 1, 3), { .class = CLASS_BRANCH, .target = 0, .trips = 2 }, EXIT };
    struct machine_config *m = machine_config_new();
    const uint64_t add = m->sm.latency_int.value[0];
    machine_config_free(m);
    assert_int_equal(distance(rows, COUNT(rows), 0, 1, set), distance(sum, COUNT(sum), 0, 1, NULL) + latency - add);
}

static void constants_may_be_operands_of_the_alu(void **state)
{
    (void)state;
    assert_reads_take(7, CLASS_LOAD, SPACE_CONST, set_constants_on_alu);
}

static void set_fixed_textures(struct machine_config *m)
{
    m->sm.latency_texture = 200;
}

static void textures_may_have_a_latency_of_their_own(void **state)
{
    (void)state;
    assert_reads_take(200, CLASS_TEXTURE, SPACE_TEXTURE, set_fixed_textures);
}

static void a_barrier_holds_all_warps_of_the_cta(void **state)
{
    (void)state;
    static const struct script_row rows[] = { ADD(1, 2, 3), { .class = CLASS_BARRIER }, ADD(4, 5, 6), EXIT };
    struct bench b;
    bench_open(&b, rows, COUNT(rows), 96, NULL);
    bench_run(&b);
    uint64_t last_arrival = 0, first_leaving = UINT64_MAX;
    for (uint32_t w = 0; w < 3; w++) {
        last_arrival = b.issued[w][1] > last_arrival ? b.issued[w][1] : last_arrival;
        first_leaving = b.issued[w][2] < first_leaving ? b.issued[w][2] : first_leaving;
    }
    assert_true(first_leaving > last_arrival);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_instructions_wait_for_the_latency),
        cmocka_unit_test(a_longer_latency_is_seen_to_the_cycle),
        cmocka_unit_test(operands_of_one_bank_conflict),
        cmocka_unit_test(the_interval_of_a_pipe_is_kept),
        cmocka_unit_test(nothing_issues_before_its_code_has_come),
        cmocka_unit_test(a_scheduler_issues_one_instruction_per_cycle),
        cmocka_unit_test(a_warp_may_issue_two),
        cmocka_unit_test(a_perfect_cache_fetches_nothing),
        cmocka_unit_test(several_warps_are_fetched_in_a_cycle),
        cmocka_unit_test(constants_may_be_operands_of_the_alu),
        cmocka_unit_test(operands_are_collected_in_steps),
        cmocka_unit_test(textures_may_have_a_latency_of_their_own),
        cmocka_unit_test(a_barrier_holds_all_warps_of_the_cta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
