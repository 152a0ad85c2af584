/* stream-bypass - close a cache while its miss rate shows that nothing is used twice (Khairy et al., GPGPU-8 2015, section 4.1).
 *
 * At the end of each sampling period, a cache whose miss rate is above the threshold is closed: all accesses go past it. Its
 * controller keeps updating tags alone, and when the miss rate that these show is not above the threshold any more, the cache is
 * opened again. Each L1 and each L2 slice decides for itself.
 *
 * A cache that thrashes misses as often as one that is streamed through, and the paper does not say which of its techniques acts
 * first on it. Closed first, GESUMMV's L1s are never seen to hit with few warps, and dwt-cs then settles on 5 warps per scheduler
 * instead of the 1 of the paper's table 3 (and of a search). So dwt-cs goes first: while an L1 misses more than `thrashing_mpki`
 * times per kilo-instruction of its core (dwt-cs's measure of thrashing; a coalesced stream stays below it), it stays open, or is
 * opened, for as many periods of a kernel as dwt-cs takes to find a limit, one for the limit to show, and one since the periods of
 * the two do not begin together. An L1 that misses still is closed then. Without dwt-cs, or with `dwt_cs_first=false`, it is
 * closed at once.
 *
 * Where the paper is silent:
 *  - A miss rate is misses over loads (and, at an L2, stores) that the cache or its tags served; an access that finds its line
 *    on the way is not a miss, since the line is used twice.
 *  - The tags while closed are the cache's own in the paper, which then has to drop its lines. Here they are kept beside it, and
 *    `cost` charges them; they start empty at each closing and are replaced least recently used first; the lines in the cache stay
 *    where they are and are found again at reopening. What takes lines out of an L1 takes tags: a store its line's (write-evict),
 * an emptying of the L1 all.
 *  - A period with fewer than `min_accesses` accesses decides nothing: fewer than the cache has lines can all be cold misses.
 *  - Local memory is not bypassed (its dirty lines live in the L1), nor are atomics.
 *  - The state outlives a kernel, as the hardware would; periods run on the GPU's clock. */
#include "policy/dwt_cs.h"
#include "policy/replacement.h"

struct config {
    uint32_t at;
    uint64_t period;
    double threshold;
    uint64_t min_accesses;
    double thrashing_mpki;
    bool dwt_cs_first;
};

struct gpu {
    uint32_t patience; /* periods of thrashing in a row for which an L1 is not closed */
};
struct unit {
    uint64_t accesses, misses, uses;
    bool closed;
    uint64_t instructions_before, misses_before; /* the SM's when the period began */
    uint32_t thrashing;                          /* periods in a row */
};
struct line { /* a tag, while the cache is closed */
    uint64_t address, last_use;
    uint8_t sectors;
    bool valid;
};

#define STAT_DEF "policy/stream_bypass_counters.def"
#define STAT_NAME stream_bypass
#include "stat/declare.h"
#define STAT_DEF "policy/stream_bypass_counters.def"
#define STAT_NAME stream_bypass
#include "stat/define.h"

static const struct param params[] = {
    PARAM_CHOICE(struct config, at, "at", "both", replacement_at, "caches that it may close"),
    PARAM_U64(struct config, period, "period", 10000, 1, 1000000000, "cycles", "sampling period (table 4: 10K)"),
    PARAM_REAL(struct config, threshold, "threshold", 0.9, 0, 1, "", "miss rate above which a cache is closed (table 4: 90 %)"),
    PARAM_U64(struct config, min_accesses, "min_accesses", 128, 1, 1000000000, "accesses", "a period with fewer decides nothing"),
    PARAM_REAL(struct config, thrashing_mpki, "thrashing_mpki", 10, 0, 1000000, "misses per kilo-instruction",
               "L1 MPKI above which misses are taken for thrashing (table 4: 10)"),
    PARAM_BOOL(struct config, dwt_cs_first, "dwt_cs_first", true,
               "with dwt-cs, a thrashing L1 is not closed for as long as that takes to find a limit"),
    PARAM_END
};

