/* llc-oracle - what figure 2.1 of paper 002 shows of evictions, with knowledge of the future. It changes nothing; name it beside
 * any replacement (lru,llc-oracle) or alone.
 *
 * At an eviction it writes down which lines the set holds and what each one's fetch cost by the classes of remap (table 2.2). Of
 * `horizon` accesses to the set that follow, it notes which of those lines are wanted: they were live, the others dead. Then it is
 * known whether a live line left although a dead one was there, or although another one costs less to fetch.
 * Lines that were written back into the cache have no fetch and are left out, as lines that leave and as lines that are there.
 * The paper says "no future or distant reuse" without a number: `horizon` is 64 accesses of a set of 16, four times round. */
#include "policy/remap.h"

#define STAT_DEF "policy/llc_oracle_counters.def"
#define STAT_NAME llc_oracle
#include "stat/declare.h"
#define STAT_DEF "policy/llc_oracle_counters.def"
#define STAT_NAME llc_oracle
#include "stat/define.h"

struct config {
    struct remap_config remap; /* of the estimate of costs */
    uint32_t horizon;
};
struct line {
    uint64_t line;
    uint8_t mac;
    bool there;
};
struct eviction {       /* that waits for its future; a set has as many as accesses that one may wait for */
    uint64_t wanted[2]; /* bit per line */
    uint64_t left;      /* accesses to come; 0: free */
    uint64_t line[];    /* of each way, + 1, and of the one that left; then their costs, a byte each */
};

static const struct param params[] = {
    PARAM_U32(struct config, remap.banks, "mac_banks", 8, 1, 512, "banks", "entries of the table that estimates costs"),
    PARAM_U32(struct config, horizon, "horizon", 64, 1, 120, "accesses", "to the set within which a line that is wanted was live"),
    PARAM_END
};

static size_t eviction_bytes(const struct policy_geometry *g)
{
    const size_t lines = g->cache[LEVEL_L2].ways + 1;
    return (sizeof(struct eviction) + lines * (sizeof(uint64_t) + 1) + 7) & ~(size_t)7;
}

static struct eviction *eviction_at(const struct policy_self *self, uint32_t unit, uint32_t set, uint32_t i)
{
    uint8_t *first = policy_set_state(self, LEVEL_L2, unit, set);
    return (struct eviction *)(void *)(first + i * eviction_bytes(self->geometry));
}

static uint8_t *costs_of(struct eviction *e, uint32_t ways)
{
    return (uint8_t *)(e->line + ways + 1);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    const struct config *c = config;
    out->slice = sizeof(struct remap_unit);
    out->set[LEVEL_L2] = c->horizon * eviction_bytes(g);
    out->line[LEVEL_L2] = sizeof(struct line);
}

static struct line *line_at(const struct policy_self *self, uint32_t unit, uint32_t set, uint32_t way)
{
    return policy_line_state(self, LEVEL_L2, unit, set, way);
}

static bool is_wanted(const struct eviction *e, uint32_t i)
{
    return e->wanted[i / 64] >> (i % 64) & 1;
}

static void judge(struct llc_oracle_counters *k, struct eviction *e, uint32_t ways)
{
    bool dead_there = false, cheaper_there = false;
    const uint8_t *mac = costs_of(e, ways);
    k->evictions++;
    if (!is_wanted(e, ways)) {
        k->dead++;
        return;
    }
    for (uint32_t w = 0; w < ways; w++) {
        dead_there |= e->line[w] && !is_wanted(e, w);
        cheaper_there |= e->line[w] && mac[w] < mac[ways];
    }
    k->live_with_dead += dead_there;
    k->live_dearer += cheaper_there;
}

/* One more access of the future that earlier evictions of the set wait for. */
static void look_on(struct policy_self *self, const struct policy_access *a)
{
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags;
    const struct config *c = self->config;
    for (uint32_t i = 0; i < c->horizon; i++) {
        struct eviction *e = eviction_at(self, a->unit, a->set, i);
        if (!e->left)
            continue;
        for (uint32_t w = 0; w <= ways; w++)
            if (e->line[w] == a->line + 1)
                e->wanted[w / 64] |= UINT64_C(1) << (w % 64);
        if (--e->left == 0)
            judge(policy_unit_counters(self, LEVEL_L2, a->unit), e, ways);
    }
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    if (a->write)
        return;
    look_on(self, a);
    if (outcome != OUTCOME_MISS || way == NO_WAY)
        return;
    struct policy_dram_view view = { 0 };
    self->machine->dram_view(self->machine->gpu, a->address, &view);
    struct remap_bank *bank = remap_bank_of(self, a->unit, &view);
    *line_at(self, a->unit, a->set, way) = (struct line){ a->line, remap_mac(bank, &view), true };
    remap_note_row(bank, view.row);
}

static void evicted(struct policy_self *self, const struct policy_evicted *v)
{
    const struct config *c = self->config;
    const uint32_t ways = self->geometry->cache[LEVEL_L2].tags;
    struct line *gone = line_at(self, v->unit, v->set, v->way);
    const bool known = gone->there;
    gone->there = false;
    if (v->reason != EVICTED_BY_FILL || !known)
        return;
    for (uint32_t i = 0; i < c->horizon; i++) {
        struct eviction *e = eviction_at(self, v->unit, v->set, i);
        uint8_t *mac = costs_of(e, ways);
        if (e->left)
            continue;
        e->left = c->horizon;
        e->wanted[0] = e->wanted[1] = 0;
        for (uint32_t w = 0; w < ways; w++) {
            const struct line *l = line_at(self, v->unit, v->set, w);
            e->line[w] = l->there ? l->line + 1 : 0;
            mac[w] = l->mac;
        }
        e->line[ways] = v->line + 1;
        mac[ways] = gone->mac;
        return;
    }
    ((struct llc_oracle_counters *)policy_unit_counters(self, LEVEL_L2, v->unit))->dropped++;
}

const struct policy policy_llc_oracle = {
    .name = "llc-oracle",
    .summary = "no technique: counts evictions of lines that were wanted again, though another should have gone",
    .source = "paper 002, figure 2.1",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &llc_oracle_stat_group,
    .sizes = sizes,
    .levels = remap_levels,
    .cache.accessed = accessed,
    .cache.evicted = evicted,
};
