/* mrpb - memory request prioritization buffer (Jia et al., HPCA 2014), with the settings of Khairy et al., 2015, table 4.
 *
 * Between the coalescer and the L1, requests wait in first-in first-out queues, one per signature (the warp, by default), and
 * are drained so that those of one signature reach the cache together. A load that the L1 refuses for want of a way (or, in the
 * form that Li et al., ICS 2015 compares with, for any cause) goes past the L1.
 *
 * Drain order: fixed (the first queue that is not empty), round-robin, or the longest queue; greedy stays with a queue until it is
 * empty, non-greedy chooses anew for every request. Table 4: warp, 48 queues, non-greedy fixed order, bypass on associativity
 * stalls. "Buffer size 32 requests" is read as 32 per queue: it is what one instruction can need, and with 32 for all queues
 * together a single divergent load would fill the buffer and nothing could be reordered. The other reading is `buffer_requests=32`,
 * whose storage is a 48th of the first's. Stores and loads of local memory wait for the L1 whatever `bypass` says; the
 * texts do not speak of spills. */
#include "policy/replacement.h"

enum signature { SIGNATURE_WARP, SIGNATURE_CTA, SIGNATURE_PC };
enum drain { DRAIN_FIXED, DRAIN_ROUND_ROBIN, DRAIN_LONGEST };
enum bypass { BYPASS_NONE, BYPASS_ASSOCIATIVITY, BYPASS_ANY };
static const char *const signature_names[] = { "warp", "cta", "pc", NULL };
static const char *const drain_names[] = { "fixed", "round-robin", "longest", NULL };
static const char *const bypass_names[] = { "none", "associativity", "any", NULL };

struct config {
    uint32_t signature, queues, queue_requests, buffer_requests, drain;
    bool greedy;
    uint32_t bypass;
};

struct queue {
    uint32_t head, length;
};
struct sm {                       /* behind it in memory: the queues, then the places of each queue */
    _Alignas(8) uint32_t current; /* the queue that was drained last */
    uint32_t offered;             /* the queue of the request that `next` gave */
    uint32_t waiting;             /* requests in all queues */
};

#define STAT_DEF "policy/mrpb_counters.def"
#define STAT_NAME mrpb
#include "stat/declare.h"
#define STAT_DEF "policy/mrpb_counters.def"
#define STAT_NAME mrpb
#include "stat/define.h"

static const struct param params[] = {
    PARAM_CHOICE(struct config, signature, "signature", "warp", signature_names, "what sorts requests into queues"),
    PARAM_U32(struct config, queues, "queues", 48, 1, 1024, "queues", "a signature's queue is its number modulo this"),
    PARAM_U32(struct config, queue_requests, "queue_requests", 32, 1, 1024, "requests",
              "room in each queue (table 4's 32, and what one instruction may need)"),
    PARAM_U32(struct config, buffer_requests, "buffer_requests", 0, 0, 65536, "requests",
              "room in all queues together (32: table 4 read otherwise); 0: no further bound"),
    PARAM_CHOICE(struct config, drain, "drain", "fixed", drain_names, "which queue is drained next"),
    PARAM_BOOL(struct config, greedy, "greedy", false, "stay with a queue until it is empty"),
    PARAM_CHOICE(struct config, bypass, "bypass", "associativity", bypass_names, "refusals on which a load goes past the L1"),
    PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    const struct config *c = config;
    (void)g;
    out->sm = sizeof(struct sm) + c->queues * (sizeof(struct queue) + c->queue_requests * sizeof(struct request *));
}

static struct queue *queues_of(struct sm *s)
{
    return (struct queue *)(s + 1);
}

static struct request **slots_of(const struct config *c, struct sm *s, uint32_t queue)
{
    return (struct request **)(void *)(queues_of(s) + c->queues) + (size_t)queue * c->queue_requests;
}

static uint32_t queue_of(const struct config *c, const struct policy_access *a)
{
    const uint64_t signature = c->signature == SIGNATURE_WARP ? a->warp : c->signature == SIGNATURE_CTA ? a->cta : a->pc >> 3;
    return (uint32_t)(signature % c->queues);
}

