/* l2_bench.h - an L2 slice between a network and a DRAM channel that a test plays by hand. */
#ifndef L2_BENCH_H
#define L2_BENCH_H
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l2_slice.h"
#include "mock_port.h"

struct bench {
    struct address_map_config map;
    struct request_pool *pool;
    struct mock_port below;
    struct l2_slice *slice;
    uint64_t now;
};

/* One channel, one slice: the in-slice address is the address. 2 sets x 2 ways, no delay unless a test asks for it. */
static inline struct l2_config small(void)
{
    struct l2_config c = { 0 };
    param_defaults(l2_params, &c);
    c.sets = 2;
    c.ways = 2;
    c.rop_latency = 0;
    return c;
}

static inline void open_bench(struct bench *b, const struct l2_config *config)
{
    struct error err;
    assert_true(l2_config_check(config, &err));
    b->map = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &b->map);
    b->map.channels = 1;
    b->map.slices_per_channel = 1;
    b->pool = request_pool_new();
    (void)mock_port_open(&b->below);
    b->slice = l2_slice_new(config, 0, &b->map, b->pool, &b->below.out.port, &b->below.up);
    b->now = 1;
}

static inline void close_bench(struct bench *b)
{
    const struct stat_law *broken = stat_check(&l2_stat_group, l2_slice_counters(b->slice));
    if (broken)
        fail_msg("law %s: %s", broken->name, broken->text);
    assert_int_equal(request_pool_live(b->pool), 0);
    assert_true(l2_slice_idle(b->slice));
    l2_slice_free(b->slice);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static inline struct request *request_of(struct bench *b, enum request_kind kind, uint64_t address, uint32_t bytes)
{
    struct request *r = request_make(b->pool);
    r->kind = (uint8_t)kind;
    r->write = kind == REQUEST_GLOBAL_WRITE || kind == REQUEST_L1_WRITEBACK;
    r->address = address;
    r->bytes = bytes;
    for (uint32_t i = 0; i < bytes; i++) {
        const uint64_t at = (address + i) % 128;
        r->mask.word[at / 64] |= UINT64_C(1) << at % 64;
    }
    return r;
}

static inline void push(struct bench *b, enum request_kind kind, uint64_t address, uint32_t bytes)
{
    assert_true(l2_slice_accepts(b->slice));
    l2_slice_push(b->slice, request_of(b, kind, address, bytes), b->now);
}

static inline void cycles(struct bench *b, uint32_t n)
{
    while (n--)
        l2_slice_cycle(b->slice, b->now++);
}

/* All replies that are ready; sector replies are joined. Returns how many packets came. */
static inline uint32_t collect(struct bench *b)
{
    uint32_t n = 0;
    for (struct request *r; (r = l2_slice_pop_reply(b->slice)) != NULL; n++) {
        assert_true(r->is_reply);
        r = request_join_sectors(b->pool, r);
        if (r)
            request_free(b->pool, r);
    }
    return n;
}

/* DRAM answers everything it was sent; write-backs end there. Returns how many reads there were. */
static inline uint32_t answer_dram(struct bench *b)
{
    uint32_t n = 0;
    for (struct request *r; (r = port_pop(&b->below.out.port)) != NULL;)
        if (r->kind == REQUEST_L2_WRITEBACK || r->kind == REQUEST_L1_WRITEBACK) {
            request_free(b->pool, r);
        } else {
            n++;
            port_push(&b->below.up, r);
        }
    return n;
}

static inline uint32_t run_dry(struct bench *b)
{
    uint32_t replies = 0;
    for (int i = 0; i < 400; i++) {
        cycles(b, 1);
        replies += collect(b);
        (void)answer_dram(b);
    }
    return replies;
}
#endif
