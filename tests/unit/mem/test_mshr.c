/* test_mshr.c - MSHRs, the ring of requests and the pool that they come from. */
#include "../cmocka_all.h"

#include "mem/mshr.h"
#include "mem/request_ring.h"

static void entries_and_merges_are_limited(void **state)
{
    (void)state;
    struct request r[4] = { { 0 } };
    struct mshr *m = mshr_new(2, 3);
    const uint32_t a = mshr_add(m, 0x100, &r[0]);
    assert_false(mshr_full(m));
    (void)mshr_add(m, 0x200, &r[1]);
    assert_true(mshr_full(m));
    assert_int_equal(mshr_find(m, 0x100), a);
    assert_int_equal(mshr_find(m, 0x300), MSHR_NONE);
    mshr_merge(m, a, &r[2]);
    assert_true(mshr_can_merge(m, a));
    mshr_merge(m, a, &r[3]);
    assert_false(mshr_can_merge(m, a));
    assert_ptr_equal(mshr_primary(m, a), &r[0]);
    mshr_free(m);
}

static void answers_come_in_order_of_readiness_then_of_arrival(void **state)
{
    (void)state;
    struct request r[5] = { { 0 } };
    struct mshr *m = mshr_new(4, 2);
    const uint32_t a = mshr_add(m, 0x100, &r[0]);
    const uint32_t b = mshr_add(m, 0x200, &r[1]);
    mshr_merge(m, a, &r[2]);
    assert_null(mshr_pop_ready(m));
    mshr_mark_ready(m, b);
    mshr_mark_ready(m, a);
    assert_ptr_equal(mshr_pop_ready(m), &r[1]);
    assert_int_equal(mshr_find(m, 0x200), MSHR_NONE); /* free with its last */
    assert_ptr_equal(mshr_pop_ready(m), &r[0]);
    assert_true(mshr_can_merge(m, a)); /* ready, and one place free again */
    mshr_merge(m, a, &r[3]);
    assert_ptr_equal(mshr_pop_ready(m), &r[2]);
    assert_ptr_equal(mshr_pop_ready(m), &r[3]);
    assert_false(mshr_has_ready(m));
    assert_int_equal(mshr_in_use(m), 0);
    mshr_free(m);
}

static void atomics_mark_their_entry(void **state)
{
    (void)state;
    struct request load = { .kind = REQUEST_GLOBAL_READ }, atomic = { .kind = REQUEST_ATOMIC };
    struct mshr *m = mshr_new(2, 2);
    const uint32_t a = mshr_add(m, 0x100, &load);
    assert_false(mshr_entry_at(m, a)->atomic);
    mshr_merge(m, a, &atomic);
    assert_true(mshr_entry_at(m, a)->atomic);
    mshr_free(m);
}

/* Blocks come and go at random; a plain array says which must be found. */
static void finds_what_is_there_and_nothing_else(void **state)
{
    (void)state;
    enum { BLOCKS = 64 };
    struct request r = { 0 };
    struct mshr *m = mshr_new(24, 1);
    bool there[BLOCKS] = { false };
    uint32_t in_flight = 0;
    uint64_t x = 7;
    for (int step = 0; step < 50000; step++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const uint32_t b = (uint32_t)(x >> 40) % BLOCKS;
        const uint64_t block = (uint64_t)b * 128 + 0xC0000000;
        const uint32_t entry = mshr_find(m, block);
        assert_int_equal(entry != MSHR_NONE, there[b]);
        if (there[b]) {
            mshr_mark_ready(m, entry);
            assert_ptr_equal(mshr_pop_ready(m), &r);
            there[b] = false;
            in_flight--;
        } else if (!mshr_full(m)) {
            (void)mshr_add(m, block, &r);
            there[b] = true;
            in_flight++;
        }
        assert_int_equal(mshr_in_use(m), in_flight);
    }
    mshr_free(m);
}

static void a_ring_without_a_limit_keeps_its_order_when_it_grows(void **state)
{
    (void)state;
    static struct request r[500];
    struct request_ring ring;
    request_ring_init(&ring, 0);
    uint32_t in = 0, out = 0;
    while (in < 500) {
        for (int i = 0; i < 3 && in < 500; i++)
            request_ring_push(&ring, &r[in++]);
        assert_ptr_equal(request_ring_pop(&ring), &r[out++]);
    }
    while (ring.count)
        assert_ptr_equal(request_ring_pop(&ring), &r[out++]);
    assert_int_equal(out, 500);
    request_ring_clear(&ring);
}

static void the_pool_counts_what_is_out(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    struct request_pool *pool = request_pool_new();
    static struct request *out[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            out[i] = request_make(pool);
            assert_int_equal(out[i]->address, 0);
            out[i]->address = 1;
        }
        assert_int_equal(request_pool_live(pool), MANY);
        for (int i = 0; i < MANY; i++)
            request_free(pool, out[i]);
        assert_int_equal(request_pool_live(pool), 0);
    }
    request_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_and_merges_are_limited),
        cmocka_unit_test(answers_come_in_order_of_readiness_then_of_arrival),
        cmocka_unit_test(atomics_mark_their_entry),
        cmocka_unit_test(finds_what_is_there_and_nothing_else),
        cmocka_unit_test(a_ring_without_a_limit_keeps_its_order_when_it_grows),
        cmocka_unit_test(the_pool_counts_what_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
