/* What policies can do to an L1: a policy made of function pointers, and what it was told. */
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l1.h"
#include "mem/l2_slice.h"
#include "mock_port.h"
#include "policy/hooks.h"
#include "reference/reference.h"

struct told {
    uint32_t asked, accessed, evicted, filled, inserted, promoted, removed, refused, periods;
    enum policy_outcome outcome;
    enum policy_eviction reason;
    enum policy_cause cause;
    uint64_t refused_cycles, evicted_address;
    uint8_t sectors_used;
    struct policy_lookup answer;
    enum policy_refusal verdict;
    bool serve, later, forbid;
    uint32_t flushed;
    uint32_t victim, stored;
    bool decline;
    uint32_t declines_asked;
    uint64_t candidates;
    bool blind_fills; /* of the L1 that `start` makes */
};

static struct told *told_of(struct policy_self *self)
{
    return (struct told *)(void *)self->gpu;
}

static void on_lookup(struct policy_self *s, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)a;
    told_of(s)->asked++;
    answer->bypass |= told_of(s)->answer.bypass;
    answer->no_allocate |= told_of(s)->answer.no_allocate;
    if (told_of(s)->answer.fill_bytes)
        answer->fill_bytes = told_of(s)->answer.fill_bytes;
}
static void on_serve(struct policy_self *s, const struct policy_access *a, struct policy_serve *answer)
{
    (void)a;
    *answer = (struct policy_serve){ .served = told_of(s)->serve, .later = told_of(s)->later, .cycles = 9 };
}
static bool on_may_miss(struct policy_self *s, const struct policy_access *a)
{
    (void)a;
    return !told_of(s)->forbid;
}
static void on_accessed(struct policy_self *s, const struct policy_access *a, enum policy_outcome o, uint32_t way)
{
    (void)a, (void)way;
    told_of(s)->accessed++;
    told_of(s)->outcome = o;
}
static enum policy_refusal on_refused(struct policy_self *s, const struct policy_access *a, enum policy_cause cause)
{
    (void)a;
    told_of(s)->refused++;
    told_of(s)->cause = cause;
    return told_of(s)->verdict;
}
static void on_refused_end(struct policy_self *s, const struct policy_access *a, enum policy_cause cause, uint64_t cycles)
{
    (void)a, (void)cause;
    told_of(s)->refused_cycles += cycles;
}
static void on_filled(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)a, (void)way;
    told_of(s)->filled++;
}
static void on_evicted(struct policy_self *s, const struct policy_evicted *e)
{
    told_of(s)->evicted++;
    told_of(s)->reason = (enum policy_eviction)e->reason;
    told_of(s)->evicted_address = e->address;
    told_of(s)->sectors_used = e->sectors_used;
}
static void on_flushed(struct policy_self *s, uint32_t level, uint32_t unit)
{
    (void)level, (void)unit;
    told_of(s)->flushed++;
}
static void on_period(struct policy_self *s, uint32_t level, uint32_t unit)
{
    (void)level, (void)unit;
    told_of(s)->periods++;
}
static uint32_t always_set_1(struct policy_self *s, const struct policy_access *a)
{
    (void)s, (void)a;
    return 1;
}
static uint32_t on_victim(struct policy_self *s, const struct policy_access *a, const uint64_t *c)
{
    (void)a, (void)c;
    return told_of(s)->victim;
}
static bool on_declines(struct policy_self *s, const struct policy_access *a, const uint64_t *c)
{
    (void)a;
    told_of(s)->declines_asked++;
    told_of(s)->candidates = c[0];
    return told_of(s)->decline;
}
static void on_inserted(struct policy_self *s, const struct policy_access *a, uint32_t w)
{
    (void)a, (void)w;
    told_of(s)->inserted++;
}
static void on_promoted(struct policy_self *s, const struct policy_access *a, uint32_t w, bool p)
{
    (void)a, (void)w, (void)p;
    told_of(s)->promoted++;
}
static void on_removed(struct policy_self *s, const struct policy_evicted *e)
{
    (void)e;
    told_of(s)->removed++;
}
static uint32_t eight_tags(struct policy_self *s, uint32_t level)
{
    (void)s, (void)level;
    return 8;
}
static uint32_t two_lines_of_space(struct policy_self *s, uint32_t level)
{
    (void)s, (void)level;
    return 256;
}
static uint32_t stored(struct policy_self *s, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)a;
    assert_int_equal(fetched, 128);
    assert_int_equal(filled, way != NO_WAY);
    return filled ? told_of(s)->stored : fetched;
}
static uint32_t hit_cycles(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)s, (void)a, (void)way;
    return 14;
}

