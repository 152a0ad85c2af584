/* An L1 with sectors: what is asked for, who waits for what, what stores leave. */
#include "l1_bench.h"

#include <string.h>

#include "reference/reference.h"

static struct l1_config with_sectors(void)
{
    struct l1_config c = small();
    c.sectored = true;
    return c;
}

static enum cache_outcome access_sectors(struct bench *b, enum request_kind kind, uint64_t block, uint8_t sectors,
                                         struct request **out)
{
    struct request *r = request_make(b->pool);
    r->kind = (uint8_t)kind;
    r->write = kind == REQUEST_GLOBAL_WRITE || kind == REQUEST_LOCAL_WRITE;
    r->address = block + (uint32_t)__builtin_ctz(sectors) * 32;
    r->bytes = 32;
    r->sectors = sectors;
    for (uint32_t s = 0; s < 4; s++)
        r->mask.word[s / 2] |= sectors >> s & 1 ? (uint64_t)UINT32_MAX << s % 2 * 32 : 0;
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (r->write ? !a.sent : cache_refused(a.outcome) || a.outcome == CACHE_HIT) {
        request_free(b->pool, r);
        r = NULL;
    }
    if (out)
        *out = r;
    return a.outcome;
}

static enum cache_outcome load(struct bench *b, uint64_t block, uint8_t sectors, struct request **out)
{
    return access_sectors(b, REQUEST_GLOBAL_READ, block, sectors, out);
}

static struct request *next_sent(struct bench *b)
{
    l1_cycle(b->l1, b->now++);
    return port_pop(&b->below.out.port);
}

static void expect_fetch(struct bench *b, uint64_t address, uint32_t bytes, struct request **out)
{
    *out = next_sent(b);
    assert_non_null(*out);
    assert_int_equal((*out)->address, address);
    assert_int_equal((*out)->bytes, bytes);
    assert_false((*out)->write);
}

static void expect_ready(struct bench *b, struct request *expected)
{
    assert_true(l1_has_ready(b->l1));
    assert_ptr_equal(l1_pop_ready(b->l1), expected);
    request_free(b->pool, expected);
}

/* The whole of a load: sent, filled, handed back. */
static void bring(struct bench *b, uint64_t block, uint8_t sectors)
{
    struct request *r, *fetch;
    assert_int_equal(load(b, block, sectors, &r), CACHE_MISS);
    while ((fetch = next_sent(b)) != NULL)
        if (fetch->write)
            request_free(b->pool, fetch);
        else
            l1_fill(b->l1, fetch, b->now++);
    expect_ready(b, r);
}

static void a_miss_fetches_its_sectors_alone(void **state)
{
    (void)state;
    struct bench b;
    struct request *r, *fetch;
    open_bench(&b, with_sectors());
    assert_int_equal(load(&b, 0x1000, 2, &r), CACHE_MISS);
    expect_fetch(&b, 0x1020, 32, &fetch);
    assert_false(l1_has_ready(b.l1));
    l1_fill(b.l1, fetch, b.now);
    expect_ready(&b, r);
    assert_int_equal(load(&b, 0x1000, 2, NULL), CACHE_HIT);
    assert_int_equal(l1_counters(b.l1)->sectors_fetched, 1);
    assert_int_equal(l1_counters(b.l1)->sector_misses, 0);
    close_bench(&b);
}

static void a_line_without_the_sector_is_a_sector_miss(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, with_sectors());
    bring(&b, 0x1000, 1);
    bring(&b, 0x1000, 8);
    assert_int_equal(load(&b, 0x1000, 9, NULL), CACHE_HIT);
    assert_int_equal(l1_counters(b.l1)->misses, 2);
    assert_int_equal(l1_counters(b.l1)->sector_misses, 1);
    assert_int_equal(l1_counters(b.l1)->sectors_fetched, 2);
    close_bench(&b);
}

