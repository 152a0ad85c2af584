/* An L1 whose sets are bytes: pieces of lines, their space, their time. The policy is made of function pointers; a shadow of the
 * cache, kept from what the policy is told, says what must be here. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l1.h"
#include "mock_port.h"
#include "policy/hooks.h"

enum { TAG = 8, WAYS = 2, TAGS = 6, SET_BYTES = WAYS * (128 + TAG), LINES = 8, SETS = 2 };

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct l1 *l1;
    uint64_t now;
    struct policy_self self;
    struct cache_hooks hooks;
    uint32_t fill_bytes, set_bytes, grown, fill_cycles; /* what the policy says; `grown`: bytes more once filled */
    uint32_t evicted, fetched_bytes, written_bytes;
    uint8_t held[LINES]; /* shadow: sectors of each line that were filled and not evicted */
    uint8_t fetched[LINES];
};

static struct bench *bench_of(struct policy_self *self)
{
    return (struct bench *)(void *)self->gpu;
}

static void on_lookup(struct policy_self *s, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)a;
    if (bench_of(s)->fill_bytes)
        answer->fill_bytes = bench_of(s)->fill_bytes;
}
static uint32_t on_tags(struct policy_self *s, uint32_t level)
{
    (void)s, (void)level;
    return TAGS;
}
static uint32_t on_set_bytes(struct policy_self *s, uint32_t level)
{
    (void)level;
    return bench_of(s)->set_bytes;
}
static uint32_t on_stored(struct policy_self *s, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)a;
    assert_int_equal(filled, way != NO_WAY);
    return fetched + TAG + (filled ? bench_of(s)->grown : 0);
}
static uint32_t on_fill_cycles(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)a, (void)way;
    return bench_of(s)->fill_cycles;
}
static uint32_t on_hit_cycles(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)s, (void)a, (void)way;
    return 3;
}
static void on_filled(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)way;
    uint8_t *held = &bench_of(s)->held[a->address / 128];
    assert_int_equal(*held & a->sectors, 0); /* never a byte twice */
    *held |= a->sectors;
}
static void on_evicted(struct policy_self *s, const struct policy_evicted *e)
{
    bench_of(s)->evicted++;
    bench_of(s)->held[e->address / 128] &= (uint8_t)~e->sectors_held;
}

static void open_bench(struct bench *b)
{
    struct l1_config c = { 0 };
    struct error err;
    memset(b, 0, sizeof *b);
    b->self.gpu = (uint8_t *)b;
    b->now = 1;
    b->set_bytes = SET_BYTES;
    b->hooks.before_lookup.hook[b->hooks.before_lookup.count++] = (struct before_lookup_hook){ on_lookup, &b->self };
    b->hooks.filled.hook[b->hooks.filled.count++] = (struct filled_hook){ on_filled, &b->self };
    b->hooks.evicted.hook[b->hooks.evicted.count++] = (struct evicted_hook){ on_evicted, &b->self };
    b->hooks.storage.self = &b->self;
    b->hooks.storage.owner = "test";
    b->hooks.storage.call = (struct policy_storage_hooks){ on_tags, on_set_bytes, on_stored, on_fill_cycles, on_hit_cycles, NULL };
    param_defaults(l1_params, &c);
    c.sets = SETS;
    c.ways = WAYS;
    c.index = 0;
    c.mshr_entries = 4;
    c.mshr_merges = 2;
    assert_true(l1_config_takes_pieces(&c, "test", &err));
    b->pool = request_pool_new();
    b->l1 = l1_new(&c, 0, b->pool, mock_port_open(&b->below));
    l1_set_hooks(b->l1, &b->hooks);
}

