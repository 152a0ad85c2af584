/* l15_config.c - parameters of the modules' L1.5 and what must hold between them. */
#include "mem/l2_slice.h"
#include "mem/tag_array.h"

#define STAT_DEF "mem/l2_counters.def"
#define STAT_NAME l15
#include "stat/define.h"

static const char *const keeps_names[] = { "nothing", "remote", "all", NULL };

/* Defaults: 2 MB for each of four modules of 32 slices, the final machine of paper 002, chapter 5. The chapter prints neither ways
 * nor latency: the ways are its L2's, the latency is half of it. */
#define T struct l15_config
const struct param l15_params[] = {
    PARAM_CHOICE(T, keeps, "l15.keeps", "nothing", keeps_names,
                 "what a module's L1.5 keeps: nothing (there is none), lines of other modules' memory, or all lines"),
    PARAM_BOOL(T, fence, "l15.fence", true, "emptied, too, when a fence empties an L1 of its module, as it is when a kernel ends"),
    PARAM_U32(T, cache.sets, "l15.sets", 32, 1, 1048576, "sets", "sets per bank; a module has as many banks as L2 slices"),
    PARAM_U32(T, cache.ways, "l15.ways", 16, 1, 1048576, "ways", "lines per set"),
    PARAM_CHOICE(T, cache.index, "l15.index", "linear", cache_index_names, "set index function over the address within the slice"),
    PARAM_CHOICE(T, cache.replacement, "l15.replacement", "lru", cache_replacement_names, "victim; a policy may replace it"),
    PARAM_U32(T, cache.mshr_entries, "l15.mshr_entries", 256, 1, 65536, "entries", "sectors that may be in flight, per bank"),
    PARAM_U32(T, cache.mshr_merges, "l15.mshr_merges", 64, 1, 65536, "requests",
              "reads that may wait for one sector, the first included"),
    PARAM_U32(T, cache.miss_queue, "l15.miss_queue", 16, 2, 65536, "requests", "queue to the links inside the bank"),
    PARAM_U32(T, cache.port_bytes, "l15.port_bytes", 32, 0, 128, "bytes",
              "width of the data and fill ports per cycle; 0: the line"),
    PARAM_U32(T, cache.rop_latency, "l15.latency", 60, 0, 100000, "L2 cycles", "from the network to the bank's input queue"),
    PARAM_U32(T, cache.input_queue, "l15.input_queue", 64, 1, 65536, "requests", "queue between network and cache"),
    PARAM_U32(T, cache.output_queue, "l15.output_queue", 64, 1, 65536, "requests", "queue between cache and network"),
    PARAM_END
};
#undef T

bool l15_config_check(const struct l15_config *config, const struct l2_config *l2, struct error *err)
{
    const struct cache_geometry g = { config->cache.sets, config->cache.ways, l2->line_bytes, config->cache.index };
    if (config->keeps == L15_NOTHING)
        return true;
    if (config->cache.port_bytes && l2->line_bytes % config->cache.port_bytes)
        return error_set(err, "l15.port_bytes = %u does not divide l2.line = %u", config->cache.port_bytes, l2->line_bytes);
    return cache_geometry_check(&g, "l15", err);
}
