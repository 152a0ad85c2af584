/* test_l15_bank.c - a slice on the modules' side, a bank of an L1.5: what it keeps and what it gives up when it is emptied. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l2_slice.h"
#include "mock_port.h"
#include "policy/hooks.h"

struct told {
    uint32_t flushed, evicted, by_flush, by_store;
};
struct bench {
    struct address_map_config map;
    struct request_pool *pool;
    struct mock_port below;
    struct l2_slice *bank;
    uint64_t now;
    struct told told;
    struct policy_self self;
    struct cache_hooks hooks;
};

static void on_flushed(struct policy_self *s, uint32_t level, uint32_t unit)
{
    assert_int_equal(level, LEVEL_L15);
    assert_int_equal(unit, 5);
    ((struct told *)(void *)s->gpu)->flushed++;
}
static void on_evicted(struct policy_self *s, const struct policy_evicted *e)
{
    struct told *told = (struct told *)(void *)s->gpu;
    told->evicted++;
    told->by_flush += e->reason == EVICTED_BY_FLUSH;
    told->by_store += e->reason == EVICTED_BY_STORE;
}

/* One set of two ways. `port_bytes` of the data port in a cycle. */
static void open_bench_of(struct bench *b, bool hooked, uint32_t port_bytes)
{
    struct l15_config c = { 0 };
    memset(b, 0, sizeof *b);
    param_defaults(l15_params, &c);
    param_defaults(address_map_params, &b->map);
    b->map.channels = b->map.slices_per_channel = 1;
    c.cache.sets = 1;
    c.cache.ways = 2;
    c.cache.rop_latency = 0;
    c.cache.port_bytes = port_bytes;
    c.cache.line_bytes = 128;
    c.cache.enabled = c.cache.module_side = true;
    b->pool = request_pool_new();
    (void)mock_port_open(&b->below);
    b->bank = l2_slice_new(&c.cache, 5, &b->map, b->pool, &b->below.out.port, &b->below.up);
    b->self.gpu = (uint8_t *)&b->told;
    b->hooks.flushed.hook[b->hooks.flushed.count++] = (__typeof__(b->hooks.flushed.hook[0])){ on_flushed, &b->self };
    b->hooks.evicted.hook[b->hooks.evicted.count++] = (__typeof__(b->hooks.evicted.hook[0])){ on_evicted, &b->self };
    if (hooked)
        l2_slice_set_hooks(b->bank, &b->hooks);
    b->now = 1;
}

static void open_bench(struct bench *b, bool hooked)
{
    open_bench_of(b, hooked, 32);
}

static void close_bench(struct bench *b)
{
    assert_null(stat_check(&l2_stat_group, l2_slice_counters(b->bank)));
    assert_int_equal(request_pool_live(b->pool), 0);
    assert_true(l2_slice_idle(b->bank));
    l2_slice_free(b->bank);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static void push(struct bench *b, enum request_kind kind, uint64_t address, bool around)
{
    struct request *r = request_make(b->pool);
    r->kind = (uint8_t)kind;
    r->write = kind == REQUEST_GLOBAL_WRITE || kind == REQUEST_L1_WRITEBACK;
    r->address = address;
    r->bytes = 32;
    r->sectors = (uint8_t)(1u << address / 32 % 4);
    r->mask.word[address / 64 % 2] = UINT64_C(0xFFFFFFFF) << address / 32 % 2 * 32;
    r->bypass_l15 = around;
    l2_slice_push(b->bank, r, b->now);
}

static void cycles(struct bench *b, uint32_t n)
{
    while (n--)
        l2_slice_cycle(b->bank, b->now++);
}

/* The other modules answer all that they are asked; write-backs of an L1 end there. */
static void run_dry(struct bench *b)
{
    for (uint32_t i = 0; i < 100; i++) {
        cycles(b, 1);
        for (struct request *r; (r = port_pop(&b->below.out.port)) != NULL;)
            if (r->kind == REQUEST_L1_WRITEBACK)
                request_free(b->pool, r);
            else
                port_push(&b->below.up, r);
        for (struct request *r; (r = l2_slice_pop_reply(b->bank)) != NULL;)
            request_free(b->pool, r);
    }
}

static void coherent_loads_neither_hit_nor_stay(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, false);
    const struct l2_counters *n = l2_slice_counters(b.bank);
    push(&b, REQUEST_GLOBAL_READ, 0, true);
    run_dry(&b);
    push(&b, REQUEST_GLOBAL_READ, 0, false);
    run_dry(&b);
    assert_true(n->bypassed == 1 && n->misses == 1 && n->hits == 0);
    push(&b, REQUEST_GLOBAL_READ, 0, true); /* the line is there: it is not looked at */
    run_dry(&b);
    assert_true(n->bypassed == 2 && n->hits == 0);
    push(&b, REQUEST_GLOBAL_READ, 0, false);
    run_dry(&b);
    assert_int_equal(n->hits, 1);
    close_bench(&b);
}