static void close_bench(struct bench *b)
{
    assert_null(stat_check(&l1_stat_group, l1_counters(b->l1)));
    assert_null(l1_broken(b->l1));
    assert_int_equal(request_pool_live(b->pool), 0);
    l1_free(b->l1);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static struct request *make(struct bench *b, enum request_kind kind, uint32_t line, uint8_t sectors)
{
    struct request *r = request_make(b->pool);
    const uint32_t first = (uint32_t)__builtin_ctz(sectors);
    r->kind = (uint8_t)kind;
    r->write = kind == REQUEST_GLOBAL_WRITE || kind == REQUEST_LOCAL_WRITE;
    r->address = line * 128 + first * 32;
    r->bytes = 32;
    r->sectors = sectors;
    for (uint32_t s = 0; s < 4; s++)
        if (sectors >> s & 1)
            r->mask.word[s / 2] |= (uint64_t)UINT32_MAX << s % 2 * 32;
    return r;
}

static struct l1_answer access_l1(struct bench *b, enum request_kind kind, uint32_t line, uint8_t sectors)
{
    struct request *r = make(b, kind, line, sectors);
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (cache_refused(a.outcome) || (r->write ? !a.sent : a.outcome == CACHE_HIT))
        request_free(b->pool, r);
    assert_null(l1_broken(b->l1));
    return a;
}

static enum cache_outcome load(struct bench *b, uint32_t line, uint8_t sectors)
{
    return access_l1(b, REQUEST_GLOBAL_READ, line, sectors).outcome;
}

/* One request leaves, or one reply comes. */
static void step(struct bench *b, bool reply)
{
    struct request *r;
    l1_cycle(b->l1, b->now++);
    if (reply && (r = port_pop(&b->below.out.port)) != NULL) {
        if (r->write) {
            b->written_bytes += r->bytes;
            request_free(b->pool, r);
        } else {
            b->fetched_bytes += r->bytes;
            b->fetched[r->address / 128] |= r->sectors;
            l1_fill(b->l1, r, b->now);
        }
    }
    while ((r = l1_pop_ready(b->l1)) != NULL)
        request_free(b->pool, r);
    assert_null(l1_broken(b->l1));
}

static void drain(struct bench *b)
{
    while (!l1_idle(b->l1) || b->below.out.port.ring.count)
        step(b, true);
}

/* Two lines of 136 bytes in a set of 272; lines 0, 2, 4 share set 0. */
static void space_is_taken_from_a_set_and_given_back(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    assert_int_equal(load(&b, 0, 15), CACHE_MISS);
    assert_int_equal(load(&b, 2, 15), CACHE_MISS);
    drain(&b);
    l1_take_space(b.l1, 0, 128, b.now); /* 144 are left: the line used longest ago goes */
    assert_int_equal(b.evicted, 1);
    assert_int_equal(load(&b, 2, 15), CACHE_HIT);
    assert_int_equal(load(&b, 4, 15), CACHE_MISS); /* takes its place */
    assert_int_equal(b.evicted, 2);
    assert_int_equal(load(&b, 6, 15), CACHE_REFUSED_LINE_ALLOC); /* the rest waits for its data */
    const uint64_t version = l1_version(b.l1);
    l1_take_space(b.l1, 0, 0, b.now);
    assert_true(l1_version(b.l1) != version); /* who was refused tries again */
    assert_int_equal(load(&b, 6, 15), CACHE_MISS);
    l1_take_space(b.l1, 0, 128, b.now); /* both are on their way: nothing can go */
    assert_int_equal(b.evicted, 2);
    drain(&b);
    assert_int_equal(b.evicted, 3); /* one went when its data had come */
    l1_take_space(b.l1, 0, 200, b.now);
    assert_int_equal(b.evicted, 4);
    assert_int_equal(load(&b, 1, 15), CACHE_MISS); /* the other set has all it had */
    assert_int_equal(load(&b, 3, 15), CACHE_MISS);
    drain(&b);
    close_bench(&b);
}

static bool on_hit_later(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)way;
    return bench_of(s)->held[a->address / 128] == 15 && a->request;
}

static void a_hit_may_wait_for_its_policy(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    assert_int_equal(load(&b, 0, 15), CACHE_MISS);
    drain(&b);
    assert_false(access_l1(&b, REQUEST_GLOBAL_READ, 0, 15).later);
    b.hooks.storage.call.hit_later = on_hit_later;
    const struct l1_answer a = access_l1(&b, REQUEST_GLOBAL_READ, 0, 15);
    assert_true(a.later && a.outcome == CACHE_HIT);
    close_bench(&b);
}

