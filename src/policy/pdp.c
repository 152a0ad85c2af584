/* pdp - static protecting distance with bypass (Duong et al., MICRO 2012), as Li et al., ICS 2015 (sections 3.1 and 6.1) compare
 * with. Our reading: the paper's PDP-best is this with the best distance of each program (`warpline tune pdp`).
 *
 * Every line has a remaining distance. A line that is hit or inserted gets the whole distance. After that, and after every other
 * access to the set, the remaining distance of all its lines is lowered by one, never below 0; that of the new line too, as in the
 * first paper's figure 3. A miss takes a free way, or else the least recently used of the lines at 0, which nothing protects any
 * more. When there is none, the load goes around the L1. Lines that wait for their data are protected. So a line is still there at
 * the distance-th access after its last, and with a distance of 1 nothing is protected: plain LRU.
 *
 * Decided here: distances count loads of the set, those that hit, merge, miss or go around; stores do not count unless `stores`
 * says so (they neither hit nor insert in an L1 that evicts on a store). The distance is exact, with no coarser steps as the CPU
 * paper's hardware has. */
#include "policy/replacement.h"

struct config {
    uint32_t distance;
    bool stores;
};
struct sm {
    uint64_t events; /* the clock of the stamps */
};
struct line {
    uint64_t stamp; /* last use */
    uint32_t remaining;
};

#define STAT_DEF "policy/pdp_counters.def"
#define STAT_NAME pdp
#include "stat/declare.h"
#define STAT_DEF "policy/pdp_counters.def"
#define STAT_NAME pdp
#include "stat/define.h"

static const struct param params[] = {
    PARAM_U32(struct config, distance, "distance", 16, 1, 256, "accesses", "accesses to the set for which a line is protected"),
    PARAM_BOOL(struct config, stores, "stores", false, "stores to the set lower distances too"), PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = sizeof(struct sm);
    out->line[LEVEL_L1] = sizeof(struct line);
}

static struct line *lines_of(struct policy_self *self, const struct policy_access *a)
{
    return policy_line_state(self, LEVEL_L1, a->unit, a->set, 0);
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    const struct config *config = self->config;
    struct line *lines = lines_of(self, a);
    if (a->write && !config->stores)
        return;
    for (uint32_t w = 0; w < self->geometry->cache[LEVEL_L1].tags; w++)
        lines[w].remaining -= lines[w].remaining > 0;
    if (way != NO_WAY && (outcome == OUTCOME_HIT || outcome == OUTCOME_MERGED || outcome == OUTCOME_MISS)) {
        struct sm *sm = policy_sm_state(self, a->unit);
        lines[way] = (struct line){ .stamp = ++sm->events, .remaining = config->distance - 1 };
    }
    struct pdp_counters *c = policy_sm_counters(self, a->unit);
    c->declined += outcome == OUTCOME_BYPASSED;
}

/* The candidate with the least distance left; of several the least recently used. */
static uint32_t least_protected(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const struct line *lines = lines_of(self, a);
    uint32_t best = NO_WAY;
    for (uint32_t w = 0; w < self->geometry->cache[LEVEL_L1].tags; w++) {
        if (!way_is_candidate(candidates, w))
            continue;
        if (best == NO_WAY || lines[w].remaining < lines[best].remaining ||
            (lines[w].remaining == lines[best].remaining && lines[w].stamp < lines[best].stamp))
            best = w;
    }
    return best;
}

static bool declines(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    const uint32_t way = least_protected(self, a, candidates);
    return way == NO_WAY || lines_of(self, a)[way].remaining > 0;
}

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    struct pdp_counters *c = policy_sm_counters(self, a->unit);
    const uint32_t way = least_protected(self, a, candidates);
    c->victims++;
    c->protected_victims += lines_of(self, a)[way].remaining > 0;
    return way;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    rows[0] = (struct policy_hardware){ "remaining distance of a line", PER_SM, (uint64_t)l1->sets * l1->ways,
                                        bits_for(((const struct config *)config)->distance) };
    return 1;
}

const struct policy policy_pdp = {
    .name = "pdp",
    .summary = "protect a line for a fixed number of accesses to its set; bypass when all are protected",
    .source = "Duong et al., MICRO 2012; Li et al., ICS 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &pdp_stat_group,
    .tuned = "distance",
    .sizes = sizes,
    .hardware = hardware,
    .cache = { .replacement = { .victim = victim, .declines = declines }, .accessed = accessed },
};
