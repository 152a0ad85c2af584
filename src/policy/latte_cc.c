/* latte-cc - an L1 that compresses as much as the SM can hide (Arunkumar, 2018, section 4.2). Three modes: lines as they are, a
 * fast algorithm (BDI) and a strong one (SC). Time is cut into phases of 256 accesses, ten to a period. In the first phase of a
 * period, the learning phase, four sets are dedicated to each mode; their insertions, and their hits up to the end of the next
 * phase, say what each mode is worth. Before each later phase the mode with the least
 *
 *     AMAT = (hits x max(hit latency - latency tolerance, 0) + insertions x miss latency) / (hits + insertions)
 *
 * is chosen for all sets. (Equation 4.2 prints min for max, which would make every hit cost nothing or less.)
 *
 * The tolerance is how long the SM goes on without the warp that waits: where warps take turns (lrr, two-level) the ready warps of
 * a scheduler, each with one instruction; under greedy-then-oldest and all others the ready warps x instructions that are issued
 * between two switches of warps. (That formula stood in a figure that is lost; the text around it says this much.)
 *
 * Where the text leaves a choice:
 *  - Ready warps are counted at every access of the phase, and their mean is taken; per scheduler, or of the SM (`scope`).
 *  - A mode's hit latency is the plain one (`hit_latency`) and the mean of what hits on its lines took longer, queue and all, when
 *    such hits were last seen; before that the algorithm's cycles.
 *  - The miss latency is the mean of the fills of the phase; before the first one `miss_latency`.
 *  - Hits are loads that find their line here; loads that find it on its way are neither hits nor insertions.
 *  - In a learning phase the other sets go on with the last mode; the first one is none. Between equals the weaker mode wins, and
 *    a mode whose sets saw nothing is not chosen.
 *  - Each SM has phases and a mode of its own. The rest is in compression.h.
 *
 * `decide` hits is the rival Adaptive-Hit-Count (section 4.3.7): the mode with the most hits, whatever they cost. The preset
 * latte-cc-bpc has BPC for SC (section 4.3.8). */
#include <stdio.h>

#include "policy/compression.h"

enum mode { MODE_NONE, MODE_LOW, MODE_HIGH, MODES };
enum decide { DECIDE_AMAT, DECIDE_HITS };
static const char *const decide_names[] = { "amat", "hits", NULL };
enum tolerance { TOLERANCE_AUTO, TOLERANCE_GREEDY, TOLERANCE_TURNS };
static const char *const tolerance_names[] = { "auto", "greedy", "turns", NULL };
enum scope { SCOPE_SCHEDULER, SCOPE_SM };
static const char *const scope_names[] = { "scheduler", "sm", NULL };
enum { PARTS = 256 }; /* latencies are kept in parts of a cycle */

struct config {
    struct compression_config base;
    uint32_t low, high, decide, tolerance, scope;
    uint32_t learning_phases, carry_phases, sets_per_mode, hit_latency, miss_latency;
};

#define STAT_DEF "policy/latte_cc_counters.def"
#define STAT_NAME latte_cc
#include "stat/declare.h"
#define STAT_DEF "policy/latte_cc_counters.def"
#define STAT_NAME latte_cc
#include "stat/define.h"
_Static_assert(offsetof(struct latte_cc_counters, capacity_plain) == offsetof(struct compression_counters, capacity_plain),
               "its rows begin with those of compression.h");

