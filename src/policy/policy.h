/* policy.h - what a policy is, what it is told, what it may answer, ask and do. A policy file includes this header alone.
 *
 * A policy declares itself as data (struct policy at the end) and fills in the hooks it needs; the rest stays NULL.
 * src/policy/hooks.h is the other side: the tables that the machine calls. docs/policies.md shows how to write one.
 *
 * Contract:
 *  - A hook touches its own state, its counters and the answer it was given, nothing else: no clock but the `cycle` it is
 *    told, no globals, no host pointers, no rand(). The same calls in the same order give the same answers.
 *  - State has a scope. Hooks of an SM or of its L1 write state of that SM (its schedulers, warps, L1 sets and lines); hooks of an
 *    L2 slice write that slice's. State of GPU scope, and other SMs' state, is written only at the serial point of a cycle:
 *    in kernel_start, kernel_end and every_cycles. All of it may be read anywhere.
 *  - All state is allocated and zeroed before the first hook is called; `start`, if given, runs once after that. It lives from
 *    one kernel to the next: what a kernel should not inherit, kernel_start clears.
 *  - An access is told once, whatever the number of retries: before_lookup at its first try (the answer holds for all retries),
 *    accessed when the cache takes it. refused is told once per episode, and refused_end with the episode's length.
 *  - victim is called only when no way of the set is free, with at least one candidate; the answer is one of them.
 *  - What a load meets in a cache, in this order: set_index, before_lookup (bypass: it leaves), the tags; of what is absent and not
 *    on its way: serve, may_miss, no_allocate (it leaves), declines (it leaves); then lines, miss queue and MSHRs, any of which may
 *    refuse it (refused: it may leave), and last victim. What leaves takes the bypass road: it needs no line, no MSHR and no
 *    place in the miss queue, and at an L1 only the network can hold it up (CAUSE_NETWORK).
 *  - Nothing here allocates memory. */
#ifndef WARPLINE_POLICY_POLICY_H
#define WARPLINE_POLICY_POLICY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "front/inst.h"
#include "param/param.h"
#include "stat/stat.h"

/* Raised when a struct below changes shape or meaning; a plug-in built for another version is refused. */
#define POLICY_INTERFACE_VERSION 11u

struct policy;
struct request; /* a handle: policies pass it back, and do not look inside */

enum policy_level { LEVEL_L1, LEVEL_L15, LEVEL_L2, LEVEL_COUNT };
enum { AT_L1 = 1u << LEVEL_L1, AT_L15 = 1u << LEVEL_L15, AT_L2 = 1u << LEVEL_L2 };
#define NO_WARP UINT16_MAX
#define NO_SLOT UINT32_MAX
#define NO_WAY UINT32_MAX
#define NO_CTA UINT32_MAX

/* ---- what the policy is told --------------------------------------------------------------------------------------- */

struct policy_cache_geometry {
    uint32_t units;      /* L1: one per SM; L1.5: one per bank, in order of modules, as many as slices; L2: one per slice */
    uint32_t sets, ways; /* per unit; an unbounded cache has sets = 0 and no replacement */
    uint32_t line_bytes;
    uint32_t mshr_entries, miss_queue_entries;
    uint32_t tags; /* lines that a set may hold: `ways`, or more where a policy owns the storage of lines; hooks' ways are below
                      it. Known when policies are bound: not in `check` and `hardware` */
};

struct policy_geometry {
    uint32_t modules, sms, schedulers_per_sm, warps_per_sm, ctas_per_sm;
    uint32_t registers_per_sm, register_banks;       /* 32-bit registers */
    struct policy_cache_geometry cache[LEVEL_COUNT]; /* units = 0: the machine has no such level */
};

struct policy_kernel {
    const char *name;
    uint64_t launch; /* 0, 1, 2...: which launch of the run this is */
    uint64_t cycle;
    uint32_t cta_count, warps_per_cta, threads_per_cta;
    uint32_t registers_per_thread, shared_bytes;
    uint32_t max_ctas_per_sm; /* that occupancy allows */
};