struct bench {
    struct request_pool *pool;
    struct mock_port below;
    struct l1 *l1;
    uint64_t now;
    struct told told;
    struct policy_self self;
    struct cache_hooks hooks;
};

/* 2 sets x 2 ways; lines 0, 256, 512... share set 0. The table is filled by the test between `prepare` and `start`. */
static void prepare(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->self.gpu = (uint8_t *)&b->told;
    b->now = 1;
}

#define HOOK(table, function) (b.hooks.table.hook[b.hooks.table.count++] = (__typeof__(b.hooks.table.hook[0])){ function, &b.self })

static void start(struct bench *b)
{
    struct l1_config c = { 0 };
    param_defaults(l1_params, &c);
    c.sets = 2;
    c.ways = 2;
    c.index = 0;
    c.mshr_entries = 4;
    const struct l1_ways slips = reference_l1_ways(&(struct reference_config){ .l1_blind_fills = b->told.blind_fills });
    c.otherwise = &slips;
    b->pool = request_pool_new();
    const struct memory_port port = mock_port_open(&b->below);
    b->l1 = l1_new(&c, 0, b->pool, &port);
    l1_set_hooks(b->l1, &b->hooks);
}

static void finish(struct bench *b)
{
    assert_null(stat_check(&l1_stat_group, l1_counters(b->l1)));
    assert_int_equal(request_pool_live(b->pool), 0);
    l1_free(b->l1);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static struct request *load_of(struct bench *b, uint64_t address)
{
    struct request *r = request_make(b->pool);
    r->kind = REQUEST_GLOBAL_READ;
    r->address = address;
    r->bytes = 32;
    r->sectors = (uint8_t)(1u << address % 128 / 32);
    return r;
}

static struct l1_answer load(struct bench *b, uint64_t address)
{
    struct request *r = load_of(b, address);
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (cache_refused(a.outcome) || a.outcome == CACHE_HIT || a.outcome == CACHE_SERVED)
        request_free(b->pool, r);
    return a;
}

/* Everything that was sent comes back; loads around the cache end here. Returns the bytes that travelled. */
static uint32_t drain(struct bench *b)
{
    uint32_t bytes = 0;
    while (!l1_idle(b->l1) || b->below.down.ring.count) {
        l1_cycle(b->l1, b->now++);
        struct request *r = port_pop(&b->below.down);
        if (r) {
            bytes += r->bytes;
            if (r->bypass_l1 || r->write)
                request_free(b->pool, r);
            else
                l1_fill(b->l1, r, b->now);
        }
        while ((r = l1_pop_ready(b->l1)) != NULL)
            request_free(b->pool, r);
    }
    return bytes;
}

static void a_policy_owns_the_set_index(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.set_index.call = always_set_1;
    b.hooks.set_index.self = &b.self;
    start(&b);
    for (uint64_t i = 0; i < 2; i++)
        assert_int_equal(load(&b, i * 128).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 2 * 128).outcome, CACHE_REFUSED_LINE_ALLOC);
    (void)drain(&b);
    finish(&b);
}

static void bypassed_loads_fill_nothing_and_are_asked_about_once(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    HOOK(accessed, on_accessed);
    b.told.answer.bypass = true;
    start(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.outcome, OUTCOME_BYPASSED);
    assert_int_equal(drain(&b), 32);
    b.told.answer.bypass = false;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 128);
    assert_int_equal(b.told.asked, 2);
    assert_int_equal(l1_counters(b.l1)->bypassed, 1);
    finish(&b);
}