static const struct param params[] = {
    PARAM_CHOICE(struct config, low, "low", "bdi", algorithm_names, "the algorithm of the low-latency mode"),
    PARAM_CHOICE(struct config, high, "high", "sc", algorithm_names, "the algorithm of the high-capacity mode"),
    PARAM_CHOICE(struct config, decide, "decide", "amat", decide_names,
                 "the mode with the least mean access time as the SM feels it, or with the most hits"),
    PARAM_CHOICE(struct config, tolerance, "tolerance", "auto", tolerance_names,
                 "ready warps x instructions between switches (greedy), ready warps alone (turns), or as the order of warps is"),
    PARAM_CHOICE(struct config, scope, "scope", "scheduler", scope_names, "whose ready warps are counted"),
    PARAM_U32(struct config, learning_phases, "learning_phases", 1, 1, 1000, "phases", "of a period, with dedicated sets"),
    PARAM_U32(struct config, carry_phases, "carry_phases", 1, 0, 1000, "phases",
              "after these, in which hits of the dedicated sets still count"),
    PARAM_U32(struct config, sets_per_mode, "sets_per_mode", 4, 1, 1000, "sets", "dedicated to each mode"),
    PARAM_U32(struct config, hit_latency, "hit_latency", 1, 0, 1000, "cycles", "of a plain hit, as the estimate takes it"),
    PARAM_U32(struct config, miss_latency, "miss_latency", 220, 0, 100000, "cycles", "of a miss, until one was measured"),
    COMPRESSION_PARAMS(struct config),
    PARAM_END
};

struct latte_sm {
    struct compression_sm base;
    uint32_t phase, accesses; /* of the period; of the phase */
    uint32_t mode;            /* of the sets that follow */
    uint64_t began;           /* the phase, cycle */
    uint64_t hits[MODES], insertions[MODES];
    uint64_t ready, samples;                         /* warps, at each access */
    uint64_t issues, switches;                       /* instructions; to another warp */
    uint64_t miss_cycles, misses;                    /* fills of the phase */
    uint64_t extra_cycles[MODES], extra_hits[MODES]; /* hits on compressed lines */
    uint64_t miss_latency, extra_latency[MODES];     /* last known, in parts */
};

struct latte_line {
    struct compression_line base;
    uint64_t missed_at;
};

struct latte_scheduler {
    uint32_t last; /* warp + 1 */
};

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *c = config;
    if (c->low == ALGORITHM_NONE || c->high == ALGORITHM_NONE || c->low == c->high)
        (void)snprintf(text, size, "low and high must be two algorithms");
    else if (c->sets_per_mode * MODES > g->cache[LEVEL_L1].sets)
        (void)snprintf(text, size, "%u sets for each of three modes are more than the L1's %u", c->sets_per_mode,
                       g->cache[LEVEL_L1].sets);
    else if (c->learning_phases >= c->base.period_phases)
        (void)snprintf(text, size, "a period of %u phases needs fewer than that for learning", c->base.period_phases);
    else
        return compression_check(config, g, text, size);
    return false;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    compression_sizes(config, g, out);
    out->sm = sizeof(struct latte_sm);
    out->scheduler = sizeof(struct latte_scheduler);
    out->line[LEVEL_L1] = sizeof(struct latte_line);
}

static enum algorithm algorithm_of(const struct config *c, uint32_t mode)
{
    return mode == MODE_LOW ? c->low : mode == MODE_HIGH ? c->high : ALGORITHM_NONE;
}

static void start(struct policy_self *self)
{
    const struct config *c = self->config;
    compression_start(self);
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct latte_sm *s = policy_sm_state(self, sm);
        s->miss_latency = (uint64_t)c->miss_latency * PARTS;
        for (uint32_t m = MODE_LOW; m < MODES; m++)
            s->extra_latency[m] = (uint64_t)compression_decompress_cycles(&c->base, algorithm_of(c, m)) * PARTS;
    }
}

/* Dedicated sets are spread over the cache, modes in turn; MODES: the set follows. */
static uint32_t dedicated(const struct policy_self *self, uint32_t set)
{
    const struct config *c = self->config;
    const uint32_t wanted = c->sets_per_mode * MODES, stride = self->geometry->cache[LEVEL_L1].sets / wanted;
    return set % stride == 0 && set / stride < wanted ? set / stride % MODES : MODES;
}

static uint32_t mode_of(const struct policy_self *self, uint32_t sm, uint32_t set)
{
    const struct config *c = self->config;
    const struct latte_sm *s = policy_sm_state(self, sm);
    const uint32_t own = s->phase < c->learning_phases ? dedicated(self, set) : MODES;
    return own < MODES ? own : s->mode;
}

