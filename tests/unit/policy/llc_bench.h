/* llc_bench.h - a replacement policy of the level in front of memory, played by hand: one set of eight ways in slice 3 of the fake
 * machine. Banks are bits 13 to 15 of an address, rows what is above. */
#ifndef LLC_BENCH_H
#define LLC_BENCH_H
#include <string.h>

#include "fake_machine.h"

enum { UNIT = 3, SETS = 64, WAYS = 8, LINE = 128 };

struct at_set {
    struct bound b;
    const struct cache_hooks *h;
    struct policy_self *self;
};

static inline void open_set(struct at_set *s, const char *policy, const char *const *assignments)
{
    bind_policies(&s->b, policy, assignments);
    s->h = &s->b.instance->hooks.cache[LEVEL_L2];
    s->self = &s->b.instance->self[0];
}

/* The n-th line of a set. */
static inline struct policy_access access_to(uint64_t n, uint32_t set, uint64_t cycle)
{
    struct policy_access a = fake_load(LEVEL_L2, UNIT, (n * SETS + set) * LINE, SETS);
    a.cycle = cycle;
    return a;
}

static inline void insert(struct at_set *s, const struct policy_access *a, uint32_t way)
{
    s->h->replacement.call.inserted(s->h->replacement.self, a, way);
}
/* A miss as the cache tells it: a way is taken, then the access is over. */
static inline void miss(struct at_set *s, const struct policy_access *a, uint32_t way)
{
    insert(s, a, way);
    hooks_accessed(s->h, a, a->write ? OUTCOME_WRITE_MISS : OUTCOME_MISS, way);
}
static inline void hit(struct at_set *s, const struct policy_access *a, uint32_t way)
{
    s->h->replacement.call.promoted(s->h->replacement.self, a, way, false);
}
static inline void fill(struct at_set *s, struct policy_access a, uint32_t way, uint64_t cycle)
{
    a.cycle = cycle;
    hooks_filled(s->h, &a, way);
}
static inline uint32_t choose(struct at_set *s, const struct policy_access *a)
{
    const uint64_t all = (1u << WAYS) - 1;
    return s->h->replacement.call.victim(s->h->replacement.self, a, &all);
}
static inline void evict(struct at_set *s, uint64_t n, uint32_t set, uint32_t way)
{
    const struct policy_evicted e = { .line = n * SETS + set, .unit = UNIT, .set = set, .way = way, .level = LEVEL_L2 };
    s->h->replacement.call.removed(s->h->replacement.self, &e);
}
#endif
