/* compression.c - what the policies with a compressed L1 share. See compression.h. */
#include "policy/compression.h"

#include <stdio.h>

const char *const algorithm_names[] = { "none", "bdi", "fpc", "cpack", "bpc", "sc", NULL };
const char *const compression_effect_names[] = { "both", "capacity", "latency", NULL };
const char *const compression_decompressor_names[] = { "queue", "pipeline", NULL };
const char *const compression_reserve_names[] = { "least", "line", NULL };
const char *const compression_tables_names[] = { "gpu", "sm", NULL };
const char *const compression_drop_names[] = { "coded", "all", NULL };

enum { LISTED = ALGORITHMS - 1 }; /* algorithms with cycles of their own */

/* ---- declaration ------------------------------------------------------------------------------------------------------ */

bool compression_check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    const struct compression_config *c = config;
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    if (l1->line_bytes != LINE_MOST_BYTES)
        (void)snprintf(text, size, "lines of 128 bytes are compressed: l1.line must be 128, not %u", l1->line_bytes);
    else if (l1->ways * TAGS_PER_WAY > 64)
        (void)snprintf(text, size, "four times the tags: an L1 of at most 16 ways, not %u", l1->ways);
    else if (c->compress_cycles.count != LISTED || c->decompress_cycles.count != LISTED)
        (void)snprintf(text, size, "compress_cycles and decompress_cycles each need five numbers: bdi, fpc, cpack, bpc, sc");
    else
        return true;
    return false;
}

static uint32_t unit_count(const struct compression_config *c, const struct policy_geometry *g)
{
    return c->tables == TABLES_SM ? g->sms : 1;
}

void compression_sizes(const void *config, const struct policy_geometry *g, struct policy_sizes *out)
{
    out->gpu = sizeof(struct compression_gpu) + unit_count(config, g) * sizeof(struct sc_unit);
    out->sm = sizeof(struct compression_sm);
    out->line[LEVEL_L1] = sizeof(struct compression_line);
}

void compression_start(struct policy_self *self)
{
    struct compression_gpu *gpu = policy_gpu_state(self);
    gpu->units = unit_count(self->config, self->geometry);
    for (uint32_t u = 0; u < gpu->units; u++)
        gpu->unit[u].learning = true;
}

uint64_t compression_cycle_period(const void *config)
{
    return ((const struct compression_config *)config)->table_cycles;
}

/* ---- lines ------------------------------------------------------------------------------------------------------------ */

static void pack(enum algorithm algorithm, const struct sc_codes *codes, const uint8_t *line, uint32_t bytes,
                 struct packed_line *out)
{
    switch (algorithm) {
    case ALGORITHM_BDI: bdi_pack(line, bytes, out); break;
    case ALGORITHM_FPC: fpc_pack(line, bytes, out); break;
    case ALGORITHM_CPACK: cpack_pack(line, bytes, out); break;
    case ALGORITHM_BPC: bpc_pack(line, bytes, out); break;
    case ALGORITHM_SC: sc_pack(codes, line, bytes, out); break;
    default: out->bits = bytes * 8; break;
    }
}

#ifndef NDEBUG
static void unpack(enum algorithm algorithm, const struct sc_codes *codes, const struct packed_line *in, uint32_t bytes,
                   uint8_t *line)
{
    switch (algorithm) {
    case ALGORITHM_BDI: bdi_unpack(in, bytes, line); break;
    case ALGORITHM_FPC: fpc_unpack(in, bytes, line); break;
    case ALGORITHM_CPACK: cpack_unpack(in, bytes, line); break;
    case ALGORITHM_BPC: bpc_unpack(in, bytes, line); break;
    default: sc_unpack(codes, in, bytes, line); break;
    }
}
#endif

uint32_t compression_bits(enum algorithm algorithm, const struct sc_codes *codes, const uint8_t *line, uint32_t bytes)
{
    struct packed_line packed;
    pack(algorithm, codes, line, bytes, &packed);
#ifndef NDEBUG
    if (algorithm != ALGORITHM_NONE) {
        uint8_t again[LINE_MOST_BYTES];
        unpack(algorithm, codes, &packed, bytes, again);
        if (memcmp(line, again, bytes) != 0)
            panic("a line that %s compressed to %u bits is not what it was", algorithm_names[algorithm], packed.bits);
    }
#endif
    return packed.bits;
}

