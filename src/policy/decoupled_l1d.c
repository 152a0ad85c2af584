/* decoupled-l1d - a tag store with more entries than the data store has lines, which lets into the L1 only what is used often and
 * soon (Li et al., ICS 2015, section 4; figures 6 and 7, table 3).
 *
 * 4.1 Structure. The tag store has as many sets as the L1, and more ways. An entry has the line's address, a reference count and a
 * position: a way of the data store, or none. The data store is the L1 as it is, with a count of free lines per set.
 *
 * 4.2 Operations (figure 7). A load that finds no entry gets one and goes around the L1; the entry with the smallest count makes
 * room. A load that finds an entry with a position is an ordinary hit or pending hit. Without a position its count goes up and is
 * compared with the threshold: reached, it goes the road of misses and gets a data line; below, it goes around. The data store's
 * replacement (LRU, or any policy named beside this one: srrip, drrip, ship) chooses the line's victim, whose entry loses position
 * and count. Whenever a data line is allocated or evicted, every other entry of the set loses 1.
 *
 * 4.3 SM dueling. SM 0 has the design and SM 1 the plain cache; the others follow SM 1 at first. After each interval their miss
 * rates are compared: SM 0's is higher by more than the difference, and the others have the plain cache; otherwise they have the
 * design. While it is off an SM's cache is the plain one, without the longer probe, and the additional entries have no power.
 *
 * What the text leaves open, and what is decided (a parameter each):
 *
 * `count_hits` false: counts go up only without a position, as the text says, so that entries with a line only age.
 *
 * `first_counts` false: a new entry begins with 0. Figure 13c has different results for thresholds 1 and 2, which would be the same
 * if the first access counted and were compared with >.
 *
 * `ties` lru: of entries with the same count the one that was looked up longest ago goes; entries have an LRU counter (4.1).
 *
 * An entry's victim that has a line takes it along. That is an eviction in the data store. A line on its way, or dirty (local
 * memory), cannot go: the next smallest does; when none can, the load goes around without an entry.
 *
 * `stores` evict: a store that drops a line is an eviction in the data store, like any other; `keep`: the entry keeps its count and
 * nothing ages. Stores neither make entries nor count. Atomics never meet the L1.
 *
 * `local` true: loads of local memory are filtered like all others; false: they always take the L1.
 *
 * `join` false: what is below the threshold goes around even when the line is on its way, since a bypass needs no MSHR to wait in;
 * true: it waits for that fill. It is rare: a line on its way has an entry with a position.
 *
 * `ageing` minus-one, at allocations and evictions; `shift`: footnote 2's other scheme, counts are halved at evictions only. An
 * allocation that also evicts ages the others once.
 *
 * The duel. The text has all SMs change over, and then nothing would be left to compare: SM 0 and SM 1 keep their roles
 * (`duel=false` gives all SMs the design). `bypass_misses` true: a load that goes around counts as a miss, since the L1 did not
 * serve it; one that joins a fetch is a pending hit, and no miss. Stores do not count. `difference` is in points. `within` on:
 * inside the difference the design is on, by the text's "otherwise"; `stay` keeps the last state, and a pure stream, which misses
 * everywhere, would then never leave the plain cache it begins with. An interval in which one of both SMs loads nothing changes
 * nothing. The state outlives kernels.
 *
 * Switched off, entries without a line are forgotten; switched on, lines that are there get the threshold as their count. A flush,
 * and the start of a kernel, forget entries without a line.
 *
 * Position has 2 bits in the paper, which cannot hold four ways and "none": `cost` shows the paper's bits and the one that is
 * missing. */
#include <stdio.h>

#include "policy/replacement.h"

enum ties { TIES_LRU, TIES_WAY };
enum stores { STORES_EVICT, STORES_KEEP };
enum ageing { AGEING_MINUS_ONE, AGEING_SHIFT };
enum within { WITHIN_ON, WITHIN_STAY };
static const char *const ties_names[] = { "lru", "way", NULL };
static const char *const stores_names[] = { "evict", "keep", NULL };
static const char *const ageing_names[] = { "minus-one", "shift", NULL };
static const char *const within_names[] = { "on", "stay", NULL };

