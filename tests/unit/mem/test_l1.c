/* test_l1.c - the L1 data cache: misses, merges, refusals, stores, fills. */
#include "l1_bench.h"

#include <string.h>

static struct request *request_of(struct bench *b, enum request_kind kind, uint64_t address)
{
    struct request *r = request_make(b->pool);
    r->kind = (uint8_t)kind;
    r->write = kind == REQUEST_GLOBAL_WRITE || kind == REQUEST_LOCAL_WRITE;
    r->address = address;
    r->bytes = 32;
    return r;
}

static enum cache_outcome load(struct bench *b, uint64_t address, struct request **out)
{
    struct request *r = request_of(b, REQUEST_GLOBAL_READ, address);
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (cache_refused(a.outcome) || a.outcome == CACHE_HIT) {
        request_free(b->pool, r);
        r = NULL;
    }
    if (out)
        *out = r;
    return a.outcome;
}

/* Sends everything down, answers all of it, hands out all that waits. Returns how many loads came back. */
static uint32_t drain(struct bench *b)
{
    uint32_t done = 0;
    while (!l1_idle(b->l1) || b->below.out.port.ring.count) {
        l1_cycle(b->l1, b->now++);
        struct request *r = port_pop(&b->below.out.port);
        if (r && r->write) {
            request_free(b->pool, r);
        } else if (r) {
            r->is_reply = true;
            assert_true(l1_fill_port_free(b->l1, b->now));
            l1_fill(b->l1, r, b->now++);
        }
        while ((r = l1_pop_ready(b->l1)) != NULL) {
            request_free(b->pool, r);
            done++;
        }
    }
    return done;
}

static void a_miss_asks_for_the_line_and_gives_back_the_request_as_it_was(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, small());
    struct request *first, *second;
    assert_int_equal(load(&b, 0x1020, &first), CACHE_MISS);
    assert_int_equal(load(&b, 0x1060, &second), CACHE_MERGED);
    assert_int_equal(l1_mshr_in_use(b.l1), 1);
    l1_cycle(b.l1, b.now);
    struct request *sent = port_pop(&b.below.out.port);
    assert_ptr_equal(sent, first);
    assert_int_equal(sent->address, 0x1000);
    assert_int_equal(sent->bytes, 128);
    assert_int_equal(b.below.out.port.ring.count, 0);
    l1_fill(b.l1, sent, b.now);
    assert_ptr_equal(l1_pop_ready(b.l1), first);
    assert_int_equal(first->address, 0x1020);
    assert_int_equal(first->bytes, 32);
    assert_ptr_equal(l1_pop_ready(b.l1), second);
    assert_null(l1_pop_ready(b.l1));
    assert_int_equal(load(&b, 0x1000, NULL), CACHE_HIT);
    request_free(b.pool, first);
    request_free(b.pool, second);
    assert_int_equal(l1_counters(b.l1)->accesses, 3);
    assert_int_equal(l1_counters(b.l1)->global_read_merged, 1);
    close_bench(&b);
}

static void a_split_load_is_filled_by_its_last_sector(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, small());
    struct request *r;
    assert_int_equal(load(&b, 0x1000, &r), CACHE_MISS);
    l1_cycle(b.l1, b.now);
    (void)port_pop(&b.below.out.port);
    r->awaited = 4;
    for (int i = 0; i < 4; i++) {
        assert_false(l1_has_ready(b.l1));
        struct request *sector = request_make(b.pool);
        sector->origin = r;
        l1_fill(b.l1, sector, b.now);
    }
    assert_ptr_equal(l1_pop_ready(b.l1), r);
    request_free(b.pool, r);
    close_bench(&b);
}

static void refusals_have_their_causes(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    open_bench(&b, c);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MERGED);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_REFUSED_MSHR_MERGE); /* 2 per entry */
    assert_int_equal(load(&b, 0x100, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x200, NULL), CACHE_REFUSED_LINE_ALLOC); /* both ways of set 0 reserved */
    assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x180, NULL), CACHE_MISS);
    assert_int_equal(l1_mshr_in_use(b.l1), 4);
    assert_int_equal(drain(&b), 5);
    assert_int_equal(l1_counters(b.l1)->refused_mshr_merge, 1);
    assert_int_equal(l1_counters(b.l1)->refused_line_alloc, 1);
    close_bench(&b);

    c.ways = 8;
    open_bench(&b, c);
    for (uint64_t a = 0; a < 4 * 128; a += 128)
        assert_int_equal(load(&b, a, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x1000, NULL), CACHE_REFUSED_MSHR_ENTRY);
    assert_int_equal(drain(&b), 4);
    assert_int_equal(load(&b, 0x1000, NULL), CACHE_MISS);
    assert_int_equal(drain(&b), 1);
    close_bench(&b);
}

