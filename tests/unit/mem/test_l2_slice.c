/* test_l2_slice.c - an L2 slice: sectors, delays, stores without a fetch, write-backs, copies of the host. */
#include "l2_bench.h"

static void a_128_byte_load_is_four_sectors_and_four_replies(void **state)
{
    (void)state;
    struct bench b;
    const struct l2_config c = small();
    open_bench(&b, &c);
    push(&b, REQUEST_GLOBAL_READ, 0x000, 128);
    assert_int_equal(run_dry(&b), 4);
    const struct l2_counters *n = l2_slice_counters(b.slice);
    assert_int_equal(n->reads, 4);
    assert_int_equal(n->global_read_misses, 1);        /* the first takes the line, */
    assert_int_equal(n->global_read_sector_misses, 3); /* the others find it */
    assert_int_equal(n->fills, 4);
    push(&b, REQUEST_GLOBAL_READ, 0x000, 128);
    assert_int_equal(run_dry(&b), 4);
    assert_int_equal(n->global_read_hits, 4);
    close_bench(&b);
}

static void a_64_byte_load_is_two(void **state)
{
    (void)state;
    struct bench b;
    const struct l2_config c = small();
    open_bench(&b, &c);
    push(&b, REQUEST_CONST_READ, 0x040, 64);
    assert_int_equal(run_dry(&b), 2);
    assert_int_equal(l2_slice_counters(b.slice)->const_read_misses, 1);
    assert_int_equal(l2_slice_counters(b.slice)->const_read_sector_misses, 1);
    close_bench(&b);
}

/* Pushed in cycle t, it is in the input queue at the end of cycle t + delay, looked up in the next, and its reply can leave in the
 * one after that. */
static void the_delay_holds_a_request_back(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.rop_latency = 120;
    open_bench(&b, &c);
    l2_slice_host_wrote(b.slice, 0x000, 0);
    const uint64_t pushed = b.now;
    push(&b, REQUEST_GLOBAL_READ, 0x000, 32);
    assert_int_equal(l2_slice_next_event(b.slice, b.now), pushed + 120);
    while (b.now <= pushed + 120) {
        cycles(&b, 1);
        assert_null(l2_slice_peek_reply(b.slice));
    }
    cycles(&b, 1);
    assert_non_null(l2_slice_peek_reply(b.slice));
    assert_int_equal(collect(&b), 1);
    assert_int_equal(l2_slice_next_event(b.slice, b.now), UINT64_MAX);
    close_bench(&b);
}

/* Textures skip the delay, as long as they are known for textures: the sectors of a line are not. */
static void the_delay_holds_sectors_of_textures_back(void **state)
{
    (void)state;
    for (uint32_t bytes = 32; bytes <= 128; bytes *= 4) {
        struct bench b;
        struct l2_config c = small();
        c.rop_latency = 120;
        open_bench(&b, &c);
        push(&b, REQUEST_TEXTURE_READ, 0x000, bytes);
        assert_int_equal(l2_slice_next_event(b.slice, b.now), bytes == 32 ? b.now + 1 : b.now + 120);
        assert_int_equal(run_dry(&b), bytes / 32);
        close_bench(&b);
    }
}

static void a_store_that_misses_fetches_nothing(void **state)
{
    (void)state;
    struct bench b;
    const struct l2_config c = small();
    open_bench(&b, &c);
    push(&b, REQUEST_GLOBAL_WRITE, 0x000, 128);
    assert_int_equal(run_dry(&b), 4); /* acknowledged sector by sector */
    const struct l2_counters *n = l2_slice_counters(b.slice);
    assert_int_equal(n->global_write_misses, 1);
    assert_int_equal(n->global_write_sector_misses, 3);
    assert_int_equal(n->fills, 0);
    push(&b, REQUEST_GLOBAL_READ, 0x000, 128); /* written whole: readable */
    assert_int_equal(run_dry(&b), 4);
    assert_int_equal(n->global_read_hits, 4);
    close_bench(&b);
}

