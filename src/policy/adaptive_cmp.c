/* adaptive-cmp - compression switched by a counter of what it has saved and cost: Alameldeen and Wood's rule for CMPs (ISCA 2004),
 * as our reading of it, on the compressed L1 of LATTE-CC, whose rival it is (Arunkumar, 2018, section 4.3.7). It weighs the time of
 * decompression, and knows nothing of the latency that an SM hides.
 *
 * Every set has its lines in order of use, those that left among them, with the size that each takes when compressed. The
 * decompression time is taken from the SM's counter at a hit on a compressed line that a plain cache would hold too (among the
 * `ways` used last). The time of a miss is added at a hit on a line that a plain cache would not hold any more, and at a miss that
 * compression would have saved: the line and all those used since then, compressed, fit into the set. While the counter is not
 * negative, lines are compressed. What a store or an atomic has written, what was dropped with SC's old codes, and at a flush
 * everything, leaves the order: no cache of any size would hold it.
 *
 * Where the text leaves a choice: one counter in each SM, of 19 bits and sign, as the original has it; one algorithm (BDI, which
 * the text calls the state of the art); the miss time is a constant, as in the original, here the minimum of table 4.2 (220
 * cycles); loads of global memory alone are looked at. The rest is in compression.h. */
#include "policy/compression.h"

enum { COUNTER_MOST = 1 << 19 };

struct config {
    struct compression_config base;
    uint32_t algorithm, miss_latency;
};

#define STAT_DEF "policy/adaptive_cmp_counters.def"
#define STAT_NAME adaptive_cmp
#include "stat/declare.h"
#define STAT_DEF "policy/adaptive_cmp_counters.def"
#define STAT_NAME adaptive_cmp
#include "stat/define.h"
_Static_assert(offsetof(struct adaptive_cmp_counters, capacity_plain) == offsetof(struct compression_counters, capacity_plain),
               "its rows begin with those of compression.h");

static const struct param params[] = {
    PARAM_CHOICE(struct config, algorithm, "algorithm", "bdi", algorithm_names, "with which lines are compressed"),
    PARAM_U32(struct config, miss_latency, "miss_latency", 220, 0, 100000, "cycles", "that a saved miss is worth"),
    COMPRESSION_PARAMS(struct config), PARAM_END
};

struct cmp_sm {
    struct compression_sm base;
    int64_t counter; /* cycles saved, less cycles spent */
};

struct used_line {
    uint64_t address;
    uint32_t bytes; /* compressed; 0: no line */
};
struct cmp_set { /* lines of a set, the last used first */
    struct used_line used[16 * TAGS_PER_WAY];
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    compression_sizes(config, g, out);
    out->sm = sizeof(struct cmp_sm);
    out->set[LEVEL_L1] = sizeof(struct cmp_set);
}

static enum algorithm algorithm_now(const struct policy_self *self, uint32_t sm)
{
    const struct config *c = self->config;
    const struct cmp_sm *s = policy_sm_state(self, sm);
    return s->counter >= 0 ? c->algorithm : ALGORITHM_NONE;
}

static void add(struct cmp_sm *s, int64_t cycles)
{
    s->counter += cycles;
    s->counter = s->counter > COUNTER_MOST ? COUNTER_MOST : s->counter < -COUNTER_MOST ? -COUNTER_MOST : s->counter;
}

/* Where the line stands among those of its set; the number of tags if it is not there. `bytes`: the space of it and those before
 * it. */
static uint32_t find(const struct cmp_set *set, uint32_t tags, uint64_t address, uint32_t *bytes)
{
    *bytes = 0;
    for (uint32_t i = 0; i < tags && set->used[i].bytes; i++) {
        *bytes += set->used[i].bytes;
        if (set->used[i].address == address)
            return i;
    }
    return tags;
}

/* Makes the line the last used one. From `depth` it moves up; when it was not there it pushes the oldest out. */
static void use(struct cmp_set *set, uint32_t tags, uint32_t depth, struct used_line line)
{
    const uint32_t end = depth < tags ? depth : tags - 1;
    memmove(&set->used[1], &set->used[0], end * sizeof set->used[0]);
    set->used[0] = line;
}

static void forget(struct policy_self *self, uint32_t sm, uint32_t set_number, uint64_t address)
{
    struct cmp_set *set = policy_set_state(self, LEVEL_L1, sm, set_number);
    uint32_t bytes;
    const uint32_t tags = self->geometry->cache[LEVEL_L1].tags, depth = find(set, tags, address, &bytes);
    if (depth == tags)
        return;
    memmove(&set->used[depth], &set->used[depth + 1], (tags - 1 - depth) * sizeof set->used[0]);
    set->used[tags - 1] = (struct used_line){ 0 };
}

