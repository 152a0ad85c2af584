/* cmp.c - a chip of cores: decides who acts next. Time moves from one event to the next: a line comes from memory, the shared
 * cache is asked, or a core may dispatch again. Events of one cycle happen in that order, and cores act in the order of their
 * numbers. */
#include "cmp/cmp.h"

#include <stdlib.h>
#include <string.h>

#include "cmp/core.h"
#include "cmp/memory.h"
#include "cmp/shared_cache.h"

/* How far a core may dispatch ahead of the rest of the chip when nothing holds it up. */
enum { WINDOW = 512, GROUPS = 3 + POLICIES_MAX, SHARED_GROUPS = 2 };

struct event { /* the shared cache is asked */
    uint64_t cycle, order;
    uint64_t what; /* a miss of the core, or a line that it writes back */
    uint32_t core;
    bool write;
};

struct cmp {
    struct cmp_machine machine;
    struct cmp_limits limits;
    uint32_t cores;
    struct core *core[CMP_CORES_MAX];
    struct shared_cache *llc;
    struct cmp_memory *memory; /* NULL: functional */
    struct policy_instance *policies;
    struct event *heap; /* the next one first */
    uint32_t count, room;
    uint64_t order, now;
    bool ready[CMP_CORES_MAX]; /* something arrived for it, so it may go on */
    struct llc_counters before[CMP_CORES_MAX], after[CMP_CORES_MAX];
    const struct stat_group *groups[GROUPS];
    uint32_t group_count;
};

bool cmp_machine_check(const struct cmp_machine *m, struct error *err)
{
    if (!cmp_config_check(&m->cmp, err) || !address_map_config_check(&m->map, err) || !dram_config_check(&m->dram, &m->map, err))
        return false;
    if (m->map.slices_per_channel != 1)
        return error_set(err, "map.slices_per_channel is %u: a CPU has one shared cache, take --config cmp or set it to 1",
                         m->map.slices_per_channel);
    return true;
}

/* ---- events ---- */

/* In one cycle reads go before what they push out. */
static bool before(const struct event *a, const struct event *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    return a->write != b->write ? !a->write : a->order < b->order;
}

