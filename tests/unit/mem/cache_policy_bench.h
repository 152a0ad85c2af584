/* cache_policy_bench.h - a policy made of function pointers that remembers what it was told, and an L1 of 2 sets x 2 ways under it.
 */
#ifndef WARPLINE_TESTS_CACHE_POLICY_BENCH_H
#define WARPLINE_TESTS_CACHE_POLICY_BENCH_H
#include "../cmocka_all.h"

#include <string.h>

#include "mem/l1.h"
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

static inline struct told *told_of(struct policy_self *self)
{
    return (struct told *)(void *)self->gpu;
}

static inline void on_lookup(struct policy_self *s, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)a;
    told_of(s)->asked++;
    answer->bypass |= told_of(s)->answer.bypass;
    answer->no_allocate |= told_of(s)->answer.no_allocate;
    if (told_of(s)->answer.fill_bytes)
        answer->fill_bytes = told_of(s)->answer.fill_bytes;
}
static inline void on_serve(struct policy_self *s, const struct policy_access *a, struct policy_serve *answer)
{
    (void)a;
    *answer = (struct policy_serve){ .served = told_of(s)->serve, .later = told_of(s)->later, .cycles = 9 };
}
static inline bool on_may_miss(struct policy_self *s, const struct policy_access *a)
{
    (void)a;
    return !told_of(s)->forbid;
}
static inline void on_accessed(struct policy_self *s, const struct policy_access *a, enum policy_outcome o, uint32_t way)
{
    (void)a, (void)way;
    told_of(s)->accessed++;
    told_of(s)->outcome = o;
}
static inline enum policy_refusal on_refused(struct policy_self *s, const struct policy_access *a, enum policy_cause cause)
{
    (void)a;
    told_of(s)->refused++;
    told_of(s)->cause = cause;
    return told_of(s)->verdict;
}
static inline void on_refused_end(struct policy_self *s, const struct policy_access *a, enum policy_cause cause, uint64_t cycles)
{
    (void)a, (void)cause;
    told_of(s)->refused_cycles += cycles;
}
static inline void on_filled(struct policy_self *s, const struct policy_access *a, uint32_t way)
{
    (void)a, (void)way;
    told_of(s)->filled++;
}
static inline void on_evicted(struct policy_self *s, const struct policy_evicted *e)
{
    told_of(s)->evicted++;
    told_of(s)->reason = (enum policy_eviction)e->reason;
    told_of(s)->evicted_address = e->address;
    told_of(s)->sectors_used = e->sectors_used;
}
static inline void on_flushed(struct policy_self *s, uint32_t level, uint32_t unit)
{
    (void)level, (void)unit;
    told_of(s)->flushed++;
}
static inline void on_period(struct policy_self *s, uint32_t level, uint32_t unit)
{
    (void)level, (void)unit;
    told_of(s)->periods++;
}
static inline uint32_t always_set_1(struct policy_self *s, const struct policy_access *a)
{
    (void)s, (void)a;
    return 1;
}
static inline uint32_t on_victim(struct policy_self *s, const struct policy_access *a, const uint64_t *c)
{
    (void)a, (void)c;
    return told_of(s)->victim;
}
static inline bool on_declines(struct policy_self *s, const struct policy_access *a, const uint64_t *c)
{
    (void)a;
    told_of(s)->declines_asked++;
    told_of(s)->candidates = c[0];
    return told_of(s)->decline;
}
static inline void on_inserted(struct policy_self *s, const struct policy_access *a, uint32_t w)
{
    (void)a, (void)w;
    told_of(s)->inserted++;
}
static inline void on_promoted(struct policy_self *s, const struct policy_access *a, uint32_t w, bool p)
{
    (void)a, (void)w, (void)p;
    told_of(s)->promoted++;
}
static inline void on_removed(struct policy_self *s, const struct policy_evicted *e)
{
    (void)e;
    told_of(s)->removed++;
}
static inline uint32_t eight_tags(struct policy_self *s, uint32_t level)
{
    (void)s, (void)level;
    return 8;
}
static inline uint32_t two_lines_of_space(struct policy_self *s, uint32_t level)
{
    (void)s, (void)level;
    return 256;
}
static inline uint32_t stored(struct policy_self *s, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    (void)a;
    assert_int_equal(fetched, 128);
    assert_int_equal(filled, way != NO_WAY);
    return filled ? told_of(s)->stored : fetched;
}
static inline uint32_t hit_cycles(struct policy_self *s, const struct policy_access *a, uint32_t way)
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
static inline void prepare(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->self.gpu = (uint8_t *)&b->told;
    b->now = 1;
}

#define HOOK(table, function) (b.hooks.table.hook[b.hooks.table.count++] = (__typeof__(b.hooks.table.hook[0])){ function, &b.self })

static inline void start(struct bench *b)
{
    struct l1_config c = { 0 };
    param_defaults(l1_params, &c);
    c.sets = 2;
    c.ways = 2;
    c.index = 0;
    c.mshr_entries = 4;
    const struct l1_otherwise slips = reference_l1_ways(&(struct reference_config){ .l1_blind_fills = b->told.blind_fills }, false);
    c.otherwise = &slips;
    b->pool = request_pool_new();
    b->l1 = l1_new(&c, 0, b->pool, mock_port_open(&b->below));
    l1_set_hooks(b->l1, &b->hooks);
}

static inline void finish(struct bench *b)
{
    assert_null(stat_check(&l1_stat_group, l1_counters(b->l1)));
    assert_int_equal(request_pool_live(b->pool), 0);
    l1_free(b->l1);
    mock_port_close(&b->below);
    request_pool_free(b->pool);
}

static inline struct request *load_of(struct bench *b, uint64_t address)
{
    struct request *r = request_make(b->pool);
    r->kind = REQUEST_GLOBAL_READ;
    r->address = address;
    r->bytes = 32;
    r->sectors = (uint8_t)(1u << address % 128 / 32);
    return r;
}

static inline struct l1_answer load(struct bench *b, uint64_t address)
{
    struct request *r = load_of(b, address);
    const struct l1_answer a = l1_access(b->l1, r, b->now++);
    if (cache_refused(a.outcome) || a.outcome == CACHE_HIT || a.outcome == CACHE_SERVED)
        request_free(b->pool, r);
    return a;
}

/* Everything that was sent comes back; loads around the cache end here. Returns the bytes that travelled. */
static inline uint32_t drain(struct bench *b)
{
    uint32_t bytes = 0;
    while (!l1_idle(b->l1) || b->below.out.port.ring.count) {
        l1_cycle(b->l1, b->now++);
        struct request *r = port_pop(&b->below.out.port);
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
#endif
