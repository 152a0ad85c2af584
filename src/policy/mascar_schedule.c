/* mascar-schedule - Mascar's scheduling alone: two modes, one owner (mascar_mode.c), and an ordinary LSU that works in order.
 *
 * Forward progress: a load that misses and is not the owner's is refused at the head of the LSU, and the owner's own loads may
 * be behind it. Two things end that. Nobody can miss meanwhile, so requests in flight come back, the flag falls, and the mode
 * ends; and a load that was refused for `patience` cycles in a row may miss (the paper leaves this stall to its re-execution). */
#include "policy/mascar_mode.h"
#include "policy/warp_order.h"

struct mascar_schedule_counters {
    struct mascar_mode_counters mode;
};
#define STAT_DEF "policy/mascar_schedule_counters.def"
#define STAT_NAME mascar_schedule
#include "stat/define.h"

struct config {
    struct mascar_mode_config mode;
    uint32_t patience;
};
struct sm {
    struct mascar_mode mode;
    uint64_t blocked_since;
    const struct request *blocked;
};

static const struct param params[] = { MASCAR_MODE_PARAMS(struct config, mode),
                                       PARAM_U32(struct config, patience, "patience", 64, 0, 1000000, "cycles",
                                                 "for which a miss of another than the owner is refused"),
                                       PARAM_END };

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = sizeof(struct sm);
    out->scheduler = sizeof(struct last_issued);
}

static void start(struct policy_self *self)
{
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++)
        mascar_mode_clear(&((struct sm *)policy_sm_state(self, sm))->mode);
}

static struct mascar_mode_counters *counters_of(const struct policy_self *self, uint32_t sm)
{
    return &((struct mascar_schedule_counters *)policy_sm_counters(self, sm))->mode;
}

static struct sm *sm_of(const struct policy_self *self, uint32_t sm)
{
    return policy_sm_state(self, sm);
}

static void look(struct policy_self *self, const struct policy_sm_view *v)
{
    mascar_mode_look(self, v, &((const struct config *)self->config)->mode, &sm_of(self, v->sm)->mode, counters_of(self, v->sm),
                     NO_WARP, 0);
}

static void cycle(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler)
{
    (void)scheduler;
    look(self, v);
}

static void slept(struct policy_self *self, const struct policy_sm_view *v, uint64_t cycles)
{
    mascar_mode_slept(&sm_of(self, v->sm)->mode, counters_of(self, v->sm), cycles);
}

static uint32_t pick(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates)
{
    look(self, v); /* an ideal SM has no call of its own for every cycle */
    return mascar_mode_pick(self, v, &((const struct config *)self->config)->mode, &sm_of(self, v->sm)->mode, scheduler,
                            candidates);
}

static void order_issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot)
{
    *(struct last_issued *)policy_scheduler_state(self, v->sm, scheduler) = (struct last_issued){ slot, true };
}

static void issued(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active)
{
    (void)active;
    mascar_mode_issued(&sm_of(self, v->sm)->mode, counters_of(self, v->sm), slot, inst);
}

static void warp_end(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot)
{
    struct sm *s = sm_of(self, v->sm);
    if (s->mode.owner == slot)
        s->mode.owner = NO_WARP;
}

static bool may_miss(struct policy_self *self, const struct policy_access *a)
{
    const struct sm *s = sm_of(self, a->sm);
    if (!mascar_mode_is_anothers(&s->mode, a))
        return true;
    if (s->blocked == a->request && a->cycle - s->blocked_since >= ((const struct config *)self->config)->patience)
        return true;
    counters_of(self, a->sm)->misses_refused++;
    return false;
}

static enum policy_refusal refused(struct policy_self *self, const struct policy_access *a, enum policy_cause cause)
{
    struct sm *s = sm_of(self, a->sm);
    if (cause == CAUSE_POLICY && s->blocked != a->request) {
        s->blocked = a->request;
        s->blocked_since = a->cycle;
    }
    return REFUSAL_WAIT;
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    struct sm *s = sm_of(self, a->sm);
    s->blocked = NULL; /* the LSU works in order, so what was refused before has gone */
    if (outcome == OUTCOME_HIT && mascar_mode_is_anothers(&s->mode, a))
        counters_of(self, a->sm)->hits_of_others++;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    (void)config;
    return mascar_mode_hardware(g, rows);
}

const struct policy policy_mascar_schedule = {
    .name = "mascar-schedule",
    .summary = "when memory saturates, arithmetic first and one warp at a time to memory",
    .source = "Sethia et al., HPCA 2015",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &mascar_schedule_stat_group,
    .needs = NEED_NEXT,
    .sizes = sizes,
    .start = start,
    .hardware = hardware,
    .order = { .pick = pick, .issued = order_issued, .cycle = cycle, .slept = slept },
    .sm = { .issued = issued, .warp_end = warp_end },
    .cache = { .may_miss = may_miss, .refused = refused, .accessed = accessed },
};