/* A warp has a slot in its SM; masks have one bit per slot. */
struct policy_sm_view {
    uint64_t cycle;
    uint32_t sm;
    uint64_t resident;      /* slots that hold an unfinished warp */
    uint64_t at_barrier;    /* of these: wait at a barrier, for a fence or for an atomic */
    uint64_t memory_next;   /* next instruction is for the LSU (needs NEED_NEXT) */
    uint64_t waits_on_load; /* next instruction needs a register that a load in flight will write (needs NEED_WAIT) */
    uint64_t reads_loaded;  /* next instruction has a plain operand that a load wrote last, in flight or not (needs NEED_LOADED) */
    const uint64_t *age;    /* per slot: number of the launch of this warp in the SM; the oldest has the smallest */
    const uint16_t *cta;    /* per slot: which of the SM's CTA slots it belongs to */
    const uint16_t *scheduler_of;    /* per slot */
    const uint64_t *scheduler_slots; /* per scheduler: the slots that it supervises */
};

/* One transaction on its way through a cache. */
struct policy_access {
    uint64_t address; /* of the line's first byte */
    uint64_t cycle;   /* core cycle at an L1, L2 cycle at a slice */
    uint64_t pc;
    uint64_t line; /* address / line bytes: what a set index is computed from. At an L2 slice: after the address map
                      has taken out the bits that chose channel and slice, so that it is dense within the slice */
    struct request *request;
    uint32_t unit;             /* SM at an L1, bank at an L1.5, slice at an L2 */
    uint32_t set;              /* valid from before_lookup on, not in set_index */
    uint32_t lanes;            /* lanes of the warp that it serves */
    uint32_t cta;              /* linear CTA number */
    uint16_t sm, warp;         /* whose it is; warp NO_WARP: nobody's (write-backs, fetches for a store) */
    uint8_t level;             /* enum policy_level */
    uint8_t kind;              /* enum request_kind of mem/request.h, for counting; read, write and so on are the flags below */
    uint8_t sectors;           /* 32-byte sectors touched, one bit each */
    uint64_t bytes[2];         /* bytes of the line touched, one bit each */
    uint8_t transactions;      /* into how many its instruction was split: the degree of memory divergence; 0 unknown */
    bool write, atomic, local; /* local: of local memory (spills), not global */
};

enum policy_outcome {
    OUTCOME_HIT,       /* `way` holds it */
    OUTCOME_MERGED,    /* `way` is reserved for it, a fill is on its way */
    OUTCOME_MISS,      /* a fill was asked for; `way` is reserved, or NO_WAY when the cache allocates on fill */
    OUTCOME_BYPASSED,  /* went around the cache because of before_lookup, a gate, the replacement or a refusal */
    OUTCOME_ELSEWHERE, /* missed, and a policy served it */
    OUTCOME_WRITE_HIT,
    OUTCOME_WRITE_MISS
};

enum policy_cause { /* why a cache refuses */
                    CAUSE_MSHR_ENTRY,
                    CAUSE_MSHR_MERGE,
                    CAUSE_LINE_ALLOC,
                    CAUSE_MISS_QUEUE,
                    CAUSE_POLICY,  /* may_miss said no */
                    CAUSE_NETWORK, /* L1: it goes around the cache, and the network has no room for it yet */
                    CAUSE_COUNT
};

enum policy_eviction { EVICTED_BY_FILL, EVICTED_BY_STORE /* write-evict */, EVICTED_BY_FLUSH };

struct policy_evicted {
    uint64_t address, line, cycle;
    uint32_t unit, set, way;
    uint8_t level, reason; /* enum policy_eviction */
    uint8_t sectors_used;  /* sectors touched since the fill */
    uint8_t sectors_held;  /* sectors that were here, or on their way: a piece of the line, where lines are stored in pieces */
    bool dirty;
    const struct policy_access *by; /* the access that needs the way; NULL for a flush */
};

/* ---- what the policy answers --------------------------------------------------------------------------------------- */

/* before_lookup. The caller fills in the defaults; every policy of the table sees what the earlier ones said, and may only
 * ask for more (set a flag; make fill_bytes smaller). */
struct policy_lookup {
    bool bypass;         /* reads: neither looks at the tags nor fills a line, except that a dirty line is never passed by: such an
                            access is served by the cache. A bypassed write still drops (L1) or updates (L2) the line if it is there */
    bool no_allocate;    /* reads: a hit (or a fill on its way) is used; a miss goes around the cache and fills nothing */
    uint32_t fill_bytes; /* how much of the line a miss should fetch: 32, 64 or 128; aligned, around what is touched. A line that
                         was filled in part holds only that part: an access to the rest misses */
};

