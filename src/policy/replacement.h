/* replacement.h - what the replacement policies have in common: which level, walking candidates, storage per line. */
#ifndef WARPLINE_POLICY_REPLACEMENT_H
#define WARPLINE_POLICY_REPLACEMENT_H
#include "policy/policy.h"

enum { REPLACE_L1, REPLACE_L2, REPLACE_BOTH };
static const char *const replacement_at[] = { "l1", "l2", "both", NULL };

static inline uint32_t replacement_levels(uint32_t at)
{
    return at == REPLACE_L1 ? AT_L1 : at == REPLACE_L2 ? AT_L2 : AT_L1 | AT_L2;
}

/* The config of a replacement policy begins with this. */
struct replacement_config {
    uint32_t at;
};
#define REPLACEMENT_PARAM(T) PARAM_CHOICE(T, where.at, "at", "l1", replacement_at, "cache level whose victims it chooses")

/* struct policy.levels of such a policy. */
static inline uint32_t replacement_config_levels(const void *config)
{
    return replacement_levels(((const struct replacement_config *)config)->at);
}

static inline bool way_is_candidate(const uint64_t *candidates, uint32_t way)
{
    return candidates[way / 64] >> (way % 64) & 1;
}

/* Bits that hold 0..n-1. */
static inline uint32_t bits_for(uint64_t n)
{
    uint32_t bits = 0;
    while (n > 1 && (1ull << bits) < n)
        bits++;
    return bits;
}

/* One row per chosen level: `l1_bits` or `l2_bits` for every line. */
static inline uint32_t replacement_hardware(uint32_t at, const struct policy_geometry *g, const char *name, uint32_t l1_bits,
                                            uint32_t l2_bits, struct policy_hardware rows[])
{
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1], *l2 = &g->cache[LEVEL_L2];
    uint32_t n = 0;
    if (at != REPLACE_L2)
        rows[n++] = (struct policy_hardware){ name, PER_SM, (uint64_t)l1->sets * l1->ways, l1_bits };
    if (at != REPLACE_L1)
        rows[n++] = (struct policy_hardware){ name, PER_SLICE, (uint64_t)l2->sets * l2->ways, l2_bits };
    return n;
}

/* One row per chosen level, after the `n` that are there: `bits` for every cache. */
static inline uint32_t replacement_unit_hardware(uint32_t at, const char *name, uint64_t entries, uint32_t bits,
                                                 struct policy_hardware rows[], uint32_t n)
{
    if (at != REPLACE_L2)
        rows[n++] = (struct policy_hardware){ name, PER_SM, entries, bits };
    if (at != REPLACE_L1)
        rows[n++] = (struct policy_hardware){ name, PER_SLICE, entries, bits };
    return n;
}
#endif