enum { COUNT_MAX = 63, WAYS_MAX = 1024 }; /* 6 bits */

struct config {
    uint32_t tag_sets, tag_ways, threshold, probe_cycles, difference;
    uint64_t interval;
    uint32_t ties, stores, ageing, within;
    bool count_hits, first_counts, local, join, duel, bypass_misses;
};

struct entry {
    uint64_t line;  /* its number + 1; 0: the entry is free */
    uint64_t used;  /* when it was looked up last */
    uint32_t count; /* of references */
    uint32_t way;   /* position in the data store, NO_WAY: none */
    uint32_t set;   /* of the data store */
};
struct sm {
    uint64_t clock;         /* of `used` */
    uint64_t loads, misses; /* of the duel's interval */
    bool filters;
    bool drops;           /* a line leaves because its entry does */
    struct entry entry[]; /* tag_sets x tag_ways */
};
struct set { /* of the data store */
    uint32_t used_lines;
};
struct line {      /* of the data store, kept while the filter is off, too */
    uint64_t line; /* number + 1; 0: free */
    uint64_t address;
};
struct gpu {
    bool on; /* true when the followers filter */
};

#define STAT_DEF "policy/decoupled_l1d_counters.def"
#define STAT_NAME decoupled_l1d
#include "stat/declare.h"
#define STAT_DEF "policy/decoupled_l1d_counters.def"
#define STAT_NAME decoupled_l1d
#include "stat/define.h"

#define T struct config
static const struct param params[] = {
    PARAM_U32(T, threshold, "threshold", 2, 0, 63, "references", "count at which a line is let into the L1; 0: the plain cache"),
    PARAM_U32(T, tag_ways, "tag_ways", 8, 1, 1024, "entries", "ways of the tag store"),
    PARAM_U32(T, tag_sets, "tag_sets", 0, 0, 4096, "sets",
              "sets of the tag store, a divisor of the L1's; 0: as many; 1: fully associative"),
    PARAM_U32(T, probe_cycles, "probe_cycles", 1, 0, 16, "cycles", "that a look at the larger tag store takes longer (6.5)"),
    PARAM_CHOICE(T, ties, "ties", "lru", ties_names,
                 "which of several entries with the smallest count goes: least recently used, or lowest way"),
    PARAM_BOOL(T, count_hits, "count_hits", false, "hits of entries with a line count as references too"),
    PARAM_BOOL(T, first_counts, "first_counts", false, "the access that makes an entry counts as a reference"),
    PARAM_CHOICE(T, ageing, "ageing", "minus-one", ageing_names, "how the other entries of a set age"),
    PARAM_CHOICE(T, stores, "stores", "evict", stores_names, "what a store that drops a line does to its entry"),
    PARAM_BOOL(T, local, "local", true, "loads of local memory are filtered too"),
    PARAM_BOOL(T, join, "join", false, "a load that would go around waits for its line when it is on its way"),
    PARAM_BOOL(T, duel, "duel", true, "SM 0 and SM 1 decide for the others; false: all SMs have the design"),
    PARAM_U64(T, interval, "interval", 500, 1, 1000000000, "cycles", "of the duel"),
    PARAM_U32(T, difference, "difference", 10, 0, 100, "percentage points", "by which SM 0 may miss more than SM 1"),
    PARAM_CHOICE(T, within, "within", "on", within_names, "inside the difference the followers filter, or stay as they are"),
    PARAM_BOOL(T, bypass_misses, "bypass_misses", true, "a load that goes around counts as a miss in the duel"),
    PARAM_END
};
#undef T

static uint32_t tag_sets(const struct config *config, const struct policy_geometry *g)
{
    return config->tag_sets ? config->tag_sets : g->cache[LEVEL_L1].sets;
}

static bool check(const void *c, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *config = c;
    const uint32_t sets = g->cache[LEVEL_L1].sets;
    if (!sets || sets % tag_sets(config, g) != 0) {
        (void)snprintf(text, size, "a tag store of %u sets does not go with an L1 of %u", tag_sets(config, g), sets);
        return false;
    }
    return true;
}

