/* mlp-lin - MLP-aware replacement: LIN with SBAR (Qureshi, Lynch, Mutlu, Patt, ISCA 2006). Our reading of what paper 002 names.
 *
 * A miss that is alone costs its whole latency, misses side by side share it: while n lines are on their way, each is charged 1/n
 * of a cycle per cycle. The cost is kept with the line in 3 bits, in quanta of 60 cycles, 7 for 420 and more. LIN evicts the line
 * of least recency + lambda x cost, recency counting from 0 for the least recently used; lambda = 4. Of equals the less recently
 * used one leaves.
 *
 * LIN can lose to LRU, so SBAR tries: in a few leader sets LIN is always used, and beside them tags tell what LRU would have done
 * there. A hit that LRU would have missed speaks for LIN, a miss that LRU would have hit against it, each with the line's cost; the
 * other sets follow the sign. Of every `leader_every` sets one leads: the first of the first, the second of the second and so on
 * (the paper's simple-static choice: of 1024 sets 0, 33, 66 ... 1023), so that leaders do not share their low bits.
 *
 * Left open here: with several cores, lines of all of them share a cycle, as they share the cache's MSHRs; with `among` = core
 * those of each core share its own. Write-backs have no cost and do not vote. One that finds no line takes one of LRU's tags too;
 * one that finds its line is a use of it where the cache says so (cmp.promote_writebacks). */
#include "policy/replacement.h"

#define STAT_DEF "policy/mlp_lin_counters.def"
#define STAT_NAME mlp_lin
#include "stat/declare.h"
#define STAT_DEF "policy/mlp_lin_counters.def"
#define STAT_NAME mlp_lin
#include "stat/define.h"

enum { COST_BITS = 3, COST_MOST = 7, FRACTION = 16 };

enum { AMONG_CHIP, AMONG_CORE };
static const char *const among_names[] = { "chip", "core", NULL };

struct config {
    uint32_t lambda, quantum, among, leader_every, selector_bits;
    bool adaptive;
};
struct share {                /* of the chip, or of a core */
    uint64_t last, under_way; /* cycle up to which time was charged; lines on their way */
    uint64_t charged;         /* what a line on its way the whole time would have been charged, in 2^-16 cycles */
};
struct unit {
    uint64_t clock;   /* of uses */
    int64_t selector; /* >= 0: LIN */
    struct share share[];
};
struct line {
    uint64_t used, charged_at;
    uint16_t share;
    uint8_t cost;
    bool pending, fresh, lru_hit; /* on its way; its access is not told of yet; LRU would have hit */
};
struct shadow { /* of a leader set: what LRU would hold */
    uint64_t line, used;
};

#define T struct config
static const struct param params[] = {
    PARAM_U32(T, lambda, "lambda", 4, 0, 64, "", "weight of the cost"),
    PARAM_U32(T, quantum, "quantum", 60, 1, 100000, "cycles", "of the cost that a line keeps"),
    PARAM_CHOICE(T, among, "among", "chip", among_names, "whose misses side by side share a cycle's cost"),
    PARAM_BOOL(T, adaptive, "sbar", true, "leader sets decide between LIN and LRU; false: LIN everywhere"),
    PARAM_U32(T, leader_every, "leader_every", 32, 1, 1024, "sets", "one leader set in so many"),
    PARAM_U32(T, selector_bits, "selector_bits", 6, 2, 30, "bits", "width of the counter that chooses"),
    PARAM_END
};
#undef T

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config;
    out->slice = sizeof(struct unit) + g->sms * sizeof(struct share);
    out->line[LEVEL_L2] = sizeof(struct line);
    out->set[LEVEL_L2] = g->cache[LEVEL_L2].ways * sizeof(struct shadow);
}

static uint32_t levels(const void *config)
{
    (void)config;
    return AT_L2;
}

static struct unit *unit_of(const struct policy_self *self, uint32_t unit)
{
    return policy_slice_state(self, unit);
}
static struct line *line_at(const struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    return policy_line_state(self, LEVEL_L2, a->unit, a->set, way);
}

/* ---- cost ---- */

/* Every line of the share that is on its way has been charged the same since the last call. */
static void charge(struct share *s, uint64_t cycle)
{
    if (s->under_way && cycle > s->last)
        s->charged += ((cycle - s->last) << FRACTION) / s->under_way;
    s->last = cycle > s->last ? cycle : s->last;
}

static uint8_t quantised(const struct config *c, uint64_t cycles)
{
    const uint64_t quanta = cycles / c->quantum;
    return (uint8_t)(quanta < COST_MOST ? quanta : COST_MOST);
}

/* ---- SBAR ---- */

static bool leads(const struct config *c, uint32_t set)
{
    return c->adaptive && set % c->leader_every == set / c->leader_every % c->leader_every;
}

/* What LRU would have done: true for a hit, which is a use if `use` says so. */
static bool shadow_access(struct policy_self *self, const struct policy_access *a, bool use)
{
    struct shadow *s = policy_set_state(self, LEVEL_L2, a->unit, a->set);
    struct unit *u = unit_of(self, a->unit);
    uint32_t oldest = 0;
    for (uint32_t w = 0; w < self->geometry->cache[LEVEL_L2].ways; w++) {
        if (s[w].used && s[w].line == a->line) {
            s[w].used = use ? ++u->clock : s[w].used;
            return true;
        }
        if (s[w].used < s[oldest].used)
            oldest = w;
    }
    s[oldest] = (struct shadow){ a->line, ++u->clock };
    return false;
}

