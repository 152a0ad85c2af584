/* remap.h - what remap, srrip-perd and srrip-mac share (paper 002, section 2.2; Arunkumar and Wu, ICCD 2014).
 *
 * A line's cost is alpha R + beta PERD + gamma MAC, and the line of least cost leaves (algorithm 1, equation 2.3). R is how
 * recently it was used; PERD how soon after an eviction it was wanted again, found in a victim buffer of three Bloom filters
 * (table 2.1); MAC what its fetch from memory cost, estimated from the rows last asked of its bank and who waits there (table 2.2).
 *
 * What the text leaves open, and what is taken here:
 *  - A large re-reference prediction means distant, but the line of least cost leaves: R = largest prediction - prediction.
 *  - 18.75 KB are 3 x 5 x 10 bits x 1024 sets: the filters are per set (`vb` = set; cache: one for all sets). Stages hold a third
 * of `victim_entries`, 16 by default (ReMAP-16): 5.
 *  - The first stage is flushed down when it has its 5 entries, so that "near" is 0 to 4 evictions ago, as table 2.1 has it.
 *  - k = 7 hash functions, the best for 10 bits per entry, which gives the 1 % of false positives that section 2.3.5 states.
 *  - "Bank conflict": the bank has requests waiting. Row buffer hit: the row is the one asked of the bank before; with a conflict,
 * that one must have been a hit as well, for which the second row is kept. Rows are noted of reads, which are what is estimated.
 *  - The table of banks has `mac_banks` entries, and a channel's begin eight after those of the channel before (table 2.3: one
 * channel of eight banks). Banks beyond that share entries, and each other's rows.
 *  - Predictions age as in SRRIP: when no candidate is distant, all grow until one is (`ageing`).
 *  - Lines that an upper cache writes back have no fetch to estimate; they get the cost that a fetch would have now.
 *  - Of equal costs the first way leaves, as algorithm 1's comparison says. */
#ifndef WARPLINE_POLICY_REMAP_H
#define WARPLINE_POLICY_REMAP_H
#include "policy/replacement.h"

enum { REMAP_BANKS_MAX = 512, REMAP_STAGES = 3 };
enum { REMAP_RECENCY_RRIP, REMAP_RECENCY_LRU };
enum { REMAP_VB_SET, REMAP_VB_CACHE };
static const char *const remap_recency[] = { "rrip", "lru", NULL };
static const char *const remap_vb[] = { "set", "cache", NULL };

struct remap_weights {
    uint32_t alpha, beta, gamma;
};

/* The config of each begins with this. */
struct remap_config {
    uint32_t bits, recency, vb, victim_entries, entry_bits, hashes, banks;
    bool ageing;
};
#define REMAP_PARAMS(T)                                                                                                            \
    PARAM_U32(T, remap.bits, "bits", 2, 1, 4, "bits", "width of each line's re-reference prediction"),                             \
        PARAM_CHOICE(T, remap.recency, "recency", "rrip", remap_recency, "what R is made of"),                                     \
        PARAM_CHOICE(T, remap.vb, "vb", "set", remap_vb, "a victim buffer for each set, or one for the cache"),                    \
        PARAM_U32(T, remap.victim_entries, "victim_entries", 16, 3, 192, "lines", "of the victim buffer, per set"),                \
        PARAM_U32(T, remap.entry_bits, "entry_bits", 10, 1, 64, "bits", "of the filters for each entry"),                          \
        PARAM_U32(T, remap.hashes, "hashes", 7, 1, 16, "", "hash functions of the filters"),                                       \
        PARAM_U32(T, remap.banks, "mac_banks", 8, 1, 512, "banks", "entries of the table that estimates costs"),                   \
        PARAM_BOOL(T, remap.ageing, "ageing", true, "predictions age as in SRRIP when a line leaves")

/* Counters that all of them have; see remap_counters.def. */
struct remap_line {
    uint8_t rrpv, perd, mac;
    bool pending;
    uint64_t used;  /* for R by least recent use */
    uint64_t asked; /* when its fetch began */
};

struct remap_bank {  /* of the table that estimates costs */
    uint32_t row[2]; /* asked last, and before */
    uint8_t known;   /* how many */
};

struct remap_unit {
    uint64_t clock;
    int64_t selector; /* > 0: the first weights cost more */
    struct remap_bank bank[REMAP_BANKS_MAX];
    /* behind it, with vb = cache: the victim buffer */
};

/* A victim buffer: `filled` entries in the first stage; then the stages' bits, words of 64 each. */
struct remap_buffer {
    uint64_t filled;
    uint64_t word[];
};

static inline uint64_t remap_stage_entries(const struct remap_config *c, const struct policy_cache_geometry *g)
{
    const uint64_t entries = c->vb == REMAP_VB_SET ? c->victim_entries : (uint64_t)c->victim_entries * g->sets;
    return entries / REMAP_STAGES;
}
static inline uint64_t remap_stage_bits(const struct remap_config *c, const struct policy_cache_geometry *g)
{
    return remap_stage_entries(c, g) * c->entry_bits;
}
static inline size_t remap_stage_words(const struct remap_config *c, const struct policy_cache_geometry *g)
{
    return (size_t)(remap_stage_bits(c, g) + 63) / 64;
}
static inline size_t remap_buffer_bytes(const struct remap_config *c, const struct policy_cache_geometry *g)
{
    return sizeof(struct remap_buffer) + REMAP_STAGES * remap_stage_words(c, g) * sizeof(uint64_t);
}