static void sizes(const void *c, const struct policy_geometry *g, struct policy_sizes *out)
{
    const struct config *config = c;
    out->gpu = sizeof(struct gpu);
    out->sm = sizeof(struct sm) + (size_t)tag_sets(config, g) * config->tag_ways * sizeof(struct entry);
    out->set[LEVEL_L1] = sizeof(struct set);
    out->line[LEVEL_L1] = sizeof(struct line);
}

/* ---- 4.1: structure ------------------------------------------------------------------------------------------------- */

/* The entries among which the line of a set of the data store has its own. */
static struct entry *entries_of(const struct policy_self *self, uint32_t sm, uint32_t set)
{
    const struct config *config = self->config;
    struct sm *s = policy_sm_state(self, sm);
    return s->entry + (size_t)(set % tag_sets(config, self->geometry)) * config->tag_ways;
}

static struct entry *find_entry(const struct policy_self *self, uint32_t sm, uint32_t set, uint64_t line)
{
    struct entry *e = entries_of(self, sm, set);
    for (uint32_t i = 0; i < ((const struct config *)self->config)->tag_ways; i++)
        if (e[i].line == line + 1)
            return &e[i];
    return NULL;
}

static void make_entry(struct sm *s, struct entry *e, uint64_t line, uint32_t set, uint32_t count, uint32_t way)
{
    *e = (struct entry){ .line = line + 1, .used = ++s->clock, .count = count, .way = way, .set = set };
}

/* An allocation or eviction in the data store: all entries of the set except these two grow older. */
static void age_others(struct policy_self *self, uint32_t sm, uint32_t set, const struct entry *evicted_one,
                       const struct entry *allocated)
{
    const struct config *config = self->config;
    struct entry *e = entries_of(self, sm, set);
    ((struct decoupled_l1d_counters *)policy_sm_counters(self, sm))->ageings++;
    for (uint32_t i = 0; i < config->tag_ways; i++)
        if (&e[i] != evicted_one && &e[i] != allocated)
            e[i].count = config->ageing == AGEING_SHIFT ? e[i].count / 2 : e[i].count - (e[i].count > 0);
}

/* ---- 4.2: operations ------------------------------------------------------------------------------------------------ */

/* The entry that goes first: a free one, or the one with the smallest count. Entries in `kept`, a bit each, cannot go. */
static struct entry *choose_victim(const struct policy_self *self, struct entry *e, const uint64_t *kept)
{
    const struct config *config = self->config;
    struct entry *victim = NULL;
    for (uint32_t i = 0; i < config->tag_ways; i++) {
        if (!e[i].line)
            return &e[i];
        if (way_is_candidate(kept, i))
            continue;
        if (!victim || e[i].count < victim->count ||
            (e[i].count == victim->count && config->ties == TIES_LRU && e[i].used < victim->used))
            victim = &e[i];
    }
    return victim;
}

/* Takes the entry's data line away; `evicted` does the rest. False: it is on its way, or dirty. */
static bool drop_line_of(struct policy_self *self, uint32_t sm, struct entry *e)
{
    struct sm *s = policy_sm_state(self, sm);
    const struct line *l = policy_line_state(self, LEVEL_L1, sm, e->set, e->way);
    s->drops = true;
    const bool dropped = self->machine->drop_line(self->machine->gpu, sm, l->address);
    s->drops = false;
    return dropped;
}

/* Probe miss: takes a free entry, or that of the least frequently used line; NULL when none can go. */
static struct entry *allocate_entry(struct policy_self *self, uint32_t sm, uint32_t set)
{
    struct decoupled_l1d_counters *c = policy_sm_counters(self, sm);
    struct entry *e = entries_of(self, sm, set), *victim;
    uint64_t kept[WAYS_MAX / 64] = { 0 };
    while ((victim = choose_victim(self, e, kept)) && victim->line) {
        const bool has_line = victim->way != NO_WAY;
        if (!has_line || drop_line_of(self, sm, victim)) {
            c->entries_evicted++;
            c->lines_taken_along += has_line;
            return victim;
        }
        kept[(victim - e) / 64] |= 1ull << (victim - e) % 64;
    }
    return victim;
}

