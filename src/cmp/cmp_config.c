/* cmp_config.c - parameters of a chip of CPU cores. Defaults are table 2.3 of paper 002 where it says something. */
#include "cmp/cmp_config.h"

#define T struct cmp_config
#define CACHE(level, size, ways_, cycles, what)                                                                                    \
    PARAM_SIZE(T, level.bytes, "cmp." #level ".size", size, "4KiB", "1GiB", what),                                                 \
        PARAM_U32(T, level.ways, "cmp." #level ".ways", ways_, 1, 64, "ways", "associativity"),                                    \
        PARAM_U32(T, level.latency, "cmp." #level ".latency", cycles, 0, 1000, "cycles", "time of a look-up; levels add up")

/* From the table: 1 GHz, 4-wide, 128 entries, the caches. The table does not give the rest. We take a store buffer of 32 and 16
 * MSHRs per core, as cores of that time had; 12 cycles from the result of a mispredicted branch to the next instruction; and the
 * latencies of Intel's Nehalem, on which the table says its caches are based. */
const struct param cmp_params[] = {
    PARAM_FREQUENCY(T, core_khz, "cmp.clock", "1GHz", "clock of cores and caches"),
    PARAM_U32(T, width, "cmp.width", 4, 1, 16, "instructions", "dispatched, issued and retired per cycle"),
    PARAM_U32(T, rob, "cmp.rob", 128, 8, 512, "instructions", "reorder buffer; a power of two"),
    PARAM_U32(T, store_buffer, "cmp.store_buffer", 32, 1, 512, "instructions", "stores between dispatch and the L1"),
    PARAM_U32(T, mshrs, "cmp.mshrs", 16, 1, 1024, "lines", "lines of a core on their way from the L3 or memory"),
    PARAM_U32(T, redirect, "cmp.redirect", 12, 0, 100, "cycles",
              "from the result of a branch that was predicted wrongly to the next dispatch"),
    PARAM_U32(T, latency[CPU_ALU], "cmp.alu_latency", 1, 1, 64, "cycles", "of an instruction that has no class of its own"),
    PARAM_U32(T, latency[CPU_MULTIPLY], "cmp.multiply_latency", 3, 1, 64, "cycles", "of an integer multiplication"),
    PARAM_U32(T, latency[CPU_DIVIDE], "cmp.divide_latency", 20, 1, 64, "cycles", "of an integer division"),
    PARAM_U32(T, latency[CPU_FLOAT], "cmp.float_latency", 4, 1, 64, "cycles", "of floating-point arithmetic"),
    PARAM_U32(T, latency[CPU_FLOAT_DIVIDE], "cmp.float_divide_latency", 20, 1, 64, "cycles", "of a division or square root"),
    CACHE(l1i, "32KiB", 4, 1, "instruction cache of a core"),
    CACHE(l1d, "32KiB", 8, 1, "data cache of a core"),
    CACHE(l2, "256KiB", 8, 10, "second cache of a core"),
    CACHE(l3, "1MiB", 16, 30, "shared cache, per core"),
    PARAM_BOOL(T, promote_writebacks, "cmp.promote_writebacks", false,
               "a line written back from an L2 to its place in the L3 counts as used"),
    PARAM_U64(T, page_seed, "cmp.page_seed", 88172645463325252, 1, 18446744073709551615, "",
              "pages lie at random places in memory"),
    PARAM_U64(T, warmup, "cmp.warmup", 0, 0, 1000000000000, "instructions", "of each core before it is measured"),
    PARAM_U64(T, instructions, "cmp.instructions", 0, 0, 1000000000000, "instructions",
              "of each core that are measured, after which it runs on until all have theirs; 0: the shortest trace once"),
    PARAM_END
};
#undef CACHE
#undef T

static bool power_of_two(uint64_t x)
{
    return x && (x & (x - 1)) == 0;
}

bool cmp_config_check(const struct cmp_config *c, struct error *err)
{
    const struct {
        const char *name;
        const struct cmp_cache_config *cache;
    } caches[] = { { "l1i", &c->l1i }, { "l1d", &c->l1d }, { "l2", &c->l2 }, { "l3", &c->l3 } };
    if (!power_of_two(c->rob))
        return error_set(err, "cmp.rob is %u: a power of two", c->rob);
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        const struct cmp_cache_config *k = caches[i].cache;
        if (k->bytes % ((uint64_t)CMP_LINE_BYTES * k->ways) || !power_of_two(cmp_cache_sets(k)))
            return error_set(err, "cmp.%s.size is %llu and cmp.%s.ways %u: size / ways / 64 must be a power of two", caches[i].name,
                             (unsigned long long)k->bytes, caches[i].name, k->ways);
    }
    return true;
}

struct policy_geometry cmp_policy_geometry(const struct cmp_config *config, uint32_t cores)
{
    const uint32_t sets = cmp_cache_sets(&config->l3) * cores;
    return (struct policy_geometry){ .modules = 1,
                                     .sms = cores,
                                     .schedulers_per_sm = 1,
                                     .warps_per_sm = 1,
                                     .ctas_per_sm = 1,
                                     .cache[LEVEL_L2] = { .units = 1,
                                                          .sets = sets,
                                                          .ways = config->l3.ways,
                                                          .line_bytes = CMP_LINE_BYTES,
                                                          .mshr_entries = config->mshrs * cores,
                                                          .tags = config->l3.ways } };
}
