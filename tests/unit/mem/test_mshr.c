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

/* More wait than an entry has near places, and the places wrap around. */
static void many_that_wait_for_a_block_keep_their_order(void **state)
{
    (void)state;
    enum { MERGES = 5, ROUNDS = 30 };
    static struct request r[MERGES + ROUNDS];
    struct mshr *m = mshr_new(2, MERGES);
    const uint32_t other = mshr_add(m, 0x100, &r[0]), a = mshr_add(m, 0x200, &r[0]);
    for (uint32_t i = 1; i < MERGES; i++) {
        mshr_merge(m, a, &r[i]);
        mshr_merge(m, other, &r[0]);
    }
    mshr_mark_ready(m, a);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        assert_false(mshr_can_merge(m, a));
        assert_ptr_equal(mshr_primary(m, a), &r[i]);
        assert_ptr_equal(mshr_pop_ready(m), &r[i]);
        mshr_merge(m, a, &r[MERGES + i]);
    }
    mshr_free(m);
}

static void those_with_other_blocks_to_wait_for_leave(void **state)
{
    (void)state;
    enum { MERGES = 6 };
    struct request r[MERGES];
    struct mshr *m = mshr_new(2, MERGES);
    for (uint32_t i = 0; i < MERGES; i++)
        r[i] = (struct request){ .fetches = (uint8_t)(1 + i % 2) };
    const uint32_t a = mshr_add(m, 0x100, &r[0]);
    for (uint32_t i = 1; i < MERGES; i++)
        mshr_merge(m, a, &r[i]);
    mshr_arrived(m, a);
    for (uint32_t i = 0; i < MERGES; i += 2)
        assert_ptr_equal(mshr_pop_ready(m), &r[i]);
    assert_int_equal(mshr_in_use(m), 0);
    mshr_arrived(m, mshr_add(m, 0x100, &(struct request){ .fetches = 2 }));
    assert_int_equal(mshr_in_use(m), 0); /* nobody stays */
    mshr_free(m);
}

/* Blocks come and go at random; a plain array says which must be found. `unit`: from block to block. */
static void look_for_blocks(uint64_t unit)
{
    enum { BLOCKS = 64 };
    struct request r = { 0 };
    struct mshr *m = mshr_new(24, 1);
    bool there[BLOCKS] = { false };
    uint32_t in_flight = 0;
    uint64_t x = 7;
    for (int step = 0; step < 50000; step++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const uint32_t b = (uint32_t)(x >> 40) % BLOCKS;
        const uint64_t block = b * unit + 0xC0000000;
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

static void finds_what_is_there_and_nothing_else(void **state)
{
    (void)state;
    look_for_blocks(128); /* lines */
    look_for_blocks(32);  /* sectors */
}

/* `factor` x distance is k, so small that the upper half of a product with it stays the same. */
static void two_blocks_of_one_hash_are_two(void **state)
{
    (void)state;
    const uint64_t factor = 0x9E3779B97F4A7C15u; /* mshr_hash */
    uint64_t inverse = factor, k = 1;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - factor * inverse;
    while (k * inverse >> 57) /* the lines of 64 bits of addresses */
        k++;
    struct request r[2] = { { 0 } };
    struct mshr *m = mshr_new(2, 1);
    const uint64_t near = 0x12345 << 7, far = near + (k * inverse << 7);
    assert_int_equal(mshr_hash(m, near), mshr_hash(m, far));
    const uint32_t a = mshr_add(m, near, &r[0]);
    assert_int_equal(mshr_find(m, far), MSHR_NONE);
    const uint32_t b = mshr_add(m, far, &r[1]);
    assert_int_equal(mshr_find(m, near), a);
    assert_int_equal(mshr_find(m, far), b);
    mshr_mark_ready(m, a);
    assert_ptr_equal(mshr_pop_ready(m), &r[0]);
    assert_int_equal(mshr_find(m, near), MSHR_NONE);
    assert_int_equal(mshr_find(m, far), b);
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
        cmocka_unit_test(many_that_wait_for_a_block_keep_their_order),
        cmocka_unit_test(those_with_other_blocks_to_wait_for_leave),
        cmocka_unit_test(finds_what_is_there_and_nothing_else),
        cmocka_unit_test(two_blocks_of_one_hash_are_two),
        cmocka_unit_test(a_ring_without_a_limit_keeps_its_order_when_it_grows),
        cmocka_unit_test(the_pool_counts_what_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