static void push(struct cmp *m, struct event e)
{
    if (m->count == m->room) {
        m->room = m->room ? m->room * 2 : 256;
        m->heap = must_realloc(m->heap, m->room * sizeof *m->heap);
    }
    e.order = m->order++;
    uint32_t at = m->count++;
    for (; at && before(&e, &m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        m->heap[at] = m->heap[(at - 1) / 2];
    m->heap[at] = e;
}

static struct event pop(struct cmp *m)
{
    const struct event first = m->heap[0], last = m->heap[--m->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < m->count; at = child) {
        child += child + 1 < m->count && before(&m->heap[child + 1], &m->heap[child]);
        if (!before(&m->heap[child], &last))
            break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = last;
    return first;
}

/* ---- what cores ask ---- */

static void read_functional(struct cmp *m, uint32_t core, uint64_t miss)
{
    const struct core_miss what = core_miss_of(m->core[core], miss);
    (void)shared_cache_read(m->llc, &(struct shared_read){ .line = what.line, .pc = what.pc, .miss = miss, .core = core });
    core_filled(m->core[core], miss, 0);
}

static void ask_read(void *chip, uint32_t core, uint64_t miss, uint64_t cycle)
{
    struct cmp *m = chip;
    if (m->limits.functional)
        read_functional(m, core, miss);
    else
        push(m, (struct event){ .cycle = cycle + m->machine.cmp.l3.latency, .what = miss, .core = core });
}

static void ask_write(void *chip, uint32_t core, uint64_t line, uint64_t cycle)
{
    struct cmp *m = chip;
    const uint64_t at = cycle + m->machine.cmp.l3.latency;
    if (m->limits.functional)
        shared_cache_write(m->llc, core, line, 0);
    else
        push(m, (struct event){ .cycle = at > m->now ? at : m->now, .what = line, .core = core, .write = true });
}

static void mark(void *chip, uint32_t core, bool end)
{
    struct cmp *m = chip;
    *(end ? &m->after[core] : &m->before[core]) = *shared_cache_counters(m->llc, core);
}

static void filled(void *chip, uint32_t core, uint64_t miss, uint64_t cycle)
{
    struct cmp *m = chip;
    core_filled(m->core[core], miss, cycle);
    m->ready[core] = true;
}

/* ---- making one ---- */

static void dram_view(void *chip, uint64_t address, struct policy_dram_view *out)
{
    const struct cmp *m = chip;
    if (m->memory) {
        cmp_memory_view(m->memory, address, out);
        return;
    }
    const struct address_place p = address_map_locate(&m->machine.map, address);
    *out = (struct policy_dram_view){ .channel = p.channel, .bank = p.bank, .row = p.row };
}

/* A hook that would never be called is refused, not ignored. */
static bool policies_fit(const struct policy_hooks *h, struct error *err)
{
    const struct cache_hooks *c = &h->cache[LEVEL_L2];
    if (h->order.owner || h->lsu.owner || h->cta.owner || h->page.owner || h->warp_gate.count || h->cta_gate.count ||
        h->issued.count || h->every_cycles.count)
        return error_set(err,
                         "a policy of this run schedules warps, CTAs or pages or acts by the cycle, which a CPU does not have");
    if (c->before_lookup.count || c->serve.count || c->may_miss.count || c->refused.count || c->set_index.owner || c->storage.owner)
        return error_set(err, "a policy of this run sends accesses around the cache or changes its index or lines; a CPU's shared "
                              "cache lets policies choose victims and insertion alone");
    return true;
}

static void list_groups(struct cmp *m)
{
    m->groups[m->group_count++] = &cpu_stat_group;
    m->groups[m->group_count++] = &llc_stat_group;
    m->groups[m->group_count++] = &dram_stat_group;
    for (uint32_t i = 0; i < m->policies->count; i++)
        if (m->policies->self[i].policy->counters)
            m->groups[m->group_count++] = m->policies->self[i].policy->counters;
}

struct cmp *cmp_new(const struct cmp_machine *machine, const struct policy_set *policies, struct cpu_trace *const *traces,
                    uint32_t cores, const struct cmp_limits *limits, struct error *err)
{
    if (!cmp_machine_check(machine, err))
        return NULL;
    require(cores >= 1 && cores <= CMP_CORES_MAX);
    struct cmp *m = must_calloc(1, sizeof *m);
    m->machine = *machine;
    m->limits = *limits;
    const struct policy_geometry geometry = cmp_policy_geometry(&machine->cmp, cores);
    const struct policy_machine view = { .gpu = m, .dram_view = dram_view };
    m->policies = policy_set_bind(policies, &geometry, &view, err);
    if (!m->policies || !policies_fit(&m->policies->hooks, err)) {
        cmp_free(m);
        return NULL;
    }
    m->llc = shared_cache_new(&machine->cmp, cores, &m->policies->hooks.cache[LEVEL_L2], filled, m);
    if (!limits->functional)
        m->memory = cmp_memory_new(machine, shared_cache_arrived, m->llc);
    shared_cache_connect(m->llc, m->memory);
    const struct core_port port = { .chip = m, .read = ask_read, .write = ask_write, .mark = mark };
    for (; m->cores < cores; m->cores++)
        m->core[m->cores] = core_new(&machine->cmp, m->cores, traces[m->cores], &port);
    list_groups(m);
    return m;
}

void cmp_free(struct cmp *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->cores; i++)
        core_free(m->core[i]);
    cmp_memory_free(m->memory);
    shared_cache_free(m->llc);
    policy_instance_free(m->policies);
    free(m->heap);
    free(m);
}

/* ---- running ---- */

static bool all_finished(const struct cmp *m)
{
    for (uint32_t i = 0; i < m->cores; i++)
        if (!core_has_finished(m->core[i]))
            return false;
    return true;
}

/* The look-up's time is over: a hit is at the core, a miss goes on to memory. */
static void ask_shared_cache(struct cmp *m, const struct event *e)
{
    if (e->write) {
        shared_cache_write(m->llc, e->core, e->what, e->cycle);
        return;
    }
    const struct core_miss miss = core_miss_of(m->core[e->core], e->what);
    if (shared_cache_read(
            m->llc, &(struct shared_read){ .line = miss.line, .pc = miss.pc, .miss = e->what, .cycle = e->cycle, .core = e->core }))
        filled(m, e->core, e->what, e->cycle);
}

static bool run_cores(struct cmp *m, struct error *err)
{
    for (uint32_t i = 0; i < m->cores; i++)
        if (m->ready[i] || core_next(m->core[i]) <= m->now) {
            m->ready[i] = false;
            if (!core_run(m->core[i], m->now + WINDOW, err))
                return false;
        }
    return true;
}

static uint64_t next_cycle(const struct cmp *m)
{
    uint64_t at = cmp_memory_next(m->memory);
    at = m->count && m->heap[0].cycle < at ? m->heap[0].cycle : at;
    for (uint32_t i = 0; i < m->cores; i++)
        at = core_next(m->core[i]) < at ? core_next(m->core[i]) : at;
    return at;
}

static bool run_timed(struct cmp *m, struct error *err)
{
    for (uint64_t turns = 0; !all_finished(m); turns++) {
        if (!run_cores(m, err))
            return false;
        m->now = next_cycle(m);
        require(m->now != UINT64_MAX); /* a core that waits always waits for something */
        while (cmp_memory_next(m->memory) <= m->now)
            cmp_memory_step(m->memory);
        while (m->count && m->heap[0].cycle <= m->now) {
            const struct event e = pop(m);
            ask_shared_cache(m, &e);
        }
        if (turns % 65536 == 0 && m->limits.interrupted && *m->limits.interrupted)
            return true;
    }
    while (m->memory && cmp_memory_next(m->memory) != UINT64_MAX) /* what is on its way still arrives, so that counters add up */
        cmp_memory_step(m->memory);
    return true;
}

/* Cores take turns, an instruction each. */
static bool run_functional(struct cmp *m, struct error *err)
{
    for (uint64_t turns = 0; !all_finished(m); turns++) {
        for (uint32_t i = 0; i < m->cores; i++)
            if (!core_step_functional(m->core[i], err))
                return false;
        if (turns % 65536 == 0 && m->limits.interrupted && *m->limits.interrupted)
            return true;
    }
    return true;
}

bool cmp_run(struct cmp *m, struct error *err)
{
    err->text[0] = '\0';
    const struct policy_kernel whole = { .name = "", .cta_count = m->cores };
    hooks_kernel_start(&m->policies->hooks, &whole);
    const bool ok = m->limits.functional ? run_functional(m, err) : run_timed(m, err);
    hooks_kernel_end(&m->policies->hooks, &whole);
    return ok;
}

/* ---- results ---- */

const struct stat_group *const *cmp_stat_groups(const struct cmp *m, uint32_t *count)
{
    *count = m->group_count;
    return m->groups;
}

struct cmp_core_result cmp_core_counters(const struct cmp *m, uint32_t core, void *const *counters)
{
    const bool complete = core_has_finished(m->core[core]);
    const struct cpu_counters cpu = core_counters(m->core[core]);
    struct llc_counters *llc = counters[1];
    *(struct cpu_counters *)counters[0] = cpu;
    const struct llc_counters *last = complete ? &m->after[core] : shared_cache_counters(m->llc, core);
    stat_subtract(&llc_stat_group, llc, last, &m->before[core]);
    llc->instructions = cpu.instructions;
    return (struct cmp_core_result){ cpu.cycles, cpu.instructions, complete };
}

void cmp_chip_counters(struct cmp *m, void *const *counters)
{
    if (m->memory)
        cmp_memory_counters(m->memory, counters[SHARED_GROUPS]);
    uint32_t at = SHARED_GROUPS + 1;
    for (uint32_t i = 0; i < m->policies->count; i++)
        if (m->policies->self[i].policy->counters)
            policy_instance_counters(m->policies, i, counters[at++]);
}