/* A load that must not get a line. */
static void go_around(const struct config *config, struct policy_lookup *answer)
{
    if (config->join)
        answer->no_allocate = true;
    else
        answer->bypass = true;
}

static void probe(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct config *config = self->config;
    struct decoupled_l1d_counters *c = policy_sm_counters(self, a->unit);
    struct sm *s = policy_sm_state(self, a->unit);
    const struct set *set = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    struct entry *e = find_entry(self, a->unit, a->set, a->line);
    c->probes++;
    c->free_lines_seen += self->geometry->cache[LEVEL_L1].tags - set->used_lines;
    if (!e) {
        e = allocate_entry(self, a->unit, a->set);
        if (e)
            make_entry(s, e, a->line, a->set, config->first_counts, NO_WAY);
        ++*(e ? &c->new_entries : &c->no_entry);
        go_around(config, answer);
        return;
    }
    e->used = ++s->clock;
    const bool has_line = e->way != NO_WAY;
    if (!has_line || config->count_hits)
        e->count += e->count < COUNT_MAX;
    if (has_line) {
        c->committed++;
    } else if (e->count >= config->threshold) {
        c->reached++;
    } else {
        c->below++;
        go_around(config, answer);
    }
}

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct config *config = self->config;
    const struct sm *s = policy_sm_state(self, a->unit);
    if (a->write || a->atomic)
        return;
    if (!s->filters)
        ((struct decoupled_l1d_counters *)policy_sm_counters(self, a->unit))->plain_loads++;
    else if (!a->local || config->local)
        probe(self, a, answer);
}

/* A data line was allocated: its entry gets the position, the others age. */
static void line_allocated(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *config = self->config;
    struct sm *s = policy_sm_state(self, a->unit);
    struct set *set = policy_set_state(self, LEVEL_L1, a->unit, a->set);
    struct line *l = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    set->used_lines += l->line == 0;
    *l = (struct line){ .line = a->line + 1, .address = a->address };
    if (!s->filters)
        return;
    struct decoupled_l1d_counters *c = policy_sm_counters(self, a->unit);
    struct entry *e = find_entry(self, a->unit, a->set, a->line);
    if (!e && (e = allocate_entry(self, a->unit, a->set))) /* not filtered, or its entry went while the L1 refused it */
        make_entry(s, e, a->line, a->set, config->threshold, way);
    if (e)
        e->way = way;
    c->lines_allocated++;
    if (config->ageing == AGEING_MINUS_ONE)
        age_others(self, a->unit, a->set, NULL, e);
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    struct sm *s = policy_sm_state(self, a->unit);
    if (a->write || a->atomic)
        return;
    s->loads++;
    s->misses += outcome == OUTCOME_MISS || (outcome == OUTCOME_BYPASSED && ((const struct config *)self->config)->bypass_misses);
    if (outcome == OUTCOME_MISS && way != NO_WAY)
        line_allocated(self, a, way);
}

/* Entries of an SM that have no line. */
static void forget_candidates(struct policy_self *self, uint32_t sm)
{
    const struct config *config = self->config;
    struct sm *s = policy_sm_state(self, sm);
    for (uint32_t i = 0; i < tag_sets(config, self->geometry) * config->tag_ways; i++)
        if (s->entry[i].way == NO_WAY)
            s->entry[i].line = 0;
}

