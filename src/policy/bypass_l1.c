/* bypass-l1 - every global load goes past the L1: the machine of paper 000's figure 2 without its first cache. Local memory
 * (spills) stays, since its dirty lines live only there. */
#include "policy/policy.h"

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    (void)self;
    answer->bypass = answer->bypass || !a->local;
}

const struct policy policy_bypass_l1 = {
    .name = "bypass-l1",
    .summary = "send every global access past the L1",
    .source = "Khairy et al., GPGPU-8 2015, section 3",
    .cache.before_lookup = before_lookup,
};
