/* compressibility - what five algorithms would make of every line that fills the L1 (Arunkumar, 2018, section 4.1.1, figure 4.1):
 * it changes nothing and measures. The ratio is of the sums of bits, of all whole lines of global memory; SC has the tables and
 * periods that it has as a policy (compression.h), and lines that come before its first codes are not counted for it. Beside the
 * bits it adds up sub-blocks of 32 bytes, which is what a cache could gain. */
#include <stdio.h>

#include "policy/compression.h"

struct config {
    struct compression_config base;
};

#define STAT_DEF "policy/compressibility_counters.def"
#define STAT_NAME compressibility
#include "stat/declare.h"
#define STAT_DEF "policy/compressibility_counters.def"
#define STAT_NAME compressibility
#include "stat/define.h"

static const struct param params[] = { PARAM_CHOICE(struct config, base.tables, "tables", "gpu", compression_tables_names,
                                                    "whether SC's tables are one for the GPU, or one for each SM"),
                                       PARAM_U32(struct config, base.phase_accesses, "phase_accesses", 256, 1, 1000000, "accesses",
                                                 "a phase of an L1, for SC's tables"),
                                       PARAM_U32(struct config, base.period_phases, "period_phases", 10, 3, 1000, "phases",
                                                 "a period, after which SC has new codes"),
                                       PARAM_U64(struct config, base.table_cycles, "table_cycles", 32, 1, 64, "cycles",
                                                 "how often the tables of the GPU are brought up to date"),
                                       PARAM_BOOL(struct config, base.stores, "stores", true, "stores are accesses of a phase too"),
                                       PARAM_END };

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    (void)compression_accessed(self, a, outcome);
}

static void filled(struct policy_self *self, const struct policy_access *a, uint32_t way)
{
    (void)way;
    struct compressibility_counters *count = policy_sm_counters(self, a->unit);
    uint8_t data[LINE_MOST_BYTES];
    const uint32_t bytes = self->geometry->cache[LEVEL_L1].line_bytes;
    if (a->local || !self->machine->read_values(self->machine->gpu, a->address, bytes, data))
        return;
    const struct sc_codes *codes = compression_codes(self, a->unit);
    count->lines++;
    count->bits += bytes * 8;
    for (enum algorithm algorithm = ALGORITHM_BDI; algorithm < ALGORITHMS; algorithm++) {
        if (algorithm == ALGORITHM_SC && !codes->count)
            continue;
        const uint32_t packed = compression_bits(algorithm, codes, data, bytes), place = algorithm - ALGORITHM_BDI;
        (&count->bits_bdi)[place] += packed;
        (&count->blocks_bdi)[place] += (packed + SUB_BLOCK_BYTES * 8 - 1) / (SUB_BLOCK_BYTES * 8);
    }
    count->coded_bits += codes->count ? bytes * 8 : 0;
    (void)compression_learn(self, a->unit, data);
}

static void every_cycles(struct policy_self *self, uint64_t cycle)
{
    (void)cycle;
    struct compressibility_counters *count = policy_gpu_counters(self);
    count->codes_built += compression_update_tables(self, NULL);
}

static bool check(const void *config, const struct policy_geometry *g, char *text, size_t size)
{
    (void)config;
    if (g->cache[LEVEL_L1].line_bytes == LINE_MOST_BYTES)
        return true;
    (void)snprintf(text, size, "lines of 128 bytes are compressed: l1.line must be 128, not %u", g->cache[LEVEL_L1].line_bytes);
    return false;
}

const struct policy policy_compressibility = {
    .name = "compressibility",
    .summary = "measure what five algorithms would make of the lines of the L1, and change nothing",
    .source = "Arunkumar, 2018, chapter 4",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &compressibility_stat_group,
    .needs = NEED_VALUES,
    .check = check,
    .sizes = compression_sizes,
    .start = compression_start,
    .cycle_period = compression_cycle_period,
    .gpu.every_cycles = every_cycles,
    .cache = { .accessed = accessed, .filled = filled },
};
