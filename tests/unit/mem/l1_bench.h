/* l1_bench.h - an L1 of 2 sets x 2 ways (linear: lines 0, 256, 512... share set 0) over a mock of what lies below it. */
#pragma once
#include "../cmocka_all.h"

#include "mem/l1.h"
#include "mock_port.h"

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct l1 *l1;
    uint64_t now;
};

static struct l1_config small(void)
{
    struct l1_config c = { 0 };
    param_defaults(l1_params, &c);
    c.sets = 2;
    c.ways = 2;
    c.index = 0;
    c.mshr_entries = 4;
    c.mshr_merges = 2;
    return c;
}

static void open_bench(struct bench *b, struct l1_config config)
{
    struct error err;
    assert_true(l1_config_check(&config, &err));
    b->pool = request_pool_new();
    b->l1 = l1_new(&config, 3, b->pool, mock_port_open(&b->below));
    b->now = 1;
}

static void close_bench(struct bench *b)
{
    const struct stat_law *broken = stat_check(&l1_stat_group, l1_counters(b->l1));
    if (broken)
        fail_msg("law %s: %s", broken->name, broken->text);
    assert_int_equal(request_pool_live(b->pool), 0);
    assert_true(l1_idle(b->l1));
    l1_free(b->l1);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}
