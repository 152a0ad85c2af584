/* bypass-l1 - every load goes past the L1: the machine of paper 000's figure 2 without its first cache, and, with `local`, BALL of
 * Li et al., ICS 2015 (section 6.1), which sends global and local accesses around the L1 and keeps the L2.
 *
 * Local memory (spills) stays in the L1 unless `local` says otherwise. When it goes around too, no line of it is ever in the L1, so
 * that none is dirty there: stores do not allocate. */
#include "policy/policy.h"

struct config {
    bool local;
};

static const struct param params[] = { PARAM_BOOL(struct config, local, "local", false, "local memory goes past the L1 too"),
                                       PARAM_END };

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    answer->bypass = answer->bypass || !a->local || ((const struct config *)self->config)->local;
}

const struct policy policy_bypass_l1 = {
    .name = "bypass-l1",
    .summary = "send every global access past the L1; local memory too when asked",
    .source = "Khairy et al., GPGPU-8 2015, section 3; Li et al., ICS 2015, section 6.1",
    .params = params,
    .config_size = sizeof(struct config),
    .cache.before_lookup = before_lookup,
};
