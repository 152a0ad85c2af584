/* dwt-cs - dynamic warp throttling by sampling cores (Khairy et al., GPGPU-8 2015, section 4.2).
 *
 * Monitoring: at the end of each sampling period, the L1 misses per kilo-instruction of the whole GPU are compared with a
 * threshold. Sampling: after N periods above it, each core i (counted from 1) runs i warps per scheduler for M periods. The
 * coordinator finds the core that issued the most instructions, and all cores take its number of warps until the kernel ends. If
 * the last core wins and schedulers have more warps than there are cores, the numbers from there on are sampled in another round.
 * Memory: the number found is kept per kernel; a later launch of it that exceeds the threshold takes the number without sampling.
 *
 * Where the paper is silent:
 *  - N and M are not stated. 3 and 3 give the 60 K cycles that it reports for periods of 10 K cycles.
 *  - Whose MPKI decides: that of all cores together, since all are sampled then. Section 3.1 calls it misses per kilo cycles,
 * section 4.2 divides by committed instructions, as is done here.
 *  - Instructions are counted per thread, as its simulator does: a threshold of 10 misses per kilo warp instruction would call
 *    every stream thrashing.
 *  - A load that went past a closed L1 (stream-bypass) counts as a miss, since the tags that the closed cache keeps would have
 *    seen one nine times of ten; otherwise a thrashing kernel whose L1 was taken for streaming would never be throttled.
 * (stream-bypass leaves L1s open while they thrash, until this policy has had its time: see there.)
 *  - "Exceeds the threshold" for a kernel known from before means one period (`known_periods`).
 *  - In a second round, cores beyond the last number that remains to be tried keep the first round's winner.
 *  - Of cores with the same count the one with fewer warps wins.
 *  - A sampling cut short by the kernel's end is forgotten.
 *  - The limit holds back all instructions of the younger warps, warps at a barrier excepted. (swl, which follows GPGPU-Sim, also
 *    lets the warp that issued last go on.) */
#include <string.h>

#include "policy/dwt_cs.h"
#include "policy/replacement.h"
#include "policy/warp_limit.h"

enum phase { MONITORING, SAMPLING, SETTLED };
enum { COUNTED = 24 }; /* numbers of warps that have a counter of their own */

struct sm {
    uint32_t limit; /* 0: none */
    uint64_t instructions_at_start;
};

struct known {
    uint64_t kernel;
    uint32_t limit; /* 0: a free entry */
};
struct gpu {
    enum phase phase;
    uint64_t kernel;                    /* hash of the name of the kernel that runs */
    uint64_t kernel_start, above_since; /* cycles; above_since: start of the first of the periods above the threshold */
    uint64_t instructions, misses;      /* of all SMs when the period began */
    uint32_t above;                     /* periods above the threshold, in a row */
    uint32_t samples_left;
    uint32_t first_limit; /* that core 1 tries in this round */
    uint32_t next_entry;  /* of the memory, which forgets its oldest entry first */
    struct known known[];
};

#define STAT_DEF "policy/dwt_cs_counters.def"
#define STAT_NAME dwt_cs
#include "stat/declare.h"
#define STAT_DEF "policy/dwt_cs_counters.def"
#define STAT_NAME dwt_cs
#include "stat/define.h"

static const struct param params[] = {
    PARAM_U64(struct dwt_cs_config, period, "period", 10000, 1, 1000000000, "cycles", "sampling period (table 4: 10K)"),
    PARAM_REAL(struct dwt_cs_config, threshold, "threshold", 10, 0, 1000000, "misses per kilo-instruction",
               "L1 MPKI above which there is thrashing (table 4: 10)"),
    PARAM_U32(struct dwt_cs_config, trigger_periods, "trigger_periods", 3, 1, 1000, "periods",
              "in a row above the threshold before sampling (N)"),
    PARAM_U32(struct dwt_cs_config, sample_periods, "sample_periods", 3, 1, 1000, "periods", "for which the cores are sampled (M)"),
    PARAM_U32(struct dwt_cs_config, known_periods, "known_periods", 1, 1, 1000, "periods",
              "above the threshold before a known kernel is throttled"),
    PARAM_U32(struct dwt_cs_config, memory, "memory", 16, 1, 1024, "kernels", "whose number of warps is remembered"),
    PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->gpu = sizeof(struct gpu) + ((const struct dwt_cs_config *)config)->memory * sizeof(struct known);
    out->sm = sizeof(struct sm);
}

