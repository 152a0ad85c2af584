/* ccws - cache-conscious wavefront scheduling (Rogers et al., MICRO 2012), with the settings of Khairy et al., 2015, table 4.
 *
 * Lost-locality detector: a victim tag array per warp takes the tags of lines that the warp brought into the L1 and that were
 * replaced. A load that misses in the L1 and finds its line there has lost locality to the other warps. A store takes the line's
 * tag out of all arrays.
 * Lost-locality scores: every warp has a base score. A loss sets the warp's score to
 *     losses so far / instructions issued so far x k_throttle x cutoff,     cutoff = active warps x base score,
 * but not below the base; scores sink by 1 per cycle until they are there again. Warps are stacked by score. From the highest on
 * they may issue loads until the stack has reached the cutoff. The more locality is lost, the fewer warps fit under it.
 *
 * The papers that compare with CCWS (Khairy et al.; Sethia et al., HPCA 2015) ran the simulator that its authors gave out. Where
 * the text leaves a choice, this does what that program does:
 *  - instructions are those of warps, not of their threads;
 *  - active warps are those in the SM that have not ended;
 *  - the warp whose score reaches the cutoff may still issue loads, those above it may not;
 *  - a new score replaces the old one even if that was higher;
 *  - the order among warps that may issue is the machine's (greedy-then-oldest unless another policy is named).
 *
 * Decided here:
 *  - instructions and losses are counted per SM from the kernel's start, as the text has it; the program takes out those of warps
 *    that have ended;
 *  - warps at a barrier keep their place in the stack; a warp with equal score goes below a younger one;
 *  - a tag that was found is taken out, since its line comes back; a new warp finds no tags of the one before it;
 *  - the stack is sorted every `update_cycles` cycles while any score is above the base, and at each loss. */
#include <stdio.h>

#include "policy/replacement.h"

struct config {
    uint32_t k_throttle, base_score, victim_entries, victim_ways, update_cycles;
};

enum { SLOTS_MAX = 64 };
struct score {
    uint64_t then, cycle; /* what it was when it was last raised, and when that was */
};
struct sm {
    uint64_t losses, instructions, resident; /* resident: a bit per slot with a warp */
    struct score score[SLOTS_MAX];
    uint8_t stack[SLOTS_MAX]; /* slots by falling score, as they were last sorted */
};
struct victim {
    uint64_t address, entered;
    bool valid;
};
struct warp {
    uint64_t tags; /* that entered so far: the clock of `entered` */
    struct victim victims[];
};
struct line {
    uint16_t warp;
};

#define STAT_DEF "policy/ccws_counters.def"
#define STAT_NAME ccws
#include "stat/declare.h"
#define STAT_DEF "policy/ccws_counters.def"
#define STAT_NAME ccws
#include "stat/define.h"

static const struct param params[] = {
    PARAM_U32(struct config, k_throttle, "k_throttle", 8, 1, 1000000, "", "how strongly a loss raises a score (table 4: 8)"),
    PARAM_U32(struct config, base_score, "base_score", 100, 1, 1000000, "", "score of a warp that lost nothing (table 4: 100)"),
    PARAM_U32(struct config, victim_entries, "victim_entries", 16, 1, 4096, "tags", "victim tags per warp (table 4: 16)"),
    PARAM_U32(struct config, victim_ways, "victim_ways", 8, 1, 4096, "ways", "associativity of a warp's victim tags (table 4: 8)"),
    PARAM_U32(struct config, update_cycles, "update_cycles", 16, 1, 100000, "cycles", "between two sortings of the stack"),
    PARAM_END
};

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *c = config;
    (void)g;
    if (c->victim_entries % c->victim_ways == 0)
        return true;
    (void)snprintf(text, size, "%u victim tags cannot be shared out over sets of %u ways", c->victim_entries, c->victim_ways);
    return false;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->sm = sizeof(struct sm);
    out->warp = sizeof(struct warp) + ((const struct config *)config)->victim_entries * sizeof(struct victim);
    out->line[LEVEL_L1] = sizeof(struct line);
}

