/* readonly_config.c - parameters of the read-only caches and what must hold between them. */
#include "mem/readonly_cache.h"
#include "mem/tag_array.h"

/* GTX 480 as GPGPU-Sim configures it (SM2_GTX480). Instruction and constant caches have MSHRs for 2 blocks of 32 waiting reads
 * and a queue of 4 to the network. Its texture cache is the FIFO of texture_fifo.h. Without l1t.in_order textures have an
 * ordinary cache, with as many outstanding lines as the FIFO's queue holds requests. */
#define READONLY_PARAMS(p, sets_, ways_, line_, entries_, merges_, queue_, on_miss_)                                               \
    PARAM_U32(struct readonly_config, sets, p ".sets", sets_, 1, 1048576, "sets", "sets"),                                         \
        PARAM_U32(struct readonly_config, ways, p ".ways", ways_, 1, 1048576, "ways", "lines per set"),                            \
        PARAM_U32(struct readonly_config, line_bytes, p ".line", line_, 32, 128, "bytes", "line size"),                            \
        PARAM_CHOICE(struct readonly_config, index, p ".index", "linear", cache_index_names, "set index function"),                \
        PARAM_CHOICE(struct readonly_config, replacement, p ".replacement", "lru", cache_replacement_names, "victim"),             \
        PARAM_U32(struct readonly_config, mshr_entries, p ".mshr_entries", entries_, 1, 65536, "entries",                          \
                  "blocks that may be in flight"),                                                                                 \
        PARAM_U32(struct readonly_config, mshr_merges, p ".mshr_merges", merges_, 1, 65536, "requests",                            \
                  "reads that may wait for one block"),                                                                            \
        PARAM_U32(struct readonly_config, miss_queue, p ".miss_queue", queue_, 1, 65536, "requests", "queue to the network"),      \
        PARAM_BOOL(struct readonly_config, allocate_on_miss, p ".allocate_on_miss", on_miss_,                                      \
                   "take the line at the miss; otherwise when its data come"),                                                     \
        PARAM_BOOL(struct readonly_config, perfect, p ".perfect", false, "every read hits, the first included")

const struct param l1i_params[] = { READONLY_PARAMS("l1i", 4, 4, 128, 2, 32, 4, false), PARAM_END };
const struct param l1c_params[] = { READONLY_PARAMS("l1c", 64, 2, 64, 2, 32, 4, false), PARAM_END };
const struct param l1t_params[] = {
    READONLY_PARAMS("l1t", 4, 24, 128, 4, 32, 4, true),
    PARAM_BOOL(
        struct readonly_config, in_order, "l1t.in_order", true,
        "results leave in the order of the reads, through a queue of fragments, as in the reference; MSHRs are not used then"),
    PARAM_U32(struct readonly_config, fragments, "l1t.fragments", 128, 1, 65536, "reads",
              "in order: reads on their way, hits and misses"),
    PARAM_U32(struct readonly_config, reorder, "l1t.reorder", 128, 1, 65536, "lines",
              "in order: entries of the reorder buffer, one per miss"),
    PARAM_U32(struct readonly_config, results, "l1t.results", 2, 1, 65536, "reads",
              "in order: results that wait for the LSU's write-back"),
    PARAM_END
};

bool readonly_config_check(const struct readonly_config *config, const char *name, struct error *err)
{
    const struct cache_geometry g = { config->sets, config->ways, config->line_bytes, config->index };
    return cache_geometry_check(&g, name, err);
}