static void a_half_written_sector_is_fetched_when_read(void **state)
{
    (void)state;
    struct bench b;
    const struct l2_config c = small();
    open_bench(&b, &c);
    struct request *w = request_of(&b, REQUEST_GLOBAL_WRITE, 0x020, 32);
    w->mask.word[0] = UINT64_C(0xF) << 32;
    l2_slice_push(b.slice, w, b.now);
    assert_int_equal(run_dry(&b), 1);
    const struct l2_counters *n = l2_slice_counters(b.slice);
    assert_int_equal(n->fills, 0);
    push(&b, REQUEST_GLOBAL_READ, 0x020, 32);
    assert_int_equal(run_dry(&b), 1);
    assert_int_equal(n->global_read_sector_misses, 1);
    assert_int_equal(n->fills, 1);
    push(&b, REQUEST_GLOBAL_READ, 0x020, 32);
    assert_int_equal(run_dry(&b), 1);
    assert_int_equal(n->global_read_hits, 1);
    close_bench(&b);
}

static void a_replaced_dirty_line_leaves_with_its_dirty_sectors(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.ways = 1;
    open_bench(&b, &c);
    push(&b, REQUEST_GLOBAL_WRITE, 0x000, 64);
    cycles(&b, 5);
    assert_int_equal(collect(&b), 2);
    push(&b, REQUEST_GLOBAL_READ, 0x100, 32);
    cycles(&b, 5);
    assert_int_equal(b.below.out.port.ring.count, 2); /* the load, then the write-back */
    const struct request *back = *request_ring_at(&b.below.out.port.ring, 1);
    assert_int_equal(back->kind, REQUEST_L2_WRITEBACK);
    assert_int_equal(back->address, 0x000);
    assert_int_equal(back->bytes, 64);
    assert_int_equal(back->sectors, 3);
    assert_int_equal(run_dry(&b), 1);
    assert_int_equal(l2_slice_counters(b.slice)->writeback_bytes, 64);
    close_bench(&b);
}

static void merges_are_limited_and_served_one_per_cycle(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.mshr_merges = 2;
    open_bench(&b, &c);
    for (int i = 0; i < 3; i++)
        push(&b, REQUEST_GLOBAL_READ, 0x000, 32);
    cycles(&b, 10);
    const struct l2_counters *n = l2_slice_counters(b.slice);
    assert_int_equal(n->global_read_misses, 1);
    assert_int_equal(n->global_read_merged, 1);
    const uint64_t so_far = n->refused_mshr_merge;
    assert_true(so_far > 0);
    assert_int_equal(l2_slice_next_event(b.slice, b.now - 1), UINT64_MAX); /* it may sleep, */
    b.now += 100;                                                          /* and does */
    assert_int_equal(answer_dram(&b), 1);
    cycles(&b, 1); /* the fill comes before the lookup: the third hits, and its reply is the first */
    assert_int_equal(n->refused_mshr_merge, so_far + 100);
    assert_int_equal(collect(&b), 1);
    cycles(&b, 1);
    assert_int_equal(collect(&b), 1);
    cycles(&b, 1);
    assert_int_equal(collect(&b), 1);
    assert_int_equal(n->global_read_hits, 1);
    close_bench(&b);
}

/* Five lines of a set of two are asked for and one is written: two fetches are under way, and the others wait for a line, or go
 * around and leave nothing. An atomic waits in any case. */