static void no_allocate_uses_hits_and_sends_misses_around(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    b.told.answer.no_allocate = true;
    assert_int_equal(load(&b, 0).outcome, CACHE_MERGED);
    (void)drain(&b);
    assert_int_equal(load(&b, 0).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 128).outcome, CACHE_BYPASSED);
    (void)drain(&b);
    finish(&b);
}

static void a_part_of_a_line_holds_only_that_part(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    b.told.answer.fill_bytes = 32;
    start(&b);
    assert_int_equal(load(&b, 64).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 96).outcome, CACHE_REFUSED_MSHR_MERGE); /* not on its way */
    assert_int_equal(load(&b, 64).outcome, CACHE_MERGED);
    assert_int_equal(drain(&b), 32);
    assert_int_equal(load(&b, 64).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 96).outcome, CACHE_MISS);
    assert_int_equal(drain(&b), 32);
    assert_int_equal(load(&b, 64).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 96).outcome, CACHE_HIT);
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(l1_counters(b.l1)->evictions, 0);
    finish(&b);
}

static void a_policy_serves_a_miss_from_elsewhere(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(serve, on_serve);
    HOOK(accessed, on_accessed);
    b.told.serve = true;
    start(&b);
    const struct l1_answer a = load(&b, 0);
    assert_int_equal(a.outcome, CACHE_SERVED);
    assert_int_equal(a.extra_cycles, 9);
    assert_int_equal(b.told.outcome, OUTCOME_ELSEWHERE);
    assert_false(a.later);
    b.told.later = true;
    assert_true(load(&b, 0).later);
    assert_true(l1_idle(b.l1));
    finish(&b);
}

/* A search that found nothing took 9 cycles: the fetch leaves after these. */
static void a_search_in_vain_delays_the_fetch(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(serve, on_serve);
    start(&b);
    const uint64_t asked = b.now;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    assert_int_equal(l1_next_event(b.l1, asked + 1), asked + 9);
    l1_cycle(b.l1, asked + 8);
    assert_int_equal(b.below.down.ring.count, 0);
    l1_cycle(b.l1, asked + 9);
    assert_int_equal(b.below.down.ring.count, 1);
    (void)drain(&b);
    finish(&b);
}

static void a_policy_is_told_when_the_cache_is_emptied(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(flushed, on_flushed);
    HOOK(evicted, on_evicted);
    start(&b);
    l1_invalidate(b.l1); /* though it is empty */
    assert_int_equal(b.told.flushed, 1);
    assert_int_equal(b.told.evicted, 0);
    (void)load(&b, 0);
    (void)drain(&b);
    l1_invalidate(b.l1);
    assert_int_equal(b.told.flushed, 2);
    assert_int_equal(b.told.evicted, 1);
    finish(&b);
}

static void a_policy_may_hold_misses_back(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(may_miss, on_may_miss);
    start(&b);
    b.told.forbid = true;
    assert_int_equal(load(&b, 0).outcome, CACHE_REFUSED_POLICY);
    assert_false(cache_refusal_lasts(CACHE_REFUSED_POLICY));
    assert_int_equal(l1_counters(b.l1)->refused_policy, 1);
    b.told.forbid = false;
    assert_int_equal(load(&b, 0).outcome, CACHE_MISS);
    (void)drain(&b);
    finish(&b);
}

static void refusals_are_told_once_per_episode_with_their_length(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    HOOK(refused_end, on_refused_end);
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    struct request *r = load_of(&b, 0x200);
    const uint64_t first = b.now;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_int_equal(b.told.refused, 1);
    assert_int_equal(b.told.cause, CAUSE_LINE_ALLOC);
    (void)drain(&b);
    assert_int_equal(l1_access(b.l1, r, b.now).outcome, CACHE_MISS);
    assert_int_equal(b.told.refused_cycles, b.now - first);
    (void)drain(&b);
    finish(&b);
}