static void reset_warp(const struct policy_self *self, uint32_t sm, uint32_t slot)
{
    const struct config *c = self->config;
    struct warp *w = policy_warp_state(self, sm, slot);
    ((struct sm *)policy_sm_state(self, sm))->score[slot] = (struct score){ .then = c->base_score };
    for (uint32_t i = 0; i < c->victim_entries; i++)
        w->victims[i].valid = false;
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct sm *s = policy_sm_state(self, sm);
        *s = (struct sm){ 0 };
        for (uint32_t slot = 0; slot < self->geometry->warps_per_sm; slot++) {
            s->stack[slot] = (uint8_t)slot;
            reset_warp(self, sm, slot);
        }
    }
}

/* A new warp in the slot has lost nothing. */
static void warp_start(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot)
{
    reset_warp(self, v->sm, slot);
    ((struct sm *)policy_sm_state(self, v->sm))->resident |= 1ull << slot;
}

static void warp_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot)
{
    ((struct sm *)policy_sm_state(self, v->sm))->resident &= ~(1ull << slot);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    (void)slot, (void)inst, (void)active;
    ((struct sm *)policy_sm_state(self, v->sm))->instructions++;
}

static struct victim *victim_set(const struct policy_self *self, struct warp *w, uint64_t line)
{
    const struct config *c = self->config;
    return &w->victims[line % (c->victim_entries / c->victim_ways) * c->victim_ways];
}

static void evicted(struct policy_self *self, const struct policy_evicted *e)
{
    const struct config *c = self->config;
    if (e->reason != EVICTED_BY_FILL)
        return;
    const struct line *l = policy_line_state(self, LEVEL_L1, e->unit, e->set, e->way);
    if (l->warp == NO_WARP)
        return;
    struct warp *w = policy_warp_state(self, e->unit, l->warp);
    struct victim *set = victim_set(self, w, e->line), *oldest = set;
    for (uint32_t i = 0; i < c->victim_ways; i++)
        if (oldest->valid && (!set[i].valid || set[i].entered < oldest->entered))
            oldest = &set[i];
    *oldest = (struct victim){ .address = e->address, .entered = ++w->tags, .valid = true };
}

static bool take_victim(const struct policy_self *self, struct warp *w, const struct policy_access *a)
{
    const struct config *c = self->config;
    struct victim *set = victim_set(self, w, a->line);
    for (uint32_t i = 0; i < c->victim_ways; i++)
        if (set[i].valid && set[i].address == a->address) {
            set[i].valid = false;
            return true;
        }
    return false;
}

static uint64_t score_at(const struct config *c, const struct score *s, uint64_t cycle)
{
    const uint64_t sunk = cycle > s->cycle ? cycle - s->cycle : 0;
    return s->then > c->base_score + sunk ? s->then - sunk : c->base_score;
}

static uint64_t cutoff_of(const struct config *c, uint64_t active_warps)
{
    return (uint64_t)__builtin_popcountll(active_warps) * c->base_score;
}

static void lose(struct policy_self *self, const struct policy_access *a)
{
    const struct config *c = self->config;
    struct sm *s = policy_sm_state(self, a->unit);
    struct ccws_counters *count = policy_sm_counters(self, a->unit);
    s->losses++;
    count->losses++;
    const uint64_t detected = s->losses * c->k_throttle * cutoff_of(c, s->resident) / (s->instructions ? s->instructions : 1);
    const uint64_t score = detected > c->base_score ? detected : c->base_score;
    if (score == score_at(c, &s->score[a->warp], a->cycle))
        return;
    s->score[a->warp] = (struct score){ .then = score, .cycle = a->cycle };
    self->machine->regate(self->machine->gpu, a->unit);
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    if (a->write)
        for (uint32_t slot = 0; slot < self->geometry->warps_per_sm; slot++)
            (void)take_victim(self, policy_warp_state(self, a->unit, slot), a);
    if (outcome != OUTCOME_MISS)
        return;
    if (a->warp != NO_WARP && take_victim(self, policy_warp_state(self, a->unit, a->warp), a))
        lose(self, a);
    if (way != NO_WAY)
        ((struct line *)policy_line_state(self, LEVEL_L1, a->unit, a->set, way))->warp = a->warp;
}

