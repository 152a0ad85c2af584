/* core.h - one out-of-order core and its own caches.
 *
 * No cycle is stepped. Instructions are dispatched in program order, and the time of everything is computed as soon as it is known:
 * an instruction issues when its sources are ready and a slot is free, completes after its latency, and retires in order, `width`
 * of each per cycle; dispatch waits for a place in the reorder buffer. Only what leaves the L2 has an unknown time: those
 * instructions, and what depends on them, wait in lists until the line comes.
 *
 * The core's own caches see accesses in program order when they are dispatched; the shared cache and memory see them in the
 * order of time. A line on its way is in the tags at once, and an access that hits it waits for it. Dependences go through
 * registers; a load does not wait for an older store. The wrong path after a mispredicted branch is not fetched. */
#ifndef WARPLINE_CMP_CORE_H
#define WARPLINE_CMP_CORE_H
#include "cmp/cmp_config.h"

#define STAT_DEF "cmp/cpu_counters.def"
#define STAT_NAME cpu
#include "stat/declare.h"

struct core;
/* What a core asks of the chip: to look for a line in the shared cache at a given cycle (core_filled answers), and to take a
 * dirty line. */
struct core_port {
    void *chip;
    void (*read)(void *chip, uint32_t core, uint64_t miss, uint64_t cycle);
    void (*write)(void *chip, uint32_t core, uint64_t line, uint64_t cycle);
    void (*mark)(void *chip, uint32_t core, bool end); /* the warm-up has ended; the measured part has */
};

struct core *core_new(const struct cmp_config *config, uint32_t index, struct cpu_trace *trace, const struct core_port *port);
void core_free(struct core *core);

/* Dispatches what can be dispatched before `until`. False: the trace is damaged or too short. */
bool core_run(struct core *core, uint64_t until, struct error *err);
/* The cycle at which it could go on dispatching; UINT64_MAX: it waits for a line. */
uint64_t core_next(const struct core *core);
/* The line of the miss is here; with the port's `read` a hit is told in the same way. */
void core_filled(struct core *core, uint64_t miss, uint64_t cycle);
struct core_miss {
    uint64_t line, pc;
    bool write;
};
struct core_miss core_miss_of(const struct core *core, uint64_t miss);

/* The next instruction's accesses in program order, without time. `missed` is called for each line that is not in the L2. */
bool core_step_functional(struct core *core, struct error *err);

bool core_has_finished(const struct core *core);            /* the measured part */
struct cpu_counters core_counters(const struct core *core); /* of the measured part, or of as much of it as there is */
#endif