static void a_verdict_sends_a_refused_load_around_or_back(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    b.told.verdict = REFUSAL_RECYCLE;
    struct request *back = load_of(&b, 0x200);
    const struct l1_answer a = l1_access(b.l1, back, b.now++);
    assert_int_equal(a.outcome, CACHE_REFUSED_LINE_ALLOC);
    assert_true(a.recycle);
    b.told.verdict = REFUSAL_BYPASS;
    struct request *other = load_of(&b, 0x400);
    assert_int_equal(l1_access(b.l1, other, b.now++).outcome, CACHE_BYPASSED);
    request_free(b.pool, back);
    (void)drain(&b);
    finish(&b);
}

static void evictions_are_told_with_what_was_used(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(evicted, on_evicted);
    HOOK(filled, on_filled);
    HOOK(every_accesses, on_period);
    b.hooks.access_period[0] = 2;
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x060).outcome, CACHE_HIT);
    assert_int_equal(b.told.periods, 1);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    (void)drain(&b);
    assert_int_equal(b.told.filled, 2);
    assert_int_equal(b.told.evicted, 0);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_MISS);
    assert_int_equal(b.told.evicted, 1);
    assert_int_equal(b.told.evicted_address, 0);
    assert_int_equal(b.told.sectors_used, 1 | 8);
    assert_int_equal(b.told.reason, EVICTED_BY_FILL);
    (void)drain(&b);
    struct request *w = load_of(&b, 0x100);
    w->kind = REQUEST_GLOBAL_WRITE;
    w->write = true;
    assert_true(l1_access(b.l1, w, b.now++).sent);
    assert_int_equal(b.told.reason, EVICTED_BY_STORE);
    (void)drain(&b);
    assert_true(l1_drop_line(b.l1, 0x210));
    assert_int_equal(b.told.reason, EVICTED_BY_FLUSH);
    assert_false(l1_drop_line(b.l1, 0x210));
    finish(&b);
}

static void replacement_is_the_policy_s(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    start(&b);
    (void)load(&b, 0x000); /* way 1 */
    (void)load(&b, 0x100); /* way 0 */
    (void)drain(&b);
    (void)load(&b, 0x000);
    assert_int_equal(b.told.promoted, 1);
    b.told.victim = 1; /* the most recently used */
    (void)load(&b, 0x200);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_HIT);
    assert_int_equal(b.told.inserted, 3);
    assert_int_equal(b.told.removed, 1);
    finish(&b);
}

static void fill_miss_queue_with_stores(struct bench *b)
{
    for (uint64_t i = 0; l1_miss_queue_length(b->l1) < 8; i++) {
        struct request *w = load_of(b, 0x10000 + i * 128);
        w->kind = REQUEST_GLOBAL_WRITE;
        w->write = true;
        assert_true(l1_access(b->l1, w, b->now++).sent);
    }
}

/* What goes around the L1 goes straight to the network: full MSHRs and a full miss queue are not its business. */
static void the_bypass_road_takes_neither_mshr_nor_miss_queue(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(load(&b, i * 128).outcome, CACHE_MISS);
    assert_int_equal(l1_mshr_in_use(b.l1), 4);
    fill_miss_queue_with_stores(&b);
    b.told.answer.bypass = true;
    assert_int_equal(load(&b, 0x4000).outcome, CACHE_BYPASSED);
    assert_int_equal(b.below.down.ring.count, 1); /* in the network at once */
    assert_int_equal(port_peek(&b.below.down)->address, 0x4000);
    assert_int_equal(l1_mshr_in_use(b.l1), 4);
    assert_int_equal(l1_miss_queue_length(b.l1), 8);
    (void)drain(&b);
    finish(&b);
}