static struct policy_totals totals_of(const struct policy_self *self, uint32_t sm)
{
    struct policy_totals t;
    self->machine->totals(self->machine->gpu, sm, &t);
    return t;
}

static void set_limit(const struct policy_self *self, uint32_t sm, uint32_t limit)
{
    struct sm *s = policy_sm_state(self, sm);
    s->limit = limit;
    self->machine->regate(self->machine->gpu, sm);
}

static void set_all_limits(const struct policy_self *self, uint32_t limit)
{
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        set_limit(self, sm, limit);
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    struct gpu *gpu = policy_gpu_state(self);
    gpu->phase = MONITORING;
    gpu->kernel = policy_name_hash(k->name);
    gpu->kernel_start = k->cycle;
    gpu->above = 0;
    gpu->instructions = gpu->misses = 0;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct policy_totals t = totals_of(self, sm);
        gpu->instructions += t.thread_instructions;
        gpu->misses += t.l1_misses + t.l1_bypassed;
    }
    set_all_limits(self, 0);
}

static struct known *find_known(const struct policy_self *self)
{
    const struct dwt_cs_config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    for (uint32_t i = 0; i < c->memory; i++)
        if (gpu->known[i].limit && gpu->known[i].kernel == gpu->kernel)
            return &gpu->known[i];
    return NULL;
}

/* Core i tries first_limit + i warps. */
static void start_round(struct policy_self *self, uint32_t first_limit, uint32_t fallback)
{
    const struct dwt_cs_config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    const uint32_t most = warps_per_scheduler(self->geometry);
    gpu->phase = SAMPLING;
    gpu->samples_left = c->sample_periods;
    gpu->first_limit = first_limit;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const uint32_t limit = first_limit + sm;
        set_limit(self, sm, limit <= most ? limit : fallback);
        ((struct sm *)policy_sm_state(self, sm))->instructions_at_start = totals_of(self, sm).thread_instructions;
    }
}

static void settle(struct policy_self *self, uint32_t limit, uint64_t cycle)
{
    struct gpu *gpu = policy_gpu_state(self);
    struct dwt_cs_counters *count = policy_gpu_counters(self);
    gpu->phase = SETTLED;
    set_all_limits(self, limit);
    count->settled++;
    count->limits += limit;
    count->settle_cycles += cycle - gpu->kernel_start;
}

static uint64_t issued_in_round(const struct policy_self *self, uint32_t sm)
{
    return totals_of(self, sm).thread_instructions - ((const struct sm *)policy_sm_state(self, sm))->instructions_at_start;
}

/* Counted by the number of warps that a core tried, so that a result shows what the coordinator saw. */
static void count_sample(const struct policy_self *self, uint32_t sm)
{
    struct dwt_cs_counters *count = policy_gpu_counters(self);
    const uint32_t limit = ((const struct sm *)policy_sm_state(self, sm))->limit;
    const size_t row = offsetof(struct dwt_cs_counters, issued_1) / sizeof(uint64_t) + (limit <= COUNTED ? limit : COUNTED + 1) - 1;
    ((uint64_t *)(void *)count)[row] += issued_in_round(self, sm);
}

/* The limit of the core that issued most; of equal cores, the one with the fewest warps. */
static uint32_t limit_of_winner(const struct policy_self *self)
{
    uint64_t most = 0;
    uint32_t limit = UINT32_MAX;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const uint32_t tried = ((const struct sm *)policy_sm_state(self, sm))->limit;
        const uint64_t issued = issued_in_round(self, sm);
        count_sample(self, sm);
        if (issued > most || (issued == most && tried < limit)) {
            most = issued;
            limit = tried;
        }
    }
    return limit;
}