static struct sc_unit *unit_of(const struct policy_self *self, uint32_t sm)
{
    struct compression_gpu *gpu = policy_gpu_state(self);
    return &gpu->unit[gpu->units == 1 ? 0 : sm];
}

const struct sc_codes *compression_codes(const struct policy_self *self, uint32_t sm)
{
    return &unit_of(self, sm)->codes;
}

/* The tables belong to the GPU and are written at the serial point. Until then the line waits in its SM. */
bool compression_learn(struct policy_self *self, uint32_t sm, const uint8_t *line)
{
    struct compression_sm *s = policy_sm_state(self, sm);
    if (!unit_of(self, sm)->learning || s->staged == STAGE_LINES)
        return false;
    memcpy(s->stage[s->staged++], line, LINE_MOST_BYTES);
    return true;
}

/* ---- storage ---------------------------------------------------------------------------------------------------------- */

uint32_t compression_tags_per_set(struct policy_self *self, uint32_t level)
{
    return self->geometry->cache[level].ways * TAGS_PER_WAY;
}

uint32_t compression_set_bytes(struct policy_self *self, uint32_t level)
{
    return self->geometry->cache[level].ways * self->geometry->cache[level].line_bytes;
}

/* Space that the data take. The line remembers how they are stored. */
static uint32_t compress_line(struct policy_self *self, const struct policy_access *a, struct compression_line *line,
                              enum algorithm algorithm)
{
    const struct compression_config *c = self->config;
    struct compression_counters *count = policy_sm_counters(self, a->unit);
    uint8_t data[LINE_MOST_BYTES];
    if (!self->machine->read_values(self->machine->gpu, a->address, sizeof data, data))
        return LINE_MOST_BYTES;
    count->codes_learnt += compression_learn(self, a->unit, data);
    const struct sc_unit *unit = unit_of(self, a->unit);
    if (algorithm == ALGORITHM_NONE || (algorithm == ALGORITHM_SC && !unit->generation))
        return LINE_MOST_BYTES;
    const uint32_t bits = compression_bits(algorithm, &unit->codes, data, sizeof data);
    const uint32_t bytes = (bits + SUB_BLOCK_BYTES * 8 - 1) / (SUB_BLOCK_BYTES * 8) * SUB_BLOCK_BYTES;
    (&count->compressions_bdi)[algorithm - ALGORITHM_BDI]++;
    count->tried_bits += sizeof data * 8;
    count->packed_bits += bits;
    if (bytes >= LINE_MOST_BYTES)
        return LINE_MOST_BYTES;
    line->algorithm = (uint8_t)algorithm;
    line->generation = unit->generation;
    return c->effect == EFFECT_LATENCY ? LINE_MOST_BYTES : bytes;
}

uint32_t compression_stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched,
                                  bool filled, enum algorithm algorithm)
{
    const struct compression_config *c = self->config;
    const bool whole = fetched == LINE_MOST_BYTES && !a->local;
    if (!filled) {
        const bool least = whole && algorithm != ALGORITHM_NONE && c->reserve == RESERVE_LEAST && c->effect != EFFECT_LATENCY;
        return least ? SUB_BLOCK_BYTES : fetched;
    }
    struct compression_counters *count = policy_sm_counters(self, a->unit);
    struct compression_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    line->address = a->address;
    line->algorithm = ALGORITHM_NONE;
    const uint32_t bytes = whole ? compress_line(self, a, line, algorithm) : fetched;
    count->fills++;
    (&count->sizes_32)[bytes / SUB_BLOCK_BYTES - 1]++;
    return bytes;
}

uint32_t compression_fill_cycles(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct compression_config *c = self->config;
    const struct compression_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    if (line->algorithm == ALGORITHM_NONE || c->effect == EFFECT_CAPACITY)
        return 0;
    return (uint32_t)c->compress_cycles.value[line->algorithm - ALGORITHM_BDI];
}

