/* test_texture_fifo.c - the texture cache whose results leave in order. */
#include "../cmocka_all.h"

#include "mem/texture_fifo.h"
#include "mock_port.h"

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct texture_fifo *cache;
    uint64_t now;
};

static void open_bench(struct bench *b, uint32_t fragments, uint32_t reorder, uint32_t requests, uint32_t results)
{
    struct readonly_config c;
    param_defaults(l1t_params, &c);
    c.fragments = fragments;
    c.reorder = reorder;
    c.miss_queue = requests;
    c.results = results;
    b->pool = request_pool_new();
    b->cache = texture_fifo_new(&c, b->pool, mock_port_open(&b->below));
    b->now = 1;
}

static void close_bench(struct bench *b)
{
    assert_null(stat_check(&l1i_stat_group, texture_fifo_counters(b->cache)));
    assert_int_equal(request_pool_live(b->pool), 0);
    texture_fifo_free(b->cache);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static enum cache_outcome read_at(struct bench *b, uint64_t address)
{
    struct request *r = request_make(b->pool);
    r->kind = REQUEST_TEXTURE_READ;
    r->address = address;
    r->slot = (uint32_t)address;
    r->bytes = 128;
    const enum cache_outcome o = texture_fifo_access(b->cache, r, b->now++);
    if (cache_refused(o))
        request_free(b->pool, r);
    return o;
}

/* The address of the read whose result comes now; UINT32_MAX: none. */
static uint32_t result(struct bench *b)
{
    struct request *r = texture_fifo_pop(b->cache);
    const uint32_t address = r ? r->slot : UINT32_MAX;
    if (r)
        request_free(b->pool, r);
    return address;
}

static void a_hit_does_not_overtake_a_miss(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, 128, 128, 4, 2);
    assert_int_equal(read_at(&b, 0x000), CACHE_MISS);
    assert_int_equal(read_at(&b, 0x040), CACHE_HIT); /* for the tags: its line is on its way */
    assert_int_equal(read_at(&b, 0x100), CACHE_MISS);
    for (int i = 0; i < 3; i++)
        texture_fifo_cycle(b.cache);
    assert_int_equal(b.below.out.port.ring.count, 2);
    assert_false(texture_fifo_has_ready(b.cache));
    struct request *first = port_pop(&b.below.out.port), *second = port_pop(&b.below.out.port);
    assert_int_equal(first->address, 0x000);
    assert_int_equal(second->address, 0x100);
    texture_fifo_fill(b.cache, second); /* too early: it waits for the first */
    texture_fifo_cycle(b.cache);
    assert_int_equal(result(&b), UINT32_MAX);
    assert_int_equal(texture_fifo_next_event(b.cache, 7), UINT64_MAX);
    texture_fifo_fill(b.cache, first);
    assert_int_equal(texture_fifo_next_event(b.cache, 7), 7);
    for (int i = 0; i < 3; i++)
        texture_fifo_cycle(b.cache); /* one each, but there is room for two results */
    assert_int_equal(result(&b), 0x000);
    assert_int_equal(result(&b), 0x040);
    assert_int_equal(result(&b), UINT32_MAX);
    texture_fifo_cycle(b.cache);
    assert_int_equal(result(&b), 0x100);
    close_bench(&b);
}

static void every_queue_refuses_when_full(void **state)
{
    (void)state;
    static const struct {
        uint32_t fragments, reorder, requests;
        enum cache_outcome cause;
    } full[] = { { 2, 9, 9, CACHE_REFUSED_MSHR_ENTRY },
                 { 9, 2, 9, CACHE_REFUSED_MSHR_ENTRY },
                 { 9, 9, 2, CACHE_REFUSED_MISS_QUEUE } };
    for (uint32_t i = 0; i < 3; i++) {
        struct bench b;
        open_bench(&b, full[i].fragments, full[i].reorder, full[i].requests, 2);
        assert_int_equal(texture_fifo_room(b.cache), 2);
        assert_int_equal(read_at(&b, 0x000), CACHE_MISS);
        assert_int_equal(read_at(&b, 0x080), CACHE_MISS);
        assert_int_equal(texture_fifo_room(b.cache), 0);
        assert_int_equal(read_at(&b, 0x000), full[i].cause); /* a hit, too: room is asked for first */
        texture_fifo_cycle(b.cache);
        assert_int_equal(cache_refused(read_at(&b, 0x000)), full[i].requests != 2);
        for (int k = 0; k < 12; k++) {
            texture_fifo_cycle(b.cache);
            struct request *r = port_pop(&b.below.out.port);
            if (r)
                texture_fifo_fill(b.cache, r);
            (void)result(&b);
        }
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_hit_does_not_overtake_a_miss),
                                        cmocka_unit_test(every_queue_refuses_when_full) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