static void only_the_network_holds_up_the_bypass_road(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    HOOK(refused, on_refused);
    HOOK(refused_end, on_refused_end);
    start(&b);
    b.told.answer.bypass = true;
    b.below.full = true;
    struct request *r = load_of(&b, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_NETWORK);
    assert_false(cache_refusal_lasts(CACHE_REFUSED_NETWORK)); /* nothing in the L1 tells when there is room */
    assert_int_equal(b.told.refused, 1);
    assert_int_equal(b.told.cause, CAUSE_NETWORK);
    assert_int_equal(l1_counters(b.l1)->refused_network, 3);
    assert_int_equal(l1_counters(b.l1)->global_read_refused_network, 3);
    b.told.verdict = REFUSAL_RECYCLE;
    struct request *back = load_of(&b, 0x100);
    assert_true(l1_access(b.l1, back, b.now++).recycle);
    request_free(b.pool, back);
    b.below.full = false;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_BYPASSED);
    assert_int_equal(l1_counters(b.l1)->bypassed, 1);
    (void)drain(&b);
    finish(&b);
}

static void a_refused_load_may_go_around_a_full_miss_queue(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(refused, on_refused);
    start(&b);
    fill_miss_queue_with_stores(&b);
    b.told.verdict = REFUSAL_BYPASS;
    assert_int_equal(load(&b, 0).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.cause, CAUSE_MISS_QUEUE);
    b.below.full = true;
    struct request *r = load_of(&b, 0x100);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_REFUSED_NETWORK);
    b.below.full = false;
    (void)drain(&b);
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_BYPASSED); /* it was decided, though there is room now */
    (void)drain(&b);
    finish(&b);
}

/* A replacement that lets nothing go is asked before lines, MSHRs and queues are, and never while a way is free. */
static void a_replacement_declines_before_anything_is_full(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, on_declines };
    b.told.decline = true;
    start(&b);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x100).outcome, CACHE_MISS);
    assert_int_equal(b.told.declines_asked, 0);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_BYPASSED); /* all ways wait for a fill */
    assert_int_equal(b.told.candidates, 0);
    (void)drain(&b);
    assert_int_equal(load(&b, 0x080).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x180).outcome, CACHE_MISS);
    fill_miss_queue_with_stores(&b);
    assert_int_equal(load(&b, 0x200).outcome, CACHE_BYPASSED);
    assert_int_equal(b.told.candidates, 3);
    b.told.decline = false;
    assert_int_equal(load(&b, 0x200).outcome, CACHE_REFUSED_MISS_QUEUE);
    (void)drain(&b);
    assert_int_equal(b.told.inserted, 4);
    finish(&b);
}

/* A dirty line is read where it is, also when only a part of it was fetched: its fetch comes back to the cache. */
static void what_a_dirty_line_serves_is_not_marked_as_bypassed(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    start(&b);
    b.told.answer.fill_bytes = 32;
    struct request *r = load_of(&b, 0);
    r->kind = REQUEST_LOCAL_READ;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
    (void)drain(&b);
    struct request *w = load_of(&b, 0);
    w->kind = REQUEST_LOCAL_WRITE;
    w->write = true;
    assert_int_equal(l1_access(b.l1, w, b.now++).outcome, CACHE_HIT);
    request_free(b.pool, w);
    b.told.answer.bypass = true;
    r = load_of(&b, 0x60);
    r->kind = REQUEST_LOCAL_READ;
    assert_int_equal(l1_access(b.l1, r, b.now++).outcome, CACHE_MISS);
    assert_false(r->bypass_l1);
    (void)drain(&b);
    finish(&b);
}

/* With blind fills an emptied way may hold its line again: a policy hears of it as of any line that comes. */
static void a_line_that_comes_back_is_inserted_again(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    HOOK(filled, on_filled);
    b.told.blind_fills = true;
    start(&b);
    (void)load(&b, 0x000);
    l1_invalidate(b.l1);
    assert_int_equal(b.told.inserted, 1);
    assert_int_equal(b.told.removed, 1);
    (void)drain(&b);
    assert_int_equal(b.told.inserted, 2);
    assert_int_equal(b.told.filled, 1);
    assert_int_equal(load(&b, 0x000).outcome, CACHE_HIT);
    finish(&b);
}

