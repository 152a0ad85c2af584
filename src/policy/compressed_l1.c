/* compressed-l1 - an L1 whose lines are all compressed with one algorithm: the static policies that LATTE-CC is compared with
 * (Arunkumar, 2018, sections 4.1 and 4.3.4). The presets static-bdi, static-fpc, static-cpack, static-bpc and static-sc name the
 * algorithms; `effect` capacity is figure 4.2 and `effect` latency figure 4.3. How the cache works, and what the text leaves open,
 * is in compression.h.
 *
 * `algorithm` may be given per kernel: the best for each is Kernel-OPT (section 4.3.5). */
#include "policy/compression.h"

struct config {
    struct compression_config base;
    uint32_t algorithm;
};

#define STAT_DEF "policy/compression_counters.def"
#define STAT_NAME compressed_l1
#include "stat/declare.h"
#define STAT_DEF "policy/compression_counters.def"
#define STAT_NAME compressed_l1
#include "stat/define.h"

static const struct param params[] = { PARAM_CHOICE(struct config, algorithm, "algorithm", "bdi", algorithm_names,
                                                    "with which lines are compressed; none: the plain L1"),
                                       COMPRESSION_PARAMS(struct config), PARAM_END };

static uint32_t stored_bytes(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled)
{
    const struct config *c = self->config;
    return compression_stored_bytes(self, a, way, fetched, filled, c->algorithm);
}

static void accessed(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way)
{
    (void)way;
    (void)compression_accessed(self, a, outcome);
}

static uint32_t hardware(const void *config, const struct policy_geometry *g, struct policy_hardware rows[])
{
    const struct config *c = config;
    return compression_hardware(&c->base, g, c->algorithm == ALGORITHM_SC, rows);
}

static const struct policy_energy energy[] = COMPRESSION_ENERGY("compressed_l1");

const struct policy policy_compressed_l1 = {
    .name = "compressed-l1",
    .summary = "compress every line of the L1 with one algorithm",
    .source = "Arunkumar, 2018, chapter 4",
    .params = params,
    .config_size = sizeof(struct config),
    .counters = &compressed_l1_stat_group,
    .needs = NEED_VALUES,
    .per_kernel = "algorithm",
    .check = compression_check,
    .sizes = compression_sizes,
    .start = compression_start,
    .hardware = hardware,
    .energy = energy,
    .cycle_period = compression_cycle_period,
    .broken = compression_broken,
    .gpu.every_cycles = compression_serial,
    .cache = { .storage = { .tags_per_set = compression_tags_per_set,
                            .set_bytes = compression_set_bytes,
                            .stored_bytes = stored_bytes,
                            .fill_cycles = compression_fill_cycles,
                            .hit_cycles = compression_hit_cycles },
               .accessed = accessed,
               .filled = compression_filled,
               .evicted = compression_evicted },
};