/* serve: asked after a tag miss with no fill on its way, before anything is reserved; may be asked again when the access is
 * retried, so it must not learn. Served accesses complete `cycles` later like a slow hit and go no further. */
struct policy_serve {
    bool served;
    bool later;      /* served, at a time that is not known yet: the policy keeps the request and calls machine->deliver */
    uint32_t cycles; /* not served: how long the search took. What is fetched leaves for the network so much later */
};

/* may_miss: asked like serve, after it; false: the access is refused with CAUSE_POLICY and tried again later. */

enum policy_refusal {                  /* what to do with an access that a cache refuses; of several answers the largest holds */
                      REFUSAL_WAIT,    /* keep trying in order */
                      REFUSAL_RECYCLE, /* hand it back to the owner of the LSU queue (if that has `returned`; else wait), try
                                          another */
                      REFUSAL_BYPASS   /* send it around the cache (reads only), whatever is full there; it stays so decided while
                                          the network has no room */
};

/* warp_gate. Each policy of the table clears bits; the caller begins with all ones. Asked again when a warp arrives, ends or
 * reaches or leaves a barrier, after every_cycles, after machine->regate, and at the cycle `again_at`.
 * Warps at a barrier are not running: do not count them, or those they wait for may never run. */
struct policy_gate {
    uint64_t run;      /* may issue at all */
    uint64_t loads;    /* may issue loads that reach the L1 (global, local; shared memory is never held back) */
    uint64_t memory;   /* may issue any instruction that reaches the L1: loads, stores, atomics */
    uint64_t allocate; /* reads may allocate in the L1; the others' have no_allocate set */
    uint64_t again_at; /* UINT64_MAX: when something happens; lower it, never raise it */
};

/* ---- what the policy may ask and do ------------------------------------------------------------------------------- */

struct policy_totals {                               /* since the machine was made */
    uint64_t warp_instructions, thread_instructions; /* issued by this SM */
    uint64_t l1_reads, l1_hits, l1_merged, l1_misses, l1_bypassed;
};

struct policy_occupancy { /* entries in use now */
    uint32_t mshr_entries, miss_queue, lsu_queue, outgoing;
    uint32_t ready_warps;                 /* warps that could issue now */
    uint32_t texture_free, constant_free; /* misses that these caches could still take: free MSHRs or queue entries, the fewer */
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
    uint32_t unsent;         /* transactions to global and local memory that it has issued and that no cache or network has taken */
    uint16_t cta_slot, scheduler;
    uint8_t wait; /* enum policy_wait */
};

/* Where an address lives in memory, and who waits there now. */
struct policy_dram_view {
    uint32_t channel, bank, row;
    uint32_t waiting; /* requests to that bank of the channel that have come and whose data have not */
};

enum { POLICY_INJECT_MAX = 8, POLICY_ACCESS_MAX = 64 };

