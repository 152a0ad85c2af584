/* A plug-in that hands out CTAs from the last to the first, one SM in two, and counts what it sees started. */
#include "policy/policy.h"

struct counters {
    uint64_t started, descending, on_odd_sms;
};
struct sm {
    uint64_t last;
};

static const struct stat_counter counter_rows[] = {
    { "started", "CTAs", "that started", offsetof(struct counters, started) },
    { "descending", "CTAs", "of these, with a smaller number than the one before on the SM",
      offsetof(struct counters, descending) },
    { "on_odd_sms", "CTAs", "of these, on an SM that should have none", offsetof(struct counters, on_odd_sms) },
    { NULL, NULL, NULL, 0 }
};
static const struct stat_ratio no_ratios[] = { { NULL, NULL, NULL } };
static const struct stat_law no_laws[] = { { NULL, NULL, NULL } };
static const struct stat_group group = { "last_first", sizeof(struct counters), counter_rows, no_ratios, no_laws };

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config, (void)g;
    out->sm = sizeof(struct sm);
}

static uint32_t choose(struct policy_self *self, uint32_t sm, const uint64_t *waiting, uint32_t cta_count)
{
    (void)self;
    for (uint32_t cta = cta_count; sm % 2 == 0 && cta-- > 0;)
        if (waiting[cta / 64] >> cta % 64 & 1)
            return cta;
    return NO_CTA;
}

static void cta_start(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    (void)cta_slot;
    struct counters *c = policy_sm_counters(self, v->sm);
    struct sm *s = policy_sm_state(self, v->sm);
    c->descending += cta < s->last;
    c->on_odd_sms += v->sm % 2;
    c->started++;
    s->last = cta;
}

static const struct policy last_first = { .name = "last-first",
                                          .summary = "for tests",
                                          .source = "here",
                                          .counters = &group,
                                          .sizes = sizes,
                                          .cta.choose = choose,
                                          .sm.cta_start = cta_start };
POLICY_PLUGIN(&last_first);