static void only_what_is_missing_is_fetched_and_gaps_take_two_fetches(void **state)
{
    (void)state;
    struct bench b;
    struct request *r, *low, *high;
    open_bench(&b, with_sectors());
    bring(&b, 0x1000, 2);
    assert_int_equal(load(&b, 0x1000, 15, &r), CACHE_MISS);
    assert_int_equal(l1_mshr_in_use(b.l1), 2);
    expect_fetch(&b, 0x1000, 32, &low);
    expect_fetch(&b, 0x1040, 64, &high);
    l1_fill(b.l1, high, b.now++);
    assert_false(l1_has_ready(b.l1)); /* one of two */
    l1_fill(b.l1, low, b.now++);
    expect_ready(&b, r);
    assert_int_equal(l1_counters(b.l1)->split_fetches, 1);
    assert_int_equal(l1_counters(b.l1)->sectors_fetched, 4);
    close_bench(&b);
}

static void a_load_of_other_sectors_does_not_hold_up_the_first(void **state)
{
    (void)state;
    struct bench b;
    struct request *first, *second, *a, *c;
    open_bench(&b, with_sectors());
    assert_int_equal(load(&b, 0x1000, 1, &first), CACHE_MISS);
    assert_int_equal(load(&b, 0x1000, 4, &second), CACHE_MISS);
    expect_fetch(&b, 0x1000, 32, &a);
    expect_fetch(&b, 0x1040, 32, &c);
    l1_fill(b.l1, a, b.now++);
    expect_ready(&b, first);
    assert_false(l1_has_ready(b.l1));
    assert_int_equal(load(&b, 0x1000, 1, NULL), CACHE_HIT); /* while sector 2 is on its way */
    l1_fill(b.l1, c, b.now++);
    expect_ready(&b, second);
    close_bench(&b);
}

static void a_load_waits_for_the_fetches_of_others(void **state)
{
    (void)state;
    struct bench b;
    struct request *first, *second, *both, *a, *c;
    open_bench(&b, with_sectors());
    assert_int_equal(load(&b, 0x1000, 1, &first), CACHE_MISS);
    assert_int_equal(load(&b, 0x1000, 4, &second), CACHE_MISS);
    assert_int_equal(load(&b, 0x1000, 5, &both), CACHE_MERGED);
    assert_int_equal(load(&b, 0x1000, 1, NULL), CACHE_REFUSED_MSHR_MERGE); /* two wait already */
    expect_fetch(&b, 0x1000, 32, &a);
    expect_fetch(&b, 0x1040, 32, &c);
    l1_fill(b.l1, a, b.now++);
    expect_ready(&b, first);
    assert_false(l1_has_ready(b.l1));
    l1_fill(b.l1, c, b.now++);
    expect_ready(&b, second);
    expect_ready(&b, both);
    close_bench(&b);
}

static void entries_are_needed_for_every_fetch(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = with_sectors();
    struct request *r, *low, *high;
    c.mshr_entries = 2;
    open_bench(&b, c);
    bring(&b, 0x1000, 1);
    assert_int_equal(load(&b, 0x1080, 5, &r), CACHE_MISS);
    assert_int_equal(load(&b, 0x1000, 2, NULL), CACHE_REFUSED_MSHR_ENTRY);
    assert_int_equal(load(&b, 0x1000, 1, NULL), CACHE_HIT);
    expect_fetch(&b, 0x1080, 32, &low);
    expect_fetch(&b, 0x10c0, 32, &high);
    l1_fill(b.l1, low, b.now++);
    l1_fill(b.l1, high, b.now++);
    expect_ready(&b, r);
    close_bench(&b);
}

static void a_global_store_takes_its_sectors_out(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, with_sectors());
    bring(&b, 0x1000, 3);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x1000, 1, NULL), CACHE_HIT);
    request_free(b.pool, next_sent(&b));
    assert_int_equal(load(&b, 0x1000, 2, NULL), CACHE_HIT); /* the neighbour stays */
    assert_int_equal(l1_counters(b.l1)->write_evicts, 0);
    bring(&b, 0x1000, 1);
    assert_int_equal(l1_counters(b.l1)->sector_misses, 1);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x1000, 3, NULL), CACHE_HIT);
    request_free(b.pool, next_sent(&b));
    assert_int_equal(l1_counters(b.l1)->write_evicts, 1);
    bring(&b, 0x1000, 1);
    assert_int_equal(l1_counters(b.l1)->sector_misses, 1); /* the line was gone */
    close_bench(&b);
}