/* Registers of a warp are counted as the register file stores them: one is 32 lanes of 4 bytes, as large as a line of 128. A CTA
 * has `count` neighbours from `first` on; none (count 0) while a policy has taken them away. */
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
    void (*regate)(void *gpu, uint32_t sm);             /* ask warp_gate and cta_gate again before the next issue */
    /* A memory request of the policy's own, past the L1. Its reply (or a write's acknowledgement) calls `injected`. `first`: it
     * goes to the network before what the SM's caches want to send. False: POLICY_INJECT_MAX of this SM are on their way; try
     * again when `injected` is called. Every policy with that hook is told every token: put a mark of your own into it. */
    bool (*inject)(void *gpu, uint32_t sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token);
    struct policy_registers (*cta_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Takes a drained CTA's registers away, and gives it the lowest free ones (false: none are free). A CTA without registers must
     * not run: the policy's gate sees to it. CTAs that start meanwhile may get what was taken away. */
    void (*release_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    bool (*take_registers)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Calls `cta_drained` when no instruction of the CTA is under way: soon, if the policy's gate holds its warps back. */
    void (*drain_cta)(void *gpu, uint32_t sm, uint32_t cta_slot);
    /* Reads or writes register `number` of the file: after `delay` cycles it queues at its bank, with the operands of instructions
     * (a write goes before reads and after results), and calls `register_done` when it had its turn. False: POLICY_ACCESS_MAX of
     * this SM are under way. What is under way when the next kernel starts is dropped. Tokens as for inject. */
    bool (*access_register)(void *gpu, uint32_t sm, uint32_t number, bool write, uint32_t delay, uint64_t token);
    void (*deliver)(void *gpu, uint32_t sm, struct request *request); /* of a load served `later`: its data are here */
    /* For the owner of the L1's storage, at any time: so many bytes of a set hold something else than lines from now on, and
     * less than a set_bytes. Lines go until the rest fits; those that wait for their data go when they have come. */
    void (*take_space)(void *gpu, uint32_t sm, uint32_t set, uint32_t bytes);
    void (*occupy_bank)(void *gpu, uint32_t sm, uint32_t bank, uint32_t cycles); /* a register bank is busy */
    void (*stall_issue)(void *gpu, uint32_t sm, uint32_t cycles);
    /* Invalidates a clean line of the L1; `evicted` is called before it returns. False: not there, dirty or reserved. */
    bool (*drop_line)(void *gpu, uint32_t sm, uint64_t address);
    bool (*read_values)(void *gpu, uint64_t address, uint32_t bytes,
                        void *out); /* what memory holds; false: no values (a trace made without --data) */
    /* For hooks of the level in front of memory: the L2 of a GPU, the shared cache of a CPU. Addresses of the hook's own slice. */
    void (*dram_view)(void *gpu, uint64_t address, struct policy_dram_view *out);
};

/* What a first run of a program leaves for a second one: numbers under keys, whatever the policy means by them (docs/policies.md,
 * "Two runs"). A policy that declares `profile` has one in every run. In the first run it only adds to it and must not change
 * what the machine does; in the second it reads. */
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
    const void *config;              /* of the kernel that runs, where parameters are given per kernel */
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
/* State of modules, or of the banks of their L1.5s, which are more: as many as these. */
static inline uint32_t policy_module_parts(const struct policy_geometry *g)
{
    return g->cache[LEVEL_L15].units > g->modules ? g->cache[LEVEL_L15].units : g->modules;
}
/* The state of the unit an access is at: of an SM (L1), a bank (L1.5: policy_sizes.module) or a slice (L2). */
static inline void *policy_unit_state(const struct policy_self *s, uint32_t level, uint32_t unit)
{
    return level == LEVEL_L1   ? policy_sm_state(s, unit)
           : level == LEVEL_L2 ? policy_slice_state(s, unit)
                               : policy_module_state(s, unit);
}

/* Counters by scope, so that no two SMs write one word. */
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

/* Adds to the number under `key`; only while the profile records. `level` and `unit`: the cache whose hook calls, so that no two
 * write to one place. */
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
/* Where the first record that is not before `key` lies; `count` when all are. */
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

/* ---- the hooks ------------------------------------------------------------------------------------------------------ */

/* Owned: only one policy per GPU may fill each of these (of the cache ones: per level). */
struct policy_order_hooks {
    /* Which of `candidates` (not 0; slots of this scheduler that could issue) goes first. Asked again without the answer when
     * that warp finds its pipe full. Called only for a scheduler with candidates. NO_SLOT: none of them now. */
    uint32_t (*pick)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates);
    void (*issued)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot);
    /* In every cycle before the first pick, candidates or not; an SM under such a policy does not sleep. May be NULL. */
    void (*cycle)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler);
    /* With it the SM sleeps as ever, and `cycle` is not called meanwhile. For a policy whose `cycle` does nothing but count when
     * nothing in the SM has changed since the last one: told before the next call how many cycles were slept through. May be NULL.
     */
    void (*slept)(struct policy_self *self, const struct policy_sm_view *v, uint64_t cycles);
};

struct policy_lsu_hooks { /* a buffer between the coalescer and the L1 */
    /* A new transaction. False: no room; the LSU holds it back and offers it again. */
    bool (*push)(struct policy_self *self, const struct policy_access *a);
    /* The one to try at the L1 in this cycle, NULL for none. Asked while the L1 port is free: before the LSU's push of the cycle
     * and, if there was none to give, after it, so that an empty buffer costs no time. At most one is taken per cycle. */
    struct request *(*next)(struct policy_self *self, uint32_t sm, uint64_t cycle);
    /* What next gave has left the buffer for the L1. If the L1 refuses it and it is recycled, `returned` puts it back; the buffer
     * must have room for that (answer REFUSAL_WAIT when it has not). A policy whose accesses are never recycled leaves `returned`
     * NULL. */
    void (*taken)(struct policy_self *self, uint32_t sm, struct request *request);
    void (*returned)(struct policy_self *self, uint32_t sm, struct request *request, enum policy_cause cause);
};

