/* ship - signature-based hit prediction over srrip (Wu et al., MICRO 2011), with the load's PC as the signature.
 *
 * A table of counters, one per signature, learns whether the lines that a load brings are used again: up at every hit, down when
 * a line leaves that was never hit. A fill of a signature that stands at zero is predicted distant, any other long (the paper says
 * intermediate). As in the paper there are 16K counters of 3 bits, and all sets train them.
 *
 * Decided here: counters begin at 1, so that a load is given a chance before it is judged; a line that a store takes out of an L1
 * has left like any other. */
#include "policy/rrip.h"

struct config {
    struct rrip_config rrip;
    uint32_t counter_bits, signature_bits;
};
struct line {
    struct rrip_line rrip;
    bool hit, filled;
    uint16_t signature;
};

static const struct param params[] = {
    RRIP_PARAMS(struct config),
    PARAM_U32(struct config, counter_bits, "counter_bits", 3, 1, 8, "bits", "width of a signature's counter"),
    PARAM_U32(struct config, signature_bits, "signature_bits", 14, 1, 16, "bits", "the table has 2^this counters per cache"),
    PARAM_END
};

static void sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    (void)g;
    out->sm = out->slice = (size_t)1 << ((const struct config *)config)->signature_bits; /* one byte per counter */
    out->line[LEVEL_L1] = out->line[LEVEL_L2] = sizeof(struct line);
}

static void start(struct policy_self *self)
{
    for (size_t i = 0; self->sm && i < self->size.sm * self->geometry->sms; i++)
        self->sm[i] = 1;
    for (size_t i = 0; self->slice && i < self->size.slice * self->geometry->cache[LEVEL_L2].units; i++)
        self->slice[i] = 1;
}

static uint16_t signature_of(const struct config *c, uint64_t pc)
{
    uint64_t folded = 0;
    for (uint64_t rest = pc >> 3; rest; rest >>= c->signature_bits) /* an instruction takes 8 bytes */
        folded ^= rest;
    return (uint16_t)(folded & ((1u << c->signature_bits) - 1));
}

static void inserted(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const uint8_t *counters = policy_unit_state(self, a->level, a->unit);
    struct line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    const uint16_t signature = signature_of(self->config, a->pc);
    l->signature = signature;
    l->hit = false;
    l->filled = true;
    l->rrip.rrpv = (uint8_t)(rrip_distant(self) - (counters[signature] != 0));
}

static void promoted(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending)
{
    (void)pending;
    const struct config *c = self->config;
    uint8_t *counters = policy_unit_state(self, a->level, a->unit);
    struct line *l = policy_line_state(self, a->level, a->unit, a->set, way);
    l->rrip.rrpv = 0;
    l->hit = true;
    if (counters[l->signature] < (1u << c->counter_bits) - 1)
        counters[l->signature]++;
}

static void removed(struct policy_self *self, const struct policy_evicted *e)
{
    uint8_t *counters = policy_unit_state(self, e->level, e->unit);
    struct line *l = policy_line_state(self, e->level, e->unit, e->set, e->way);
    if (l->filled && !l->hit && counters[l->signature] > 0)
        counters[l->signature]--;
    l->filled = false;
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    const uint32_t at = c->rrip.where.at, bits = c->rrip.bits + c->signature_bits + 1; /* prediction, signature, outcome */
    const uint32_t n = replacement_hardware(at, g, "prediction, signature, outcome", bits, bits, rows);
    return replacement_unit_hardware(at, "signature history counters", (uint64_t)1 << c->signature_bits, c->counter_bits, rows, n);
}

const struct policy policy_ship = {
    .name = "ship",
    .summary = "srrip whose insertion is predicted from the load's PC",
    .source = "Wu et al., MICRO 2011",
    .params = params,
    .config_size = sizeof(struct config),
    .sizes = sizes,
    .start = start,
    .levels = replacement_config_levels,
    .hardware = hardware,
    .broken = rrip_broken,
    .cache.replacement = { .victim = rrip_victim, .inserted = inserted, .promoted = promoted, .removed = removed },
};