static bool push(struct policy_self *self, const struct policy_access *a)
{
    const struct config *c = self->config;
    struct sm *s = policy_sm_state(self, a->sm);
    const uint32_t n = queue_of(c, a);
    struct queue *q = &queues_of(s)[n];
    struct mrpb_counters *count = policy_sm_counters(self, a->sm);
    if (q->length == c->queue_requests || (c->buffer_requests && s->waiting >= c->buffer_requests))
        return false;
    slots_of(c, s, n)[(q->head + q->length++) % c->queue_requests] = a->request;
    count->queued++;
    s->waiting++;
    return true;
}

static uint32_t choose_queue(const struct config *c, struct sm *s)
{
    const struct queue *q = queues_of(s);
    if (c->greedy && q[s->current].length)
        return s->current;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < c->queues; i++) {
        const uint32_t n = c->drain == DRAIN_ROUND_ROBIN ? (s->current + 1 + i) % c->queues : i;
        if (q[n].length == 0)
            continue;
        if (c->drain != DRAIN_LONGEST)
            return n;
        if (best == UINT32_MAX || q[n].length > q[best].length)
            best = n;
    }
    return best;
}

static struct request *next(struct policy_self *self, uint32_t sm, uint64_t cycle)
{
    (void)cycle;
    const struct config *c = self->config;
    struct sm *s = policy_sm_state(self, sm);
    if (s->waiting == 0)
        return NULL;
    const uint32_t n = s->offered = choose_queue(c, s);
    return slots_of(c, s, n)[queues_of(s)[n].head];
}

static void taken(struct policy_self *self, uint32_t sm, struct request *request)
{
    (void)request;
    const struct config *c = self->config;
    struct sm *s = policy_sm_state(self, sm);
    const uint32_t n = s->offered;
    struct queue *q = &queues_of(s)[n];
    ((struct mrpb_counters *)policy_sm_counters(self, sm))->switches += n != s->current;
    q->head = (q->head + 1) % c->queue_requests;
    q->length--;
    s->waiting--;
    s->current = n;
}

static enum policy_refusal refused(struct policy_self *self, const struct policy_access *a, enum policy_cause cause)
{
    const struct config *c = self->config;
    if (a->write || a->atomic || a->local || c->bypass == BYPASS_NONE || cause == CAUSE_NETWORK) /* the last answer: on its way
                                                                                                  * around */
        return REFUSAL_WAIT;
    if (c->bypass == BYPASS_ASSOCIATIVITY && cause != CAUSE_LINE_ALLOC)
        return REFUSAL_WAIT;
    ((struct mrpb_counters *)policy_sm_counters(self, a->sm))->bypassed++;
    return REFUSAL_BYPASS;
}

/* An entry holds an address, a PC for the reply's way back, a warp and a mask of lanes: 32 + 32 + 6 + 32 bits. */
static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const uint64_t all = (uint64_t)c->queues * c->queue_requests;
    const uint64_t entries = c->buffer_requests && c->buffer_requests < all ? c->buffer_requests : all;
    rows[0] = (struct policy_hardware){ "request queues", PER_SM, entries, 32 + 32 + bits_for(g->warps_per_sm) + 32 };
    rows[1] = (struct policy_hardware){ "queue heads and lengths", PER_SM, c->queues, 2ull * bits_for(c->queue_requests + 1) };
    return 2;
}

static const char *broken(const struct policy_self *self)
{
    const struct config *c = self->config;
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        struct sm *s = policy_sm_state(self, sm);
        uint32_t sum = 0;
        for (uint32_t n = 0; n < c->queues; n++)
            sum += queues_of(s)[n].length;
        if (sum != s->waiting)
            return "the queues' lengths do not add up";
    }
    return NULL;
}

/* A request is written into a queue and read out of it. */
static const struct policy_energy energy[] = { { .structure = "request queues", .uses = "mrpb.queued+mrpb.queued" },
                                               { .structure = "queue heads and lengths", .uses = "mrpb.queued+mrpb.queued" },
                                               { .structure = NULL } };

const struct policy policy_mrpb = {
    .name = "mrpb",
    .summary = "sort requests into queues before the L1, and bypass it when all ways are reserved",
    .source = "Jia et al., HPCA 2014",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &mrpb_stat_group,
    .sizes = sizes,
    .hardware = hardware,
    .energy = energy,
    .broken = broken,
    .lsu = { .push = push, .next = next, .taken = taken },
    .cache.refused = refused,
};
