/* ta-drrip - thread-aware dynamic re-reference interval prediction (Jaleel et al., ISCA 2010, section 4.5, which refers to the same
 * authors' TADIP of PACT 2008 for the threads).
 *
 * As drrip, but each thread that shares the cache has a duel of its own: a few sets in which its lines, and only its, are filled as
 * srrip, a few as brrip, and a selector. In all other sets, other threads' leaders among them, its lines follow its selector.
 *
 * Our reading: a thread is a core (of a GPU, an SM); of every `leader_every` sets thread t leads srrip in set 2t and brrip in
 * 2t + 1, where only its own misses move its selector. Every access that takes a line counts as a miss, write-backs among them. */
#include <stdio.h>

#include "policy/rrip.h"

struct config {
    struct rrip_config rrip;
    uint32_t long_every, selector_bits, leader_every;
};
struct thread {
    uint64_t fills;   /* bimodal ones */
    int64_t selector; /* > 0: srrip misses more */
};

static const struct param params[] = {
    RRIP_PARAMS(struct config),
    PARAM_U32(struct config, long_every, "long_every", 32, 1, 65536, "fills",
              "brrip: one fill in so many, on average, is predicted long"),
    PARAM_U32(struct config, selector_bits, "selector_bits", 10, 2, 30, "bits", "width of each thread's counter that chooses"),
    PARAM_U32(struct config, leader_every, "leader_every", 32, 2, 4096, "sets", "each thread has a pair of leader sets in so many"),
    PARAM_END
};

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct config *c = config;
    const bool fits = c->rrip.where.at == REPLACE_L1 || 2 * g->sms <= c->leader_every;
    if (!fits)
        (void)snprintf(text, size, "leader_every is %u: %u threads need two sets each, set it to %u or more", c->leader_every,
                       g->sms, 2 * g->sms);
    return fits;
}

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)config;
    rrip_sizes(out, g->sms * sizeof(struct thread));
}

/* An L1 has one thread, its own SM. */
static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct config *c = self->config;
    const uint32_t number = a->level == LEVEL_L1 ? 0 : a->sm, place = a->set % c->leader_every;
    struct thread *t = (struct thread *)policy_unit_state(self, a->level, a->unit) + number;
    const int64_t limit = ((int64_t)1 << (c->selector_bits - 1)) - 1;
    bool bimodal = t->selector > 0;
    if (place == 2 * number) {
        bimodal = false;
        t->selector += t->selector < limit;
    } else if (place == 2 * number + 1) {
        bimodal = true;
        t->selector -= t->selector > -limit - 1;
    }
    const bool is_long = !bimodal || rrip_draws_long(&t->fills, c->long_every);
    rrip_line_at(self, a, way)->rrpv = (uint8_t)(rrip_distant(self) - is_long);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    return replacement_unit_hardware(c->rrip.where.at, "selectors and generators of draws", g->sms,
                                     c->selector_bits + RRIP_DRAW_BITS, rows, rrip_hardware(config, g, rows));
}

const struct policy policy_ta_drrip = {
    .name = "ta-drrip",
    .summary = "drrip with a choice for each core that shares the cache",
    .source = "Jaleel et al., ISCA 2010",
    .params = params,
    .config_size = sizeof(struct config),
    .check = check,
    .sizes = sizes,
    .levels = replacement_config_levels,
    .hardware = hardware,
    .broken = rrip_broken,
    .cache.replacement = { .victim = rrip_victim, .inserted = inserted, .promoted = rrip_promoted },
};
