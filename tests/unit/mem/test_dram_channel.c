/* The channel: latencies by hand, order of service, queues, and jumping over clocks. */
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "mem/dram_channel.h"

static uint32_t retired;
static void retire(void *context, struct request *r)
{
    (void)context;
    (void)r;
    retired++;
}

static struct dram_config gtx480(void)
{
    struct dram_config c;
    memset(&c, 0, sizeof c);
    param_defaults(dram_params, &c);
    return c;
}

/* GTX 480 without the fixed latency: a request pushed before tick t is in the scheduler after it. */
static struct dram_channel *channel(struct dram_config c)
{
    retired = 0;
    return dram_channel_new(&c, 2, 700000, 924000, retire, NULL);
}

static struct request to(uint16_t bank, uint32_t row, bool write)
{
    return (struct request){ .bytes = 32,
                             .bank = bank,
                             .row = row,
                             .slice = bank & 1,
                             .write = write,
                             .kind = write ? REQUEST_L2_WRITEBACK : REQUEST_GLOBAL_READ };
}

/* Ticks from `t` on, popping every reply; the clock after whose tick the n-th reply came. `order` gets the requests. */
static uint64_t run(struct dram_channel *c, uint64_t t, uint32_t n, struct request **order)
{
    for (uint32_t got = 0;; t++) {
        assert_true(t < 100000);
        dram_channel_tick(c, t);
        for (uint32_t s = 0; s < 2; s++)
            for (struct request *r; (r = port_pop(dram_channel_out(c, s)));) {
                assert_true(r->is_reply);
                if (order)
                    order[got] = r;
                if (++got == n)
                    return t;
            }
    }
}

/* In the scheduler after tick 1, given to its bank and activated at 2, read at 2 + RCD, on the bus at 2 + RCD + CL, with the slice
 * one clock later. */
static void a_read_of_a_closed_row(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct dram_channel *c = channel(g);
    struct request r = to(0, 7, false);
    assert_int_equal(dram_channel_counters(c, UINT64_MAX)->clocks, 0); /* before clock 0 */
    port_push(dram_channel_in(c, 0), &r);
    assert_int_equal(run(c, 1, 1, NULL), 2 + 12 + 12 + 1);
    assert_int_equal(dram_channel_requests(c), 0);
    const struct dram_counters *k = dram_channel_counters(c, 40);
    assert_int_equal(k->activates, 1);
    assert_int_equal(k->precharges, 0);
    assert_int_equal(k->reads, 1);
    assert_int_equal(k->data_clocks, 2); /* 32 bytes, but a burst of 64 */
    assert_int_equal(k->clocks, 40);
    assert_null(stat_check(&dram_stat_group, k));
    dram_channel_free(c);
}

/* 100 core cycles of 700 MHz are 132 clocks of 924 MHz. */
static void the_fixed_latency_is_in_core_cycles(void **state)
{
    (void)state;
    struct dram_channel *c = channel(gtx480());
    struct request r = to(0, 7, false);
    port_push(dram_channel_in(c, 0), &r);
    assert_int_equal(run(c, 1, 1, NULL), 132 + 2 + 12 + 12 + 1);
    dram_channel_free(c);
}

/* dram.latency_only: three reads of three rows of one bank, each a clock after the one before, and a write-back that needs no room.
 */
static void the_latency_alone_takes_one_request_per_clock(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency_only = true;
    struct dram_channel *c = channel(g);
    struct request r[4];
    for (uint16_t i = 0; i < 4; i++) {
        r[i] = to(0, i, i == 3);
        port_push(dram_channel_in(c, 0), &r[i]);
    }
    assert_int_equal(run(c, 1, 1, NULL), 1 + 132); /* 100 cycles of 700 MHz in clocks of 924 */
    assert_int_equal(run(c, 134, 2, NULL), 135);
    assert_int_equal(retired, 0);
    assert_int_equal(dram_channel_next_event(c, 135), 136);
    dram_channel_tick(c, 136);
    assert_int_equal(retired, 1);
    assert_int_equal(dram_channel_requests(c), 0);
    assert_int_equal(dram_channel_counters(c, 136)->activates, 0);
    assert_int_equal(dram_channel_bank_requests(c, 0), 0);
    dram_channel_free(c);
}

