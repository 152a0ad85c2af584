/* bypass-all - no data caches: every global access goes past the L1 and past the L2 (paper 000, section 3.1, scenario 1). */
#include "policy/policy.h"

static uint32_t levels(const void *config)
{
    (void)config;
    return AT_L1 | AT_L2;
}

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)self;
    answer->bypass = answer->bypass || (!a->local && !a->atomic);
}

const struct policy policy_bypass_all = {
    .name = "bypass-all",
    .summary = "send every global access past the L1 and the L2",
    .source = "Khairy et al., GPGPU-8 2015, section 3",
    .levels = levels,
    .cache.before_lookup = before_lookup,
};