static void vote(struct policy_self *self, uint32_t unit, int64_t cost)
{
    const struct config *c = self->config;
    struct unit *u = unit_of(self, unit);
    const int64_t limit = ((int64_t)1 << (c->selector_bits - 1)) - 1, sum = u->selector + cost;
    u->selector = sum > limit ? limit : sum < -limit - 1 ? -limit - 1 : sum;
}

/* ---- hooks ---- */

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct config *c = self->config;
    struct mlp_lin_counters *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags;
    const bool lin = leads(c, a->set) || !c->adaptive || unit_of(self, a->unit)->selector >= 0;
    uint32_t least = UINT32_MAX, least_recency = 0, chosen = NO_WAY;
    for (uint32_t w = 0; w < ways; w++) {
        const struct line *l = line_at(self, a, w);
        uint32_t recency = 0;
        if (!way_is_candidate(candidates, w))
            continue;
        for (uint32_t o = 0; o < ways; o++)
            recency += line_at(self, a, o)->used < l->used;
        const uint32_t value = recency + (lin ? c->lambda * l->cost : 0);
        if (value < least || (value == least && recency < least_recency)) {
            least = value;
            least_recency = recency;
            chosen = w;
        }
    }
    if (lin)
        k->by_lin++;
    else
        k->by_lru++;
    return chosen;
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct unit *u = unit_of(self, a->unit);
    struct line *l = line_at(self, a, way);
    *l = (struct line){ .used = ++u->clock };
    if (a->write)
        return;
    l->share = ((const struct config *)self->config)->among == AMONG_CORE ? a->sm : 0;
    struct share *s = &u->share[l->share];
    charge(s, a->cycle);
    s->under_way++;
    l->pending = l->fresh = true;
    l->charged_at = s->charged;
}

static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    line_at(self, a, way)->used = ++unit_of(self, a->unit)->clock;
    if (a->write && leads(self->config, a->set))
        (void)shadow_access(self, a, true);
}

/* LRU's tags see all accesses of a leader set, write-backs and loads of lines on their way among them. Of the misses only those
 * vote that took a line: others have no cost. */
static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    if (!leads(self->config, a->set))
        return;
    const bool lru_hit = shadow_access(self, a, !a->write);
    if (a->write || way == NO_WAY)
        return;
    struct line *l = line_at(self, a, way);
    if (outcome == OUTCOME_HIT && !lru_hit)
        vote(self, a->unit, l->cost);
    if (outcome == OUTCOME_MISS && l->fresh)
        l->lru_hit = lru_hit;
    l->fresh = false;
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct line *l = line_at(self, a, way);
    struct share *s = &unit_of(self, a->unit)->share[l->share];
    struct mlp_lin_counters *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    uint64_t *const quanta[] = { &k->quantum0, &k->quantum1, &k->quantum2, &k->quantum3,
                                 &k->quantum4, &k->quantum5, &k->quantum6, &k->quantum7 };
    if (!l->pending)
        return;
    charge(s, a->cycle);
    s->under_way--;
    const uint64_t cycles = (s->charged - l->charged_at) >> FRACTION;
    l->pending = false;
    l->cost = quantised(self->config, cycles);
    k->misses++;
    k->cost += cycles;
    ++*quanta[l->cost];
    if (l->lru_hit)
        vote(self, a->unit, -(int64_t)l->cost);
}

/* A line that leaves while it is on its way is not charged any further. */
static void removed(struct policy_self *self, const struct policy_evicted *e)
{
    struct line *l = policy_line_state(self, LEVEL_L2, e->unit, e->set, e->way);
    struct share *s = &unit_of(self, e->unit)->share[l->share];
    if (!l->pending)
        return;
    charge(s, e->cycle);
    s->under_way--;
    l->pending = false;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const struct policy_cache_geometry *l2 = &g->cache[LEVEL_L2];
    uint32_t n = 0;
    rows[n++] = (struct policy_hardware){ "order and cost of the lines", PER_SLICE, (uint64_t)l2->sets * l2->ways,
                                          bits_for(l2->ways) + COST_BITS };
    rows[n++] = (struct policy_hardware){ "cost per MSHR", PER_SLICE, l2->mshr_entries, 14 };
    if (c->adaptive) {
        rows[n++] = (struct policy_hardware){ "tags of the leader sets under LRU", PER_SLICE,
                                              (uint64_t)((l2->sets + c->leader_every - 1) / c->leader_every) * l2->ways,
                                              24 + bits_for(l2->ways) };
        rows[n++] = (struct policy_hardware){ "selector", PER_SLICE, 1, c->selector_bits };
    }
    return n;
}

static const char *broken(const struct policy_self *self)
{
    const struct policy_cache_geometry *c = &self->geometry->cache[LEVEL_L2];
    for (uint32_t unit = 0; self->slice && unit < c->units; unit++) {
        uint64_t pending = 0;
        for (uint32_t i = 0; i < c->sets * c->tags; i++)
            pending += ((const struct line *)policy_line_state(self, LEVEL_L2, unit, i / c->tags, i % c->tags))->pending;
        uint64_t charged = 0;
        for (uint32_t core = 0; core < self->geometry->sms; core++)
            charged += unit_of(self, unit)->share[core].under_way;
        if (pending != charged)
            return "lines on their way are not those that are charged";
    }
    return NULL;
}

const struct policy policy_mlp_lin = {
    .name = "mlp-lin",
    .summary = "keep lines whose misses had no others beside them, where that beats LRU",
    .source = "Qureshi et al., ISCA 2006",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &mlp_lin_stat_group,
    .sizes = sizes,
    .levels = levels,
    .hardware = hardware,
    .broken = broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = promoted, .removed = removed },
    .cache.accessed = accessed,
    .cache.filled = filled,
};
