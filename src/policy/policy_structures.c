/* policy_structures.c - the structures of a policy with what counts their uses, for their energy. */
#include "policy/policy.h"

static const struct policy_energy *row_of(const struct policy *policy, const char *structure)
{
    for (const struct policy_energy *e = policy->energy; e && e->structure; e++)
        if (!strcmp(e->structure, structure))
            return e;
    return NULL;
}

static bool sees_accesses(const struct policy_cache_hooks *hooks)
{
    static const struct policy_cache_hooks none;
    return memcmp(hooks, &none, sizeof none) != 0;
}

/* How often a structure is used when nothing is declared: by each access of the cache that the policy watches, or by each issue
 * if it watches none. That is the most that is possible, so that no technique looks cheaper than it is. */
static const char *uses_by_hooks(const struct policy *policy, enum policy_scope scope)
{
    if (scope == PER_SLICE)
        return "l2.reads+l2.writes";
    return sees_accesses(&policy->cache) ? "l1.accesses+l1.writes" : "warp_instructions";
}

uint32_t policy_structures(const struct policy *policy, const void *config, const struct policy_geometry *g,
                           struct policy_structure out[POLICY_STRUCTURES_MAX])
{
    struct policy_hardware rows[POLICY_HARDWARE_MAX];
    const uint32_t count = policy->hardware ? policy->hardware(config, g, rows) : 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!rows[i].entries)
            continue;
        const struct policy_energy *e = row_of(policy, rows[i].name);
        const uint64_t copies = rows[i].scope == PER_SM ? g->sms : rows[i].scope == PER_SLICE ? g->cache[LEVEL_L2].units : 1;
        out[n++] = (struct policy_structure){ .name = rows[i].name,
                                              .uses = e && e->uses ? e->uses : uses_by_hooks(policy, rows[i].scope),
                                              .entries = rows[i].entries,
                                              .bits = rows[i].bits,
                                              .copies = copies,
                                              .use_pj = e ? e->use_pj : 0,
                                              .leakage_mw = e ? e->leakage_mw : 0 };
    }
    for (const struct policy_energy *e = policy->energy; e && e->structure && n < POLICY_STRUCTURES_MAX; e++) {
        bool storage = false;
        for (uint32_t i = 0; i < count; i++)
            storage |= !strcmp(e->structure, rows[i].name);
        if (!storage && e->use_pj > 0) /* a circuit; without a number it is a structure that this configuration does not have */
            out[n++] = (struct policy_structure){
                .name = e->structure, .uses = e->uses, .copies = g->sms, .use_pj = e->use_pj, .leakage_mw = e->leakage_mw
            };
    }
    return n;
}
