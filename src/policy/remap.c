/* remap - reuse and memory access cost aware eviction (paper 002, chapter 2; Arunkumar and Wu, ICCD 2014).
 *
 * The line of least alpha R + beta PERD + gamma MAC leaves; remap.h has the three parts and what was decided about them. Some
 * programs want weights (1,1,4) and others (1,4,1): leader sets try both, and the rest follow the pair whose sets have had the
 * smaller *total memory access cost* (section 2.2.4), the sum of the encoded costs of their misses.
 *
 * Left open: how many leader sets (one in 32 for each pair, as in the papers that the text builds on), the width of the selector
 * (10 bits). `duel` = off takes the first weights everywhere, `duel` = misses counts misses as other papers do. */
#include "policy/remap.h"

#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME remap
#include "stat/declare.h"
#define STAT_DEF "policy/remap_counters.def"
#define STAT_NAME remap
#include "stat/define.h"
#define REMAP_COUNTERS struct remap_counters
#include "policy/remap_count.h"

enum { DUEL_COST, DUEL_MISSES, DUEL_OFF };
static const char *const duels[] = { "cost", "misses", "off", NULL };

struct config {
    struct remap_config remap;
    struct remap_weights first, second;
    uint32_t duel, leader_every, selector_bits;
};

#define T struct config
static const struct param params[] = {
    REMAP_PARAMS(T),
    PARAM_U32(T, first.alpha, "alpha", 1, 0, 64, "", "first weights: of R"),
    PARAM_U32(T, first.beta, "beta", 1, 0, 64, "", "first weights: of PERD"),
    PARAM_U32(T, first.gamma, "gamma", 4, 0, 64, "", "first weights: of MAC"),
    PARAM_U32(T, second.alpha, "alpha2", 1, 0, 64, "", "second weights: of R"),
    PARAM_U32(T, second.beta, "beta2", 4, 0, 64, "", "second weights: of PERD"),
    PARAM_U32(T, second.gamma, "gamma2", 1, 0, 64, "", "second weights: of MAC"),
    PARAM_CHOICE(T, duel, "duel", "cost", duels, "what the leader sets are compared by; off: the first weights alone"),
    PARAM_U32(T, leader_every, "leader_every", 32, 2, 1024, "sets", "one pair of leader sets in so many"),
    PARAM_U32(T, selector_bits, "selector_bits", 10, 2, 30, "bits", "width of the counter that chooses"),
    PARAM_END
};
#undef T

enum role { FOLLOWER, FIRST_LEADER, SECOND_LEADER };
static enum role role_of(const struct config *c, uint32_t set)
{
    const uint32_t place = set % c->leader_every;
    return c->duel == DUEL_OFF ? FOLLOWER : place == 0 ? FIRST_LEADER : place == c->leader_every / 2 ? SECOND_LEADER : FOLLOWER;
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct config *c = self->config;
    const enum role role = role_of(c, a->set);
    struct remap_counters *k = policy_unit_counters(self, LEVEL_L2, a->unit);
    const bool second = role == SECOND_LEADER || (role == FOLLOWER && remap_unit_of(self, a->unit)->selector > 0);
    if (second)
        k->second++;
    else
        k->first++;
    return remap_victim(self, a, candidates, second ? c->second : c->first);
}

/* A miss in a leader set counts against its side. */
static void duel(struct policy_self *self, const struct policy_access *a, uint8_t mac)
{
    const struct config *c = self->config;
    const enum role role = role_of(c, a->set);
    struct remap_unit *u = remap_unit_of(self, a->unit);
    const int64_t limit = ((int64_t)1 << (c->selector_bits - 1)) - 1, cost = c->duel == DUEL_COST ? mac : 1;
    if (role == FOLLOWER || a->write)
        return;
    u->selector += role == FIRST_LEADER ? cost : -cost;
    u->selector = u->selector > limit ? limit : u->selector < -limit - 1 ? -limit - 1 : u->selector;
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct remap_line *l = remap_insert(self, a, way);
    count_insertion(self, a, l);
    duel(self, a, l->mac);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    uint32_t n = remap_hardware_rows(&c->remap, g, true, true, rows);
    rows[n++] = (struct policy_hardware){ "selector", PER_SLICE, 1, c->selector_bits };
    return n;
}

const struct policy policy_remap = {
    .name = "remap",
    .summary = "evict what is least worth keeping by recency, reuse after eviction and cost of memory",
    .source = "Arunkumar and Wu, ICCD 2014; paper 002, chapter 2",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &remap_stat_group,
    .sizes = remap_sizes,
    .levels = remap_levels,
    .hardware = hardware,
    .broken = remap_broken,
    .cache.replacement = { .victim = victim, .inserted = inserted, .promoted = remap_promote, .removed = remap_removed },
    .cache.filled = filled,
};