static void small_pieces_reserve_what_they_are(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    b.fill_bytes = 32;
    for (uint32_t i = 0; i < 4; i++) /* all on their way at once: 4 MSHRs */
        assert_int_equal(load(&b, 2 * (i / 2), (uint8_t)(1u << i)), CACHE_MISS);
    assert_int_equal(load(&b, 4, 1), CACHE_REFUSED_MSHR_ENTRY);
    drain(&b);
    assert_int_equal(load(&b, 4, 1), CACHE_MISS);
    assert_int_equal(load(&b, 6, 1), CACHE_MISS); /* 6 x 40 bytes */
    assert_int_equal(b.evicted, 0);
    drain(&b);
    assert_int_equal(load(&b, 4, 2), CACHE_MISS); /* 272 bytes hold no seventh */
    assert_int_equal(b.evicted, 1);
    drain(&b);
    assert_int_equal(b.fetched_bytes, 7 * 32);
    close_bench(&b);
}

static void whole_lines_are_as_many_as_ways(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    assert_int_equal(load(&b, 0, 1), CACHE_MISS);
    assert_int_equal(load(&b, 0, 8), CACHE_MERGED);
    assert_int_equal(load(&b, 0, 8), CACHE_REFUSED_MSHR_MERGE);
    assert_int_equal(load(&b, 2, 1), CACHE_MISS);
    assert_int_equal(load(&b, 4, 1), CACHE_REFUSED_LINE_ALLOC); /* both reserved: overhead counts, and nothing is free */
    drain(&b);
    assert_int_equal(load(&b, 4, 1), CACHE_MISS);
    assert_int_equal(b.evicted, 1);
    drain(&b);
    assert_int_equal(b.held[0], 0);
    assert_int_equal(b.held[2], 15);
    close_bench(&b);
}

/* The aligned part of `bytes` around the first sector that holds all of them. */
static uint8_t part_for(uint8_t sectors, uint32_t bytes)
{
    for (uint32_t size = bytes / 32; size < 4; size *= 2) {
        const uint32_t first = (uint32_t)__builtin_ctz(sectors) / size * size;
        const uint8_t part = (uint8_t)(((1u << size) - 1) << first);
        if (!(sectors & ~part))
            return part;
    }
    return 15;
}

static void any_load_over_any_pieces_fetches_just_what_is_missing(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 32, 64, 128 };
    for (uint8_t here = 0; here < 16; here++)
        for (uint8_t wanted = 1; wanted < 16; wanted++)
            for (uint32_t size = 0; size < 3; size++) {
                struct bench b;
                open_bench(&b);
                b.fill_bytes = 32;
                for (uint32_t s = 0; s < 4; s++)
                    if (here >> s & 1)
                        assert_int_equal(load(&b, 0, (uint8_t)(1u << s)), CACHE_MISS);
                drain(&b);
                b.fetched[0] = 0;
                b.fill_bytes = sizes[size];
                const bool hit = !(wanted & ~here);
                assert_int_equal(load(&b, 0, wanted), hit ? CACHE_HIT : CACHE_MISS);
                drain(&b);
                const uint8_t fetched = (uint8_t)(hit ? 0 : part_for(wanted, sizes[size]) & ~here);
                assert_int_equal(b.fetched[0], fetched);
                assert_int_equal(b.held[0], here | fetched); /* four pieces with their tags fit: 4 x 40, 128 + 8... */
                assert_int_equal(load(&b, 0, wanted), CACHE_HIT);
                close_bench(&b);
            }
}