static void dirty_sectors_are_written_back_and_no_others(void **state)
{
    (void)state;
    struct bench b;
    struct request *r, *fetch;
    open_bench(&b, with_sectors());
    bring(&b, 0x0000, 15);
    assert_int_equal(access_sectors(&b, REQUEST_LOCAL_WRITE, 0x0000, 2, NULL), CACHE_HIT);
    assert_int_equal(access_sectors(&b, REQUEST_LOCAL_WRITE, 0x0000, 4, NULL), CACHE_HIT);
    bring(&b, 0x0100, 1);
    assert_int_equal(load(&b, 0x0200, 1, &r), CACHE_MISS); /* replaces line 0 */
    expect_fetch(&b, 0x0200, 32, &fetch);                  /* the miss goes before the write-back */
    struct request *back = next_sent(&b);
    assert_true(back->write);
    assert_int_equal(back->kind, REQUEST_L1_WRITEBACK);
    assert_int_equal(back->address, 0x0020);
    assert_int_equal(back->bytes, 64);
    assert_int_equal(back->sectors, 6);
    request_free(b.pool, back);
    l1_fill(b.l1, fetch, b.now++);
    expect_ready(&b, r);
    close_bench(&b);
}

static void a_local_store_that_lacks_a_sector_goes_down(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, with_sectors());
    bring(&b, 0x0000, 1);
    assert_int_equal(access_sectors(&b, REQUEST_LOCAL_WRITE, 0x0000, 3, NULL), CACHE_MISS);
    request_free(b.pool, next_sent(&b));
    assert_int_equal(load(&b, 0x0000, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

static void emptied_while_in_flight_another_load_joins(void **state)
{
    (void)state;
    struct bench b;
    struct request *first, *second, *fetch;
    open_bench(&b, with_sectors());
    assert_int_equal(load(&b, 0x1000, 1, &first), CACHE_MISS);
    expect_fetch(&b, 0x1000, 32, &fetch);
    l1_invalidate(b.l1);
    assert_int_equal(load(&b, 0x1000, 1, &second), CACHE_MISS);
    assert_null(next_sent(&b)); /* nothing is asked for twice */
    l1_fill(b.l1, fetch, b.now++);
    expect_ready(&b, first);
    expect_ready(&b, second);
    assert_int_equal(load(&b, 0x1000, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

static void the_fill_port_is_busy_for_the_bytes_that_came(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = with_sectors();
    struct request *r, *fetch;
    c.port_bytes = 32;
    open_bench(&b, c);
    assert_int_equal(load(&b, 0, 6, &r), CACHE_MISS);
    expect_fetch(&b, 32, 64, &fetch);
    l1_fill(b.l1, fetch, 10);
    assert_false(l1_fill_port_free(b.l1, 11));
    assert_true(l1_fill_port_free(b.l1, 12));
    expect_ready(&b, r);
    close_bench(&b);
}

static void what_a_load_of_two_fetches_needs_is_checked(void **state)
{
    (void)state;
    struct error err;
    struct l1_config c = with_sectors();
    c.line_bytes = 64;
    assert_false(l1_config_check(&c, &err));
    assert_non_null(strstr(err.text, "l1.sectored"));
    c = with_sectors();
    c.miss_queue = 2;
    assert_false(l1_config_check(&c, &err));
    c.miss_queue = 3;
    assert_true(l1_config_check(&c, &err));
    c.mshr_entries = 1;
    assert_false(l1_config_check(&c, &err));
}

static struct l1_config with_stores_that_stay(void)
{
    struct l1_config c = with_sectors();
    c.stores = L1_STORES_STAY;
    return c;
}

static void a_store_that_stays_can_be_read(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, with_stores_that_stay());
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x1000, 2, NULL), CACHE_MISS);
    struct request *sent = next_sent(&b);
    assert_true(sent->write);
    request_free(b.pool, sent);
    assert_int_equal(load(&b, 0x1000, 2, NULL), CACHE_HIT);
    bring(&b, 0x1000, 1); /* its neighbour was not fetched */
    assert_int_equal(l1_counters(b.l1)->sector_misses, 1);
    assert_int_equal(access_sectors(&b, REQUEST_LOCAL_WRITE, 0x1000, 1, NULL), CACHE_HIT); /* written through as well */
    request_free(b.pool, next_sent(&b));
    bring(&b, 0x1100, 1);
    bring(&b, 0x1200, 1); /* replaces the first line: nothing of it has to be written back */
    assert_int_equal(l1_counters(b.l1)->writebacks, 0);
    assert_int_equal(load(&b, 0x1100, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

static struct request *part_store(struct bench *b, uint64_t block, enum cache_outcome expected)
{
    struct request *r = request_make(b->pool);
    r->kind = REQUEST_GLOBAL_WRITE;
    r->write = true;
    r->address = block;
    r->bytes = 32;
    r->sectors = 1;
    r->mask.word[0] = 0xF;
    assert_int_equal(l1_access(b->l1, r, b->now++).outcome, expected);
    return r;
}

static void a_part_of_a_sector_is_not_read_until_the_rest_has_come(void **state)
{
    (void)state;
    struct bench b;
    struct request *r, *fetch;
    open_bench(&b, with_stores_that_stay());
    (void)part_store(&b, 0x1000, CACHE_MISS);
    request_free(b.pool, next_sent(&b));
    bring(&b, 0x1000, 1);
    assert_int_equal(load(&b, 0x1000, 1, NULL), CACHE_HIT);
    /* While it is on its way: the fetch brings the rest. */
    assert_int_equal(load(&b, 0x1100, 1, &r), CACHE_MISS);
    expect_fetch(&b, 0x1100, 32, &fetch);
    (void)part_store(&b, 0x1100, CACHE_MERGED);
    request_free(b.pool, next_sent(&b));
    l1_fill(b.l1, fetch, b.now++);
    expect_ready(&b, r);
    assert_int_equal(load(&b, 0x1100, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

/* One written line of four is below half of them: it stays, and what was read goes. */
static void written_lines_stay_while_they_are_few(void **state)
{
    (void)state;
    struct bench b;
    struct l1_config c = with_stores_that_stay();
    struct error err;
    c.written_percent = 50;
    c.stores = L1_STORES_EVICT;
    assert_false(l1_config_check(&c, &err));
    c.stores = L1_STORES_STAY;
    open_bench(&b, c);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0, 1, NULL), CACHE_MISS);
    request_free(b.pool, next_sent(&b));
    bring(&b, 0x100, 1);
    bring(&b, 0x200, 1);
    assert_int_equal(load(&b, 0, 1, NULL), CACHE_HIT);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x200, 1, NULL), CACHE_HIT); /* two of four: no longer few */
    request_free(b.pool, next_sent(&b));
    bring(&b, 0x300, 1);
    assert_int_equal(load(&b, 0x200, 1, NULL), CACHE_HIT);
    bring(&b, 0, 1); /* was the oldest */
    close_bench(&b);
}

/* 128 KiB of 4 sets: 256 ways alone, 192 beside 32 KiB. */
static void an_l1_has_what_shared_memory_leaves(void **state)
{
    (void)state;
    struct l1_config c = with_sectors();
    struct bench b;
    c.sets = 4;
    c.ways = 2;
    assert_int_equal(l1_ways_beside(&c, 1), 2);
    c.unified_bytes = 128 * 1024;
    assert_int_equal(l1_ways_beside(&c, 0), 256);
    assert_int_equal(l1_ways_beside(&c, 16 * 1024 + 1), 192);
    assert_int_equal(l1_ways_beside(&c, 32 * 1024), 192);
    open_bench(&b, c);
    for (uint64_t i = 0; i < 3; i++)
        bring(&b, i * 512, 1);
    bring(&b, 0, 1); /* two ways do not hold three lines */
    l1_set_ways(b.l1, 3);
    for (uint64_t i = 0; i < 3; i++)
        bring(&b, i * 512, 1); /* it is empty now, and then holds them */
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(load(&b, i * 512, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

/* ---- reference.l1_blind_fills with sectors ------------------------------------------------------------------------------ */

static struct l1_config blind(struct l1_otherwise *ways)
{
    struct l1_config c = with_stores_that_stay();
    *ways = reference_l1_ways(&(struct reference_config){ .l1_blind_fills = true }, true);
    c.sector_requests = true;
    c.sets = 1;
    c.ways = 1;
    c.otherwise = ways;
    return c;
}

/* Data came, and their loads are not all served. A load that joins them after the line has gone takes the line again. Nobody fills
 * it: the next one finds it reserved, and fetches. */
static void a_load_may_join_data_whose_line_has_gone(void **state)
{
    (void)state;
    struct bench b;
    struct l1_otherwise ways;
    struct request *first, *second, *third, *fetch;
    open_bench(&b, blind(&ways));
    assert_int_equal(load(&b, 0, 1, &first), CACHE_MISS);
    expect_fetch(&b, 0, 32, &fetch);
    l1_fill(b.l1, fetch, b.now++);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x100, 2, NULL), CACHE_MISS); /* takes the only way */
    request_free(b.pool, next_sent(&b));
    assert_int_equal(load(&b, 0, 1, &second), CACHE_MISS);
    assert_null(next_sent(&b));
    expect_ready(&b, first);
    expect_ready(&b, second);
    assert_int_equal(load(&b, 0, 1, &third), CACHE_MERGED);
    assert_int_equal(l1_counters(b.l1)->refetches, 1);
    expect_fetch(&b, 0, 32, &fetch);
    l1_fill(b.l1, fetch, b.now++);
    expect_ready(&b, third);
    assert_int_equal(load(&b, 0, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

/* A store over a sector on its way lets the line go. The data then pass for those of whatever has the way. */
static void late_data_pass_for_those_of_another_line(void **state)
{
    (void)state;
    struct bench b;
    struct l1_otherwise ways;
    struct request *r, *fetch;
    open_bench(&b, blind(&ways));
    assert_int_equal(load(&b, 0, 1, &r), CACHE_MISS);
    expect_fetch(&b, 0, 32, &fetch);
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0, 1, NULL), CACHE_MERGED);
    request_free(b.pool, next_sent(&b));
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0x100, 2, NULL), CACHE_MISS);
    request_free(b.pool, next_sent(&b));
    l1_fill(b.l1, fetch, b.now++);
    expect_ready(&b, r);
    assert_int_equal(load(&b, 0x100, 1, NULL), CACHE_HIT);
    close_bench(&b);
}

/* An L1 that was not used is not emptied. Stores that stay are uses. */
static void what_only_was_written_is_emptied_too(void **state)
{
    (void)state;
    struct bench b;
    struct l1_otherwise ways;
    open_bench(&b, blind(&ways));
    assert_int_equal(access_sectors(&b, REQUEST_GLOBAL_WRITE, 0, 1, NULL), CACHE_MISS);
    request_free(b.pool, next_sent(&b));
    l1_invalidate(b.l1);
    bring(&b, 0, 1);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_fetches_its_sectors_alone),
        cmocka_unit_test(a_line_without_the_sector_is_a_sector_miss),
        cmocka_unit_test(only_what_is_missing_is_fetched_and_gaps_take_two_fetches),
        cmocka_unit_test(a_load_of_other_sectors_does_not_hold_up_the_first),
        cmocka_unit_test(a_load_waits_for_the_fetches_of_others),
        cmocka_unit_test(entries_are_needed_for_every_fetch),
        cmocka_unit_test(a_global_store_takes_its_sectors_out),
        cmocka_unit_test(dirty_sectors_are_written_back_and_no_others),
        cmocka_unit_test(a_local_store_that_lacks_a_sector_goes_down),
        cmocka_unit_test(emptied_while_in_flight_another_load_joins),
        cmocka_unit_test(the_fill_port_is_busy_for_the_bytes_that_came),
        cmocka_unit_test(what_a_load_of_two_fetches_needs_is_checked),
        cmocka_unit_test(a_store_that_stays_can_be_read),
        cmocka_unit_test(a_part_of_a_sector_is_not_read_until_the_rest_has_come),
        cmocka_unit_test(written_lines_stay_while_they_are_few),
        cmocka_unit_test(a_load_may_join_data_whose_line_has_gone),
        cmocka_unit_test(late_data_pass_for_those_of_another_line),
        cmocka_unit_test(what_only_was_written_is_emptied_too),
        cmocka_unit_test(an_l1_has_what_shared_memory_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