struct policy_cta_hooks {
    /* Which of the CTAs that have not started (`waiting`: one bit each, in words of 64) this SM, which has room, gets now. NO_CTA:
     * none for now; a CTA that no SM is ever given hangs the kernel. Each SM is asked at most once per cycle, in turn. Serial. */
    uint32_t (*choose)(struct policy_self *self, uint32_t sm, const uint64_t *waiting, uint32_t cta_count);
};

struct policy_page_hooks {
    uint32_t (*owner)(struct policy_self *self, uint64_t page, uint32_t module); /* which module holds it; first touch. Serial. */
};

struct policy_replacement_hooks { /* victim is required; the set puts functions that do nothing for the others */
    /* `candidates`: one bit per way, in words of 64. */
    uint32_t (*victim)(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates);
    /* Told when the way is reserved (allocate on miss) or filled (allocate on fill). */
    void (*inserted)(struct policy_self *self, const struct policy_access *a, uint32_t way);
    /* A hit, or with `pending` a hit on a line whose fill is on its way. */
    void (*promoted)(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending);
    void (*removed)(struct policy_self *self, const struct policy_evicted *e); /* evicted or invalidated */
    /* True: none of the set's lines deserves to go, the access goes around the cache (at an L2 atomics and write-backs do not: they
     * are not asked about). Asked when no way is free, before MSHRs and queues; `candidates` as for victim, none when all ways
     * wait for a fill. Asked again at each retry, so it must not learn. May be NULL. */
    bool (*declines)(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates);
};

/* Of an L1: sets of so many bytes instead of so many lines. A tag is of a piece: neighbouring 32-byte sectors of a line that were
 * fetched together (before_lookup's fill_bytes; the whole line otherwise). A set may hold several pieces of a line, never a byte
 * twice; a load hits when the pieces that are here cover it, and fetches only what is missing. The first three are required. */
struct policy_storage_hooks {
    uint32_t (*tags_per_set)(struct policy_self *self, uint32_t level); /* ways to 64; asked once, before there is any state */
    /* Space of a set, at least a line's. Asked after the kernel_start hooks of every kernel: storage may grow and shrink from one
     * kernel to the next, and a cache that shrinks is emptied. */
    uint32_t (*set_bytes)(struct policy_self *self, uint32_t level);
    /* Space that `fetched` bytes take, with whatever they need beside the data. Asked when a miss reserves space (`way` NO_WAY,
     * `filled` false), and when the data are here. The second answer holds from then on. If it is larger, others go, or the piece
     * itself when those are not enough. */
    uint32_t (*stored_bytes)(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled);
    /* From the arrival of the data to when the piece can be read (compression); loads that wait for the data have them at once, a
     * hit before then waits for the rest. NULL: none. */
    uint32_t (*fill_cycles)(struct policy_self *self, const struct policy_access *a, uint32_t way);
    uint32_t (*hit_cycles)(struct policy_self *self, const struct policy_access *a, uint32_t way); /* beyond a plain hit; or NULL */
    /* At a hit, when it is certain: true when the data come later, at a time that is not known yet (they wait for a bank). The
     * policy keeps the access's request and calls machine->deliver. NULL: never. */
    bool (*hit_later)(struct policy_self *self, const struct policy_access *a, uint32_t way);
};