static uint32_t levels(const void *config)
{
    return replacement_levels(((const struct config *)config)->at);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->gpu = sizeof(struct gpu);
    out->sm = out->slice = sizeof(struct unit);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++)
        if (levels(config) >> level & 1)
            out->line[level] = sizeof(struct line);
}

static bool is_bypassable(const struct policy_access *a)
{
    return !a->local && !a->atomic && !(a->write && a->level == LEVEL_L1);
}

/* Looks the access up in the tags that are kept while the cache is closed, and enters it there. */
static bool tags_hit(const struct policy_self *self, struct unit *u, const struct policy_access *a)
{
    struct line *set = policy_line_state(self, a->level, a->unit, a->set, 0);
    const uint32_t ways = self->geometry->cache[a->level].ways;
    const uint8_t fetched = a->level == LEVEL_L1 ? UINT8_MAX : a->sectors; /* an L1 miss brings the line, an L2 miss its sectors */
    struct line *victim = &set[0];
    for (uint32_t w = 0; w < ways; w++) {
        if (set[w].valid && set[w].address == a->address) {
            const bool hit = (set[w].sectors & a->sectors) == a->sectors;
            set[w].sectors |= fetched;
            set[w].last_use = ++u->uses;
            return hit;
        }
        if (victim->valid && (!set[w].valid || set[w].last_use < victim->last_use))
            victim = &set[w];
    }
    *victim = (struct line){ .address = a->address, .last_use = ++u->uses, .sectors = fetched, .valid = true };
    return false;
}

static void drop_tag(const struct policy_self *self, const struct policy_access *a)
{
    struct line *set = policy_line_state(self, a->level, a->unit, a->set, 0);
    for (uint32_t w = 0; w < self->geometry->cache[a->level].ways; w++)
        set[w].valid = set[w].valid && set[w].address != a->address;
}

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    if (!u->closed)
        return;
    if (a->write && a->level == LEVEL_L1)
        drop_tag(self, a);
    if (!is_bypassable(a))
        return;
    answer->bypass = true;
    u->accesses++;
    u->misses += !tags_hit(self, u, a);
    struct stream_bypass_counters *c = policy_unit_counters(self, a->level, a->unit);
    if (a->level == LEVEL_L1)
        c->l1_bypassed++;
    else
        c->l2_bypassed++;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    struct unit *u = policy_unit_state(self, a->level, a->unit);
    if (u->closed || outcome == OUTCOME_BYPASSED || !is_bypassable(a))
        return;
    u->accesses++;
    u->misses += outcome == OUTCOME_MISS || outcome == OUTCOME_WRITE_MISS;
}

static void forget_tags(const struct policy_self *self, uint32_t level, uint32_t unit)
{
    const struct policy_cache_geometry *c = &self->geometry->cache[level];
    for (uint32_t set = 0; set < c->sets; set++)
        for (uint32_t way = 0; way < c->ways; way++)
            ((struct line *)policy_line_state(self, level, unit, set, way))->valid = false;
}

static void flushed(struct policy_self *self, uint32_t level, uint32_t unit)
{
    if (((const struct unit *)policy_unit_state(self, level, unit))->closed)
        forget_tags(self, level, unit);
}

/* True when this L1 thrashes, and has not done so for longer than dwt-cs may take. */
static bool measure_thrashing(struct policy_self *self, uint32_t sm, struct unit *u)
{
    const struct config *c = self->config;
    const uint32_t patience = ((const struct gpu *)policy_gpu_state(self))->patience;
    struct policy_totals t;
    self->machine->totals(self->machine->gpu, sm, &t);
    const uint64_t misses = t.l1_misses + t.l1_bypassed;
    const bool above =
        (double)(misses - u->misses_before) * 1000 > c->thrashing_mpki * (double)(t.thread_instructions - u->instructions_before);
    u->instructions_before = t.thread_instructions;
    u->misses_before = misses;
    u->thrashing = !above ? 0 : u->thrashing <= patience ? u->thrashing + 1 : u->thrashing;
    return above && u->thrashing <= patience;
}

