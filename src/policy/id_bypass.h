/* id_bypass.h - ID-Cache's online bypassing (Arunkumar, 2018, section 3.2.2, algorithm 3), shared by `id-bypass-pc` and
 * `id-bypass-pcdiv`.
 *
 * A table of saturating counters says whether the lines that an instruction brings are used again. A load that misses is inserted
 * while its counter is above 0, else it goes around the L1. A hit counts up; a line that is replaced and was never used again
 * counts down the counter of the load that brought it.
 *
 * Where the text leaves a choice:
 *  - "The lower 7 bits of the PC": of the instruction's number. PCs are multiples of 8, and the bits of a byte address would leave
 *    16 of 128 counters.
 *  - Four bins of divergence per PC, by requests of the warp's instruction: 1, 2-3, 4-15, 16 and more. 1 and 4 are where algorithm
 *    4 changes the line size, 15 is where figure 3.8 turns. The bounds are parameters.
 *  - A hit counts up the counter of the load that hits, as algorithm 3 prints it. The work that it follows (Wu et al., MICRO 2011)
 *    takes the load that brought the line: `index_by`.
 *  - A load that finds its line on the way has reused it: `merged`. Sent around the L1 it would have been fetched twice.
 *  - Counters have 3 bits and begin in the middle.
 *  - A counter at 0 would never learn again, as nothing is inserted that could be hit. Every `retry`-th load that it turns away is
 *    inserted all the same; 0: none is.
 *  - Only replacement counts as eviction. A store or the end of a kernel says nothing about reuse. Counters keep their values from
 *    kernel to kernel.
 *  - Where lines are stored in pieces (alsi), every piece that a load finds and uses was used again, also when another part of
 *    what it wants is missing. A hit raises one counter, however many pieces it takes.
 *  - There is a table in each SM, beside its L1. Local memory (spills) neither asks it nor teaches it.
 *
 * The includer defines ID_BYPASS_BINS (1 or 4) and, for its counters with the rows of id_bypass_counters.def, ID_BYPASS_COUNTERS.
 */
#ifndef WARPLINE_POLICY_ID_BYPASS_H
#define WARPLINE_POLICY_ID_BYPASS_H
#include <stdio.h>

#include "policy/policy.h"

enum { ID_BYPASS_PCS = 128, ID_BYPASS_ENTRIES = ID_BYPASS_PCS * ID_BYPASS_BINS };
enum id_index_by { ID_BY_REQUEST, ID_BY_INSERTER };
static const char *const id_index_by_names[] = { "request", "inserter", NULL };

struct id_bypass_config {
    uint32_t counter_bits, initial, retry, index_by;
    bool merged;
    uint32_t bin_1, bin_2, bin_3; /* degrees up to these; with PCs alone unused */
};

/* The number of the instruction, and the bin of its degree. */
static inline uint16_t id_bypass_index(const struct id_bypass_config *c, const struct policy_access *a)
{
    const uint32_t pc = (uint32_t)(a->pc >> 3) % ID_BYPASS_PCS, degree = a->transactions;
    const uint32_t bin = degree <= c->bin_1 ? 0 : degree <= c->bin_2 ? 1 : degree <= c->bin_3 ? 2 : 3;
    return (uint16_t)(ID_BYPASS_BINS == 1 ? pc : pc * ID_BYPASS_BINS + bin);
}

struct id_entry {
    uint16_t turned_away; /* loads since the last one that was inserted although its counter was 0 */
    uint8_t counter;
};

struct id_line {
    uint64_t line;   /* which one */
    uint16_t index;  /* of the counter of the load that brought it */
    uint8_t sectors; /* that are here; 0 until the data have come */
    bool known, reused;
};

#define ID_BYPASS_PARAMS                                                                                                           \
    PARAM_U32(struct id_bypass_config, counter_bits, "counter_bits", 3, 1, 8, "bits", "width of a counter"),                       \
        PARAM_U32(struct id_bypass_config, initial, "initial", 4, 0, 255, "", "what counters begin with"),                         \
        PARAM_U32(struct id_bypass_config, retry, "retry", 32, 0, 65535, "loads",                                                  \
                  "every so many loads that a counter turns away, one is inserted all the same; 0: none"),                         \
        PARAM_CHOICE(struct id_bypass_config, index_by, "index_by", "request", id_index_by_names,                                  \
                     "whose counter a hit raises: that of the load that hits, or of the load that brought the line"),              \
        PARAM_BOOL(struct id_bypass_config, merged, "merged", true, "a load that finds its line on the way counts as a hit")

static inline bool id_bypass_check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct id_bypass_config *c = config;
    (void)g;
    if (c->initial >> c->counter_bits)
        (void)snprintf(text, size, "counters of %u bits cannot begin with %u", c->counter_bits, c->initial);
    else if (ID_BYPASS_BINS > 1 && (c->bin_1 >= c->bin_2 || c->bin_2 >= c->bin_3))
        (void)snprintf(text, size, "the bins' bounds must rise: %u, %u, %u", c->bin_1, c->bin_2, c->bin_3);
    else
        return true;
    return false;
}