static void small_lines_share_the_space_of_a_set(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    b.hooks.storage.self = &b.self;
    b.hooks.storage.call = (struct policy_storage_hooks){ eight_tags, two_lines_of_space, stored, NULL, hit_cycles, NULL };
    HOOK(evicted, on_evicted);
    b.told.stored = 32;
    start(&b);
    for (uint64_t i = 0; i < 5; i++) { /* five lines in the space of two: 128 + 4 x 32 while the fifth is on its way */
        assert_int_equal(load(&b, i * 0x100).outcome, CACHE_MISS);
        (void)drain(&b);
    }
    assert_int_equal(b.told.evicted, 0);
    assert_int_equal(load(&b, 0x500).outcome, CACHE_MISS); /* 5 x 32 + 128 do not fit: the oldest goes */
    (void)drain(&b);
    assert_int_equal(b.told.evicted, 1);
    assert_int_equal(b.told.evicted_address, 0);
    const struct l1_answer a = load(&b, 0x100);
    assert_int_equal(a.outcome, CACHE_HIT);
    assert_int_equal(a.extra_cycles, 14);
    assert_int_equal(load(&b, 0x600).outcome, CACHE_MISS);
    assert_int_equal(load(&b, 0x700).outcome, CACHE_MISS); /* two whole lines reserved: the rest had to go */
    assert_int_equal(load(&b, 0x800).outcome, CACHE_REFUSED_LINE_ALLOC);
    (void)drain(&b);
    finish(&b);
}

static void an_l2_passes_loads_by_and_still_updates_dirty_lines(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    struct l2_config c = { 0 };
    struct address_map_config map;
    param_defaults(l2_params, &c);
    map = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &map);
    map.channels = map.slices_per_channel = 1;
    c.rop_latency = 0;
    b.pool = request_pool_new();
    (void)mock_port_open(&b.below);
    struct l2_slice *s = l2_slice_new(&c, 0, &map, b.pool, &b.below.down, &b.below.up);
    l2_slice_set_hooks(s, &b.hooks);
    struct request *w = load_of(&b, 0);
    w->kind = REQUEST_GLOBAL_WRITE;
    w->write = true;
    w->mask.word[0] = UINT32_MAX;
    l2_slice_push(s, w, b.now);
    for (int i = 0; i < 5; i++)
        l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    b.told.answer.bypass = true;
    l2_slice_push(s, load_of(&b, 0), b.now); /* dirty here: not passed by */
    l2_slice_push(s, load_of(&b, 0x1000), b.now);
    for (int i = 0; i < 5; i++)
        l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    assert_null(l2_slice_pop_reply(s));
    assert_int_equal(b.below.down.ring.count, 1);
    port_push(&b.below.up, port_pop(&b.below.down));
    l2_slice_cycle(s, b.now++);
    request_free(b.pool, l2_slice_pop_reply(s));
    assert_int_equal(l2_slice_counters(s)->bypassed, 1);
    assert_int_equal(l2_slice_counters(s)->hits, 1);
    assert_null(stat_check(&l2_stat_group, l2_slice_counters(s)));
    assert_true(l2_slice_idle(s));
    assert_int_equal(request_pool_live(b.pool), 0);
    l2_slice_free(s);
    mock_port_close(&b.below);
    request_pool_free(b.pool);
}

/* A replacement that lets nothing go: loads and stores pass the L2 by, atomics and write-backs of an L1 find a line all the same.
 */
