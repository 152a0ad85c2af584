/* A plug-in whose policies answer what the contract does not allow: one policy for each hook. */
#include "policy/policy.h"

static uint32_t victim(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates)
{
    (void)self, (void)a, (void)candidates;
    return 63;
}

static uint32_t set_index(struct policy_self *self, const struct policy_access *a)
{
    (void)self, (void)a;
    return 1000000;
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    (void)self, (void)v, (void)scheduler;
    return (uint32_t)__builtin_ctzll(~candidates);
}

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)self, (void)a;
    answer->fill_bytes = 48;
}

static enum policy_refusal refused(struct policy_self *self, const struct policy_access *a, enum policy_cause cause)
{
    (void)self, (void)a, (void)cause;
    return (enum policy_refusal)7;
}

static void cta_gate(struct policy_self *self, const struct policy_sm_view *v, uint32_t *limit)
{
    (void)self, (void)v;
    *limit += 1;
}

static uint32_t choose(struct policy_self *self, uint32_t sm, const uint64_t *waiting, uint32_t cta_count)
{
    (void)self, (void)sm, (void)waiting;
    return cta_count;
}

#define WRONG(id, name_, ...)                                                                                                      \
    static const struct policy id = { .name = name_, .summary = "for tests", .source = "here", __VA_ARGS__ }
WRONG(of_victim, "wrong-victim", .cache.replacement.victim = victim);
WRONG(of_set, "wrong-set", .cache.set_index = set_index);
WRONG(of_pick, "wrong-pick", .order.pick = pick);
WRONG(of_fill, "wrong-fill", .cache.before_lookup = before_lookup);
WRONG(of_refusal, "wrong-refusal", .cache.refused = refused);
WRONG(of_gate, "wrong-gate", .sm.cta_gate = cta_gate);
WRONG(of_cta, "wrong-cta", .cta.choose = choose);
POLICY_PLUGIN(&of_victim, &of_set, &of_pick, &of_fill, &of_refusal, &of_gate, &of_cta);
