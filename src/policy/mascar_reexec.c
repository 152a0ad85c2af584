/* mascar-reexec - Mascar's re-execution queue alone: the order of warps is the machine's or another policy's, and the L1 refuses
 * nothing on account of the warp. See mascar_queue.c. */
#include "policy/mascar_queue.h"

struct mascar_reexec_counters {
    struct mascar_queue_counters queue;
};
#define STAT_DEF "policy/mascar_reexec_counters.def"
#define STAT_NAME mascar_reexec
#include "stat/define.h"

struct config {
    struct mascar_queue_config queue;
};

static const struct param params[] = { MASCAR_QUEUE_PARAMS(struct config, queue), PARAM_END };

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->sm = mascar_queue_bytes(&((const struct config *)config)->queue);
}

static void start(struct policy_self *self)
{
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        mascar_queue_open(policy_sm_state(self, sm), &((const struct config *)self->config)->queue);
}

static struct mascar_queue_counters *counters_of(const struct policy_self *self, uint32_t sm)
{
    return &((struct mascar_reexec_counters *)policy_sm_counters(self, sm))->queue;
}

static bool push(struct policy_self *self, const struct policy_access *a)
{
    return mascar_queue_push(policy_sm_state(self, a->sm), counters_of(self, a->sm), a);
}

static struct request *next(struct policy_self *self, uint32_t sm, uint64_t cycle)
{
    bool blocked;
    return mascar_queue_next(policy_sm_state(self, sm), counters_of(self, sm), cycle, &blocked);
}

static void taken(struct policy_self *self, uint32_t sm, struct request *request)
{
    (void)request;
    mascar_queue_taken(policy_sm_state(self, sm));
}

static void returned(struct policy_self *self, uint32_t sm, struct request *request, enum policy_cause cause)
{
    (void)cause;
    mascar_queue_returned(self, policy_sm_state(self, sm), counters_of(self, sm), sm, request);
}

static enum policy_refusal refused(struct policy_self *self, const struct policy_access *a, enum policy_cause cause)
{
    (void)self, (void)a, (void)cause;
    return REFUSAL_RECYCLE;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    mascar_queue_accessed(self, policy_sm_state(self, a->sm), counters_of(self, a->sm), a, outcome);
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    mascar_queue_gate(policy_sm_state(self, v->sm), gate);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)g;
    return mascar_queue_hardware(&((const struct config *)config)->queue, rows);
}

static const char *broken(const struct policy_self *self)
{
    const char *what = NULL;
    for (uint32_t sm = 0; sm < self->geometry->sms && !what; sm++)
        what = mascar_queue_broken(policy_sm_state(self, sm));
    return what;
}

static const struct policy_energy energy[] = { MASCAR_QUEUE_ENERGY("mascar_reexec"), { .structure = NULL } };

const struct policy policy_mascar_reexec = {
    .name = "mascar-reexec",
    .summary = "put refused accesses aside in a queue, so that others may hit meanwhile",
    .source = "Sethia et al., HPCA 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &mascar_reexec_stat_group,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .energy = energy,
    .broken = broken,
    .sm.warp_gate = warp_gate,
    .lsu = { .push = push, .next = next, .taken = taken, .returned = returned },
    .cache = { .accessed = accessed, .refused = refused },
};