static void a_full_set_is_waited_for_or_gone_around(void **state)
{
    (void)state;
    for (uint32_t around = 0; around < 2; around++) {
        struct bench b;
        struct l2_config c = small();
        c.full_set = around ? L2_FULL_AROUND : L2_FULL_WAIT;
        open_bench(&b, &c);
        for (uint64_t i = 0; i < 5; i++)
            push(&b, REQUEST_GLOBAL_READ, i * 256, 32);
        push(&b, REQUEST_GLOBAL_WRITE, 5 * 256, 32);
        push(&b, REQUEST_ATOMIC, 6 * 256, 32);
        cycles(&b, 40);
        const struct l2_counters *n = l2_slice_counters(b.slice);
        assert_int_equal(n->reads + n->writes, around ? 6 : 2);
        assert_int_equal(n->bypassed, around ? 4 : 0);
        assert_true(n->refused_line_alloc > 0);
        assert_int_equal(run_dry(&b), 7);
        assert_int_equal(n->misses, around ? 3 : 7);
        close_bench(&b);
    }
}

static void sleeping_changes_no_number(void **state)
{
    (void)state;
    struct l2_counters result[2];
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        struct bench b;
        struct l2_config c = small();
        c.rop_latency = 7;
        c.mshr_entries = 3;
        open_bench(&b, &c);
        uint64_t x = 99, next = 0;
        for (b.now = 1; b.now < 20000; b.now++) {
            bool stir = false;
            if (b.now % 5 == 0 && b.now < 15000 && l2_slice_accepts(b.slice)) {
                x = x * 6364136223846793005u + 1442695040888963407u;
                const uint64_t address = (x >> 40) % 64 * 128;
                push(&b, x >> 60 & 1 ? REQUEST_GLOBAL_WRITE : REQUEST_GLOBAL_READ, address, x >> 61 & 1 ? 128 : 32);
                stir = true;
            }
            if (b.now % 9 == 0 && b.below.out.port.ring.count) { /* a slow DRAM */
                struct request *r = port_pop(&b.below.out.port);
                if (r->kind == REQUEST_L2_WRITEBACK)
                    request_free(b.pool, r);
                else
                    port_push(&b.below.up, r);
                stir = true;
            }
            stir |= l2_slice_peek_reply(b.slice) != NULL;
            (void)collect(&b);
            if (!sleeps || stir || b.now >= next) {
                l2_slice_cycle(b.slice, b.now);
                next = l2_slice_next_event(b.slice, b.now);
            }
        }
        l2_slice_settle(b.slice, b.now - 1);
        result[sleeps] = *l2_slice_counters(b.slice);
        assert_true(result[sleeps].refused_mshr_entry > 1000);
        assert_true(result[sleeps].writebacks > 100);
        close_bench(&b);
    }
    assert_memory_equal(&result[0], &result[1], sizeof result[0]);
}

/* In its input queue or in its miss queue: a request that DRAM has no room for is no reason to stay awake. */
static void a_slice_sleeps_while_dram_is_full(void **state)
{
    (void)state;
    for (int in_miss_queue = 0; in_miss_queue < 2; in_miss_queue++) {
        struct bench b;
        struct l2_config c = small();
        open_bench(&b, &c);
        mock_port_fill(&b.below, !in_miss_queue);
        push(&b, REQUEST_GLOBAL_READ, 0x000, 32);
        cycles(&b, 2); /* admitted, looked up */
        assert_int_equal(l2_slice_counters(b.slice)->global_read_misses, in_miss_queue);
        if (in_miss_queue)
            assert_int_equal(l2_slice_next_event(b.slice, b.now - 1), b.now);
        mock_port_fill(&b.below, true);
        cycles(&b, 1);
        assert_int_equal(l2_slice_next_event(b.slice, b.now - 1), UINT64_MAX);
        mock_port_fill(&b.below, false);
        assert_int_equal(l2_slice_next_event(b.slice, b.now - 1), b.now);
        assert_int_equal(run_dry(&b), 1);
        close_bench(&b);
    }
}

static void atomics_dirty_their_sector_and_act_when_they_leave(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.ways = 1;
    open_bench(&b, &c);
    push(&b, REQUEST_ATOMIC, 0x000, 32);
    assert_int_equal(run_dry(&b), 1);
    push(&b, REQUEST_GLOBAL_READ, 0x100, 32);
    assert_int_equal(run_dry(&b), 1);
    assert_int_equal(l2_slice_counters(b.slice)->writebacks, 1);
    assert_int_equal(l2_slice_counters(b.slice)->atomic_misses, 1);
    close_bench(&b);
}

