/* rrip.h - what the re-reference interval policies share (Jaleel et al., ISCA 2010).
 *
 * Each line carries an M-bit guess of how far off its next use is (rrpv): 0 "immediate" ... 2^M - 1 "distant". A hit guesses
 * immediate; the victim is the first line guessed distant, the whole set ageing until there is one. */
#ifndef WARPLINE_POLICY_RRIP_H
#define WARPLINE_POLICY_RRIP_H
#include "policy/replacement.h"

struct rrip_line { /* a policy's own line begins with it */
    uint8_t rrpv;
};

/* The config of each begins with this. */
struct rrip_config {
    struct replacement_config where;
    uint32_t bits;
};
#define RRIP_PARAMS(T)                                                                                                             \
    PARAM_CHOICE(T, rrip.where.at, "at", "l1", replacement_at, "cache level whose victims it chooses"),                            \
        PARAM_U32(T, rrip.bits, "bits", 2, 1, 8, "bits", "width of each line's re-reference prediction")

/* The state of a policy that keeps something of its own for each cache. */
static inline void rrip_sizes(struct policy_sizes *out, size_t unit_bytes)
{
    out->sm = out->slice = unit_bytes;
    out->line[LEVEL_L1] = out->line[LEVEL_L2] = sizeof(struct rrip_line);
}

static inline struct rrip_line *rrip_line_at(const struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    return policy_line_state(self, a->level, a->unit, a->set, way);
}

static inline uint8_t rrip_distant(const struct policy_self *self)
{
    return (uint8_t)((1u << ((const struct rrip_config *)self->config)->bits) - 1);
}

/* The loop ends: each pass ages every line of the set that is not distant yet, and one of them is a candidate. */
static inline uint32_t rrip_victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const uint8_t distant = rrip_distant(self);
    const uint32_t ways = self->geometry->cache[a->level].tags;
    for (;;) {
        for (uint32_t w = 0; w < ways; w++)
            if (way_is_candidate(candidates, w) && rrip_line_at(self, a, w)->rrpv == distant)
                return w;
        for (uint32_t w = 0; w < ways; w++) {
            struct rrip_line *l = rrip_line_at(self, a, w);
            l->rrpv = (uint8_t)(l->rrpv + (l->rrpv < distant));
        }
    }
}

/* Whether a fill that is predicted bimodally is "long": one in `every`, drawn by mixing the number of such fills. The paper draws
 * as well. A plain count would not do: a walk through the sets in their order would put every long fill into the same few sets, and
 * none into the sets that duel. */
static inline bool rrip_draws_long(uint64_t *fills, uint32_t every)
{
    uint64_t x = ++*fills * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 32;
    return x % every == 0;
}
enum { RRIP_DRAW_BITS = 16 }; /* of the generator that hardware would have for it */

static inline void rrip_promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    rrip_line_at(self, a, way)->rrpv = 0;
}

static inline uint32_t rrip_hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct rrip_config *c = config;
    return replacement_hardware(c->where.at, g, "re-reference prediction", c->bits, c->bits, rows);
}

/* NULL, or what is wrong: no guess may be above distant. */
static inline const char *rrip_broken(const struct policy_self *self)
{
    const uint8_t distant = rrip_distant(self);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++) {
        const struct policy_cache_geometry *c = &self->geometry->cache[level];
        const size_t lines = self->line[level] ? (size_t)c->units * c->sets * c->tags : 0;
        for (size_t i = 0; i < lines; i++)
            if (((const struct rrip_line *)(const void *)(self->line[level] + i * self->size.line[level]))->rrpv > distant)
                return "a re-reference prediction above its maximum";
    }
    return NULL;
}
#endif
