/* divergent-bypass - an example of a policy outside the tree: loads that were split into many transactions do not allocate in the
 * L1.
 *
 * Build:  cc -shared -fPIC -I PREFIX/include/warpline divergent_bypass.c -o divergent_bypass.so
 * Run:    warpline run --plugin ./divergent_bypass.so --policy divergent-bypass --set policy.divergent-bypass.at_least=16 ./app */
#include "policy/policy.h"

/* Parameters: a plain struct, and one row per field. */
struct config {
    uint32_t at_least;
};

static const struct param params[] = { PARAM_U32(struct config, at_least, "at_least", 8, 1, 32, "transactions",
                                                 "a load split into so many does not allocate"),
                                       PARAM_END };

/* Counters: a struct of uint64_t, one row per field, and a group named like the policy with '_' for '-'. */
struct counters {
    uint64_t passed;
};

static const struct stat_counter counter_rows[] = {
    { "passed", "accesses", "loads that were not allowed to allocate", offsetof(struct counters, passed) }, { NULL, NULL, NULL, 0 }
};
static const struct stat_ratio no_ratios[] = { { NULL, NULL, NULL } };
static const struct stat_law no_laws[] = { { NULL, NULL, NULL } };
static const struct stat_group group = { "divergent_bypass", sizeof(struct counters), counter_rows, no_ratios, no_laws };

/* The decision. */
static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct config *config = self->config;
    struct counters *count = policy_unit_counters(self, a->level, a->unit);
    if (a->write || a->transactions < config->at_least)
        return;
    answer->no_allocate = true;
    count->passed++;
}

static const struct policy divergent_bypass = {
    .name = "divergent-bypass",
    .summary = "loads that were split into many transactions do not allocate in the L1",
    .source = "an example",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &group,
    .cache.before_lookup = before_lookup,
};

POLICY_PLUGIN(&divergent_bypass);
