/* cmp_config.h - parameters of a chip of CPU cores: cmp.*. DRAM, its map and its clock are those of dram.*, map.* and
 * gpu.dram_clock. */
#ifndef WARPLINE_CMP_CMP_CONFIG_H
#define WARPLINE_CMP_CMP_CONFIG_H
#include "mem/address_map.h"
#include "mem/dram_timing.h"
#include "param/param.h"
#include "policy/policy.h"
#include "trace/cpu_trace.h"

enum { CMP_LINE_BYTES = 64, CMP_CORES_MAX = 16, CMP_ROB_MAX = 512 };

struct cmp_cache_config {
    uint64_t bytes;
    uint32_t ways, latency;
};

struct cmp_config {
    uint64_t core_khz;
    uint32_t width, rob, store_buffer, mshrs, redirect;
    uint32_t latency[CPU_CLASSES];
    struct cmp_cache_config l1i, l1d, l2, l3; /* l3: bytes per core */
    bool promote_writebacks;
    uint64_t page_seed;
    uint64_t warmup, instructions;
};
extern const struct param cmp_params[];
bool cmp_config_check(const struct cmp_config *config, struct error *err);

static inline uint32_t cmp_cache_sets(const struct cmp_cache_config *c)
{
    return (uint32_t)(c->bytes / CMP_LINE_BYTES / c->ways);
}
/* The chip as policies see it: the shared cache is their "l2", the level in front of memory; a core is an "SM". */
struct policy_geometry cmp_policy_geometry(const struct cmp_config *config, uint32_t cores);
#endif