/* 3 lines to each set of 2 ways: the first of each goes, whether they come sector by sector or whole. */
static void copy_and_read(bool whole)
{
    struct bench b;
    struct l2_config c = small();
    open_bench(&b, &c);
    for (uint64_t a = 0; a < 6 * 128; a += whole ? 128 : 32)
        if (whole)
            assert_true(l2_slice_host_wrote_line(b.slice, a, 0));
        else
            l2_slice_host_wrote(b.slice, a, 0);
    assert_false(l2_slice_host_wrote_line(b.slice, 5 * 128, 0)); /* it is there */
    push(&b, REQUEST_GLOBAL_READ, 2 * 128, 128);
    assert_int_equal(run_dry(&b), 4);
    assert_int_equal(l2_slice_counters(b.slice)->global_read_hits, 4);
    push(&b, REQUEST_GLOBAL_READ, 0, 32);
    assert_int_equal(run_dry(&b), 1);
    assert_int_equal(l2_slice_counters(b.slice)->global_read_misses, 1);
    assert_int_equal(l2_slice_counters(b.slice)->host_sectors, 24);
    close_bench(&b);
}

static void host_copies_fill_the_cache_in_order(void **state)
{
    (void)state;
    copy_and_read(false);
    copy_and_read(true);
}

static void write_backs_of_an_l1_are_not_answered(void **state)
{
    (void)state;
    struct bench b;
    const struct l2_config c = small();
    open_bench(&b, &c);
    push(&b, REQUEST_L1_WRITEBACK, 0x000, 128);
    assert_int_equal(run_dry(&b), 0);
    assert_int_equal(l2_slice_counters(b.slice)->writes, 4);
    close_bench(&b);
}

/* A store that misses, one that hits, and the read that replaces its line. DRAM gets the first, with `through` the second too, and
 * acknowledges them; otherwise the line goes there in the end. */
static void stores_may_go_on_to_dram(void **state)
{
    (void)state;
    for (uint32_t stores = L2_STORES_AROUND; stores <= L2_STORES_THROUGH; stores++) {
        const bool through = stores == L2_STORES_THROUGH;
        struct bench b;
        struct l2_config c = small();
        c.ways = 1;
        c.stores = stores;
        open_bench(&b, &c);
        const struct l2_counters *n = l2_slice_counters(b.slice);
        push(&b, REQUEST_GLOBAL_WRITE, 0x000, 32);
        cycles(&b, 5);
        assert_int_equal(collect(&b), 0);
        assert_int_equal(b.below.out.port.ring.count, 1);
        assert_int_equal(run_dry(&b), 1);
        assert_int_equal(n->global_write_misses, 1);
        push(&b, REQUEST_GLOBAL_READ, 0x000, 32); /* it took no line */
        assert_int_equal(run_dry(&b), 1);
        assert_int_equal(n->global_read_misses, 1);
        push(&b, REQUEST_GLOBAL_WRITE, 0x000, 32);
        cycles(&b, 5);
        assert_int_equal(collect(&b), !through);
        assert_int_equal(b.below.out.port.ring.count, through);
        assert_int_equal(run_dry(&b), through);
        assert_int_equal(n->global_write_hits, 1);
        push(&b, REQUEST_L1_WRITEBACK, 0x200, 32); /* misses, and ends in DRAM */
        assert_int_equal(run_dry(&b), 0);
        push(&b, REQUEST_GLOBAL_READ, 0x100, 32);
        assert_int_equal(run_dry(&b), 1);
        assert_int_equal(n->writebacks, !through);
        close_bench(&b);
    }
}