uint32_t compression_decompress_cycles(const struct compression_config *c, enum algorithm algorithm)
{
    return algorithm == ALGORITHM_NONE || c->effect == EFFECT_CAPACITY
               ? 0
               : (uint32_t)c->decompress_cycles.value[algorithm - ALGORITHM_BDI];
}

/* Equation 4.3. Each line before this one, including the one under way, takes the decompressor's cycles. */
uint32_t compression_hit_cycles(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    const struct compression_config *c = self->config;
    const struct compression_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    const uint32_t cycles = compression_decompress_cycles(c, line->algorithm);
    if (line->algorithm == ALGORITHM_NONE)
        return 0;
    struct compression_sm *s = policy_sm_state(self, a->unit);
    struct compression_counters *count = policy_sm_counters(self, a->unit);
    uint64_t *free_at = &s->free_at[line->algorithm];
    const uint64_t busy = c->decompressor == DECOMPRESSOR_QUEUE && *free_at > a->cycle ? *free_at - a->cycle : 0;
    const uint32_t position = cycles ? (uint32_t)((busy + cycles - 1) / cycles) : 0;
    *free_at = a->cycle + busy + cycles;
    (&count->decompressions_bdi)[line->algorithm - ALGORITHM_BDI]++;
    count->decompress_cycles += (uint64_t)cycles * (position + 1);
    count->decompress_waited += (uint64_t)cycles * position;
    return cycles * (position + 1);
}

/* ---- events ----------------------------------------------------------------------------------------------------------- */

bool compression_accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome)
{
    const struct compression_config *c = self->config;
    struct compression_sm *s = policy_sm_state(self, a->unit);
    if (outcome == OUTCOME_BYPASSED || outcome == OUTCOME_ELSEWHERE || (a->write && !c->stores))
        return false;
    s->accesses++;
    return true;
}

void compression_filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    struct compression_sm *s = policy_sm_state(self, a->unit);
    struct compression_line *line = policy_line_state(self, LEVEL_L1, a->unit, a->set, way);
    s->resident += !line->valid;
    line->valid = true;
}

void compression_evicted(struct policy_self *self, const struct policy_evicted *e)
{
    struct compression_sm *s = policy_sm_state(self, e->unit);
    struct compression_counters *count = policy_sm_counters(self, e->unit);
    struct compression_line *line = policy_line_state(self, LEVEL_L1, e->unit, e->set, e->way);
    if (line->valid)
        s->resident--;
    else
        count->not_kept += e->reason == EVICTED_BY_FILL;
    line->valid = false;
    line->algorithm = ALGORITHM_NONE;
}

const char *compression_broken(const struct policy_self *self)
{
    const struct policy_cache_geometry *l1 = &self->geometry->cache[LEVEL_L1];
    for (uint32_t sm = 0; sm < self->geometry->sms; sm++) {
        const struct compression_sm *s = policy_sm_state(self, sm);
        uint64_t valid = 0;
        for (uint32_t i = 0; i < l1->sets * l1->tags; i++)
            valid += ((const struct compression_line *)policy_line_state(self, LEVEL_L1, sm, i / l1->tags, i % l1->tags))->valid;
        if (valid != s->resident)
            return "the lines that hold data are not as many as were counted";
    }
    return NULL;
}

/* ---- the serial point: SC's tables, and how much the caches hold -------------------------------------------------------- */

static void drop_old(struct policy_self *self, uint32_t sm, uint32_t generation)
{
    const struct compression_config *c = self->config;
    const struct policy_cache_geometry *l1 = &self->geometry->cache[LEVEL_L1];
    struct compression_counters *count = policy_gpu_counters(self);
    for (uint32_t i = 0; i < l1->sets * l1->tags; i++) {
        const struct compression_line *line = policy_line_state(self, LEVEL_L1, sm, i / l1->tags, i % l1->tags);
        const bool old = line->algorithm == ALGORITHM_SC && line->generation != generation;
        if (line->valid && (old || c->drop == DROP_ALL))
            count->codes_dropped += self->machine->drop_line(self->machine->gpu, sm, line->address);
    }
}

