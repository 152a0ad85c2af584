/* test_readonly_cache.c - instruction, constant and texture caches that only read. */
#include "../cmocka_all.h"

#include "mem/readonly_cache.h"
#include "mock_port.h"

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct readonly_cache *cache;
    uint64_t now;
};

static void open_bench(struct bench *b, const struct readonly_config *config)
{
    b->pool = request_pool_new();
    b->cache = readonly_cache_new(config, b->pool, mock_port_open(&b->below));
    b->now = 1;
}

static void close_bench(struct bench *b)
{
    assert_null(stat_check(&l1i_stat_group, readonly_cache_counters(b->cache)));
    assert_int_equal(request_pool_live(b->pool), 0);
    readonly_cache_free(b->cache);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static enum cache_outcome read_at(struct bench *b, uint64_t address)
{
    struct request *r = request_make(b->pool);
    r->kind = REQUEST_INSTRUCTION_READ;
    r->address = address;
    r->bytes = 16;
    const enum cache_outcome o = readonly_cache_access(b->cache, r, b->now++);
    if (cache_refused(o) || o == CACHE_HIT)
        request_free(b->pool, r);
    return o;
}

static uint32_t drain(struct bench *b)
{
    uint32_t done = 0;
    while (!readonly_cache_idle(b->cache)) {
        readonly_cache_cycle(b->cache, b->now++);
        struct request *r = port_pop(&b->below.out.port);
        if (r)
            readonly_cache_fill(b->cache, r, b->now++);
        while ((r = readonly_cache_pop_ready(b->cache)) != NULL) {
            assert_int_equal(r->bytes, 16);
            request_free(b->pool, r);
            done++;
        }
    }
    return done;
}

static void instruction_cache_of_the_gtx480(void **state)
{
    (void)state;
    struct readonly_config c;
    param_defaults(l1i_params, &c);
    assert_int_equal(c.sets * c.ways * c.line_bytes, 2048);
    struct bench b;
    open_bench(&b, &c);
    assert_int_equal(read_at(&b, 0x000), CACHE_MISS);
    assert_int_equal(read_at(&b, 0x010), CACHE_MERGED);
    assert_int_equal(read_at(&b, 0x080), CACHE_MISS);
    assert_int_equal(read_at(&b, 0x100), CACHE_REFUSED_MSHR_ENTRY); /* 2 blocks in flight */
    assert_int_equal(drain(&b), 3);
    assert_int_equal(read_at(&b, 0x070), CACHE_HIT);
    assert_int_equal(readonly_cache_counters(b.cache)->refused_mshr_entry, 1);
    close_bench(&b);
}

/* With allocation on fill five blocks of one 4-way set never lack a line, and the fill picks the victim. */
static void allocates_on_fill(void **state)
{
    (void)state;
    struct readonly_config c;
    param_defaults(l1i_params, &c);
    c.mshr_entries = 8;
    c.miss_queue = 8;
    struct bench b;
    open_bench(&b, &c);
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(read_at(&b, i * 0x200), CACHE_MISS);
    assert_int_equal(drain(&b), 5);
    assert_int_equal(read_at(&b, 4 * 0x200), CACHE_HIT);
    assert_int_equal(read_at(&b, 1 * 0x200), CACHE_HIT);
    assert_int_equal(read_at(&b, 0), CACHE_MISS); /* the first filled was the first out */
    assert_int_equal(drain(&b), 1);
    assert_int_equal(readonly_cache_counters(b.cache)->evictions, 2);
    close_bench(&b);
}

static void allocates_on_miss_when_told(void **state)
{
    (void)state;
    struct readonly_config c;
    param_defaults(l1i_params, &c);
    c.mshr_entries = 8;
    c.miss_queue = 8;
    c.allocate_on_miss = true;
    struct bench b;
    open_bench(&b, &c);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(read_at(&b, i * 0x200), CACHE_MISS);
    assert_int_equal(read_at(&b, 4 * 0x200), CACHE_REFUSED_LINE_ALLOC);
    const uint64_t version = readonly_cache_version(b.cache);
    assert_int_equal(drain(&b), 4);
    assert_true(readonly_cache_version(b.cache) > version);
    assert_int_equal(read_at(&b, 0), CACHE_HIT);
    close_bench(&b);
}

/* A refusal is remembered until something leaves the cache, or another access may have given it another cause. */
static void a_refusal_is_remembered(void **state)
{
    (void)state;
    struct readonly_config c;
    param_defaults(l1i_params, &c);
    c.mshr_entries = 3;
    c.mshr_merges = 1;
    c.miss_queue = 2;
    struct bench b;
    open_bench(&b, &c);
    const struct readonly_counters *count = readonly_cache_counters(b.cache);
    assert_false(readonly_cache_refuses(b.cache, 0));
    assert_int_equal(read_at(&b, 0), CACHE_MISS);
    assert_false(readonly_cache_refuses(b.cache, 0x10));
    assert_int_equal(read_at(&b, 0x10), CACHE_REFUSED_MSHR_MERGE);
    assert_true(readonly_cache_refuses(b.cache, 0x20)); /* of the same line */
    assert_false(readonly_cache_refuses(b.cache, 0x80));
    assert_int_equal(count->refused_mshr_merge, 2);
    assert_int_equal(read_at(&b, 0x80), CACHE_MISS);
    assert_false(readonly_cache_refuses(b.cache, 0x10));
    assert_int_equal(read_at(&b, 0x10), CACHE_REFUSED_MISS_QUEUE);
    assert_true(readonly_cache_refuses(b.cache, 0x10));
    assert_int_equal(count->refused_miss_queue, 2);
    assert_int_equal(drain(&b), 2);
    assert_false(readonly_cache_refuses(b.cache, 0x10));
    assert_true(readonly_cache_hit(b.cache, 0x10, b.now));
    close_bench(&b);
}

static void the_miss_queue_drains_one_per_cycle(void **state)
{
    (void)state;
    struct readonly_config c;
    param_defaults(l1c_params, &c);
    c.mshr_entries = 4;
    c.miss_queue = 2;
    struct bench b;
    open_bench(&b, &c);
    assert_int_equal(read_at(&b, 0x000), CACHE_MISS);
    assert_int_equal(read_at(&b, 0x040), CACHE_MISS);
    assert_int_equal(read_at(&b, 0x080), CACHE_REFUSED_MISS_QUEUE);
    assert_int_equal(readonly_cache_next_event(b.cache, b.now), b.now);
    readonly_cache_cycle(b.cache, b.now++);
    assert_int_equal(b.below.out.port.ring.count, 1);
    assert_int_equal(port_peek(&b.below.out.port)->bytes, 64);
    assert_int_equal(read_at(&b, 0x080), CACHE_MISS);
    assert_int_equal(drain(&b), 3);
    assert_int_equal(readonly_cache_next_event(b.cache, b.now), UINT64_MAX);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_cache_of_the_gtx480),     cmocka_unit_test(allocates_on_fill),
        cmocka_unit_test(allocates_on_miss_when_told),         cmocka_unit_test(a_refusal_is_remembered),
        cmocka_unit_test(the_miss_queue_drains_one_per_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
