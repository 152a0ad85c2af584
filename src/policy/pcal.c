/* pcal - priority-based cache allocation (Li et al., HPCA 2015), as Oh et al., ISCA 2019 compare with it.
 *
 * Of an SM's warps the oldest W run; of these the oldest T hold a token until they end. A warp with a token uses the L1 as ever.
 * One without may hit, but its misses go around and fill nothing (`probe` off: it passes the L1 by altogether). Two searches find T
 * and W: (a) all warps run, and SMs try different T side by side; (b) SMs try T = W side by side, and from the best one on another
 * warp without a token is let in per period, while the IPC rises and memory is not crowded. The better of both runs until the
 * kernel ends.
 *
 * Where the texts leave a choice:
 *  - `period`: not stated; 10 000 cycles, so that a search ends within a few windows of Linebacker.
 *  - What is tried side by side: SM i of n takes the (i + 1)-th of n equal parts of an SM's warps.
 *  - The first period of a kernel only warms up. IPC is in thread instructions; of SMs with the same the one with fewer warps wins.
 *  - Memory is crowded when the L1s' miss queues, which fill when network, L2 and DRAM push back, are on average fuller than
 *    `crowded_percent` at the end of a period.
 *  - A launch of the kernel that was searched last takes what was found.
 *  - Warps at a barrier do not count against W, so that those that they wait for run. */
#include "policy/warp_limit.h"

struct config {
    uint64_t period;
    uint32_t crowded_percent, tokens, warps;
    bool probe;
};

static const struct param params[] = {
    PARAM_U64(struct config, period, "period", 10000, 1, 1000000000, "cycles", "sampling period"),
    PARAM_U32(struct config, crowded_percent, "crowded_percent", 50, 0, 100, "%",
              "no more warps are let in when the miss queues are fuller than this"),
    PARAM_BOOL(struct config, probe, "probe", true, "a warp without a token may hit in the L1"),
    PARAM_U32(struct config, tokens, "tokens", 0, 0, 64, "warps", "a fixed number of tokens, without search; 0: search"),
    PARAM_U32(struct config, warps, "warps", 0, 0, 64, "warps", "with it: a fixed number of warps that run; 0: all"),
    PARAM_END
};

enum phase { WARM_UP, TRY_TOKENS, RUN_TOKENS, TRY_WARPS, RUN_WARPS, SETTLED };
struct gpu {
    enum phase phase;
    uint64_t kernel, known; /* hashes of names: of the kernel that runs, and of the one whose choice is kept */
    uint32_t tokens_a, tokens_b, warps_b, kept_tokens, kept_warps;
    uint64_t issued_a, issued_b; /* by all SMs in a period */
};
struct sm {
    uint32_t tokens, warps; /* 0: all */
    uint64_t instructions;  /* when the period began */
};

#define STAT_DEF "policy/pcal_counters.def"
#define STAT_NAME pcal
#include "stat/declare.h"
#define STAT_DEF "policy/pcal_counters.def"
#define STAT_NAME pcal
#include "stat/define.h"

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->gpu = sizeof(struct gpu);
    out->sm = sizeof(struct sm);
}

static void give(const struct policy_self *self, uint32_t id, uint32_t tokens, uint32_t warps)
{
    struct sm *sm = policy_sm_state(self, id);
    sm->tokens = tokens;
    sm->warps = warps;
    self->machine->regate(self->machine->gpu, id);
}

static void give_all(const struct policy_self *self, uint32_t tokens, uint32_t warps)
{
    for (uint32_t id = 0; id < self->geometry->sms; id++)
        give(self, id, tokens, warps);
}

/* The share of an SM's warps that SM `id` tries. */
static uint32_t share_of(const struct policy_self *self, uint32_t id)
{
    const uint32_t share = (id + 1) * self->geometry->warps_per_sm / self->geometry->sms;
    return share ? share : 1;
}

static void settle(const struct policy_self *self, struct gpu *gpu)
{
    struct pcal_counters *count = policy_gpu_counters(self);
    const bool b = gpu->issued_b > gpu->issued_a;
    gpu->phase = SETTLED;
    gpu->known = gpu->kernel;
    gpu->kept_tokens = b ? gpu->tokens_b : gpu->tokens_a;
    gpu->kept_warps = b ? gpu->warps_b : 0;
    ++*(b ? &count->settled_b : &count->settled_a);
    count->tokens += gpu->kept_tokens;
    count->warps += b ? gpu->kept_warps : self->geometry->warps_per_sm;
    give_all(self, gpu->kept_tokens, gpu->kept_warps);
}

static bool crowded(const struct policy_self *self)
{
    const struct config *c = self->config;
    uint64_t waiting = 0;
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        struct policy_occupancy o;
        self->machine->occupancy(self->machine->gpu, id, &o);
        waiting += o.miss_queue;
    }
    return waiting * 100 > (uint64_t)self->geometry->sms * self->geometry->cache[LEVEL_L1].miss_queue_entries * c->crowded_percent;
}