static void cycles_that_wait_for_the_network_are_counted(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, small());
    l1_cycle(b.l1, b.now++); /* nothing to send: nothing waits */
    assert_int_equal(load(&b, 0, NULL), CACHE_MISS);
    mock_out_fill(&b.below, true);
    for (int i = 0; i < 7; i++)
        l1_cycle(b.l1, b.now++);
    mock_out_fill(&b.below, false);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(l1_counters(b.l1)->network_busy, 7);
    close_bench(&b);
}

/* A load keeps one place free for a write-back: with 3 places the third load is refused, a store is not. */
static void the_miss_queue_refuses_loads_one_before_stores(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    c.miss_queue = 3;
    open_bench(&b, c);
    mock_out_fill(&b.below, true);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x100, NULL), CACHE_REFUSED_MISS_QUEUE);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_REFUSED_MISS_QUEUE); /* even to merge, as in the reference */
    struct request *w = request_of(&b, REQUEST_GLOBAL_WRITE, 0x400);
    assert_int_equal(l1_access(b.l1, w, b.now++).outcome, CACHE_MISS);
    struct request *w2 = request_of(&b, REQUEST_GLOBAL_WRITE, 0x400);
    assert_int_equal(l1_access(b.l1, w2, b.now++).outcome, CACHE_REFUSED_MISS_QUEUE);
    const uint64_t version = l1_version(b.l1);
    l1_cycle(b.l1, b.now++); /* the network is full: nothing changes */
    assert_int_equal(l1_version(b.l1), version);
    assert_int_equal(l1_miss_queue_length(b.l1), 3);
    mock_out_fill(&b.below, false);
    l1_cycle(b.l1, b.now++);
    assert_int_not_equal(l1_version(b.l1), version);
    assert_int_equal(l1_miss_queue_length(b.l1), 2); /* one per cycle */
    assert_int_equal(l1_access(b.l1, w2, b.now++).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 2);
    l1_count_refusals(b.l1, &(struct request){ .kind = REQUEST_GLOBAL_READ }, CACHE_REFUSED_MISS_QUEUE, 10);
    assert_int_equal(l1_counters(b.l1)->refused_miss_queue, 13);
    assert_int_equal(l1_counters(b.l1)->global_read_refused_miss_queue, 12);
    close_bench(&b);
}

static void a_global_store_drops_its_line(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, small());
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    struct request *w = request_of(&b, REQUEST_GLOBAL_WRITE, 0x000); /* while the line is on its way: nothing is dropped */
    struct l1_answer a = l1_access(b.l1, w, b.now++);
    assert_int_equal(a.outcome, CACHE_MERGED);
    assert_true(a.sent);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_HIT);
    w = request_of(&b, REQUEST_GLOBAL_WRITE, 0x000);
    a = l1_access(b.l1, w, b.now++);
    assert_int_equal(a.outcome, CACHE_HIT);
    assert_true(a.sent);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(l1_counters(b.l1)->global_write_hits, 1);
    assert_int_equal(l1_counters(b.l1)->global_write_merged, 1);
    assert_int_equal(l1_counters(b.l1)->write_misses, 1);
    close_bench(&b);
}

static void a_local_store_stays_and_is_written_back_when_replaced(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    c.sets = 1;
    c.ways = 1;
    open_bench(&b, c);
    struct request *w = request_of(&b, REQUEST_LOCAL_WRITE, 0x000);
    struct l1_answer a = l1_access(b.l1, w, b.now++);
    assert_int_equal(a.outcome, CACHE_MISS); /* no allocation: it travels */
    assert_true(a.sent);
    struct request *r = request_of(&b, REQUEST_LOCAL_READ, 0x000);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 1);
    w = request_of(&b, REQUEST_LOCAL_WRITE, 0x000);
    a = l1_access(b.l1, w, b.now++);
    assert_int_equal(a.outcome, CACHE_HIT);
    assert_false(a.sent);
    request_free(b.pool, w);
    assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
    l1_cycle(b.l1, b.now++);
    l1_cycle(b.l1, b.now++);
    assert_int_equal(b.below.out.port.ring.count, 2); /* the load first, then the write-back */
    const struct request *back = *request_ring_at(&b.below.out.port.ring, 1);
    assert_int_equal(back->kind, REQUEST_L1_WRITEBACK);
    assert_int_equal(back->address, 0x000);
    assert_int_equal(back->bytes, 128);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(l1_counters(b.l1)->writebacks, 1);
    close_bench(&b);
}

/* One line; a store that hits it; then whether it travelled, whether the line is still there, and what a miss that replaces it
 * writes back. */