/* Shared: any number of policies may fill each of these; they are called in the order in which the policies were named. */
struct policy_cache_hooks {
    uint32_t (*set_index)(struct policy_self *self, const struct policy_access *a); /* owned */
    struct policy_replacement_hooks replacement;                                    /* owned */
    struct policy_storage_hooks storage;                                            /* owned */
    void (*before_lookup)(struct policy_self *self, const struct policy_access *a, struct policy_lookup *answer);
    void (*serve)(struct policy_self *self, const struct policy_access *a, struct policy_serve *answer);
    bool (*may_miss)(struct policy_self *self, const struct policy_access *a);
    void (*accessed)(struct policy_self *self, const struct policy_access *a, enum policy_outcome outcome, uint32_t way);
    enum policy_refusal (*refused)(struct policy_self *self, const struct policy_access *a, enum policy_cause cause);
    void (*refused_end)(struct policy_self *self, const struct policy_access *a, enum policy_cause cause, uint64_t cycles);
    void (*filled)(struct policy_self *self, const struct policy_access *a, uint32_t way); /* the data are there */
    void (*evicted)(struct policy_self *self, const struct policy_evicted *e);
    /* The whole cache is emptied, whether it holds anything or not; `evicted` is told of its lines after this. L1 only. */
    void (*flushed)(struct policy_self *self, uint32_t level, uint32_t unit);
    void (*every_accesses)(struct policy_self *self, uint32_t level,
                           uint32_t unit); /* after each `access_period` accesses of a unit */
    /* L1 only: cycles that a look at the tags takes beyond a plain L1's, POLICY_PROBE_MAX at most. Asked for each access that
     * enters the pipeline before the L1, loads and stores, hits and misses. The pipeline gets so much longer: as many accesses per
     * cycle as ever. Of several policies the sum holds. Who answers otherwise than before calls machine->regate, which wakes the
     * SM. */
    uint32_t (*probe_cycles)(struct policy_self *self, uint32_t sm);
};
enum { POLICY_PROBE_MAX = 16 };

struct policy_sm_hooks {
    void (*warp_gate)(struct policy_self *self, const struct policy_sm_view *v, struct policy_gate *gate);
    /* CTAs that may be resident in this SM: start at *limit and lower it. Asked like warp_gate. */
    void (*cta_gate)(struct policy_self *self, const struct policy_sm_view *v, uint32_t *limit);
    void (*issued)(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot, const struct inst *inst,
                   uint32_t active);
    void (*warp_start)(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot);
    void (*warp_end)(struct policy_self *self, const struct policy_sm_view *v, uint32_t slot);
    void (*cta_start)(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta);
    void (*cta_end)(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta);
    void (*injected)(struct policy_self *self, const struct policy_sm_view *v, uint64_t token);
    void (*register_done)(struct policy_self *self, const struct policy_sm_view *v, uint64_t token);
    void (*cta_drained)(struct policy_self *self, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta);
};

struct policy_gpu_hooks { /* the serial point */
    void (*kernel_start)(struct policy_self *self, const struct policy_kernel *k);
    void (*kernel_end)(struct policy_self *self, const struct policy_kernel *k);
    void (*every_cycles)(struct policy_self *self, uint64_t cycle); /* at the end of each period of core cycles */
};

/* ---- the declaration ------------------------------------------------------------------------------------------------ */

enum policy_scope { PER_SM, PER_SLICE, PER_GPU };
enum { POLICY_HARDWARE_MAX = 16 };
struct policy_hardware { /* one structure: `entries` x `bits` in each SM, in each slice or once */
    const char *name;
    enum policy_scope scope;
    uint64_t entries, bits;
};

/* What using a structure costs, where a paper says so or where what counts its uses is known. A structure without a row has the
 * numbers that its size gives (energy/NAME.conf, [structure]) and is used by every access that the policy sees (policy_structures).
 * A row may also be a circuit that is no storage, and not among the `hardware` rows: a compressor. It brings its own numbers. */
struct policy_energy {
    const char *structure; /* as in its row of `hardware`; NULL ends the list */
    const char *uses;      /* counters of the run whose sum says how often: "l1.accesses+l1.writes"; NULL: as without a row */
    double use_pj;         /* of each; 0: by its size */
    double leakage_mw;     /* of one copy; 0: by its size, of a circuit none */
    const char *source;    /* of the numbers; required with them */
};

enum {                        /* views that cost the SM something to keep; a policy that reads one says so */
       NEED_NEXT = 1u << 0,   /* policy_sm_view.memory_next */
       NEED_WAIT = 1u << 1,   /* policy_sm_view.waits_on_load */
       NEED_LOADED = 1u << 2, /* policy_sm_view.reads_loaded */
       NEED_VALUES = 1u << 3  /* machine->read_values always answers: a trace without values is refused */
};