static void a_row_hit_and_a_row_conflict(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct dram_channel *c = channel(g);
    struct request a = to(0, 7, false), hit = to(0, 7, false), conflict = to(0, 8, false);
    port_push(dram_channel_in(c, 0), &a);
    (void)run(c, 1, 1, NULL);
    port_push(dram_channel_in(c, 0), &hit);
    assert_int_equal(run(c, 100, 1, NULL), 101 + 12 + 1); /* read at 101 */
    port_push(dram_channel_in(c, 0), &conflict);
    assert_int_equal(run(c, 200, 1, NULL), 201 + 12 + 12 + 12 + 1); /* precharge at 201, activate, read */
    assert_int_equal(dram_channel_counters(c, 300)->row_hits, 1);
    assert_int_equal(dram_channel_counters(c, 300)->row_misses, 2);
    dram_channel_free(c);
}

static void requests_to_the_open_row_overtake_older_ones(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct request r[4] = { to(0, 1, false), to(0, 2, false), to(0, 1, false), to(0, 2, false) };
    const uint32_t first_ready[4] = { 0, 2, 1, 3 };
    for (uint32_t fcfs = 0; fcfs < 2; fcfs++) {
        g.scheduler = fcfs ? DRAM_FCFS : DRAM_FRFCFS;
        struct dram_channel *c = channel(g);
        struct request *order[4];
        for (uint32_t i = 0; i < 4; i++)
            port_push(dram_channel_in(c, 0), &r[i]);
        (void)run(c, 1, 4, order);
        for (uint32_t i = 0; i < 4; i++)
            assert_ptr_equal(order[i], &r[fcfs ? i : first_ready[i]]);
        const struct dram_counters *k = dram_channel_counters(c, 1000);
        assert_int_equal(k->activates, fcfs ? 4 : 2);
        assert_int_equal(k->row_hits, fcfs ? 0 : 2);
        dram_channel_free(c);
    }
}

/* Banks 0 and 1 are in different groups: their activates are RRD apart, their reads 6 apart as well, and so the data. */
static void banks_work_side_by_side(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct dram_channel *c = channel(g);
    struct request a = to(0, 1, false), b = to(1, 1, false);
    port_push(dram_channel_in(c, 0), &a);
    port_push(dram_channel_in(c, 1), &b);
    assert_int_equal(run(c, 1, 2, NULL), 27 + 6);
    dram_channel_free(c);
}

static void a_large_write_back_takes_two_bursts_and_is_retired(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct dram_channel *c = channel(g);
    struct request w = to(0, 3, true);
    w.bytes = 128;
    port_push(dram_channel_in(c, 0), &w);
    /* Activate at 2, writes at 2 + 7 and 3 (CCDL) later, out of the pipe 4 (WL) after the second. */
    for (uint64_t t = 1; t < 2 + 7 + 3 + 4; t++) {
        dram_channel_tick(c, t);
        assert_int_equal(retired, 0);
    }
    dram_channel_tick(c, 2 + 7 + 3 + 4);
    assert_int_equal(retired, 1);
    assert_int_equal(dram_channel_requests(c), 0);
    const struct dram_counters *k = dram_channel_counters(c, 20);
    assert_int_equal(k->writes, 2);
    assert_int_equal(k->writes_back, 2);
    assert_null(stat_check(&dram_stat_group, k));
    dram_channel_free(c);
}

