/* cta-oracle - the oracle that Oh et al., ISCA 2019 (section 5) compare with: in each window an SM runs as many of its CTAs as make
 * the GPU issue most in that window. It is no hardware: the machine tries every number (machine->try_values).
 *
 * Where the text leaves a choice: the numbers are all CTAs that fit and the powers of two below; one number holds for all SMs, and
 * the oldest CTAs of an SM run. It looks one window ahead: what is best now may be bad for the next. `fixed` is one number for the
 * whole run, without an oracle. Section 2.4's Best-SWL, the best limit of warps for a whole run, is `warpline tune swl`. */
#include "policy/policy.h"

struct config {
    uint64_t window;
    uint32_t fixed;
};

static const struct param params[] = { PARAM_U64(struct config, window, "window", 50000, 1, 1000000000, "cycles",
                                                 "how long a number holds"),
                                       PARAM_U32(struct config, fixed, "fixed", 0, 0, 64, "CTAs",
                                                 "run so many CTAs of an SM in the whole run; 0: the best number in each window"),
                                       PARAM_END };

enum { NUMBERS = 8 };
struct gpu {
    uint32_t number[NUMBERS], numbers; /* to choose from; the first is all that fit */
    uint32_t limit;
};

#define STAT_DEF "policy/cta_oracle_counters.def"
#define STAT_NAME cta_oracle
#include "stat/declare.h"
#define STAT_DEF "policy/cta_oracle_counters.def"
#define STAT_NAME cta_oracle
#include "stat/define.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct gpu);
}

static void choose(const struct policy_self *self)
{
    const struct config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    struct cta_oracle_counters *count = policy_gpu_counters(self);
    gpu->limit = c->fixed ? c->fixed : gpu->number[self->machine->try_values(self->machine->gpu, gpu->numbers)];
    count->windows++;
    count->ctas += gpu->limit < gpu->number[0] ? gpu->limit : gpu->number[0];
    count->limited += gpu->limit < gpu->number[0];
    for (uint32_t id = 0; id < self->geometry->sms; id++)
        self->machine->regate(self->machine->gpu, id);
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    struct gpu *gpu = policy_gpu_state(self);
    gpu->numbers = 0;
    gpu->number[gpu->numbers++] = k->max_ctas_per_sm ? k->max_ctas_per_sm : 1;
    for (uint32_t n = 32; n; n /= 2)
        if (n < k->max_ctas_per_sm)
            gpu->number[gpu->numbers++] = n;
    choose(self);
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    choose(self);
}

/* Whole CTAs run or wait, so that no warp waits at a barrier for one that is held back. */
static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const struct gpu *gpu = policy_gpu_state(self);
    uint64_t rest = v->resident;
    for (uint32_t n = 0; n < gpu->limit && rest; n++) {
        uint32_t oldest = (uint32_t)__builtin_ctzll(rest);
        for (uint64_t others = rest; others; others &= others - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(others);
            oldest = v->age[slot] < v->age[oldest] ? slot : oldest;
        }
        for (uint64_t others = rest; others; others &= others - 1)
            if (v->cta[__builtin_ctzll(others)] == v->cta[oldest])
                rest &= ~(others & -others);
    }
    gate->run &= ~rest;
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct config *)config)->window;
}

const struct policy policy_cta_oracle = {
    .name = "cta-oracle",
    .summary = "oracle: in each window as many CTAs per SM as make it the fastest",
    .source = "Oh et al., ISCA 2019",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &cta_oracle_stat_group,
    .needs = NEED_TRIALS,
    .sizes = sizes,
    .cycle_period = cycle_period,
    .period_restarts = true,
    .gpu = { .kernel_start = kernel_start, .every_cycles = every_cycles },
    .sm = { .warp_gate = warp_gate },
};