struct policy {
    const char *name;           /* as typed after --policy; lower case, digits, '-' */
    const char *summary;        /* one line */
    const char *source;         /* the paper, or "textbook" */
    const struct param *params; /* rows over the config struct; NULL none. Key: policy.<name>.<row> */
    size_t config_size;
    const struct stat_group *counters; /* named like the policy, with '_' for '-'; NULL none */
    uint32_t needs;                    /* NEED_* */
    const char *per_kernel; /* rows, "a,b", that may differ from kernel to kernel (--set KERNEL:policy.NAME.ROW=VALUE): its
                               hooks read them anew, and neither sizes nor periods depend on them. NULL: none */
    const char *tuned;      /* the row that `warpline tune NAME` searches; NULL: one must be named */
    const char *profile;    /* what its first run records, in lower case and '-': policies with the same name can use each other's
                               profiles; NULL: it needs no first run */
    /* Contradictions between parameters, or with the machine: false, and one sentence in `text`. May be NULL. */
    bool (*check)(const void *config, const struct policy_geometry *g, char *text, size_t size);
    /* Private state; everything is 0 on entry. NULL: none. */
    void (*sizes)(const void *config, const struct policy_geometry *g, struct policy_sizes *out);
    void (*start)(struct policy_self *self);
    /* Hardware it adds: fills `rows`, returns how many. NULL: none. */
    uint32_t (*hardware)(const void *config, const struct policy_geometry *g, struct policy_hardware rows[POLICY_HARDWARE_MAX]);
    const struct policy_energy *energy; /* of these structures; NULL: by their sizes */
    /* Levels whose cache hooks it fills (AT_*). NULL: the L1. */
    uint32_t (*levels)(const void *config);
    uint64_t (*cycle_period)(const void *config);  /* of every_cycles; required with it */
    uint64_t (*access_period)(const void *config); /* of every_accesses; required with it */
    bool period_restarts; /* every_cycles: periods begin anew with each kernel; otherwise they run on the GPU's clock */
    /* NULL, or the invariant of its state that is broken. For tests and debug builds. */
    const char *(*broken)(const struct policy_self *self);

    struct policy_gpu_hooks gpu;
    struct policy_order_hooks order;
    struct policy_sm_hooks sm;
    struct policy_lsu_hooks lsu;
    struct policy_cta_hooks cta;
    struct policy_page_hooks page;
    struct policy_cache_hooks cache;
};

/* Another policy of the run by its name, NULL when it is not there; in `start`, of those named before. Its configuration may be
 * read: a technique that must leave another its time asks how long that is. Its state may not. */
static inline const struct policy_self *policy_peer(const struct policy_self *s, const char *name)
{
    for (uint32_t i = 0; i < *s->peer_count; i++)
        if (!strcmp(s->peers[i].policy->name, name))
            return &s->peers[i];
    return NULL;
}

/* The structures that it adds, ready for a sum of energies. */
struct policy_structure {
    const char *name, *uses; /* see policy_energy */
    uint64_t entries, bits;  /* of one copy; 0: a circuit */
    uint64_t copies;
    double use_pj, leakage_mw; /* 0: by its size */
};
enum { POLICY_STRUCTURES_MAX = 2 * POLICY_HARDWARE_MAX };
uint32_t policy_structures(const struct policy *policy, const void *config, const struct policy_geometry *g,
                           struct policy_structure out[POLICY_STRUCTURES_MAX]);

/* A plug-in exports one of these under the name warpline_plugin. */
struct policy_plugin {
    uint32_t version;      /* POLICY_INTERFACE_VERSION */
    uint32_t policy_bytes; /* sizeof(struct policy) */
    uint32_t count;
    const struct policy *const *policies;
};
#define POLICY_PLUGIN_SYMBOL "warpline_plugin"
#define POLICY_PLUGIN(...)                                                                                                         \
    static const struct policy *const plugin_policies[] = { __VA_ARGS__ };                                                         \
    extern const struct policy_plugin warpline_plugin;                                                                             \
    const struct policy_plugin warpline_plugin = { POLICY_INTERFACE_VERSION, (uint32_t)sizeof(struct policy),                      \
                                                   (uint32_t)(sizeof plugin_policies / sizeof plugin_policies[0]),                 \
                                                   plugin_policies }
#endif