static void switched_off_everything_goes_to_dram_and_back(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.enabled = false;
    open_bench(&b, &c);
    push(&b, REQUEST_GLOBAL_READ, 0x000, 128);
    push(&b, REQUEST_GLOBAL_WRITE, 0x080, 32);
    assert_int_equal(run_dry(&b), 5);
    assert_int_equal(l2_slice_counters(b.slice)->bypassed, 5);
    close_bench(&b);
}

static void with_the_smallest_queues_it_still_makes_progress(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.sets = c.ways = 1;
    c.mshr_entries = c.mshr_merges = 1;
    c.miss_queue = 2;
    c.input_queue = c.output_queue = 1;
    open_bench(&b, &c);
    uint32_t replies = 0;
    for (uint64_t i = 0; i < 20; i++) {
        while (!l2_slice_accepts(b.slice))
            replies += run_dry(&b);
        push(&b, i % 3 ? REQUEST_GLOBAL_READ : REQUEST_GLOBAL_WRITE, i * 96 / 128 * 128, 128);
    }
    for (int i = 0; i < 10; i++)
        replies += run_dry(&b);
    assert_int_equal(replies, 80);
    close_bench(&b);
}

static void lines_of_64_bytes_number_their_own_sectors(void **state)
{
    (void)state;
    struct bench b;
    struct l2_config c = small();
    c.line_bytes = 64;
    open_bench(&b, &c);
    push(&b, REQUEST_GLOBAL_WRITE, 96, 32); /* the second sector of the second line */
    push(&b, REQUEST_GLOBAL_READ, 96, 32);
    assert_int_equal(run_dry(&b), 2);
    assert_int_equal(l2_slice_counters(b.slice)->global_read_hits, 1);
    push(&b, REQUEST_GLOBAL_READ, 64, 64);
    assert_int_equal(run_dry(&b), 2);
    assert_int_equal(l2_slice_counters(b.slice)->global_read_hits, 2);
    assert_int_equal(l2_slice_counters(b.slice)->global_read_sector_misses, 1);
    close_bench(&b);
}

static void a_line_must_lie_in_one_slice(void **state)
{
    (void)state;
    struct error err;
    struct l2_config c = { 0 };
    struct address_map_config map;
    param_defaults(l2_params, &c);
    map = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &map);
    assert_true(l2_config_fits(&c, &map, 128, &err));
    map.channel_shift = 6;
    assert_false(l2_config_fits(&c, &map, 128, &err));
    c.line_bytes = 64;
    assert_true(l2_config_fits(&c, &map, 64, &err));
    assert_false(l2_config_fits(&c, &map, 128, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_128_byte_load_is_four_sectors_and_four_replies),
        cmocka_unit_test(a_64_byte_load_is_two),
        cmocka_unit_test(the_delay_holds_a_request_back),
        cmocka_unit_test(the_delay_holds_sectors_of_textures_back),
        cmocka_unit_test(a_store_that_misses_fetches_nothing),
        cmocka_unit_test(a_half_written_sector_is_fetched_when_read),
        cmocka_unit_test(a_replaced_dirty_line_leaves_with_its_dirty_sectors),
        cmocka_unit_test(merges_are_limited_and_served_one_per_cycle),
        cmocka_unit_test(a_full_set_is_waited_for_or_gone_around),
        cmocka_unit_test(sleeping_changes_no_number),
        cmocka_unit_test(atomics_dirty_their_sector_and_act_when_they_leave),
        cmocka_unit_test(host_copies_fill_the_cache_in_order),
        cmocka_unit_test(write_backs_of_an_l1_are_not_answered),
        cmocka_unit_test(stores_may_go_on_to_dram),
        cmocka_unit_test(switched_off_everything_goes_to_dram_and_back),
        cmocka_unit_test(a_slice_sleeps_while_dram_is_full),
        cmocka_unit_test(with_the_smallest_queues_it_still_makes_progress),
        cmocka_unit_test(lines_of_64_bytes_number_their_own_sectors),
        cmocka_unit_test(a_line_must_lie_in_one_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
