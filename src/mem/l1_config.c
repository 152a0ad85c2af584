/* l1_config.c - parameters of the L1 and what must hold between them. */
#include "mem/l1.h"
#include "mem/tag_array.h"

#define STAT_DEF "mem/l1_counters.def"
#define STAT_NAME l1
#include "stat/define.h"

/* Defaults: GTX 480 as the reference configures it (SM2_GTX480). */
const struct param l1_params[] = {
    PARAM_BOOL(struct l1_config, enabled, "l1.enabled", true,
               "global loads and stores go through the L1; off, they skip it in requests of 32 bytes"),
    PARAM_U32(struct l1_config, sets, "l1.sets", 32, 1, 1048576, "sets", "sets; need not be a power of two with the linear index"),
    PARAM_U32(struct l1_config, ways, "l1.ways", 4, 1, 1048576, "ways", "lines per set"),
    PARAM_U32(struct l1_config, line_bytes, "l1.line", 128, 32, 128, "bytes", "line size"),
    PARAM_CHOICE(struct l1_config, index, "l1.index", "fermi-hash", cache_index_names,
                 "set index function; a policy may replace it"),
    PARAM_CHOICE(struct l1_config, replacement, "l1.replacement", "lru", cache_replacement_names,
                 "victim; a policy may replace it"),
    PARAM_U32(struct l1_config, mshr_entries, "l1.mshr_entries", 64, 1, 65536, "entries",
              "lines that may be in flight; with l1.sectored fetches, of one sector or several side by side"),
    PARAM_U32(struct l1_config, mshr_merges, "l1.mshr_merges", 8, 1, 65536, "requests",
              "loads that may wait for one block, the first included"),
    PARAM_U32(struct l1_config, miss_queue, "l1.miss_queue", 8, 2, 65536, "requests",
              "queue to the network; a load miss needs room for two, itself and a write-back"),
    PARAM_U32(struct l1_config, hit_latency, "l1.hit_latency", 35, 1, 10000, "cycles", "from the LSU's dispatch to the tag lookup"),
    PARAM_U32(struct l1_config, port_bytes, "l1.port_bytes", 0, 0, 128, "bytes", "width of the fill port per cycle; 0: the line"),
    PARAM_BOOL(struct l1_config, sectored, "l1.sectored", false,
               "lines have sectors of 32 bytes, and a miss fetches the ones it needs; an MSHR entry per fetch"),
    PARAM_BOOL(struct l1_config, flush, "l1.flush", true, "emptied when its SM has no unfinished thread"),
    PARAM_END
};

bool l1_config_check(const struct l1_config *config, struct error *err)
{
    const struct cache_geometry g = { config->sets, config->ways, config->line_bytes, config->index };
    if (!cache_geometry_check(&g, "l1", err))
        return false;
    if (config->port_bytes && config->line_bytes % config->port_bytes)
        return error_set(err, "l1.port_bytes = %u does not divide l1.line = %u", config->port_bytes, config->line_bytes);
    if (config->sectored && (config->line_bytes != 128 || config->miss_queue < 3 || config->mshr_entries < 2))
        return error_set(
            err,
            "l1.sectored needs l1.line = 128, l1.miss_queue of 3 or more (two fetches and a write-back) and l1.mshr_entries "
            "of 2 or more, not %u, %u and %u",
            config->line_bytes, config->miss_queue, config->mshr_entries);
    return true;
}

bool l1_config_takes_pieces(const struct l1_config *config, const char *owner, struct error *err)
{
    if (config->sectored || (config->otherwise && config->otherwise->fill))
        return error_set(err, "%s stores lines of the L1 in its own way: not with l1.sectored or reference.l1_blind_fills", owner);
    if (config->miss_queue < 3 || config->mshr_entries < 2)
        return error_set(err,
                         "%s needs l1.miss_queue of 3 or more (two fetches and a write-back) and l1.mshr_entries of 2 or more, "
                         "not %u and %u",
                         owner, config->miss_queue, config->mshr_entries);
    return true;
}