/* The period of search (b) that just ended had warps_b warps. Tries one more, or settles on the best so far. */
static void step_warps(const struct policy_self *self, struct gpu *gpu, uint64_t issued)
{
    const bool better = issued > gpu->issued_b;
    if (better)
        gpu->issued_b = issued;
    if (better && !crowded(self) && gpu->warps_b < self->geometry->warps_per_sm) {
        give_all(self, gpu->tokens_b, ++gpu->warps_b);
        return;
    }
    gpu->warps_b -= !better && gpu->warps_b > gpu->tokens_b; /* the last one was one too many */
    settle(self, gpu);
}

static void advance(const struct policy_self *self, struct gpu *gpu, uint32_t best, uint64_t issued)
{
    switch (gpu->phase) {
    case WARM_UP:
        gpu->phase = TRY_TOKENS;
        for (uint32_t id = 0; id < self->geometry->sms; id++)
            give(self, id, share_of(self, id), 0);
        break;
    case TRY_TOKENS:
        gpu->phase = RUN_TOKENS;
        gpu->tokens_a = share_of(self, best);
        give_all(self, gpu->tokens_a, 0);
        break;
    case RUN_TOKENS:
        gpu->phase = TRY_WARPS;
        gpu->issued_a = issued;
        for (uint32_t id = 0; id < self->geometry->sms; id++)
            give(self, id, share_of(self, id), share_of(self, id));
        break;
    case TRY_WARPS:
        gpu->phase = RUN_WARPS;
        gpu->tokens_b = gpu->warps_b = share_of(self, best);
        gpu->issued_b = 0;
        give_all(self, gpu->tokens_b, gpu->warps_b);
        break;
    case RUN_WARPS: step_warps(self, gpu, issued); break;
    case SETTLED: break;
    }
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    struct gpu *gpu = policy_gpu_state(self);
    struct pcal_counters *count = policy_gpu_counters(self);
    uint64_t issued = 0, most = 0;
    uint32_t best = 0;
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        struct sm *sm = policy_sm_state(self, id);
        struct policy_totals totals;
        self->machine->totals(self->machine->gpu, id, &totals);
        const uint64_t mine = totals.thread_instructions - sm->instructions;
        sm->instructions = totals.thread_instructions;
        issued += mine;
        if (mine > most) {
            most = mine;
            best = id;
        }
    }
    count->periods++;
    count->periods_searching += gpu->phase != SETTLED;
    advance(self, gpu, best, issued);
}

static void kernel_start(struct policy_self *self, const struct policy_kernel *k)
{
    const struct config *c = self->config;
    struct gpu *gpu = policy_gpu_state(self);
    struct pcal_counters *count = policy_gpu_counters(self);
    gpu->kernel = policy_name_hash(k->name);
    const bool known = gpu->known == gpu->kernel;
    gpu->phase = c->tokens || known ? SETTLED : WARM_UP;
    count->remembered += !c->tokens && known;
    for (uint32_t id = 0; id < self->geometry->sms; id++) {
        struct sm *sm = policy_sm_state(self, id);
        struct policy_totals totals;
        self->machine->totals(self->machine->gpu, id, &totals);
        sm->instructions = totals.thread_instructions;
    }
    if (c->tokens)
        give_all(self, c->tokens, c->warps);
    else
        give_all(self, known ? gpu->kept_tokens : 0, known ? gpu->kept_warps : 0);
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    const struct sm *sm = policy_sm_state(self, v->sm);
    const uint64_t running = v->resident & ~v->at_barrier;
    if (sm->warps)
        gate->run &= ~(running & ~warp_limit_oldest(v, running, sm->warps));
    if (sm->tokens)
        gate->allocate &= ~(v->resident & ~warp_limit_oldest(v, v->resident, sm->tokens));
}

/* Only with `probe` off: otherwise the machine's gate sends misses around by itself. */
static void before_lookup(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer)
{
    const struct config *c = self->config;
    if (!a->write && answer->no_allocate && !c->probe)
        answer->bypass = true;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)config;
    rows[0] = (struct policy_hardware){ "token of a warp", PER_SM, g->warps_per_sm, 1 };
    rows[1] = (struct policy_hardware){ "T, W and instructions of the period", PER_SM, 1, 7 + 7 + 32 };
    rows[2] = (struct policy_hardware){ "best of both searches", PER_GPU, 2, 7 + 7 + 32 };
    return 3;
}

static uint64_t cycle_period(const void *config)
{
    return ((const struct config *)config)->period;
}

const struct policy policy_pcal = {
    .name = "pcal",
    .summary = "tokens: warps that may allocate in the L1, that may only read it, and that wait",
    .source = "Li et al., HPCA 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &pcal_stat_group,
    .sizes = sizes,
    .hardware = hardware,
    .cycle_period = cycle_period,
    .period_restarts = true,
    .gpu = { .kernel_start = kernel_start, .every_cycles = every_cycles },
    .sm = { .warp_gate = warp_gate },
    .cache = { .before_lookup = before_lookup },
};