static void evicted(struct policy_self *self, const struct policy_evicted *e)
{
    compression_evicted(self, e);
    if (e->reason != EVICTED_BY_FILL)
        forget(self, e->unit, e->set, e->address);
}

static void flushed(struct policy_self *self, uint32_t level, uint32_t unit)
{
    for (uint32_t set = 0; set < self->geometry->cache[level].sets; set++)
        *(struct cmp_set *)policy_set_state(self, level, unit, set) = (struct cmp_set){ 0 };
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    const struct config *c = self->config;
    const struct policy_cache_geometry *l1 = &self->geometry->cache[LEVEL_L1];
    struct cmp_sm *s = policy_sm_state(self, a->unit);
    struct cmp_set *set = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    struct adaptive_cmp_counters *count = policy_sm_counters(self, a->unit);
    if (a->write || a->atomic)
        forget(self, a->unit, a->set, a->address);
    if (!compression_accessed(self, a, outcome) || a->write || a->local)
        return;
    uint32_t bytes;
    const uint32_t depth = find(set, l1->tags, a->address, &bytes);
    const struct compression_line *line = way == NO_WAY ? NULL : policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    if (outcome == OUTCOME_HIT && depth >= l1->ways) {
        count->saved++;
        add(s, c->miss_latency);
    } else if (outcome == OUTCOME_HIT && line && line->algorithm != ALGORITHM_NONE) {
        count->slowed++;
        add(s, -(int64_t)compression_decompress_cycles(&c->base, line->algorithm));
    } else if (outcome == OUTCOME_MISS && depth < l1->tags && bytes <= l1->ways * l1->line_bytes) {
        count->savable++;
        add(s, c->miss_latency);
    }
    const struct used_line now = { a->address, depth < l1->tags ? set->used[depth].bytes : l1->line_bytes };
    use(set, l1->tags, depth, now);
}

/* Lines that are stored uncompressed keep their compressed size as well. */
static void note_size(struct policy_self *self, const struct policy_access *a)
{
    const struct config *c = self->config;
    struct cmp_set *set = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    uint8_t data[LINE_MOST_BYTES];
    uint32_t before;
    const uint32_t tags = self->geometry->cache[LEVEL_L1].tags, depth = find(set, tags, a->address, &before);
    if (depth == tags || !self->machine->read_values(self->machine->gpu, a->address, sizeof data, data))
        return;
    const uint32_t bits = compression_bits(c->algorithm, compression_codes(self, a->unit), data, sizeof data);
    set->used[depth].bytes = (bits + SUB_BLOCK_BYTES * 8 - 1) / (SUB_BLOCK_BYTES * 8) * SUB_BLOCK_BYTES;
}

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched,
                             bool was_filled)
{
    if (was_filled) {
        struct adaptive_cmp_counters *count = policy_sm_counters(self, a->unit);
        count->fills_on += algorithm_now(self, a->unit) != ALGORITHM_NONE;
        note_size(self, a);
    }
    return compression_stored_bytes(self, a, way, fetched, was_filled, algorithm_now(self, a->unit));
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    uint32_t n = compression_hardware(&c->base, g, c->algorithm == ALGORITHM_SC, rows);
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    rows[n++] = (struct policy_hardware){ "counter of what was saved", PER_SM, 1, 20 };
    rows[n++] = (struct policy_hardware){ "compressed size and place in the order of use", PER_SM,
                                          (uint64_t)l1->sets * l1->ways * TAGS_PER_WAY, 2 + 4 };
    return n;
}

static const struct policy_energy energy[] = COMPRESSION_ENERGY("adaptive_cmp");

const struct policy policy_adaptive_cmp = {
    .name = "adaptive-cmp",
    .summary = "compress while misses saved outweigh the time of decompression, as for CMPs",
    .source = "Alameldeen and Wood, ISCA 2004",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &adaptive_cmp_stat_group,
    .needs = NEED_VALUES,
    .check = compression_check,
    .sizes = sizes,
    .start = compression_start,
    .hardware = hardware,
    .energy = energy,
    .cycle_period = compression_cycle_period,
    .broken = compression_broken,
    .gpu.every_cycles = compression_serial,
    .cache = { .storage = { .tags_per_set = compression_tags_per_set,
                            .set_bytes = compression_set_bytes,
                            .stored_bytes = stored_bytes,
                            .fill_cycles = compression_fill_cycles,
                            .hit_cycles = compression_hit_cycles },
               .accessed = accessed,
               .filled = compression_filled,
               .evicted = evicted,
               .flushed = flushed },
};