/* Loads over pieces that are still on their way: each sector is asked for once, and all who wait are served. */
static void any_load_over_any_fetches_in_flight(void **state)
{
    (void)state;
    for (uint8_t flying = 1; flying < 16; flying++)
        for (uint8_t wanted = 1; wanted < 16; wanted++) {
            struct bench b;
            open_bench(&b);
            b.fill_bytes = 32;
            for (uint32_t s = 0; s < 4; s++)
                if (flying >> s & 1)
                    assert_int_equal(load(&b, 0, (uint8_t)(1u << s)), CACHE_MISS);
            const enum cache_outcome o = load(&b, 0, wanted);
            assert_true(o == (wanted & ~flying ? CACHE_MISS : CACHE_MERGED) || o == CACHE_REFUSED_MSHR_ENTRY);
            drain(&b);
            const uint8_t all = o == CACHE_MISS ? (uint8_t)(flying | part_for(wanted, 32)) : flying;
            assert_int_equal(b.held[0], all);
            assert_int_equal(b.fetched_bytes, 32 * (uint32_t)__builtin_popcount(all));
            close_bench(&b);
        }
}

static uint32_t draw(uint64_t *x, uint32_t n)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*x >> 33) % n;
}

/* Any mix of sizes, loads, stores, replies and flushes: a load hits exactly when all that it touches is here, and a store leaves
 * nothing here of what it touched. l1_broken (no byte twice, no set over its bytes) is asked after every step. */
static void random_mixes_hold_what_memory_holds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct bench b;
        uint64_t x = seed;
        uint32_t hits = 0;
        open_bench(&b);
        for (int i = 0; i < 2000; i++) {
            const uint32_t line = draw(&x, LINES), act = draw(&x, 20);
            const uint8_t sectors = (uint8_t)(1 + draw(&x, 15));
            b.fill_bytes = 32u << draw(&x, 3);
            b.grown = draw(&x, 8) ? 0 : 32 * draw(&x, 3);
            if (act < 12) {
                const bool here = !(sectors & ~b.held[line]);
                const enum cache_outcome o = load(&b, line, sectors);
                assert_int_equal(o == CACHE_HIT, here);
                hits += here;
            } else if (act < 13) {
                const uint8_t before = b.held[line];
                if (!cache_refused(access_l1(&b, REQUEST_GLOBAL_WRITE, line, sectors).outcome))
                    assert_int_equal(b.held[line] & sectors & before, 0); /* no stale byte stays */
            } else if (act < 14 && !draw(&x, 20)) {
                l1_invalidate(b.l1);
            } else {
                step(&b, draw(&x, 3) != 0);
            }
        }
        drain(&b);
        assert_true(hits > 50);
        close_bench(&b);
    }
}

static void a_piece_can_be_read_when_its_time_has_come(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    b.fill_cycles = 10;
    assert_int_equal(load(&b, 0, 1), CACHE_MISS);
    struct request *r;
    l1_cycle(b.l1, b.now++);
    r = port_pop(&b.below.out.port);
    l1_fill(b.l1, r, b.now);
    const uint64_t filled = b.now;
    r = l1_pop_ready(b.l1); /* who waited has the data at once */
    assert_non_null(r);
    request_free(b.pool, r);
    b.now = filled + 1;
    assert_int_equal(access_l1(&b, REQUEST_GLOBAL_READ, 0, 1).extra_cycles, 9 + 3);
    b.now = filled + 9;
    assert_int_equal(access_l1(&b, REQUEST_GLOBAL_READ, 0, 1).extra_cycles, 1 + 3);
    b.now = filled + 10;
    assert_int_equal(access_l1(&b, REQUEST_GLOBAL_READ, 0, 1).extra_cycles, 3);
    close_bench(&b);
}

static void a_piece_that_grows_pushes_others_out_or_goes_itself(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    b.fill_bytes = 32;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(load(&b, 2 * i, 1), CACHE_MISS);
        drain(&b);
    }
    b.grown = 100; /* 160 + 40 + 100 > 272: one goes when the data come, none before */
    assert_int_equal(load(&b, 0, 8), CACHE_MISS);
    assert_int_equal(b.evicted, 0);
    drain(&b);
    assert_int_equal(b.evicted, 1);
    assert_int_equal(b.held[0], 8); /* the oldest was of the same line */
    b.grown = 272;                  /* more than a set */
    assert_int_equal(load(&b, 2, 2), CACHE_MISS);
    drain(&b);
    assert_int_equal(b.held[2] & 2, 0);
    assert_int_equal(load(&b, 2, 2), CACHE_MISS);
    drain(&b);
    close_bench(&b);
}