/* A phase of SC's tables ends. True: it was a learning phase, and there are new codes. */
static bool end_phase(const struct compression_config *c, struct sc_unit *unit)
{
    const bool learnt = unit->learning;
    unit->phase++;
    if (learnt) {
        sc_codes_build(&unit->codes, &unit->table);
        sc_table_clear(&unit->table);
        unit->generation++;
    }
    unit->learning = unit->phase % c->period_phases == c->period_phases - 1;
    return learnt;
}

static uint64_t learn_staged(struct policy_self *self, struct sc_unit *unit, uint32_t first_sm, uint32_t end_sm)
{
    uint64_t accesses = 0;
    for (uint32_t sm = first_sm; sm < end_sm; sm++) {
        struct compression_sm *s = policy_sm_state(self, sm);
        for (uint32_t i = 0; i < s->staged; i++)
            sc_table_learn(&unit->table, s->stage[i], LINE_MOST_BYTES);
        s->staged = 0;
        accesses += s->accesses;
    }
    return accesses;
}

uint32_t compression_update_tables(struct policy_self *self,
                                   void (*new_codes)(struct policy_self *self, uint32_t sm, uint32_t generation))
{
    const struct compression_config *c = self->config;
    struct compression_gpu *gpu = policy_gpu_state(self);
    const uint32_t sms = self->geometry->sms / gpu->units;
    uint32_t built = 0;
    for (uint32_t u = 0; u < gpu->units; u++) {
        struct sc_unit *unit = &gpu->unit[u];
        const uint64_t accesses = learn_staged(self, unit, u * sms, (u + 1) * sms);
        while (unit->phase < accesses / ((uint64_t)c->phase_accesses * sms)) {
            if (!end_phase(c, unit))
                continue;
            built++;
            for (uint32_t sm = u * sms; new_codes && sm < (u + 1) * sms; sm++)
                new_codes(self, sm, unit->generation);
        }
    }
    return built;
}

void compression_serial(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    const struct policy_geometry *g = self->geometry;
    struct compression_counters *count = policy_gpu_counters(self);
    count->codes_built += compression_update_tables(self, drop_old);
    for (uint32_t sm = 0; sm < g->sms; sm++)
        count->capacity_lines += ((const struct compression_sm *)policy_sm_state(self, sm))->resident;
    count->capacity_plain += (uint64_t)g->sms * g->cache[LEVEL_L1].sets * g->cache[LEVEL_L1].ways;
}

/* ---- what it costs ---------------------------------------------------------------------------------------------------- */

static uint64_t bits_for(uint64_t values)
{
    return values > 1 ? 64 - (uint64_t)__builtin_clzll(values - 1) : 0;
}

uint32_t compression_hardware(const struct compression_config *c, const struct policy_geometry *g, bool sc,
                              struct policy_hardware rows[])
{
    const struct policy_cache_geometry *l1 = &g->cache[LEVEL_L1];
    const uint64_t tags = (uint64_t)l1->sets * l1->ways * TAGS_PER_WAY, plain = (uint64_t)l1->sets * l1->ways;
    const uint64_t tag_bits = 32 - bits_for(l1->line_bytes) - bits_for(l1->sets);
    const enum policy_scope scope = c->tables == TABLES_SM ? PER_SM : PER_GPU;
    uint32_t n = 0;
    if (sc) { /* 5.5, 7 and 3 KB are printed; how the codes' 7 bytes and the decoder's 3 are used is not */
        rows[n++] = (struct policy_hardware){ SC_TABLE_ROW, scope, SC_ENTRIES, 32 + 12 };
        rows[n++] = (struct policy_hardware){ SC_CODES_ROW, scope, SC_ENTRIES, 56 };
        rows[n++] = (struct policy_hardware){ SC_DECODER_ROW, scope, SC_ENTRIES, 24 };
    }
    rows[n++] = (struct policy_hardware){ "further tags (tag, valid)", PER_SM, tags - plain, tag_bits + 1 };
    rows[n++] = (struct policy_hardware){ "encoding and policy of each tag", PER_SM, tags, 4 + 2 };
    return n;
}