static void evicted(struct policy_self *self, const struct policy_evicted *ev)
{
    const struct config *config = self->config;
    struct sm *s = policy_sm_state(self, ev->unit);
    struct set *set = policy_set_state(self, LEVEL_L1, ev->unit, ev->set);
    struct line *l = policy_line_state(self, LEVEL_L1, ev->unit, ev->set, ev->way);
    struct entry *e = l->line ? find_entry(self, ev->unit, ev->set, l->line - 1) : NULL;
    set->used_lines -= l->line != 0;
    l->line = 0;
    if (!s->filters)
        return;
    const bool flush = ev->reason == EVICTED_BY_FLUSH && !s->drops;
    const bool keeps = ev->reason == EVICTED_BY_STORE && config->stores == STORES_KEEP;
    if (e) {
        e->way = NO_WAY;
        e->count = keeps ? e->count : 0;
    }
    const bool by_fill = ev->reason == EVICTED_BY_FILL; /* the allocation that follows ages the entries for both */
    if (flush)
        forget_candidates(self, ev->unit);
    else if (!keeps && (!by_fill || config->ageing == AGEING_SHIFT))
        age_others(self, ev->unit, ev->set, e, by_fill && ev->by ? find_entry(self, ev->unit, ev->set, ev->by->line) : NULL);
}

/* ---- 4.3: SM dueling ------------------------------------------------------------------------------------------------ */

/* Gives entries to the lines that are there when the filter begins. Lines beyond the number of entries go. */
static void adopt_lines(struct policy_self *self, uint32_t sm)
{
    const struct config *config = self->config;
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L1];
    struct sm *s = policy_sm_state(self, sm);
    for (uint32_t set = 0; set < g->sets; set++)
        for (uint32_t way = 0; way < g->tags; way++) {
            const struct line *l = policy_line_state(self, LEVEL_L1, sm, set, way);
            if (!l->line)
                continue;
            const uint64_t none_kept[WAYS_MAX / 64] = { 0 };
            struct entry *e = choose_victim(self, entries_of(self, sm, set), none_kept);
            if (!e->line)
                make_entry(s, e, l->line - 1, set, config->threshold, way);
            else
                (void)self->machine->drop_line(self->machine->gpu, sm, l->address);
        }
}

static void switch_filter(struct policy_self *self, uint32_t sm, bool on)
{
    const struct config *config = self->config;
    struct sm *s = policy_sm_state(self, sm);
    if (s->filters == on)
        return;
    for (uint32_t i = 0; i < tag_sets(config, self->geometry) * config->tag_ways; i++)
        s->entry[i] = (struct entry){ .way = NO_WAY };
    if (on)
        adopt_lines(self, sm);
    s->filters = on;
    if (self->machine->regate)
        self->machine->regate(self->machine->gpu, sm); /* its probes take a different time from now on */
}

/* The text assumes at least two SMs. A single one has the design. */
static bool is_duel(const struct policy_self *self)
{
    const struct config *config = self->config;
    return config->duel && config->threshold && self->geometry->sms >= 2;
}

/* SM 0 and SM 1 keep their roles. */
static bool should_filter(const struct policy_self *self, uint32_t sm)
{
    const struct config *config = self->config;
    const struct gpu *gpu = policy_gpu_state(self);
    return config->threshold && (!is_duel(self) || sm == 0 || (sm > 1 && gpu->on));
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    const struct config *config = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    struct decoupled_l1d_counters *c = policy_gpu_counters(self);
    if (!is_duel(self))
        return;
    struct sm *ours = policy_sm_state(self, 0), *plain = policy_sm_state(self, 1);
    if (ours->loads && plain->loads) {
        const bool was = gpu->on;
        /* ours - plain > difference, in points of the loads */
        const uint64_t left = 100 * ours->misses * plain->loads,
                       right = 100 * plain->misses * ours->loads + config->difference * ours->loads * plain->loads;
        const uint64_t far_below = left + config->difference * ours->loads * plain->loads,
                       plains = 100 * plain->misses * ours->loads;
        if (left > right)
            gpu->on = false;
        else if (config->within == WITHIN_ON || far_below < plains)
            gpu->on = true;
        c->intervals++;
        c->intervals_on += gpu->on;
        c->switches += gpu->on != was;
    }
    ours->loads = ours->misses = plain->loads = plain->misses = 0;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        switch_filter(self, sm, should_filter(self, sm));
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        forget_candidates(self, sm);
}

