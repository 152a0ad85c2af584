/* l2_config.c - parameters of the L2 and what must hold between them. */
#include "mem/l2_slice.h"
#include "mem/tag_array.h"

#define STAT_DEF "mem/l2_counters.def"
#define STAT_NAME l2
#include "stat/define.h"

static const char *const stores_names[] = { "allocate", "around", "through", NULL };
static const char *const full_set_names[] = { "wait", "around", NULL };

/* Defaults: GTX 480 as the reference configures it (SM2_GTX480): 12 slices of these, 768 KB in all. */
const struct param l2_params[] = {
    PARAM_BOOL(struct l2_config, enabled, "l2.enabled", true, "off: every request goes on to DRAM"),
    PARAM_U32(struct l2_config, sets, "l2.sets", 64, 1, 1048576, "sets", "sets per slice; need not be a power of two"),
    PARAM_U32(struct l2_config, ways, "l2.ways", 8, 1, 1048576, "ways", "lines per set"),
    PARAM_U32(struct l2_config, line_bytes, "l2.line", 128, 32, 128, "bytes", "line size, in sectors of 32 bytes"),
    PARAM_CHOICE(struct l2_config, index, "l2.index", "linear", cache_index_names,
                 "set index function over the address within the slice"),
    PARAM_CHOICE(struct l2_config, replacement, "l2.replacement", "lru", cache_replacement_names,
                 "victim; a policy may replace it"),
    PARAM_U32(struct l2_config, mshr_entries, "l2.mshr_entries", 256, 1, 65536, "entries",
              "sectors, or lines (l2.mshr_unit), that may be in flight, per slice"),
    PARAM_CHOICE(
        struct l2_config, mshr_unit, "l2.mshr_unit", "sector", count_unit_names,
        "what l2.mshr_entries counts: a fetch is of one sector, papers count lines; n lines are n times l2.line / 32 fetches"),
    PARAM_U32(struct l2_config, mshr_merges, "l2.mshr_merges", 4, 1, 65536, "requests",
              "reads that may wait for one sector, the first included"),
    PARAM_U32(struct l2_config, miss_queue, "l2.miss_queue", 4, 2, 65536, "requests",
              "queue to DRAM inside the slice; a read miss needs room for two, itself and a write-back"),
    PARAM_U32(struct l2_config, port_bytes, "l2.port_bytes", 32, 0, 128, "bytes",
              "width of the data and fill ports per cycle; 0: the line"),
    PARAM_U32(struct l2_config, rop_latency, "l2.rop_latency", 120, 0, 100000, "L2 cycles",
              "from the network to the slice's input queue"),
    PARAM_U32(struct l2_config, input_queue, "l2.input_queue", 64, 1, 65536, "requests", "queue between network and cache"),
    PARAM_U32(struct l2_config, output_queue, "l2.output_queue", 64, 1, 65536, "requests", "queue between cache and network"),
    PARAM_BOOL(struct l2_config, memcpy_fills, "l2.memcpy_fills", true, "host copies to the device leave their sectors in the L2"),
    PARAM_CHOICE(struct l2_config, stores, "l2.stores", "allocate", stores_names,
                 "allocate: stores stay in a line, a new one if need be, and are written back; around: those that miss go to DRAM, "
                 "which acknowledges them; through: those that hit go there as well, and nothing is written back"),
    PARAM_CHOICE(struct l2_config, full_set, "l2.full_set", "wait", full_set_names,
                 "an access whose set has only lines on their way waits, or goes around the cache (not atomics)"),
    PARAM_END
};

uint32_t l2_mshr_sectors(const struct l2_config *config)
{
    return count_in_sectors(config->mshr_entries, config->mshr_unit, config->line_bytes);
}

bool l2_config_check(const struct l2_config *config, struct error *err)
{
    const struct cache_geometry g = { config->sets, config->ways, config->line_bytes, config->index };
    if (!cache_geometry_check(&g, "l2", err))
        return false;
    if (config->port_bytes && config->line_bytes % config->port_bytes)
        return error_set(err, "l2.port_bytes = %u does not divide l2.line = %u", config->port_bytes, config->line_bytes);
    return true;
}

bool l2_config_fits(const struct l2_config *config, const struct address_map_config *map, uint32_t largest_line, struct error *err)
{
    if (config->line_bytes < largest_line)
        return error_set(err, "l2.line = %u is shorter than a line of %u bytes above it: a request must lie in one line",
                         config->line_bytes, largest_line);
    uint64_t slice_stride = UINT64_C(1) << map->channel_shift;
    for (uint32_t i = 0; (1u << i) < map->slices_per_channel; i++)
        if (UINT64_C(1) << map->bank_bits.value[i] < slice_stride)
            slice_stride = UINT64_C(1) << map->bank_bits.value[i];
    if (config->line_bytes > slice_stride)
        return error_set(
            err,
            "l2.line = %u: addresses change slice every %llu bytes (map.channel_shift, map.bank_bits), and a line must "
            "lie in one",
            config->line_bytes, (unsigned long long)slice_stride);
    return true;
}