/* ---- the decision ------------------------------------------------------------------------------------------------------ */

static bool takes_turns(const struct policy_self *self)
{
    const struct config *c = self->config;
    return c->tolerance == TOLERANCE_TURNS ||
           (c->tolerance == TOLERANCE_AUTO && (policy_peer(self, "lrr") || policy_peer(self, "two-level")));
}

/* In parts of a cycle. */
static uint64_t tolerance_of(const struct policy_self *self, const struct latte_sm *s)
{
    const struct config *c = self->config;
    const uint64_t among = s->samples * (c->scope == SCOPE_SCHEDULER ? self->geometry->schedulers_per_sm : 1);
    if (!among)
        return 0;
    if (takes_turns(self))
        return s->ready * PARTS / among;
    return s->ready * PARTS * (s->issues ? s->issues : 1) / (among * (s->switches ? s->switches : 1));
}

/* What the accesses of a mode's sets cost, in parts of a cycle. */
static uint64_t cost_of(const struct policy_self *self, const struct latte_sm *s, uint32_t mode, uint64_t tolerance)
{
    const struct config *c = self->config;
    const uint64_t latency = (uint64_t)c->hit_latency * PARTS + (mode == MODE_NONE ? 0 : s->extra_latency[mode]);
    return s->hits[mode] * (latency > tolerance ? latency - tolerance : 0) + s->insertions[mode] * s->miss_latency;
}

static uint32_t best_mode(const struct policy_self *self, const struct latte_sm *s, uint64_t tolerance)
{
    const struct config *c = self->config;
    uint32_t best = MODES;
    uint64_t best_cost = 0, best_accesses = 0;
    for (uint32_t m = 0; m < MODES; m++) {
        const uint64_t accesses = s->hits[m] + s->insertions[m], cost = cost_of(self, s, m, tolerance);
        if (!accesses)
            continue;
        const bool better =
            best == MODES || (c->decide == DECIDE_HITS ? s->hits[m] > s->hits[best] : cost * best_accesses < best_cost * accesses);
        if (better) {
            best = m;
            best_cost = cost;
            best_accesses = accesses;
        }
    }
    return best == MODES ? s->mode : best;
}

static void measure_latencies(struct latte_sm *s)
{
    if (s->misses)
        s->miss_latency = s->miss_cycles * PARTS / s->misses;
    s->miss_cycles = s->misses = 0;
    for (uint32_t m = MODE_LOW; m < MODES; m++) {
        if (s->extra_hits[m])
            s->extra_latency[m] = s->extra_cycles[m] * PARTS / s->extra_hits[m];
        s->extra_cycles[m] = s->extra_hits[m] = 0;
    }
}

static void end_phase(struct policy_self *self, uint32_t sm, uint64_t cycle)
{
    const struct config *c = self->config;
    struct latte_sm *s = policy_sm_state(self, sm);
    struct latte_cc_counters *count = policy_sm_counters(self, sm);
    const uint64_t tolerance = tolerance_of(self, s);
    measure_latencies(s);
    count->phases++;
    (&count->phases_none)[s->mode]++;
    (&count->cycles_none)[s->mode] += cycle - s->began;
    count->tolerance += (tolerance + PARTS / 2) / PARTS;
    count->ready += s->ready;
    count->samples += s->samples;
    count->issues += s->issues;
    count->switches += s->switches;
    count->miss_latency += (s->miss_latency + PARTS / 2) / PARTS;
    s->ready = s->samples = s->issues = s->switches = s->accesses = 0;
    s->began = cycle;
    if (++s->phase >= c->base.period_phases) {
        s->phase = 0;
        memset(s->hits, 0, sizeof s->hits);
        memset(s->insertions, 0, sizeof s->insertions);
    }
    if (s->phase < c->learning_phases)
        return;
    const uint32_t mode = best_mode(self, s, tolerance);
    count->changes += mode != s->mode;
    s->mode = mode;
}

/* ---- what it sees ------------------------------------------------------------------------------------------------------ */