static inline void remap_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    const struct remap_config *c = config;
    const size_t buffer = remap_buffer_bytes(c, &g->cache[LEVEL_L2]);
    out->slice = sizeof(struct remap_unit) + (c->vb == REMAP_VB_CACHE ? buffer : 0);
    out->set[LEVEL_L2] = c->vb == REMAP_VB_SET ? buffer : 0;
    out->line[LEVEL_L2] = sizeof(struct remap_line);
}

static inline uint32_t remap_levels(const void *config)
{
    (void)config;
    return AT_L2; /* the level in front of memory */
}

static inline struct remap_unit *remap_unit_of(const struct policy_self *self, uint32_t unit)
{
    return policy_slice_state(self, unit);
}
static inline struct remap_line *remap_line_at(const struct policy_self *self, uint32_t unit, uint32_t set, uint32_t way)
{
    return policy_line_state(self, LEVEL_L2, unit, set, way);
}
static inline struct remap_buffer *remap_buffer_of(const struct policy_self *self, uint32_t unit, uint32_t set)
{
    const struct remap_config *c = self->config;
    return c->vb == REMAP_VB_SET ? policy_set_state(self, LEVEL_L2, unit, set) : (void *)(remap_unit_of(self, unit) + 1);
}

/* ---- PERD: the cascaded filters ---- */

/* The h-th bit of a line: two halves of a mixed address, combined (Kirsch and Mitzenmacher, 2006). */
static inline uint64_t remap_bit(uint64_t line, uint32_t h, uint64_t bits)
{
    uint64_t x = line * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 32;
    return ((x & UINT32_MAX) + h * (x >> 32 | 1)) % bits;
}

static inline void remap_note_eviction(const struct policy_self *self, uint32_t unit, uint32_t set, uint64_t line)
{
    const struct remap_config *c = self->config;
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L2];
    struct remap_buffer *b = remap_buffer_of(self, unit, set);
    const uint64_t bits = remap_stage_bits(c, g);
    const size_t words = remap_stage_words(c, g);
    for (uint32_t h = 0; h < c->hashes; h++) {
        const uint64_t bit = remap_bit(line, h, bits);
        b->word[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    if (++b->filled < remap_stage_entries(c, g))
        return;
    memmove(b->word + words, b->word, (REMAP_STAGES - 1) * words * sizeof *b->word);
    memset(b->word, 0, words * sizeof *b->word);
    b->filled = 0;
}

/* Table 2.1: 3 near, 2 intermediate, 1 far, 0 not there. */
static inline uint8_t remap_perd(const struct policy_self *self, uint32_t unit, uint32_t set, uint64_t line)
{
    const struct remap_config *c = self->config;
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L2];
    const struct remap_buffer *b = remap_buffer_of(self, unit, set);
    const uint64_t bits = remap_stage_bits(c, g);
    const size_t words = remap_stage_words(c, g);
    for (uint32_t stage = 0; stage < REMAP_STAGES; stage++) {
        const uint64_t *word = b->word + stage * words;
        uint32_t h = 0;
        for (; h < c->hashes; h++) {
            const uint64_t bit = remap_bit(line, h, bits);
            if (!(word[bit / 64] >> bit % 64 & 1))
                break;
        }
        if (h == c->hashes)
            return (uint8_t)(REMAP_STAGES - stage);
    }
    return 0;
}

/* ---- MAC: the table of banks ---- */

static inline struct remap_bank *remap_bank_of(const struct policy_self *self, uint32_t unit, const struct policy_dram_view *v)
{
    const struct remap_config *c = self->config;
    return &remap_unit_of(self, unit)->bank[(v->channel * 8 + v->bank) % c->banks];
}

/* Table 2.2. */
static inline uint8_t remap_mac(const struct remap_bank *b, const struct policy_dram_view *v)
{
    const bool hit = b->known > 0 && b->row[0] == v->row;
    if (!v->waiting)
        return hit ? 0 : 2;
    return hit && b->known > 1 && b->row[1] == v->row ? 1 : 3;
}

static inline void remap_note_row(struct remap_bank *b, uint32_t row)
{
    b->row[1] = b->row[0];
    b->row[0] = row;
    b->known = (uint8_t)(b->known + (b->known < 2));
}

/* ---- R and the choice ---- */

static inline uint32_t remap_largest(const struct policy_self *self)
{
    return (1u << ((const struct remap_config *)self->config)->bits) - 1;
}

/* By least recent use: from 0 for the oldest quarter of the set (with 2 bits) to the largest value for the youngest. */
static inline uint32_t remap_recency_of(const struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct remap_config *c = self->config;
    const struct remap_line *l = remap_line_at(self, a->unit, a->set, way);
    if (c->recency == REMAP_RECENCY_RRIP)
        return remap_largest(self) - l->rrpv;
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags;
    uint32_t older = 0;
    for (uint32_t w = 0; w < ways; w++)
        older += remap_line_at(self, a->unit, a->set, w)->used < l->used;
    return older * (remap_largest(self) + 1) / ways;
}

