/* decoupled_bench.h - one set of an L1 under decoupled-l1d, played by hand: the data store evicts the least recently used line. */
#ifndef DECOUPLED_BENCH_H
#define DECOUPLED_BENCH_H
#include "fake_machine.h"

#include <string.h>

#define STAT_DEF "policy/decoupled_l1d_counters.def"
#define STAT_NAME decoupled_l1d
#include "stat/declare.h"

enum { WAYS = 4, SM = 3 };
enum took { AROUND, LINE, HIT };

struct cache {
    struct bound b;
    struct {
        uint64_t line, stamp; /* line + 1; 0 free */
        bool pending;
    } way[FAKE_SMS][WAYS];
    uint64_t clock;
};
static struct cache *playing; /* the machine's drop_line has no other way to it */

static inline struct policy_access at(uint32_t sm, uint64_t line)
{
    return fake_load(LEVEL_L1, sm, line * 32 * 128, 32); /* all in set 0 */
}

/* `by`: the load that takes the line's place. */
static inline void tell_evicted_by(struct cache *c, uint32_t sm, uint32_t way, uint8_t reason, const struct policy_access *by)
{
    const struct policy_access a = at(sm, c->way[sm][way].line - 1);
    const struct policy_evicted e = { .address = a.address, .line = a.line, .unit = sm, .way = way, .reason = reason, .by = by };
    hooks_evicted(&c->b.instance->hooks.cache[LEVEL_L1], &e);
    c->way[sm][way].line = 0;
}

static inline void tell_evicted(struct cache *c, uint32_t sm, uint32_t way, uint8_t reason)
{
    tell_evicted_by(c, sm, way, reason, NULL);
}

static inline bool drop_line(void *gpu, uint32_t sm, uint64_t address)
{
    (void)gpu;
    for (uint32_t w = 0; w < WAYS; w++)
        if (playing->way[sm][w].line && at(sm, playing->way[sm][w].line - 1).address == address) {
            if (playing->way[sm][w].pending)
                return false;
            tell_evicted(playing, sm, w, EVICTED_BY_FLUSH);
            return true;
        }
    return false;
}

static inline void open_with(struct cache *c, const char *const *settings)
{
    const struct policy_kernel k = { .name = "k" };
    *c = (struct cache){ 0 };
    bind_policies(&c->b, "decoupled-l1d", settings);
    c->b.instance->machine.drop_line = drop_line;
    playing = c;
    hooks_kernel_start(&c->b.instance->hooks, &k);
}
#define OPEN(c, ...) open_with(c, (const char *const[]){ "policy.decoupled-l1d.duel=false", __VA_ARGS__ __VA_OPT__(, ) NULL })

static inline struct decoupled_l1d_counters count(const struct cache *c)
{
    struct decoupled_l1d_counters all;
    policy_instance_counters(c->b.instance, 0, &all);
    return all;
}

static inline uint32_t find(const struct cache *c, uint32_t sm, uint64_t line)
{
    uint32_t w = 0;
    while (w < WAYS && c->way[sm][w].line != line + 1)
        w++;
    return w;
}

static inline uint32_t make_room(struct cache *c, uint32_t sm, const struct policy_access *by)
{
    uint32_t oldest = 0;
    for (uint32_t w = 0; w < WAYS; w++) {
        if (!c->way[sm][w].line)
            return w;
        if (c->way[sm][w].stamp < c->way[sm][oldest].stamp)
            oldest = w;
    }
    tell_evicted_by(c, sm, oldest, EVICTED_BY_FILL, by);
    return oldest;
}

static inline enum took load_of(struct cache *c, uint32_t sm, uint64_t line)
{
    const struct cache_hooks *h = &c->b.instance->hooks.cache[LEVEL_L1];
    const struct policy_access a = at(sm, line);
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(h, &a, &lookup);
    uint32_t w = find(c, sm, line);
    if (lookup.bypass || (lookup.no_allocate && w == WAYS)) {
        hooks_accessed(h, &a, OUTCOME_BYPASSED, NO_WAY);
        return AROUND;
    }
    const bool hit = w < WAYS;
    if (!hit)
        w = make_room(c, sm, &a);
    c->way[sm][w].line = line + 1;
    c->way[sm][w].stamp = ++c->clock;
    hooks_accessed(h, &a, hit ? (c->way[sm][w].pending ? OUTCOME_MERGED : OUTCOME_HIT) : OUTCOME_MISS, w);
    return hit ? HIT : LINE;
}

static inline enum took load(struct cache *c, uint64_t line)
{
    return load_of(c, SM, line);
}

static inline void store(struct cache *c, uint64_t line)
{
    struct policy_access a = at(SM, line);
    a.write = true;
    struct policy_lookup lookup = { .fill_bytes = 128 };
    hooks_before_lookup(&c->b.instance->hooks.cache[LEVEL_L1], &a, &lookup);
    assert_false(lookup.bypass);
    const uint32_t w = find(c, SM, line);
    hooks_accessed(&c->b.instance->hooks.cache[LEVEL_L1], &a, w < WAYS ? OUTCOME_WRITE_HIT : OUTCOME_WRITE_MISS,
                   w < WAYS ? w : NO_WAY);
    if (w < WAYS)
        tell_evicted(c, SM, w, EVICTED_BY_STORE);
}

/* Loads a line until it is in the L1: so many loads. */
static inline uint32_t bring(struct cache *c, uint64_t line)
{
    uint32_t loads = 1;
    while (load(c, line) == AROUND)
        assert_true(++loads < 200);
    return loads;
}
#endif
