/* policy_self.h - what a policy may ask the machine and have it do, and what is its own: state, counters and the profile of a first
 * run. Part of policy.h, which policies include. */
#ifndef WARPLINE_POLICY_POLICY_SELF_H
#define WARPLINE_POLICY_POLICY_SELF_H
#include <string.h>

#include "policy/policy_view.h"
#include "stat/stat.h"

struct policy;

/* ---- what the policy may ask and do ------------------------------------------------------------------------------- */

struct policy_totals {                               /* since the machine was made */
    uint64_t warp_instructions, thread_instructions; /* issued by this SM */
    uint64_t l1_reads, l1_hits, l1_merged, l1_misses, l1_bypassed;
};

struct policy_occupancy { /* entries in use now */
    uint32_t mshr_entries, miss_queue, lsu_queue, outgoing;
    uint32_t ready_warps;                 /* warps that could issue now */
    uint32_t texture_free, constant_free; /* misses that these caches could still take: free MSHRs or free queue entries,
                                           * whichever are fewer */
};

enum policy_wait {
    WAIT_NONE,
    WAIT_DATA /* a register of a pending non-load */,
    WAIT_LOAD,
    WAIT_BARRIER,
    WAIT_PIPE,
    WAIT_FETCH,
    WAIT_GATED,
    WAIT_DONE
};

struct policy_warp {
    const struct inst *next; /* NULL: finished */
    uint32_t active;         /* lanes */
    uint32_t cta;            /* linear number */
    uint32_t unsent;         /* transactions to global and local memory that it has issued and that neither a cache nor the
                              * network has taken yet */
    uint16_t cta_slot, scheduler;
    uint8_t wait; /* enum policy_wait */
};

/* Where an address lives in memory, and who waits there now. */
struct policy_dram_view {
    uint32_t channel, bank, row;
    uint32_t waiting; /* requests to that bank of the channel that have arrived and whose data have not come */
};

enum { POLICY_INJECT_MAX = 8, POLICY_ACCESS_MAX = 64 };

/* Registers of a warp, as the register file stores them: one is 32 lanes of 4 bytes, as large as a line of 128 bytes. A CTA has
 * `count` neighbouring registers from `first` on; none (count 0) while a policy has taken them away. */
struct policy_registers {
    uint32_t first, count;
};