static void start(struct policy_self *self)
{
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct sm *s = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < tag_sets(self->config, self->geometry) * ((const struct config *)self->config)->tag_ways; i++)
            s->entry[i].way = NO_WAY;
        s->filters = should_filter(self, sm);
    }
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct config *)config)->interval;
}

/* The larger tag store takes longer only while it is switched on. */
static uint32_t probe_cycles(struct policy_self *self, uint32_t sm)
{
    const struct sm *s = policy_sm_state(self, sm);
    return s->filters ? ((const struct config *)self->config)->probe_cycles : 0;
}

/* ---- 6.5: what it costs ---------------------------------------------------------------------------------------------- */

static uint32_t hardware(const void *c, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *config = c;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint64_t entries = (uint64_t)tag_sets(config, g) * config->tag_ways, lines = (uint64_t)l1->sets * l1->ways;
    const uint32_t position = bits_for(l1->ways);
    uint32_t n = 0;
    rows[n++] = (struct policy_hardware){ "reference count of an entry", PER_SM, entries, 6 };
    rows[n++] = (struct policy_hardware){ "position of an entry (paper)", PER_SM, entries, position };
    rows[n++] = (struct policy_hardware){ "that an entry has no position", PER_SM, entries, 1 };
    /* a tag of 64-bit addresses would be longer; Fermi's are 40 bits */
    rows[n++] = (struct policy_hardware){ "further entries: tag, state, LRU", PER_SM, entries > lines ? entries - lines : 0,
                                          40 - bits_for(l1->line_bytes) - bits_for(l1->sets) + 2 + bits_for(config->tag_ways) };
    rows[n++] = (struct policy_hardware){ "free lines of a set", PER_SM, l1->sets, position };
    if (config->duel)
        rows[n++] = (struct policy_hardware){ "loads and misses of SM 0 and SM 1", PER_GPU, 4, bits_for(config->interval + 1) };
    return n;
}

/* Section 6.5 has one number for all of them, by CACTI 6.5 at 45 nm: 0.002 nJ more per read, and 1.7 mW in 15 SMs. Each of the
 * four gets a quarter. */
#define QUARTER .uses = "decoupled_l1d.probes", .use_pj = 2.0 / 4, .leakage_mw = 1.7 / 15 / 4, .source = "section 6.5"
static const struct policy_energy energy[] = { { .structure = "reference count of an entry", QUARTER },
                                               { .structure = "position of an entry (paper)", QUARTER },
                                               { .structure = "that an entry has no position", QUARTER },
                                               { .structure = "further entries: tag, state, LRU", QUARTER },
                                               { .structure = NULL } };

static const char *broken(const struct policy_self *self)
{
    const struct config *config = self->config;
    const struct policy_cache_geometry *g = &self->geometry->cache[LEVEL_L1];
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct sm *s = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < tag_sets(config, self->geometry) * config->tag_ways; i++) {
            const struct entry *e = &s->entry[i];
            if (!e->line || e->way == NO_WAY)
                continue;
            if (((const struct line *)policy_line_state(self, LEVEL_L1, sm, e->set, e->way))->line != e->line)
                return "an entry's position holds another line";
        }
        for (uint32_t set = 0; set < g->sets; set++) {
            uint32_t used = 0;
            for (uint32_t way = 0; way < g->tags; way++)
                used += ((const struct line *)policy_line_state(self, LEVEL_L1, sm, set, way))->line != 0;
            if (used != ((const struct set *)policy_set_state(self, LEVEL_L1, sm, set))->used_lines)
                return "the count of free lines is wrong";
        }
    }
    return NULL;
}

const struct policy policy_decoupled_l1d = {
    .name = "decoupled-l1d",
    .summary = "more tags than lines: only what is used often and soon gets a line; SM dueling",
    .source = "Li et al., ICS 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &decoupled_l1d_stat_group,
    .tuned = "threshold",
    .check = check,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .energy = energy,
    .cycle_period = cycle_period,
    .broken = broken,
    .gpu = { .kernel_start = kernel_start, .every_cycles = every_cycles },
    .cache = { .before_lookup = before_lookup, .accessed = accessed, .evicted = evicted, .probe_cycles = probe_cycles },
};