static inline void id_bypass_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = ID_BYPASS_ENTRIES * sizeof(struct id_entry);
    out->line[LEVEL_L1] = sizeof(struct id_line);
}

static inline void id_bypass_start(struct policy_self *self)
{
    const struct id_bypass_config *c = self->config;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct id_entry *table = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < ID_BYPASS_ENTRIES; i++)
            table[i].counter = (uint8_t)c->initial;
    }
}

static inline void id_bypass_before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct id_bypass_config *c = self->config;
    if (a->write || a->atomic || a->local)
        return;
    const struct id_entry *e = (struct id_entry *)policy_sm_state(self, a->unit) + id_bypass_index(c, a);
    const bool again = c->retry && e->turned_away >= c->retry;
    answer->no_allocate = answer->no_allocate || (!e->counter && !again);
}

static inline void id_bypass_inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const uint16_t index = id_bypass_index(self->config, a);
    struct id_line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    *l = (struct id_line){ .line = a->line, .index = index, .known = true };
    struct id_entry *e = (struct id_entry *)policy_sm_state(self, a->unit) + index;
    if (e->counter)
        return;
    e->turned_away = 0;
    ((ID_BYPASS_COUNTERS *)policy_sm_counters(self, a->unit))->retries++;
}

static inline void id_bypass_hit(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct id_bypass_config *c = self->config;
    struct id_line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    const uint16_t index = c->index_by == ID_BY_INSERTER && l->known ? l->index : id_bypass_index(c, a);
    struct id_entry *e = (struct id_entry *)policy_sm_state(self, a->unit) + index;
    l->reused = true;
    if (e->counter + 1u < 1u << c->counter_bits)
        e->counter++;
    ((ID_BYPASS_COUNTERS *)policy_sm_counters(self, a->unit))->reuses++;
}

/* The pieces that a load takes its data from. */
static inline void id_bypass_use_pieces(struct policy_self *self, const struct policy_access *a)
{
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L1];
    for (uint32_t w = 0; g->tags > g->ways && w < g->tags; w++) {
        struct id_line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, w);
        if (l->known && l->line == a->line && (l->sectors & a->sectors))
            l->reused = true;
    }
}

static inline void id_bypass_accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome,
                                      uint32_t way)
{
    const struct id_bypass_config *c = self->config;
    if (a->write || a->atomic || a->local)
        return;
    if (outcome == OUTCOME_BYPASSED) {
        struct id_entry *e = (struct id_entry *)policy_sm_state(self, a->unit) + id_bypass_index(c, a);
        if (e->turned_away < UINT16_MAX)
            e->turned_away++;
        ((ID_BYPASS_COUNTERS *)policy_sm_counters(self, a->unit))->bypassed++;
        return;
    }
    id_bypass_use_pieces(self, a);
    if (outcome == OUTCOME_MISS && way != NO_WAY) {
        id_bypass_inserted(self, a, way);
    } else if (outcome == OUTCOME_HIT || (outcome == OUTCOME_MERGED && c->merged && way != NO_WAY)) {
        id_bypass_hit(self, a, way);
    }
}

/* When lines are stored in pieces one miss may bring several; `accessed` tells of the first. */
static inline void id_bypass_filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct id_line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    if (!l->known && !a->local)
        *l = (struct id_line){ .line = a->line, .index = id_bypass_index(self->config, a), .known = true };
    l->sectors = a->sectors;
}

static inline void id_bypass_evicted(struct policy_self *self, const struct policy_evicted *e)
{
    struct id_line *l = policy_line_state(self, LEVEL_L1, e->unit, e->set, e->way);
    struct id_entry *entry = (struct id_entry *)policy_sm_state(self, e->unit) + l->index;
    if (l->known && !l->reused && e->reason == EVICTED_BY_FILL) {
        if (entry->counter)
            entry->counter--;
        ((ID_BYPASS_COUNTERS *)policy_sm_counters(self, e->unit))->unused++;
    }
    l->known = false;
}

/* The inserter's index and the outcome, for every line. */
static inline uint32_t id_bypass_hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct id_bypass_config *c = config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint32_t index_bits = (uint32_t)__builtin_ctz(ID_BYPASS_ENTRIES);
    rows[0] = (struct policy_hardware){ "reuse prediction counters", PER_SM, ID_BYPASS_ENTRIES, c->counter_bits };
    rows[1] =
        (struct policy_hardware){ "counter's index and outcome of lines", PER_SM, (uint64_t)l1->sets * l1->ways, index_bits + 1 };
    if (!c->retry)
        return 2;
    rows[2] = (struct policy_hardware){ "loads turned away", PER_SM, ID_BYPASS_ENTRIES, 32 - (uint32_t)__builtin_clz(c->retry) };
    return 3;
}

static inline const char *id_bypass_broken(const struct policy_self *self)
{
    const struct id_bypass_config *c = self->config;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct id_entry *table = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < ID_BYPASS_ENTRIES; i++)
            if (table[i].counter >> c->counter_bits)
                return "a counter is wider than its bits";
    }
    return NULL;
}

#endif
