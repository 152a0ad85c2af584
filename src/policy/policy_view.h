/* policy_view.h - what a policy is told and what it may answer: the machine's shape, a kernel, an SM's warps, an access, an
 * eviction. Part of policy.h, which policies include. */
#ifndef WARPLINE_POLICY_POLICY_VIEW_H
#define WARPLINE_POLICY_POLICY_VIEW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/inst.h"

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
    uint32_t tags; /* lines that a set may hold: `ways`, or more when a policy owns the storage of lines. Ways in hooks are below
                    * it. Known once policies are bound, so not in `check` and `hardware` */
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
    uint32_t max_ctas_per_sm; /* that occupancy allows, and the grid when it is spread over all SMs */
};

/* SMs give out registers in fours. */
static inline uint32_t registers_given(uint32_t registers_per_thread)
{
    return (registers_per_thread + 3) & ~3u;
}

/* A number for the name of a kernel, never 0: for policies that know a kernel again. */
static inline uint64_t policy_name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; name && *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    return hash | 1;
}

/* A warp has a slot in its SM; masks have one bit per slot. */
struct policy_sm_view {
    uint64_t cycle;
    uint32_t sm;
    uint64_t resident;     /* slots that hold an unfinished warp */
    uint64_t at_barrier;   /* of these: wait at a barrier, for a fence or for an atomic */
    uint64_t memory_next;  /* next instruction is for the LSU (needs NEED_NEXT) */
    uint64_t reads_loaded; /* next instruction has a plain operand that a load wrote last, in flight or not (needs NEED_LOADED) */
    const uint64_t *age;   /* per slot: number of the launch of this warp in the SM; the oldest has the smallest */
    const uint16_t *cta;   /* per slot: which of the SM's CTA slots it belongs to */
    const uint16_t *scheduler_of;    /* per slot */
    const uint64_t *scheduler_slots; /* per scheduler: the slots that it supervises */
};

/* One transaction on its way through a cache. */
struct policy_access {
    uint64_t address; /* of the line's first byte */
    uint64_t cycle;   /* core cycle at an L1, L2 cycle at a slice */
    uint64_t pc;
    uint64_t line; /* address / line bytes, from which a set index is computed. At an L2 slice the address map has taken out the
                    * bits that chose channel and slice, so that the numbers are dense within the slice */
    struct request *request;
    uint32_t unit;             /* SM at an L1, bank at an L1.5, slice at an L2 */
    uint32_t set;              /* valid from before_lookup on, not in set_index */
    uint32_t lanes;            /* lanes of the warp that it serves */
    uint32_t cta;              /* linear CTA number */
    uint16_t sm, warp;         /* whose access it is; warp NO_WARP: nobody's (write-backs, fetches for a store) */
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
    uint8_t sectors_held;  /* sectors that were here or on their way: one piece of the line, when lines are stored in pieces */
    bool dirty;
    const struct policy_access *by; /* the access that needs the way; NULL for a flush */
};

/* ---- what the policy answers --------------------------------------------------------------------------------------- */

/* before_lookup. The caller fills in the defaults. Every policy of the table sees what the earlier ones said, and may only ask
 * for more (set a flag; make fill_bytes smaller). */
struct policy_lookup {
    bool bypass;         /* reads: neither looks at the tags nor fills a line. The exception is a dirty line, which is never
                          * bypassed: the cache serves such an access. A bypassed write still drops (L1) or updates (L2) the line
                          * if it is there */
    bool no_allocate;    /* reads: a hit (or a fill on its way) is used; a miss goes around the cache and fills nothing */
    uint32_t fill_bytes; /* how much of the line a miss should fetch: 32, 64 or 128; aligned, around what is touched. A line that
                         was filled in part holds only that part: an access to the rest misses */
};

/* serve: asked after a tag miss with no fill on its way, before anything is reserved. It may be asked again when the access is
 * retried, so it must not learn. A served access completes `cycles` later like a slow hit and goes no further. */
struct policy_serve {
    bool served;
    bool later;      /* served, at a time that is not known yet: the policy keeps the request and calls machine->deliver */
    uint32_t cycles; /* not served: how long the search took. The fetch leaves for the network that much later */
};

/* may_miss: asked after serve, in the same way. False: the access is refused with CAUSE_POLICY and tried again later. */

/* What to do with an access that a cache refuses; of several answers the largest wins. */
enum policy_refusal {
    REFUSAL_WAIT,    /* keep trying in order */
    REFUSAL_RECYCLE, /* hand it back to the owner of the LSU queue (if that has `returned`; else wait), try another */
    REFUSAL_BYPASS   /* send it around the cache (reads only), whatever is full there; the decision stays while the network has no
                        room */
};

/* warp_gate. The caller begins with all ones, and each policy of the table clears bits. Asked again when a warp arrives, ends or
 * reaches or leaves a barrier, after every_cycles, after machine->regate, and at the cycle `again_at`. Warps at a barrier are
 * not running: do not count them, or the warps that they wait for may never run. */
struct policy_gate {
    uint64_t run;      /* may issue at all */
    uint64_t loads;    /* may issue loads that reach the L1 (global, local; shared memory is never held back) */
    uint64_t memory;   /* may issue any instruction that reaches the L1: loads, stores, atomics */
    uint64_t allocate; /* reads may allocate in the L1; the others' have no_allocate set */
    uint64_t again_at; /* UINT64_MAX: only when something happens; lower it, never raise it */
};
#endif