/* The coordinator's work, at the end of a round. */
static void end_round(struct policy_self *self, uint64_t cycle)
{
    const struct dwt_cs_config *c = self->config;
    const struct policy_geometry *g = self->geometry;
    struct gpu *gpu = policy_gpu_state(self);
    const uint32_t limit = limit_of_winner(self);
    ((struct dwt_cs_counters *)policy_gpu_counters(self))->rounds++;
    const uint32_t tried = gpu->first_limit + g->sms - 1; /* the last core's number */
    if (limit == tried && tried < warps_per_scheduler(g)) {
        start_round(self, tried + 1, limit);
        return;
    }
    gpu->known[gpu->next_entry] = (struct known){ gpu->kernel, limit };
    gpu->next_entry = (gpu->next_entry + 1) % c->memory;
    ((struct dwt_cs_counters *)policy_gpu_counters(self))->search_cycles += cycle - gpu->above_since;
    settle(self, limit, cycle);
}

static void end_monitoring_period(struct policy_self *self, uint64_t cycle)
{
    const struct dwt_cs_config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    struct dwt_cs_counters *count = policy_gpu_counters(self);
    uint64_t instructions = 0, misses = 0;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct policy_totals t = totals_of(self, sm);
        instructions += t.thread_instructions;
        misses += t.l1_misses + t.l1_bypassed;
    }
    const double issued = (double)(instructions - gpu->instructions), missed = (double)(misses - gpu->misses);
    const bool above = missed * 1000 > c->threshold * issued;
    gpu->instructions = instructions;
    gpu->misses = misses;
    gpu->above = above ? gpu->above + 1 : 0;
    if (gpu->above == 1)
        gpu->above_since = cycle - c->period;
    count->periods++;
    count->periods_above += above;
    const struct known *known = find_known(self);
    if (known && gpu->above >= c->known_periods) {
        count->remembered++;
        settle(self, known->limit, cycle);
    } else if (!known && gpu->above >= c->trigger_periods) {
        start_round(self, 1, warps_per_scheduler(self->geometry));
    }
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    struct gpu *gpu = policy_gpu_state(self);
    if (gpu->phase == MONITORING)
        end_monitoring_period(self, cycle);
    else if (gpu->phase == SAMPLING && --gpu->samples_left == 0)
        end_round(self, cycle);
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const struct sm *s = policy_sm_state(self, v->sm);
    if (s->limit)
        warp_limit_apply(self, v, s->limit, &gate->run);
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct dwt_cs_config *)config)->period;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct dwt_cs_config *c = config;
    const uint64_t limit_bits = bits_for(warps_per_scheduler(g) + 1);
    rows[0] = (struct policy_hardware){ "instruction and miss counters", PER_SM, 2, 32 };
    rows[1] = (struct policy_hardware){ "limit register", PER_SM, 1, limit_bits };
    rows[2] = (struct policy_hardware){ "number of warps per kernel", PER_GPU, c->memory, 32 + limit_bits };
    rows[3] = (struct policy_hardware){ "periods above the threshold, samples left", PER_GPU, 1,
                                        bits_for(c->trigger_periods + 1) + bits_for(c->sample_periods + 1) };
    return 4;
}

const struct policy policy_dwt_cs = {
    .name = "dwt-cs",
    .summary = "when the L1s thrash, find the best number of warps by trying a different one on each core",
    .source = "Khairy et al., GPGPU-8 2015",
    .params = params,
    .config_size = sizeof(struct dwt_cs_config),
    .counters = &dwt_cs_stat_group,
    .sizes = sizes,
    .cycle_period = cycle_period,
    .period_restarts = true,
    .hardware = hardware,
    .gpu = { .kernel_start = kernel_start, .every_cycles = every_cycles },
    .sm.warp_gate = warp_gate,
};