static void atomics_are_done_in_the_l2_whatever_policies_say(void **state)
{
    (void)state;
    struct bench b;
    prepare(&b);
    HOOK(before_lookup, on_lookup);
    b.hooks.replacement.self = &b.self;
    b.hooks.replacement.call = (struct policy_replacement_hooks){ on_victim, on_inserted, on_promoted, on_removed, NULL };
    b.hooks.replacement.call.declines = on_declines;
    b.told.decline = true;
    struct l2_config c = { 0 };
    struct address_map_config map;
    param_defaults(l2_params, &c);
    map = (struct address_map_config){ 0 };
    param_defaults(address_map_params, &map);
    map.channels = map.slices_per_channel = 1;
    c.sets = c.ways = 1;
    c.rop_latency = 0;
    b.pool = request_pool_new();
    (void)mock_port_open(&b.below);
    struct l2_slice *s = l2_slice_new(&c, 0, &map, b.pool, &b.below.down, &b.below.up);
    l2_slice_set_hooks(s, &b.hooks);
    static const uint8_t kinds[] = { REQUEST_GLOBAL_READ, REQUEST_ATOMIC, REQUEST_L1_WRITEBACK, REQUEST_GLOBAL_READ,
                                     REQUEST_ATOMIC };
    for (uint32_t i = 0; i < 5; i++) {
        struct request *r = load_of(&b, i * 0x1000);
        r->kind = kinds[i];
        r->write = kinds[i] == REQUEST_L1_WRITEBACK;
        b.told.answer.bypass = i == 4;
        l2_slice_push(s, r, b.now);
        for (int k = 0; k < 20; k++) {
            l2_slice_cycle(s, b.now++);
            struct request *below = port_pop(&b.below.down);
            if (below && below->kind == REQUEST_L2_WRITEBACK)
                request_free(b.pool, below);
            else if (below)
                port_push(&b.below.up, below);
            struct request *reply = l2_slice_pop_reply(s);
            if (reply)
                request_free(b.pool, reply);
        }
    }
    assert_int_equal(l2_slice_counters(s)->atomic_misses, 2);
    assert_int_equal(l2_slice_counters(s)->l1_writeback_misses, 1);
    assert_int_equal(l2_slice_counters(s)->global_read_misses, 1);
    assert_int_equal(l2_slice_counters(s)->bypassed, 1);
    assert_int_equal(l2_slice_counters(s)->writebacks, 2);
    assert_true(l2_slice_idle(s));
    assert_int_equal(request_pool_live(b.pool), 0);
    l2_slice_free(s);
    mock_port_close(&b.below);
    request_pool_free(b.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_owns_the_set_index),
        cmocka_unit_test(bypassed_loads_fill_nothing_and_are_asked_about_once),
        cmocka_unit_test(no_allocate_uses_hits_and_sends_misses_around),
        cmocka_unit_test(a_part_of_a_line_holds_only_that_part),
        cmocka_unit_test(a_policy_serves_a_miss_from_elsewhere),
        cmocka_unit_test(a_search_in_vain_delays_the_fetch),
        cmocka_unit_test(a_policy_is_told_when_the_cache_is_emptied),
        cmocka_unit_test(a_policy_may_hold_misses_back),
        cmocka_unit_test(refusals_are_told_once_per_episode_with_their_length),
        cmocka_unit_test(a_verdict_sends_a_refused_load_around_or_back),
        cmocka_unit_test(evictions_are_told_with_what_was_used),
        cmocka_unit_test(replacement_is_the_policy_s),
        cmocka_unit_test(the_bypass_road_takes_neither_mshr_nor_miss_queue),
        cmocka_unit_test(only_the_network_holds_up_the_bypass_road),
        cmocka_unit_test(a_refused_load_may_go_around_a_full_miss_queue),
        cmocka_unit_test(a_replacement_declines_before_anything_is_full),
        cmocka_unit_test(what_a_dirty_line_serves_is_not_marked_as_bypassed),
        cmocka_unit_test(a_line_that_comes_back_is_inserted_again),
        cmocka_unit_test(small_lines_share_the_space_of_a_set),
        cmocka_unit_test(an_l2_passes_loads_by_and_still_updates_dirty_lines),
        cmocka_unit_test(atomics_are_done_in_the_l2_whatever_policies_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