static inline void remap_age(const struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct remap_config *c = self->config;
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags, largest = remap_largest(self);
    uint32_t oldest = 0;
    if (!c->ageing)
        return;
    for (uint32_t w = 0; w < ways; w++)
        if (way_is_candidate(candidates, w) && remap_line_at(self, a->unit, a->set, w)->rrpv > oldest)
            oldest = remap_line_at(self, a->unit, a->set, w)->rrpv;
    for (uint32_t w = 0; w < ways && oldest < largest; w++) {
        struct remap_line *l = remap_line_at(self, a->unit, a->set, w);
        const uint32_t aged = l->rrpv + (largest - oldest);
        l->rrpv = (uint8_t)(aged < largest ? aged : largest);
    }
}

/* Algorithm 1. */
static inline uint32_t remap_victim(const struct policy_self *self, const struct policy_access *a, const uint64_t *candidates,
                                    struct remap_weights by)
{
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags;
    uint32_t victim = NO_WAY, least = UINT32_MAX;
    remap_age(self, a, candidates);
    for (uint32_t w = 0; w < ways; w++) {
        const struct remap_line *l = remap_line_at(self, a->unit, a->set, w);
        const uint32_t cost = by.alpha * remap_recency_of(self, a, w) + by.beta * l->perd + by.gamma * l->mac;
        if (way_is_candidate(candidates, w) && cost < least) {
            least = cost;
            victim = w;
        }
    }
    return victim;
}

/* Algorithm 2, on a miss: the cost that the new line is given. Returns it. */
static inline struct remap_line *remap_insert(const struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct remap_line *l = remap_line_at(self, a->unit, a->set, way);
    struct policy_dram_view view = { 0 };
    self->machine->dram_view(self->machine->gpu, a->address, &view);
    struct remap_bank *bank = remap_bank_of(self, a->unit, &view);
    *l = (struct remap_line){ .rrpv = (uint8_t)(remap_largest(self) - 1),
                              .perd = remap_perd(self, a->unit, a->set, a->line),
                              .mac = remap_mac(bank, &view),
                              .pending = !a->write,
                              .used = ++remap_unit_of(self, a->unit)->clock,
                              .asked = a->cycle };
    if (!a->write)
        remap_note_row(bank, view.row);
    return l;
}

static inline void remap_promote(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    struct remap_line *l = remap_line_at(self, a->unit, a->set, way);
    l->rrpv = 0;
    l->used = ++remap_unit_of(self, a->unit)->clock;
}

static inline void remap_removed(struct policy_self *self, const struct policy_evicted *e)
{
    remap_note_eviction(self, e->unit, e->set, e->line);
}

/* ---- storage ---- */

static inline uint32_t remap_hardware_rows(const struct remap_config *c, const struct policy_geometry *g, bool perd, bool mac,
                                           struct policy_hardware rows[])
{
    const struct policy_cache_geometry *l2 = &g->cache[LEVEL_L2];
    const uint64_t lines = (uint64_t)l2->sets * l2->ways, buffers = c->vb == REMAP_VB_SET ? l2->sets : 1;
    uint32_t n = 0;
    if (c->recency == REMAP_RECENCY_LRU)
        rows[n++] = (struct policy_hardware){ "order of the lines", PER_SLICE, lines, bits_for(l2->ways) };
    else
        rows[n++] = (struct policy_hardware){ "re-reference prediction", PER_SLICE, lines, c->bits };
    if (perd) {
        rows[n++] =
            (struct policy_hardware){ "victim buffer, 3 filters", PER_SLICE, buffers, REMAP_STAGES * remap_stage_bits(c, l2) };
        rows[n++] =
            (struct policy_hardware){ "entries of the first filter", PER_SLICE, buffers, bits_for(remap_stage_entries(c, l2)) };
        rows[n++] = (struct policy_hardware){ "reuse distance per line", PER_SLICE, lines, 2 };
    }
    if (mac) {
        rows[n++] = (struct policy_hardware){ "memory access cost per line", PER_SLICE, lines, 2 };
        rows[n++] = (struct policy_hardware){ "two rows and waiting count per bank", PER_SLICE, c->banks, 2 * 16 + 6 };
    }
    return n;
}

static inline const char *remap_broken(const struct policy_self *self)
{
    const struct policy_cache_geometry *c = &self->geometry->cache[LEVEL_L2];
    const size_t lines = self->line[LEVEL_L2] ? (size_t)c->units * c->sets * c->tags : 0;
    for (size_t i = 0; i < lines; i++) {
        const struct remap_line *l = (const void *)(self->line[LEVEL_L2] + i * self->size.line[LEVEL_L2]);
        if (l->rrpv > remap_largest(self) || l->perd > 3 || l->mac > 3)
            return "a prediction, distance or cost above its maximum";
    }
    return NULL;
}
#endif