static void what_a_store_does_to_its_line_can_be_chosen(void **state)
{
    (void)state;
    static const struct {
        enum l1_stores stores;
        enum request_kind kind;
        bool sent, stays;
        uint32_t writebacks;
    } cases[] = {
        { L1_STORES_THROUGH, REQUEST_GLOBAL_WRITE, true, true, 0 },    { L1_STORES_THROUGH, REQUEST_LOCAL_WRITE, true, true, 0 },
        { L1_STORES_EVICT_ALL, REQUEST_GLOBAL_WRITE, true, false, 0 }, { L1_STORES_EVICT_ALL, REQUEST_LOCAL_WRITE, true, false, 0 },
        { L1_STORES_BACK, REQUEST_GLOBAL_WRITE, false, true, 1 },      { L1_STORES_BACK, REQUEST_LOCAL_WRITE, false, true, 1 },
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench b;
        struct l1_config c = small();
        c.sets = c.ways = 1;
        c.stores = cases[i].stores;
        open_bench(&b, c);
        assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
        assert_int_equal(drain(&b), 1);
        struct request *w = request_of(&b, cases[i].kind, 0x000);
        const struct l1_answer a = l1_access(b.l1, w, b.now++);
        assert_int_equal(a.outcome, CACHE_HIT);
        assert_int_equal(a.sent, cases[i].sent);
        if (!a.sent)
            request_free(b.pool, w);
        assert_int_equal(load(&b, 0x000, NULL), cases[i].stays ? CACHE_HIT : CACHE_MISS);
        (void)drain(&b);
        assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
        assert_int_equal(drain(&b), 1);
        assert_int_equal(l1_counters(b.l1)->writebacks, cases[i].writebacks);
        close_bench(&b);
    }
}

/* One line again: two misses may be under way, since neither has it before its data come. A load of a line that is on its way is a
 * miss too. */
static void a_line_may_be_taken_when_its_data_come(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    c.sets = c.ways = 1;
    c.stores = L1_STORES_THROUGH;
    c.allocate_on_miss = false;
    open_bench(&b, c);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x080, NULL), CACHE_MISS);
    assert_int_equal(load(&b, 0x080, NULL), CACHE_REFUSED_MSHR_MERGE);
    assert_int_equal(drain(&b), 3);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS); /* 0x080 came last */
    assert_int_equal(load(&b, 0x080, NULL), CACHE_HIT);  /* and has the line until then */
    assert_int_equal(drain(&b), 1);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_HIT);
    assert_int_equal(l1_counters(b.l1)->mshr_hits, 1);
    close_bench(&b);
}

static void emptied_while_in_flight_the_data_pass_through(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, small());
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    l1_invalidate(b.l1);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_MISS);
    assert_int_equal(drain(&b), 1);
    assert_int_equal(load(&b, 0x000, NULL), CACHE_HIT);
    close_bench(&b);
}

static void the_fill_port_is_busy_for_line_over_width_cycles(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = small();
    c.port_bytes = 32;
    open_bench(&b, c);
    struct request *r;
    assert_int_equal(load(&b, 0x000, &r), CACHE_MISS);
    l1_cycle(b.l1, 10);
    (void)port_pop(&b.below.out.port);
    l1_fill(b.l1, r, 10);
    assert_false(l1_fill_port_free(b.l1, 13)); /* blocked at n - 1 */
    assert_true(l1_fill_port_free(b.l1, 14));  /* ready at n */
    request_free(b.pool, l1_pop_ready(b.l1));
    close_bench(&b);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    struct error err;
    struct l1_config c = { 0 };
    param_defaults(l1_params, &c);
    assert_true(l1_config_check(&c, &err));
    c.sets = 48;
    assert_false(l1_config_check(&c, &err));
    assert_non_null(strstr(err.text, "fermi-hash"));
    c.index = 0;
    assert_true(l1_config_check(&c, &err));
    c.line_bytes = 96;
    assert_false(l1_config_check(&c, &err));
    c.line_bytes = 128;
    c.port_bytes = 48;
    assert_false(l1_config_check(&c, &err));
    c.port_bytes = 0;
    c.stores = L1_STORES_STAY;
    assert_false(l1_config_check(&c, &err));
    c.sectored = true;
    assert_true(l1_config_check(&c, &err));
    c.stores = L1_STORES_BACK;
    assert_false(l1_config_check(&c, &err));
    assert_non_null(strstr(err.text, "l1.stores = back: only without l1.sectored"));
    c.sectored = false;
    assert_true(l1_config_check(&c, &err));
    c.allocate_on_miss = false;
    assert_false(l1_config_check(&c, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_asks_for_the_line_and_gives_back_the_request_as_it_was),
        cmocka_unit_test(a_split_load_is_filled_by_its_last_sector),
        cmocka_unit_test(refusals_have_their_causes),
        cmocka_unit_test(cycles_that_wait_for_the_network_are_counted),
        cmocka_unit_test(the_miss_queue_refuses_loads_one_before_stores),
        cmocka_unit_test(a_global_store_drops_its_line),
        cmocka_unit_test(a_local_store_stays_and_is_written_back_when_replaced),
        cmocka_unit_test(what_a_store_does_to_its_line_can_be_chosen),
        cmocka_unit_test(a_line_may_be_taken_when_its_data_come),
        cmocka_unit_test(emptied_while_in_flight_the_data_pass_through),
        cmocka_unit_test(the_fill_port_is_busy_for_line_over_width_cycles),
        cmocka_unit_test(contradictions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