static void a_stream_of_row_hits_keeps_the_bus_busy(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    struct dram_channel *c = channel(g);
    enum { N = 2000 };
    struct request *r = calloc(N, sizeof *r);
    uint32_t pushed = 0, popped = 0;
    uint64_t t = 1;
    for (; popped < N; t++) {
        for (uint32_t s = 0; s < 2; s++)
            if (pushed < N && !port_full(dram_channel_in(c, s))) {
                r[pushed] = to((uint16_t)(2 * (pushed / 2 % 2) + s), 5, false); /* four banks in four groups */
                port_push(dram_channel_in(c, s), &r[pushed++]);
            }
        dram_channel_tick(c, t);
        for (uint32_t s = 0; s < 2; s++)
            popped += port_pop(dram_channel_out(c, s)) != NULL;
    }
    assert_in_range(t, 2 * N, 2 * N + 60); /* CCD 2: one burst every two clocks */
    dram_channel_free(c);
    free(r);
}

static void a_slice_that_does_not_pop_fills_the_queues_and_nothing_is_lost(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.latency = 0;
    g.queue = 4;
    g.return_queue = 3;
    g.slice_in = 2;
    g.slice_out = 1;
    struct dram_channel *c = channel(g);
    struct request r[64];
    uint32_t pushed = 0;
    for (uint64_t t = 1; t < 2000; t++) {
        if (!port_full(dram_channel_in(c, 0))) {
            r[pushed] = to((uint16_t)(pushed % 8 * 2), 5, false);
            port_push(dram_channel_in(c, 0), &r[pushed++]);
        }
        dram_channel_tick(c, t);
    }
    assert_true(pushed < 64);
    assert_true(dram_channel_next_event(c, 2000) == UINT64_MAX);
    assert_int_equal(run(c, 2000, pushed, NULL) > 2000, 1);
    assert_int_equal(dram_channel_requests(c), 0);
    dram_channel_free(c);
}

static void a_queue_that_was_full_calls_its_slice_when_it_has_room(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.slice_in = 2;
    struct dram_channel *c = channel(g);
    struct request r[4] = { to(1, 5, false), to(3, 5, false), to(0, 5, false), to(2, 5, false) };
    uint64_t called = 0, channel_awake = 0;
    for (uint32_t s = 0; s < 2; s++) {
        dram_channel_in(c, s)->writer = dram_channel_out(c, s)->reader = waker_of(&called, s);
        dram_channel_in(c, s)->reader = waker_of(&channel_awake, s);
    }
    port_push(dram_channel_in(c, 1), &r[0]);
    port_push(dram_channel_in(c, 1), &r[1]); /* full */
    assert_int_equal(channel_awake, 2);
    port_push(dram_channel_in(c, 0), &r[2]); /* not full */
    assert_int_equal(channel_awake, 3);
    dram_channel_tick(c, 1); /* takes from slice 0 */
    assert_int_equal(called, 0);
    dram_channel_tick(c, 2);
    assert_int_equal(called, 2);
    called = 0;
    dram_channel_tick(c, 3); /* takes the other, of a queue that had room already */
    assert_int_equal(called, 0);
    const uint64_t t = run(c, 4, 2, NULL);
    port_push(dram_channel_in(c, 0), &r[3]);
    (void)run(c, t + 1, 2, NULL);
    dram_channel_free(c);
}

static uint32_t lcg(uint32_t *x)
{
    return (*x = *x * 1664525u + 1013904223u) >> 8;
}