static void storage_is_resized_when_a_kernel_starts(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    assert_int_equal(load(&b, 0, 1), CACHE_MISS);
    assert_int_equal(load(&b, 2, 1), CACHE_MISS);
    drain(&b);
    b.set_bytes = 3 * (128 + TAG);
    l1_resize(b.l1); /* more: what is here stays, and a third line fits */
    assert_int_equal(load(&b, 4, 1), CACHE_MISS);
    drain(&b);
    assert_int_equal(b.evicted, 0);
    assert_int_equal(load(&b, 0, 1), CACHE_HIT);
    b.set_bytes = 128 + TAG;
    l1_resize(b.l1); /* less: it begins empty */
    assert_int_equal(b.evicted, 3);
    assert_int_equal(load(&b, 0, 1), CACHE_MISS);
    assert_int_equal(load(&b, 2, 1), CACHE_REFUSED_LINE_ALLOC);
    drain(&b);
    close_bench(&b);
}

static void stores_drop_or_change_the_pieces_they_touch(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    b.fill_bytes = 32;
    for (uint32_t s = 0; s < 3; s++)
        (void)load(&b, 0, (uint8_t)(1u << s));
    drain(&b);
    assert_int_equal(access_l1(&b, REQUEST_GLOBAL_WRITE, 0, 2).outcome, CACHE_HIT);
    drain(&b);
    assert_int_equal(b.held[0], 1 | 4);
    b.written_bytes = 0;
    const struct l1_answer a = access_l1(&b, REQUEST_LOCAL_WRITE, 0, 1);
    assert_int_equal(a.outcome, CACHE_HIT); /* stays here, dirty */
    assert_false(a.sent);
    assert_true(access_l1(&b, REQUEST_LOCAL_WRITE, 0, 1 | 2).sent); /* in part only */
    drain(&b);
    assert_int_equal(b.written_bytes, 32);
    b.fill_bytes = 128;
    (void)load(&b, 2, 1);
    (void)load(&b, 4, 1); /* the dirty piece has to go: its 32 bytes are written back */
    drain(&b);
    assert_int_equal(b.written_bytes, 64);
    close_bench(&b);
}

static void a_piece_lost_in_flight_gets_a_place_again(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b);
    b.fill_bytes = 32;
    assert_int_equal(load(&b, 0, 1), CACHE_MISS);
    l1_invalidate(b.l1);
    assert_int_equal(load(&b, 0, 2), CACHE_MISS); /* perhaps the same tag: the first's data must not fill it */
    assert_int_equal(load(&b, 0, 1), CACHE_MISS); /* joins the first, and counts as what it is */
    drain(&b);
    assert_int_equal(b.fetched_bytes, 64);
    assert_int_equal(b.held[0], 3);
    assert_true(l1_would_hit(b.l1, 0, 3));
    assert_false(l1_would_hit(b.l1, 0, 7));
    assert_true(l1_drop_line(b.l1, 64));
    assert_int_equal(b.held[0], 0);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(space_is_taken_from_a_set_and_given_back),
        cmocka_unit_test(a_hit_may_wait_for_its_policy),
        cmocka_unit_test(small_pieces_reserve_what_they_are),
        cmocka_unit_test(whole_lines_are_as_many_as_ways),
        cmocka_unit_test(any_load_over_any_pieces_fetches_just_what_is_missing),
        cmocka_unit_test(any_load_over_any_fetches_in_flight),
        cmocka_unit_test(random_mixes_hold_what_memory_holds),
        cmocka_unit_test(a_piece_can_be_read_when_its_time_has_come),
        cmocka_unit_test(a_piece_that_grows_pushes_others_out_or_goes_itself),
        cmocka_unit_test(storage_is_resized_when_a_kernel_starts),
        cmocka_unit_test(stores_drop_or_change_the_pieces_they_touch),
        cmocka_unit_test(a_piece_lost_in_flight_gets_a_place_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
