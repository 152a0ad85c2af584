/* cmp.h - a chip of CPU cores over one shared cache and memory: give it traces, one per core, get cycles and counters.
 *
 * Every core runs its trace; the first cmp.warmup instructions are not counted, and the next cmp.instructions are. Then the core
 * runs on, if need be from the beginning of its trace, until all cores have finished theirs (paper 002, section 2.3.2). */
#ifndef WARPLINE_CMP_CMP_H
#define WARPLINE_CMP_CMP_H
#include "cmp/cmp_config.h"
#include "policy/policy_set.h"

struct cmp_machine { /* everything that is configured */
    struct cmp_config cmp;
    struct dram_config dram;
    struct address_map_config map;
    uint64_t dram_khz;
};
bool cmp_machine_check(const struct cmp_machine *machine, struct error *err);

struct cmp_limits {
    bool functional; /* caches in program order, no time */
    const volatile int *interrupted;
};

struct cmp;
/* One core per trace; the traces are the caller's. Policies may be NULL. */
struct cmp *cmp_new(const struct cmp_machine *machine, const struct policy_set *policies, struct cpu_trace *const *traces,
                    uint32_t cores, const struct cmp_limits *limits, struct error *err);
void cmp_free(struct cmp *cmp);
/* False when a trace is damaged or too short. */
bool cmp_run(struct cmp *cmp, struct error *err);

/* Groups of counters: cpu and llc per core; dram and those of policies for the chip, warm-up included. */
const struct stat_group *const *cmp_stat_groups(const struct cmp *cmp, uint32_t *count);
struct cmp_core_result {
    uint64_t cycles, instructions;
    bool complete; /* false: stopped before it had its instructions */
};
/* `counters`: one struct per group; those of the chip are left as they are. */
struct cmp_core_result cmp_core_counters(const struct cmp *cmp, uint32_t core, void *const *counters);
void cmp_chip_counters(struct cmp *cmp, void *const *counters);
#endif