/* Bursts of random traffic with pauses; slices pop seldom. The digest has the clock and the request of every reply. */
static uint64_t digest_of(struct dram_config g, bool jump, uint64_t *ticks, struct dram_counters *counters)
{
    enum { N = 3000 };
    struct dram_channel *c = channel(g);
    struct request *r = calloc(N, sizeof *r);
    uint32_t pushed = 0, popped = 0, seed = 3;
    uint64_t digest = 1469598103934665603u, next = 0, t = 1;
    for (; popped + retired < N; t++) {
        assert_true(t < 2000000);
        for (uint32_t s = 0; s < 2; s++) {
            const uint32_t x = lcg(&seed);
            if (t % 3000 > 1000 || pushed == N || x % 4 || port_full(dram_channel_in(c, s)))
                continue;
            r[pushed] = to((uint16_t)(x / 8 % (g.ranks * g.banks / 2) * 2 + s), x / 256 % 3, x / 1024 % 4 == 0);
            r[pushed].bytes = r[pushed].write ? 32 + x / 4096 % 4 * 32 : 32;
            port_push(dram_channel_in(c, s), &r[pushed++]);
            next = 0;
        }
        if (!jump || t >= next) {
            dram_channel_tick(c, t);
            next = dram_channel_next_event(c, t);
            ++*ticks;
        }
        for (uint32_t s = 0; s < 2; s++) {
            struct request *p = lcg(&seed) % 5 == 0 ? port_pop(dram_channel_out(c, s)) : NULL;
            if (!p)
                continue;
            popped++;
            next = 0;
            digest = (digest ^ (uint64_t)(p - r) ^ t << 20) * 1099511628211u;
        }
    }
    *counters = *dram_channel_counters(c, t);
    assert_null(stat_check(&dram_stat_group, counters));
    assert_int_equal(dram_channel_requests(c), 0);
    dram_channel_free(c);
    free(r);
    return digest;
}

static void check_jumping(struct dram_config g)
{
    uint64_t all = 0, some = 0;
    struct dram_counters a, b;
    assert_true(digest_of(g, false, &all, &a) == digest_of(g, true, &some, &b));
    assert_true(some < all);
    assert_memory_equal(&a, &b, sizeof a);
}

static void jumping_equals_ticking_every_clock(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    for (uint32_t scheduler = DRAM_FRFCFS; scheduler <= DRAM_BANK_QUEUES; scheduler++) {
        g.scheduler = scheduler;
        check_jumping(g);
        struct dram_config small = g;
        small.queue = 5;
        small.return_queue = 2;
        small.slice_in = small.slice_out = 2;
        check_jumping(small);
        struct dram_config full = g;
        full.ranks = 2;
        full.faw = 30;
        full.aw32 = 250;
        full.rfc = 100;
        full.refi = scheduler == DRAM_BANK_QUEUES ? 3000 : 0;
        full.dual_command = true;
        check_jumping(full);
    }
    g.latency_only = true;
    g.slice_out = 1;
    check_jumping(g);
}

static void queues_of_one_still_answer_everything(void **state)
{
    (void)state;
    struct dram_config g = gtx480();
    g.queue = g.fcfs_queue = g.bank_queue = g.write_low = g.return_queue = g.slice_in = g.slice_out = 1;
    for (g.scheduler = DRAM_FRFCFS; g.scheduler <= DRAM_BANK_QUEUES; g.scheduler++)
        check_jumping(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_read_of_a_closed_row),
                                        cmocka_unit_test(the_fixed_latency_is_in_core_cycles),
                                        cmocka_unit_test(the_latency_alone_takes_one_request_per_clock),
                                        cmocka_unit_test(a_row_hit_and_a_row_conflict),
                                        cmocka_unit_test(requests_to_the_open_row_overtake_older_ones),
                                        cmocka_unit_test(banks_work_side_by_side),
                                        cmocka_unit_test(a_large_write_back_takes_two_bursts_and_is_retired),
                                        cmocka_unit_test(a_stream_of_row_hits_keeps_the_bus_busy),
                                        cmocka_unit_test(a_slice_that_does_not_pop_fills_the_queues_and_nothing_is_lost),
                                        cmocka_unit_test(a_queue_that_was_full_calls_its_slice_when_it_has_room),
                                        cmocka_unit_test(jumping_equals_ticking_every_clock),
                                        cmocka_unit_test(queues_of_one_still_answer_everything) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
