/* owl - CTA-aware warp scheduling (Jog et al., ASPLOS 2013), without its memory-side prefetcher, as Sethia et al., HPCA 2015
 * compare with it.
 *
 * The warps of an SM form groups of whole CTAs. The group of highest priority that has a warp ready issues, its warps in turn; a
 * group gets the SM only while all those before it wait, and loses it when one of them is ready again, so that the lines of the
 * first groups are used before the others push them out. Neighbouring SMs begin with different groups, so that consecutive CTAs,
 * which share DRAM rows, do not all ask the same banks at once.
 *
 * Where the text leaves a choice:
 *  - how many CTAs make a group (`group_ctas`): Sethia et al. speak of sub-groups of warps and give no number;
 *  - groups are made anew of the resident CTAs, `group_ctas` at a time from the oldest on, so that a group that has lost a CTA
 * takes the next one in; a CTA never changes places with one that came after it;
 *  - `spread`: odd SMs begin with the second half of the groups; off, every SM begins with the oldest. */
#include "policy/warp_order.h"

enum { CTAS_MAX = 64 };
struct config {
    uint32_t group_ctas;
    bool spread;
};

static const struct param params[] = {
    PARAM_U32(struct config, group_ctas, "group_ctas", 2, 1, 64, "CTAs", "CTAs per group"),
    PARAM_BOOL(struct config, spread, "spread", true, "odd SMs begin with the second half of the groups"), PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->scheduler = sizeof(struct last_issued);
}

/* The CTA slots in use, by the age of their oldest warp; returns how many. `warps`: each one's, in the same order. */
static uint32_t order_ctas(const struct policy_sm_view *v, uint64_t warps[CTAS_MAX])
{
    uint64_t age[CTAS_MAX];
    uint32_t count = 0;
    for (uint64_t rest = v->resident; rest;) {
        const uint16_t cta = v->cta[__builtin_ctzll(rest)];
        uint64_t mine = 0, oldest = UINT64_MAX;
        for (uint64_t r = rest; r; r &= r - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(r);
            if (v->cta[slot] != cta)
                continue;
            mine |= 1ull << slot;
            oldest = v->age[slot] < oldest ? v->age[slot] : oldest;
        }
        rest &= ~mine;
        uint32_t at = count++;
        for (; at && age[at - 1] > oldest; at--) {
            age[at] = age[at - 1];
            warps[at] = warps[at - 1];
        }
        age[at] = oldest;
        warps[at] = mine;
    }
    return count;
}

/* The candidates of the first group that has some. */
static uint64_t first_group(const struct config *c, const struct policy_sm_view *v, uint64_t candidates)
{
    uint64_t warps[CTAS_MAX];
    const uint32_t ctas = order_ctas(v, warps), groups = (ctas + c->group_ctas - 1) / c->group_ctas;
    const uint32_t begin = c->spread && v->sm % 2 ? groups / 2 : 0;
    for (uint32_t i = 0; i < groups; i++) {
        const uint32_t first = (begin + i) % groups * c->group_ctas;
        uint64_t mine = 0;
        for (uint32_t n = first; n < first + c->group_ctas && n < ctas; n++)
            mine |= warps[n] & candidates;
        if (mine)
            return mine;
    }
    return candidates;
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    const uint64_t mine = first_group(self->config, v, candidates);
    const uint32_t last = warp_order_last(policy_scheduler_state(self, v->sm, scheduler), v, scheduler);
    const uint64_t after = last < 63 ? mine & (UINT64_MAX << (last + 1)) : 0;
    return (uint32_t)__builtin_ctzll(after ? after : mine);
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    *(struct last_issued *)policy_scheduler_state(self, v->sm, scheduler) = (struct last_issued){ slot, true };
}

/* A group number per CTA slot, and a pointer into the warps of each scheduler. */
static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)config;
    uint32_t bits = 1;
    while ((1u << bits) < g->ctas_per_sm)
        bits++;
    rows[0] = (struct policy_hardware){ "group of a CTA", PER_SM, g->ctas_per_sm, bits };
    rows[1] = (struct policy_hardware){ "warp that issued last", PER_SM, g->schedulers_per_sm, 6 };
    return 2;
}

const struct policy policy_owl = {
    .name = "owl",
    .summary = "groups of CTAs with fixed priority, round robin inside a group",
    .source = "Jog et al., ASPLOS 2013",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .hardware = hardware,
    .order = { .pick = pick, .issued = issued },
};