/* Of the two sectors of a line each atomic takes its own out; with the second the line goes, and policies hear of it. */
static void atomics_take_their_sectors_out(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, true);
    const struct l2_counters *n = l2_slice_counters(b.bank);
    push(&b, REQUEST_GLOBAL_READ, 0, false);
    push(&b, REQUEST_GLOBAL_READ, 32, false);
    run_dry(&b);
    push(&b, REQUEST_ATOMIC, 0, false);
    run_dry(&b);
    push(&b, REQUEST_GLOBAL_READ, 32, false);
    run_dry(&b);
    assert_true(n->misses == 2 && n->hits == 1 && n->bypassed == 1 && b.told.evicted == 0);
    push(&b, REQUEST_ATOMIC, 32, false);
    run_dry(&b);
    assert_true(b.told.evicted == 1 && b.told.by_store == 1);
    push(&b, REQUEST_GLOBAL_READ, 32, false);
    run_dry(&b);
    assert_true(n->misses == 3 && n->hits == 1);
    push(&b, REQUEST_ATOMIC, 64, false); /* a sector that is not there */
    push(&b, REQUEST_GLOBAL_WRITE, 32, false);
    push(&b, REQUEST_GLOBAL_READ, 32, false);
    run_dry(&b);
    assert_true(n->hits == 2 && b.told.evicted == 1);
    close_bench(&b);
}

/* A third line waits for one of two that are on their way, until the bank is emptied: then it goes on at once, and every cycle that
 * it waited has been counted. What comes for the first two is handed up and not kept. Policies are told of each line. */
static void emptied_it_keeps_nothing_and_holds_nobody_up(void **state)
{
    (void)state;
    for (uint32_t hooked = 0; hooked < 2; hooked++) {
        struct bench b;
        open_bench(&b, hooked);
        const struct l2_counters *n = l2_slice_counters(b.bank);
        for (uint64_t line = 0; line < 3; line++)
            push(&b, REQUEST_GLOBAL_READ, line * 128, false);
        cycles(&b, 20);
        assert_int_equal(n->misses, 2);
        const uint64_t refused = n->refused_line_alloc;
        assert_true(refused > 5);
        b.now += 7; /* it slept for seven cycles */
        l2_slice_invalidate(b.bank, b.now - 1);
        assert_int_equal(n->refused_line_alloc, refused + 7);
        cycles(&b, 1);
        assert_int_equal(n->misses, 3);
        run_dry(&b);
        assert_int_equal(n->refused_line_alloc, refused + 7);
        assert_int_equal(b.told.flushed, hooked);
        assert_true(b.told.evicted == 2 * hooked && b.told.by_flush == 2 * hooked);
        push(&b, REQUEST_GLOBAL_READ, 0, false);
        push(&b, REQUEST_GLOBAL_READ, 256, false);
        run_dry(&b);
        assert_true(n->misses == 4 && n->hits == 1);
        close_bench(&b);
    }
}

/* A store to a line that is here takes the data port, 4 cycles of 8 bytes, one to another line does not; a write-back of an L1 does
 * not either, and nobody waits for it. */
static void a_store_takes_the_port_where_it_hits(void **state)
{
    (void)state;
    static const struct {
        enum request_kind kind;
        uint64_t address;
        uint32_t cycles;
    } before[] = { { REQUEST_GLOBAL_WRITE, 0, 4 }, { REQUEST_GLOBAL_WRITE, 128, 1 }, { REQUEST_L1_WRITEBACK, 0, 1 } };
    for (uint32_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct bench b;
        open_bench_of(&b, false, 8);
        const struct l2_counters *n = l2_slice_counters(b.bank);
        push(&b, REQUEST_GLOBAL_READ, 0, false);
        run_dry(&b);
        push(&b, before[i].kind, before[i].address, false);
        push(&b, REQUEST_GLOBAL_READ, 0, false);
        while (n->bypassed == 0)
            cycles(&b, 1);
        uint32_t later = 0;
        for (; n->hits == 0; later++)
            cycles(&b, 1);
        assert_int_equal(later, before[i].cycles);
        run_dry(&b);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(coherent_loads_neither_hit_nor_stay),
                                        cmocka_unit_test(atomics_take_their_sectors_out),
                                        cmocka_unit_test(a_store_takes_the_port_where_it_hits),
                                        cmocka_unit_test(emptied_it_keeps_nothing_and_holds_nobody_up) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