/* Filled in by gpu (or by a test). `sm` arguments must be the hook's own SM except at the serial point. */
struct policy_machine {
    void *gpu;
    void (*totals)(void *gpu, uint32_t sm, struct policy_totals *out);
    void (*occupancy)(void *gpu, uint32_t sm, struct policy_occupancy *out);
    void (*warp)(void *gpu, uint32_t sm, uint32_t slot, struct policy_warp *out);
    uint32_t (*free_registers)(void *gpu, uint32_t sm); /* not allotted to a resident CTA */
    void (*regate)(void *gpu, uint32_t sm);             /* asks warp_gate and cta_gate again before the next issue */
    /* Sends a memory request of the policy's own, past the L1. Its reply (or a write's acknowledgement) calls `injected`.
     * `first`: it goes to the network before what the SM's caches want to send. False: POLICY_INJECT_MAX requests of this SM are
     * on their way; try again when `injected` is called. Every policy with that hook is told of every token, so put a mark of
     * your own into it. */
    bool (*inject)(void *gpu, uint32_t sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token);
    struct policy_registers (*cta_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Takes a drained CTA's registers away, or gives it the lowest free ones (false: none are free). A CTA without registers
     * must not run; the policy's own gate must hold it back. CTAs that start meanwhile may get what was taken away. */
    void (*release_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    bool (*take_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Calls `cta_drained` when no instruction of the CTA is under way. That is soon, if the policy's gate holds its warps back. */
    void (*drain_cta)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Reads or writes register `number` of the file. After `delay` cycles the access queues at its bank, together with the
     * operands of instructions (a write goes before reads and after results). `register_done` is called when it had its turn.
     * False: POLICY_ACCESS_MAX accesses of this SM are under way. Accesses still under way when the next kernel starts are
     * dropped. Tokens as for inject. */
    bool (*access_register)(void *gpu, uint32_t sm, uint32_t number, bool write, uint32_t delay, uint64_t token);
    void (*deliver)(void *gpu, uint32_t sm, struct request *request); /* for a load served `later`: its data are here */
    /* For the owner of the L1's storage, at any time: from now on this many bytes of a set hold something else than lines. It
     * must be less than set_bytes. Lines go until the rest fits; lines that wait for their data go when the data have come. */
    void (*take_space)(void *gpu, uint32_t sm, uint32_t set, uint32_t bytes);
    void (*occupy_bank)(void *gpu, uint32_t sm, uint32_t bank, uint32_t cycles); /* a register bank is busy */
    void (*stall_issue)(void *gpu, uint32_t sm, uint32_t cycles);
    /* Invalidates a clean line of the L1; `evicted` is called before it returns. False: not there, dirty or reserved. */
    bool (*drop_line)(void *gpu, uint32_t sm, uint64_t address);
    bool (*read_values)(void *gpu, uint64_t address, uint32_t bytes,
                        void *out); /* what memory holds; false: no values (a trace made without --data) */
    /* For hooks of the level in front of memory: the L2 of a GPU, the shared cache of a CPU. Only addresses of the hook's own
     * slice. */
    void (*dram_view)(void *gpu, uint64_t address, struct policy_dram_view *out);
    /* An oracle, for comparison: which of the values 0..count-1 makes the GPU issue most until this is asked again, or the kernel
     * ends. Only in kernel_start and every_cycles, and only of a policy with NEED_TRIALS. It is found by trying: the call returns
     * in a copy of the process for each value in turn, where the policy acts on it like on an answer, and then here with the best
     * (the first of equals). */
    uint32_t (*try_values)(void *gpu, uint32_t count);
};

/* What a first run of a program leaves for a second one: numbers under keys, with a meaning that only the policy knows
 * (docs/policies.md, "Two runs"). A policy that declares `profile` has one in every run. In the first run the policy only adds
 * to it and must not change what the machine does. In the second it reads. */
enum { POLICY_PROFILE_WORDS = 3 };
struct policy_profile_record {
    uint64_t key[POLICY_PROFILE_WORDS];
    uint64_t number; /* never 0 */
};
struct policy_profile {
    bool records;    /* the first run */
    uint64_t launch; /* number of the kernel under way in the whole run, from 0: the same in both runs */
    /* The second run: all records, in the order of their keys. */
    const struct policy_profile_record *record;
    uint64_t count;
    /* The first run: use policy_profile_add. May allocate memory. */
    void *store;
    void (*add)(void *store, uint32_t part, const uint64_t key[POLICY_PROFILE_WORDS], uint64_t amount);
};

/* A policy's instance in one GPU. */
struct policy_self {
    const struct policy *policy;
    const void *config;              /* of the kernel that runs, when parameters are given per kernel */
    const struct policy_self *peers; /* all policies of the run, this one too; see policy_peer */
    const uint32_t *peer_count;
    const struct policy_geometry *geometry;
    const struct policy_machine *machine;
    const struct policy_profile *profile; /* NULL unless it declares one */
    uint8_t *gpu, *module, *sm, *slice, *scheduler, *warp;
    uint8_t *set[LEVEL_COUNT], *line[LEVEL_COUNT];
    struct policy_sizes { /* bytes; each rounded up to 8 by the set */
        size_t gpu, module, sm, slice, scheduler, warp, set[LEVEL_COUNT], line[LEVEL_COUNT];
    } size;
    uint8_t *counters; /* one struct per SM, per slice, per module, then one for the serial point */
    size_t counters_size;
};

static inline void *policy_gpu_state(const struct policy_self *s)
{
    return s->gpu;
}
static inline void *policy_sm_state(const struct policy_self *s, uint32_t sm)
{
    return s->sm + sm * s->size.sm;
}
static inline void *policy_slice_state(const struct policy_self *s, uint32_t slice)
{
    return s->slice + slice * s->size.slice;
}
static inline void *policy_scheduler_state(const struct policy_self *s, uint32_t sm, uint32_t scheduler)
{
    return s->scheduler + ((size_t)sm * s->geometry->schedulers_per_sm + scheduler) * s->size.scheduler;
}
static inline void *policy_warp_state(const struct policy_self *s, uint32_t sm, uint32_t slot)
{
    return s->warp + ((size_t)sm * s->geometry->warps_per_sm + slot) * s->size.warp;
}
static inline void *policy_set_state(const struct policy_self *s, uint32_t level, uint32_t unit, uint32_t set)
{
    return s->set[level] + ((size_t)unit * s->geometry->cache[level].sets + set) * s->size.set[level];
}
static inline void *policy_line_state(const struct policy_self *s, uint32_t level, uint32_t unit, uint32_t set, uint32_t way)
{
    const struct policy_cache_geometry *c = &s->geometry->cache[level];
    return s->line[level] + (((size_t)unit * c->sets + set) * c->tags + way) * s->size.line[level];
}
static inline void *policy_module_state(const struct policy_self *s, uint32_t module)
{
    return s->module + module * s->size.module;
}
/* How many states of modules there are. The banks of L1.5s use them too and may be more than the modules. */
static inline uint32_t policy_module_parts(const struct policy_geometry *g)
{
    return g->cache[LEVEL_L15].units > g->modules ? g->cache[LEVEL_L15].units : g->modules;
}
/* The state of the unit that an access is at: an SM (L1), a bank (L1.5: policy_sizes.module) or a slice (L2). */
static inline void *policy_unit_state(const struct policy_self *s, uint32_t level, uint32_t unit)
{
    return level == LEVEL_L1   ? policy_sm_state(s, unit)
           : level == LEVEL_L2 ? policy_slice_state(s, unit)
                               : policy_module_state(s, unit);
}

/* Counters by scope, so that no two SMs write the same word. */
static inline void *policy_sm_counters(const struct policy_self *s, uint32_t sm)
{
    return s->counters + sm * s->counters_size;
}
static inline void *policy_unit_counters(const struct policy_self *s, uint32_t level, uint32_t unit)
{
    const uint32_t first = level == LEVEL_L1   ? 0
                           : level == LEVEL_L2 ? s->geometry->sms
                                               : s->geometry->sms + s->geometry->cache[LEVEL_L2].units;
    return s->counters + (first + unit) * s->counters_size;
}
static inline void *policy_gpu_counters(const struct policy_self *s)
{
    const struct policy_geometry *g = s->geometry;
    return s->counters + (g->sms + g->cache[LEVEL_L2].units + policy_module_parts(g)) * s->counters_size;
}

/* Adds to the number under `key`, only while the profile records. `level` and `unit` name the cache whose hook calls, so that no
 * two caches write to one place. */
static inline void policy_profile_add(const struct policy_self *s, uint32_t level, uint32_t unit,
                                      const uint64_t key[POLICY_PROFILE_WORDS], uint64_t amount)
{
    s->profile->add(s->profile->store, level == LEVEL_L1 ? unit : s->geometry->sms + unit, key, amount);
}
static inline int policy_profile_compare(const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < POLICY_PROFILE_WORDS; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}
/* The place of the first record that is not before `key`; `count` when all are. */
static inline uint64_t policy_profile_first(const struct policy_self *s, const uint64_t key[POLICY_PROFILE_WORDS])
{
    const struct policy_profile *p = s->profile;
    uint64_t first = 0, end = p->count;
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        if (policy_profile_compare(p->record[middle].key, key) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}
/* The number that the first run left under `key`; 0: none. */
static inline uint64_t policy_profile_find(const struct policy_self *s, const uint64_t key[POLICY_PROFILE_WORDS])
{
    const uint64_t at = policy_profile_first(s, key);
    return at < s->profile->count && policy_profile_compare(s->profile->record[at].key, key) == 0 ? s->profile->record[at].number
                                                                                                  : 0;
}
#endif
