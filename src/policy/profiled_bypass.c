/* profiled-bypass - a first run counts how often each line is loaded, a second one caches the lines that are loaded often (Li et
 * al., ICS 2015, section 6.1, Profiled-BYPASS).
 *
 * The first run counts every coalesced load before the L1, in tables without bounds, and changes nothing. In the second a load
 * takes the L1 when its line's count is above the threshold, and goes around it otherwise. Three filters: `local` counts the loads
 * of each SM by itself, `global` those of all SMs together, `combined`, which the paper uses from then on, lets a line in when
 * either does.
 *
 * Decided here: counts are per launch, since a kernel's reuse says nothing of the next one's; loads of local memory count like all
 * others; a line that the first run never loaded goes around. The paper's threshold is the best of 1 to 16 for each program:
 * `warpline tune profiled-bypass`. The second run's counters also say how often lines were loaded in the first: the paper's figures
 * 3 and 5(b). */
#include "policy/policy.h"

enum filter { FILTER_LOCAL, FILTER_GLOBAL, FILTER_COMBINED };
static const char *const filter_names[] = { "local", "global", "combined", NULL };
#define ALL_SMS UINT64_MAX

struct config {
    uint32_t filter, threshold;
};

#define STAT_DEF "policy/profiled_bypass_counters.def"
#define STAT_NAME profiled_bypass
#include "stat/declare.h"
#define STAT_DEF "policy/profiled_bypass_counters.def"
#define STAT_NAME profiled_bypass
#include "stat/define.h"

static const struct param params[] = {
    PARAM_CHOICE(struct config, filter, "filter", "combined", filter_names,
                 "whose loads of a line are counted: the SM's own (local), all SMs' (global), or whichever suffices (combined)"),
    PARAM_U32(struct config, threshold, "threshold", 1, 1, 16, "loads", "a line that is loaded more often takes the L1"), PARAM_END
};

static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct config *config = self->config;
    struct profiled_bypass_counters *c = policy_sm_counters(self, a->unit);
    if (a->write || a->atomic)
        return;
    const uint64_t own[] = { self->profile->launch, a->unit, a->line }, all[] = { self->profile->launch, ALL_SMS, a->line };
    if (self->profile->records) {
        policy_profile_add(self, LEVEL_L1, a->unit, own, 1);
        policy_profile_add(self, LEVEL_L1, a->unit, all, 1);
        c->recorded++;
        return;
    }
    const uint64_t mine = config->filter != FILTER_GLOBAL ? policy_profile_find(self, own) : 0;
    const uint64_t everyones = config->filter != FILTER_LOCAL ? policy_profile_find(self, all) : 0;
    if (mine > config->threshold || everyones > config->threshold) {
        c->cached++;
        return;
    }
    c->bypassed++;
    c->unknown += !mine && !everyones;
    answer->bypass = true;
}

/* How often each SM loaded its lines in the launch that begins. */
static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    (void)k;
    const struct policy_profile *p = self->profile;
    struct profiled_bypass_counters *c = policy_gpu_counters(self);
    for (uint64_t i = p->count ? policy_profile_first(self, (uint64_t[]){ p->launch, 0, 0 }) : 0;
         i < p->count && p->record[i].key[0] == p->launch; i++) {
        const uint64_t n = p->record[i].number;
        if (p->record[i].key[1] == ALL_SMS)
            continue;
        ++*(n == 1 ? &c->lines_1 : n == 2 ? &c->lines_2 : n <= 4 ? &c->lines_4 : n <= 8 ? &c->lines_8 : &c->lines_more);
    }
}

const struct policy policy_profiled_bypass = {
    .name = "profiled-bypass",
    .summary = "cache only lines that a first run loaded more often than a threshold",
    .source = "Li et al., ICS 2015, section 6.1",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &profiled_bypass_stat_group,
    .tuned = "threshold",
    .profile = "line-loads",
    .gpu.kernel_start = kernel_start,
    .cache.before_lookup = before_lookup,
};