/* The time that dwt-cs needs, in periods of this policy. */
static uint32_t patience_for(const struct policy_self *self)
{
    const struct config *c = self->config;
    const struct policy_self *dwt_cs = policy_peer(self, "dwt-cs");
    if (!c->dwt_cs_first || !dwt_cs)
        return 0;
    return (uint32_t)((dwt_cs_search_cycles(dwt_cs->config) + c->period - 1) / c->period) + 2;
}

/* Another kernel may have another reason to miss. */
static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    ((struct gpu *)policy_gpu_state(self))->patience = patience_for(self);
    for (uint32_t sm = 0; (levels(self->config) & AT_L1) && sm < self->geometry->sms; sm++)
        ((struct unit *)policy_unit_state(self, LEVEL_L1, sm))->thrashing = 0;
}

static void end_period(struct policy_self *self, uint32_t level, uint32_t unit)
{
    const struct config *c = self->config;
    struct unit *u = policy_unit_state(self, level, unit);
    struct stream_bypass_counters *count = policy_unit_counters(self, level, unit);
    const bool stay_open = level == LEVEL_L1 && measure_thrashing(self, unit, u);
    if (u->accesses >= c->min_accesses) {
        const bool close = !stay_open && (double)u->misses > c->threshold * (double)u->accesses;
        if (close && !u->closed)
            forget_tags(self, level, unit);
        if (close != u->closed)
            *(level == LEVEL_L1 ? (close ? &count->l1_closings : &count->l1_openings)
                                : (close ? &count->l2_closings : &count->l2_openings)) += 1;
        u->closed = close;
    }
    u->accesses = u->misses = 0;
    *(level == LEVEL_L1 ? &count->l1_periods : &count->l2_periods) += 1;
    *(level == LEVEL_L1 ? &count->l1_periods_closed : &count->l2_periods_closed) += u->closed;
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    const uint32_t at = levels(self->config);
    for (uint32_t level = 0; level < LEVEL_COUNT; level++)
        for (uint32_t unit = 0; (at >> level & 1) && unit < self->geometry->cache[level].units; unit++)
            end_period(self, level, unit);
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct config *)config)->period;
}

/* A tag of a line that is kept while its cache is closed: addresses of 32 bits, valid, recency; at an L2 a bit per sector. */
static struct policy_hardware shadow_tags(const char *name, enum policy_scope scope, const struct policy_cache_geometry *c,
                                          uint64_t sector_bits)
{
    const uint64_t tag_bits = 32 - bits_for(c->line_bytes) - bits_for(c->sets);
    return (struct policy_hardware){ name, scope, (uint64_t)c->sets * c->ways, tag_bits + 1 + bits_for(c->ways) + sector_bits };
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1], *l2 = &g->cache[LEVEL_L2];
    uint32_t n = 0;
    if (c->at != REPLACE_L2) {
        rows[n++] = (struct policy_hardware){ "L1 access and miss counters, closed bit", PER_SM, 1, 2 * 32 + 1 };
        rows[n++] = shadow_tags("L1 tags kept while closed", PER_SM, l1, 0);
    }
    if (c->at != REPLACE_L1) {
        rows[n++] = (struct policy_hardware){ "L2 access and miss counters, closed bit", PER_SLICE, 1, 2 * 32 + 1 };
        rows[n++] = shadow_tags("L2 tags kept while closed", PER_SLICE, l2, l2->line_bytes / 32);
    }
    if (c->at != REPLACE_L2 && c->dwt_cs_first)
        rows[n++] = (struct policy_hardware){ "instruction counter, periods of thrashing", PER_SM, 1, 32 + 8 };
    return n;
}

const struct policy policy_stream_bypass = {
    .name = "stream-bypass",
    .summary = "close a cache while almost all of its accesses miss",
    .source = "Khairy et al., GPGPU-8 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &stream_bypass_stat_group,
    .sizes = sizes,
    .levels = levels,
    .cycle_period = cycle_period,
    .hardware = hardware,
    .gpu = { .kernel_start = kernel_start, .every_cycles = every_cycles },
    .cache = { .before_lookup = before_lookup, .accessed = accessed, .flushed = flushed },
};
