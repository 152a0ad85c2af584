/* mascar - memory-aware scheduling and cache access re-execution (Sethia, Jamshidi and Mahlke, HPCA 2015): two modes with one
 * owner (mascar_mode.c), and a queue for refused accesses (mascar_queue.c).
 *
 * Together: in memory-priority mode the accesses of others than the owner go round the queue until they hit or their warp owns.
 * When nobody owns and no warp has a memory instruction ready, the warp at the queue's head becomes the owner (section III-D).
 *
 * Forward progress: the queue always has a place for what the L1 refuses, so that what is in it is tried in turn for ever. What can
 * stand still is the LSU, when the queue is full, or holds an earlier instruction of the warp whose transaction comes next; and the
 * owner's transactions may be behind that one. So, when the LSU stands still and nothing of the owner's is in the queue or on its
 * way to the L1, ownership passes to the warp at the queue's head. The owner's accesses are refused only while MSHRs, lines or the
 * miss queue are taken by requests that will come back. */
#include "policy/mascar_mode.h"
#include "policy/mascar_queue.h"
#include "policy/warp_order.h"

struct mascar_counters {
    struct mascar_mode_counters mode;
    struct mascar_queue_counters queue;
};
#define STAT_DEF "policy/mascar_counters.def"
#define STAT_NAME mascar
#include "stat/define.h"

struct config {
    struct mascar_mode_config mode;
    struct mascar_queue_config queue;
};
struct sm {
    struct mascar_mode mode;
    struct mascar_queue queue;
};

static const struct param params[] = { MASCAR_MODE_PARAMS(struct config, mode), MASCAR_MODE_AND_QUEUE_PARAMS(struct config, mode),
                                       MASCAR_QUEUE_PARAMS(struct config, queue), PARAM_END };

static struct mascar_counters *counters_of(const struct policy_self *self, uint32_t sm)
{
    return policy_sm_counters(self, sm);
}

static const struct config *config_of(const struct policy_self *self)
{
    return self->config;
}

static struct sm *sm_of(const struct policy_self *self, uint32_t sm)
{
    return policy_sm_state(self, sm);
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->sm = offsetof(struct sm, queue) + mascar_queue_bytes(&((const struct config *)config)->queue);
    out->scheduler = sizeof(struct last_issued);
}

static void start(struct policy_self *self)
{
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        mascar_mode_clear(&sm_of(self, sm)->mode);
        mascar_queue_open(&sm_of(self, sm)->queue, &config_of(self)->queue);
    }
}

/* ---- the schedulers ---- */

static void look(struct policy_self *self, const struct policy_sm_view *v)
{
    struct sm *s = sm_of(self, v->sm);
    mascar_mode_look(self, v, &config_of(self)->mode, &s->mode, &counters_of(self, v->sm)->mode, mascar_queue_head(&s->queue),
                     s->queue.held);
}

static void cycle(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler)
{
    (void)scheduler;
    look(self, v);
}

static void slept(struct policy_self *self, const struct policy_sm_view *v, uint64_t cycles)
{
    mascar_mode_slept(&sm_of(self, v->sm)->mode, &counters_of(self, v->sm)->mode, cycles);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    look(self, v); /* an ideal SM has no call of its own for every cycle */
    return mascar_mode_pick(self, v, &config_of(self)->mode, &sm_of(self, v->sm)->mode, scheduler, candidates);
}

static void order_issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    *(struct last_issued *)policy_scheduler_state(self, v->sm, scheduler) = (struct last_issued){ slot, true };
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    (void)active;
    mascar_mode_issued(&sm_of(self, v->sm)->mode, &counters_of(self, v->sm)->mode, slot, inst);
}

static void warp_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot)
{
    struct mascar_mode *m = &sm_of(self, v->sm)->mode;
    if (m->owner == slot)
        m->owner = NO_WARP;
}

static void warp_gate(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate)
{
    mascar_queue_gate(&sm_of(self, v->sm)->queue, gate);
}

/* ---- the LSU ---- */

static bool push(struct policy_self *self, const struct policy_access *a)
{
    return mascar_queue_push(&sm_of(self, a->sm)->queue, &counters_of(self, a->sm)->queue, a);
}

static struct request *next(struct policy_self *self, uint32_t sm, uint64_t at)
{
    struct sm *s = sm_of(self, sm);
    bool blocked;
    struct request *given = mascar_queue_next(&s->queue, &counters_of(self, sm)->queue, at, &blocked);
    const struct mascar_mode *m = &s->mode;
    if (blocked && s->queue.count && m->saturated && m->owner != NO_WARP && !mascar_queue_has(&s->queue, m->owner)) {
        struct mascar_mode_counters *count = &counters_of(self, sm)->mode;
        mascar_mode_own(&s->mode, count, mascar_queue_head(&s->queue));
        count->owners_from_queue++;
    }
    return given;
}

static void taken(struct policy_self *self, uint32_t sm, struct request *request)
{
    (void)request;
    mascar_queue_taken(&sm_of(self, sm)->queue);
}

static void returned(struct policy_self *self, uint32_t sm, struct request *request, enum policy_cause cause)
{
    (void)cause;
    mascar_queue_returned(self, &sm_of(self, sm)->queue, &counters_of(self, sm)->queue, sm, request);
}

/* ---- the L1 ---- */

static bool may_miss(struct policy_self *self, const struct policy_access *a)
{
    const bool refuses = mascar_mode_is_anothers(&sm_of(self, a->sm)->mode, a);
    counters_of(self, a->sm)->mode.misses_refused += refuses;
    return !refuses;
}

static enum policy_refusal refused(struct policy_self *self, const struct policy_access *a, enum policy_cause cause)
{
    (void)self, (void)a, (void)cause;
    return REFUSAL_RECYCLE;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    struct sm *s = sm_of(self, a->sm);
    mascar_queue_accessed(self, &s->queue, &counters_of(self, a->sm)->queue, a, outcome);
    if (outcome == OUTCOME_HIT && mascar_mode_is_anothers(&s->mode, a))
        counters_of(self, a->sm)->mode.hits_of_others++;
}

/* ---- the declaration ---- */

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const uint32_t count = mascar_mode_hardware(g, rows);
    return count + mascar_queue_hardware(&((const struct config *)config)->queue, rows + count);
}

static const char *broken(const struct policy_self *self)
{
    const char *what = NULL;
    for (uint32_t sm = 0; sm < self->geometry->sms && !what; sm++)
        what = mascar_queue_broken(&sm_of(self, sm)->queue);
    return what;
}

static const struct policy_energy energy[] = { MASCAR_QUEUE_ENERGY("mascar"),
                                               { .structure = "warp readiness checker (owner)", .uses = "warp_instructions" },
                                               { .structure = "warp status table", .uses = "warp_instructions" },
                                               { .structure = NULL } };

const struct policy policy_mascar = {
    .name = "mascar",
    .summary = "memory-aware scheduling with one owner, and re-execution of refused accesses",
    .source = "Sethia et al., HPCA 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &mascar_stat_group,
    .needs = NEED_NEXT,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .energy = energy,
    .broken = broken,
    .order = { .pick = pick, .issued = order_issued, .cycle = cycle, .slept = slept },
    .sm = { .warp_gate = warp_gate, .issued = issued, .warp_end = warp_end },
    .lsu = { .push = push, .next = next, .taken = taken, .returned = returned },
    .cache = { .may_miss = may_miss, .refused = refused, .accessed = accessed },
};
