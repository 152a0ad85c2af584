/* l1_config.c - parameters of the L1 and what must hold between them. */
#include "mem/l1.h"
#include "mem/tag_array.h"

#define STAT_DEF "mem/l1_counters.def"
#define STAT_NAME l1
#include "stat/define.h"

static const char *const stores_names[] = { "evict", "stay", "through", "evict-all", "back", NULL };

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
    PARAM_BOOL(struct l1_config, sector_requests, "l1.sector_requests", false,
               "with l1.sectored: lanes are grouped by sector, and each sector is an access and a fetch of its own"),
    PARAM_U32(struct l1_config, banks, "l1.banks", 1, 1, 4, "banks",
              "banks by the number of the sector, 1, 2 or 4: each takes an access per cycle, in order; more than one need "
              "l1.sector_requests"),
    PARAM_CHOICE(
        struct l1_config, stores, "l1.stores", "evict", stores_names,
        "evict: global stores take the line that they hit out of the cache, local ones stay in it and are written back; stay, "
        "with l1.sectored: all stores are written through and leave their sectors in it, fetching nothing: a sector is read "
        "from there once all its bytes are known; through, evict-all, back, without sectors: all stores that hit stay and are "
        "written through, take their line out, or stay and are written back"),
    PARAM_BOOL(struct l1_config, allocate_on_miss, "l1.allocate_on_miss", true,
               "a load takes its line at the miss; otherwise when its data come, so that it never waits for a line"),
    PARAM_U32(struct l1_config, written_percent, "l1.written_percent", 0, 0, 100, "%",
              "with l1.stores = stay: written lines are replaced only while at least this part of all lines is written, or a set "
              "has no others; 0: always"),
    PARAM_SIZE(struct l1_config, unified_bytes, "l1.unified", "0", "0", "1MiB",
               "the L1 and shared memory are one memory of this size, and the L1 has what a kernel's shared memory leaves; "
               "0: l1.ways, whatever the kernel"),
    PARAM_LIST(struct l1_config, shared_kib, "l1.shared_sizes", "0,8,16,32,64,96", "KiB",
               "with l1.unified: sizes that shared memory may have, ascending; a kernel gets the smallest that holds its CTAs'"),
    PARAM_BOOL(struct l1_config, flush, "l1.flush", true, "emptied when its SM has no unfinished thread, and by fences"),
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
    if (config->sector_requests && !config->sectored)
        return error_set(err, "l1.sector_requests: only with l1.sectored");
    if (config->banks == 3 || (config->banks > 1 && !config->sector_requests))
        return error_set(err, "l1.banks is %u: 1, 2 or 4, and more than one only with l1.sector_requests", config->banks);
    if (config->stores != L1_STORES_EVICT && (config->stores == L1_STORES_STAY) != config->sectored)
        return error_set(err, "l1.stores = %s: only %s l1.sectored", stores_names[config->stores],
                         config->sectored ? "without" : "with");
    if (!config->allocate_on_miss && (config->sectored || config->stores == L1_STORES_BACK))
        return error_set(err, "l1.allocate_on_miss = false: only without l1.sectored and l1.stores = back");
    if (config->written_percent && config->stores != L1_STORES_STAY)
        return error_set(err, "l1.written_percent: only with l1.stores = stay");
    for (uint32_t i = 0; config->unified_bytes && i < config->shared_kib.count; i++)
        if (config->shared_kib.value[i] * 1024 >= config->unified_bytes ||
            (i && config->shared_kib.value[i] <= config->shared_kib.value[i - 1]))
            return error_set(err, "l1.shared_sizes: ascending sizes below l1.unified are needed, not %llu KiB",
                             (unsigned long long)config->shared_kib.value[i]);
    return true;
}

uint32_t l1_ways_beside(const struct l1_config *config, uint64_t shared_bytes)
{
    const uint64_t way_bytes = (uint64_t)config->sets * config->line_bytes;
    for (uint32_t i = 0; config->unified_bytes && i < config->shared_kib.count; i++) {
        const uint64_t taken = config->shared_kib.value[i] * 1024;
        if (shared_bytes <= taken)
            return (uint32_t)((config->unified_bytes - taken + way_bytes / 2) / way_bytes);
    }
    return config->ways;
}

bool l1_config_takes_pieces(const struct l1_config *config, const char *owner, struct error *err)
{
    if (config->sectored || (config->otherwise && config->otherwise->fill))
        return error_set(err, "%s stores lines of the L1 in its own way: not with l1.sectored or reference.l1_blind_fills", owner);
    if (config->stores != L1_STORES_EVICT || !config->allocate_on_miss)
        return error_set(err, "%s stores lines of the L1 in its own way: only with l1.stores = evict and l1.allocate_on_miss",
                         owner);
    if (config->miss_queue < 3 || config->mshr_entries < 2)
        return error_set(err,
                         "%s needs l1.miss_queue of 3 or more (two fetches and a write-back) and l1.mshr_entries of 2 or more, "
                         "not %u and %u",
                         owner, config->miss_queue, config->mshr_entries);
    return true;
}