/* Sorts the stack. Scores sink alike, so that most of it is in order already. */
static void sort(struct sm *s, uint32_t slots, const uint64_t score[], const uint64_t age[])
{
    for (uint32_t i = 1; i < slots; i++) {
        const uint8_t slot = s->stack[i];
        uint32_t at = i;
        for (; at; at--) {
            const uint8_t above = s->stack[at - 1];
            if (score[above] > score[slot] || (score[above] == score[slot] && age[above] <= age[slot]))
                break;
            s->stack[at] = above;
        }
        s->stack[at] = slot;
    }
}

/* The slots whose scores, stacked from the highest, begin below the cutoff. */
static uint64_t under_cutoff(const struct policy_self *self, const struct policy_sm_view *v, bool *any_above_base)
{
    const struct config *c = self->config;
    struct sm *s = policy_sm_state(self, v->sm);
    const uint32_t slots = self->geometry->warps_per_sm;
    const uint64_t cutoff = cutoff_of(c, v->resident);
    uint64_t score[SLOTS_MAX], allowed = 0, sum = 0;
    *any_above_base = false;
    for (uint32_t slot = 0; slot < slots; slot++) {
        score[slot] = v->resident >> slot & 1 ? score_at(c, &s->score[slot], v->cycle) : 0;
        *any_above_base |= score[slot] > c->base_score;
    }
    if (!*any_above_base)
        return UINT64_MAX;
    sort(s, slots, score, v->age);
    for (uint32_t i = 0; i < slots && sum < cutoff && v->resident >> s->stack[i] & 1; i++) {
        sum += score[s->stack[i]];
        allowed |= 1ull << s->stack[i];
    }
    return allowed;
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const struct config *c = self->config;
    bool any_above_base;
    const uint64_t allowed = under_cutoff(self, v, &any_above_base);
    if (!any_above_base)
        return;
    gate->loads &= allowed | ~v->resident;
    const uint64_t again = v->cycle + c->update_cycles;
    gate->again_at = again < gate->again_at ? again : gate->again_at;
    struct ccws_counters *count = policy_sm_counters(self, v->sm);
    count->sortings++;
    count->held += (uint64_t)__builtin_popcountll(v->resident & ~allowed);
}

/* Addresses of 32 bits, as the paper's figure 7 has them. */
static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint64_t tag_bits = 32 - bits_for(l1->line_bytes) - bits_for(c->victim_entries / c->victim_ways);
    rows[0] = (struct policy_hardware){ "victim tags (tag, valid, recency)", PER_SM, (uint64_t)g->warps_per_sm * c->victim_entries,
                                        tag_bits + 1 + bits_for(c->victim_ways) };
    rows[1] =
        (struct policy_hardware){ "warp that brought the line", PER_SM, (uint64_t)l1->sets * l1->ways, bits_for(g->warps_per_sm) };
    rows[2] = (struct policy_hardware){ "score", PER_SM, g->warps_per_sm, 32 };
    rows[3] = (struct policy_hardware){ "loss and instruction counters", PER_SM, 2, 32 };
    return 4;
}

/* A miss looks into the warp's victim tags; a line that leaves is added to them. */
static const struct policy_energy energy[] = { { .structure = "victim tags (tag, valid, recency)",
                                                 .uses = "l1.misses+l1.evictions" },
                                               { .structure = "warp that brought the line", .uses = "l1.fills+l1.evictions" },
                                               { .structure = "score", .uses = "warp_instructions" },
                                               { .structure = "loss and instruction counters", .uses = "warp_instructions" },
                                               { .structure = NULL } };

const struct policy policy_ccws = {
    .name = "ccws",
    .summary = "hold back loads of warps when others lose lines that they would have used again",
    .source = "Rogers et al., MICRO 2012",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &ccws_stat_group,
    .check = check,
    .sizes = sizes,
    .hardware = hardware,
    .energy = energy,
    .gpu.kernel_start = kernel_start,
    .sm = { .warp_gate = warp_gate, .issued = issued, .warp_start = warp_start, .warp_end = warp_end },
    .cache = { .accessed = accessed, .evicted = evicted },
};