static void count_dedicated(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome)
{
    const struct config *c = self->config;
    struct latte_sm *s = policy_sm_state(self, a->unit);
    struct latte_cc_counters *count = policy_sm_counters(self, a->unit);
    const uint32_t mode = dedicated(self, a->set);
    if (mode == MODES)
        return;
    if (outcome == OUTCOME_HIT && s->phase < c->learning_phases + c->carry_phases) {
        s->hits[mode]++;
        (&count->hits_none)[mode]++;
    }
    if (outcome == OUTCOME_MISS && s->phase < c->learning_phases) {
        s->insertions[mode]++;
        (&count->insertions_none)[mode]++;
    }
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    const struct config *c = self->config;
    struct latte_sm *s = policy_sm_state(self, a->unit);
    if (outcome == OUTCOME_MISS && way != NO_WAY)
        ((struct latte_line *)policy_line_state(self, LEVEL_L1, a->unit, a->set, way))->missed_at = a->cycle;
    if (!compression_accessed(self, a, outcome))
        return;
    struct policy_occupancy now;
    self->machine->occupancy(self->machine->gpu, a->unit, &now);
    s->ready += now.ready_warps;
    s->samples++;
    count_dedicated(self, a, outcome);
    if (++s->accesses == c->base.phase_accesses)
        end_phase(self, a->unit, a->cycle);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    (void)inst, (void)active;
    struct latte_sm *s = policy_sm_state(self, v->sm);
    struct latte_scheduler *scheduler = policy_scheduler_state(self, v->sm, v->scheduler_of[slot]);
    s->issues++;
    s->switches += scheduler->last != slot + 1;
    scheduler->last = slot + 1;
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct latte_sm *s = policy_sm_state(self, a->unit);
    const struct latte_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    compression_filled(self, a, way);
    s->miss_cycles += a->cycle - line->missed_at;
    s->misses++;
}

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched,
                             bool was_filled)
{
    return compression_stored_bytes(self, a, way, fetched, was_filled, algorithm_of(self->config, mode_of(self, a->unit, a->set)));
}

static uint32_t hit_cycles(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *c = self->config;
    struct latte_sm *s = policy_sm_state(self, a->unit);
    const struct compression_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    const uint32_t cycles = compression_hit_cycles(self, a, way);
    if (line->algorithm == ALGORITHM_NONE)
        return cycles;
    const uint32_t mode = line->algorithm == c->low ? MODE_LOW : MODE_HIGH;
    s->extra_cycles[mode] += cycles;
    s->extra_hits[mode]++;
    return cycles;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    uint32_t n = compression_hardware(&c->base, g, c->low == ALGORITHM_SC || c->high == ALGORITHM_SC, rows);
    rows[n++] = (struct policy_hardware){ "hits and insertions of each mode", PER_SM, 2 * MODES, 10 }; /* two phases of 256 */
    rows[n++] = (struct policy_hardware){ "ready warps, instructions, switches", PER_SM, 3, 16 };
    rows[n++] = (struct policy_hardware){ "latencies of misses and of two modes", PER_SM, 3, 16 };
    return n;
}

static const struct policy_energy energy[] = COMPRESSION_ENERGY("latte_cc");

const struct policy policy_latte_cc = {
    .name = "latte-cc",
    .summary = "compress lines of the L1 as far as the SM can hide the time that it takes",
    .source = "Arunkumar, 2018, chapter 4",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &latte_cc_stat_group,
    .needs = NEED_VALUES,
    .check = check,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .energy = energy,
    .cycle_period = compression_cycle_period,
    .broken = compression_broken,
    .gpu.every_cycles = compression_serial,
    .sm.issued = issued,
    .cache = { .storage = { .tags_per_set = compression_tags_per_set,
                            .set_bytes = compression_set_bytes,
                            .stored_bytes = stored_bytes,
                            .fill_cycles = compression_fill_cycles,
                            .hit_cycles = hit_cycles },
               .accessed = accessed,
               .filled = filled,
               .evicted = compression_evicted },
};
