/* policy.h - what a policy is, what it is told, what it may answer, ask and do. A policy file includes this header alone.
 *
 * A policy declares itself as data (struct policy at the end) and fills in the hooks it needs; the rest stays NULL.
 * src/policy/hooks.h is the other side: the tables that the machine calls. docs/policies.md shows how to write one.
 *
 * Contract:
 *  - A hook touches only its own state, its counters and the answer that it was given. It has no clock but the `cycle` it is
 *    told, no globals, no host pointers, no rand(). The same calls in the same order give the same answers.
 *  - State has a scope. Hooks of an SM or of its L1 write state of that SM (its schedulers, warps, L1 sets and lines). Hooks of an
 *    L2 slice write that slice's state. State of GPU scope, and other SMs' state, is written only at the serial point of a cycle:
 *    in kernel_start, kernel_end and every_cycles. All state may be read anywhere.
 *  - All state is allocated and zeroed before the first hook is called; `start`, if given, runs once after that. State lives from
 *    one kernel to the next. What the next kernel should not inherit must be cleared in kernel_start.
 *  - A hook is told of an access once, however often the access is retried: before_lookup at the first try (its answer holds for
 *    all retries), accessed when the cache takes it. refused is called once per episode of refusals, and refused_end at its end,
 *    with its length.
 *  - victim is called only when no way of the set is free. It gets at least one candidate, and must answer with one of them.
 *  - A load in a cache passes these hooks, in this order: set_index; before_lookup (with bypass it leaves); the tags. If its line
 * is neither there nor on its way: serve, may_miss, no_allocate (it leaves), declines (it leaves). Then it needs a line, a place in
 *    the miss queue and an MSHR. Each of these may refuse it (refused: it may leave). The last hook is victim. A load that leaves
 *    takes the bypass road: it needs no line, no MSHR and no place in the miss queue. At an L1 only the network can hold it up
 *    then (CAUSE_NETWORK).
 *  - Nothing here allocates memory. */
#ifndef WARPLINE_POLICY_POLICY_H
#define WARPLINE_POLICY_POLICY_H
#include "param/param.h"
#include "policy/policy_self.h"
#include "policy/policy_view.h"
#include "stat/stat.h"

/* Raised when a struct of this interface changes shape or meaning. A plug-in that was built for another version is refused. */
#define POLICY_INTERFACE_VERSION 13u

/* ---- the hooks ------------------------------------------------------------------------------------------------------ */

/* Owned hooks: only one policy per GPU may fill each of these (the cache hooks: one per level). */
struct policy_order_hooks {
    /* Which of `candidates` (not 0; slots of this scheduler that could issue) goes first. Asked again without the answer when
     * that warp finds its pipe full. Called only for a scheduler with candidates. NO_SLOT: none of them now. */
    uint32_t (*pick)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint64_t candidates);
    void (*issued)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler, uint32_t slot);
    /* Called in every cycle before the first pick, with or without candidates. An SM under such a policy does not sleep. May be
     * NULL. */
    void (*cycle)(struct policy_self *self, const struct policy_sm_view *v, uint32_t scheduler);
    /* With this hook the SM sleeps as usual, and `cycle` is not called meanwhile. Before the next call the policy is told how many
     * cycles were slept, in which nothing in the SM changed and no warp could have issued, and makes up for them. May be NULL. */
    void (*slept)(struct policy_self *self, const struct policy_sm_view *v, uint64_t cycles);
};

struct policy_lsu_hooks { /* a buffer between the coalescer and the L1 */
    /* A new transaction. False: no room; the LSU holds it back and offers it again. */
    bool (*push)(struct policy_self *self, const struct policy_access *a);
    /* The transaction to try at the L1 in this cycle, or NULL. Asked while the L1's port is free: before the LSU's push of the
     * cycle and, if there was nothing to give, again after it, so that an empty buffer costs no time. At most one is taken per
     * cycle. */
    struct request *(*next)(struct policy_self *self, uint32_t sm, uint64_t cycle);
    /* The transaction that `next` gave has left the buffer for the L1. If the L1 refuses it and it is recycled, `returned` puts
     * it back. The buffer must have room for that (answer REFUSAL_WAIT when it has none). A policy whose accesses are never
     * recycled leaves `returned` NULL. */
    void (*taken)(struct policy_self *self, uint32_t sm, struct request *request);
    void (*returned)(struct policy_self *self, uint32_t sm, struct request *request, enum policy_cause cause);
};

struct policy_cta_hooks {
    /* Chooses which of the CTAs that have not started (`waiting`: one bit each, in words of 64) this SM gets now; the SM has
     * room. NO_CTA: none for now. A CTA that no SM ever gets hangs the kernel. Each SM is asked at most once per cycle, in turn.
     * Serial. */
    uint32_t (*choose)(struct policy_self *self, uint32_t sm, const uint64_t *waiting, uint32_t cta_count);
};

struct policy_page_hooks {
    uint32_t (*owner)(struct policy_self *self, uint64_t page, uint32_t module); /* which module holds it; first touch. Serial. */
};

struct policy_replacement_hooks { /* victim is required; for the others that are NULL the set puts in functions that do nothing */
    /* `candidates`: one bit per way, in words of 64. */
    uint32_t (*victim)(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates);
    /* Told when the way is reserved (allocate on miss) or filled (allocate on fill). */
    void (*inserted)(struct policy_self *self, const struct policy_access *a, uint32_t way);
    /* A hit, or with `pending` a hit on a line whose fill is on its way. */
    void (*promoted)(struct policy_self *self, const struct policy_access *a, uint32_t way, bool pending);
    void (*removed)(struct policy_self *self, const struct policy_evicted *e); /* evicted or invalidated */
    /* True: none of the set's lines should go, so the access goes around the cache. (At an L2 atomics and write-backs cannot go
     * around and are not asked about.) Asked when no way is free, before MSHRs and queues. `candidates` as for victim, none when
     * all ways wait for a fill. Asked again at each retry, so it must not learn. May be NULL. */
    bool (*declines)(struct policy_self *self, const struct policy_access *a, const uint64_t *candidates);
};

/* The storage of an L1 whose sets have a number of bytes instead of a number of lines. A tag belongs to a piece: neighbouring
 * 32-byte sectors of a line that were fetched together (before_lookup's fill_bytes, or else the whole line). A set may hold
 * several pieces of a line, but no byte twice. A load hits when the pieces that are here cover it, and fetches only what is
 * missing. The first three hooks are required. */
struct policy_storage_hooks {
    uint32_t (*tags_per_set)(struct policy_self *self, uint32_t level); /* ways, up to 64; asked once, before there is any state */
    /* Space of a set, at least that of a line. Asked after the kernel_start hooks of every kernel: storage may grow and shrink
     * from one kernel to the next. A cache that shrinks is emptied. */
    uint32_t (*set_bytes)(struct policy_self *self, uint32_t level);
    /* Space that `fetched` bytes take, with whatever they need beside the data. Asked when a miss reserves space (`way` NO_WAY,
     * `filled` false), and again when the data are here. The second answer holds from then on. If it is larger, other pieces go,
     * or the piece itself when those are not enough. */
    uint32_t (*stored_bytes)(struct policy_self *self, const struct policy_access *a, uint32_t way, uint32_t fetched, bool filled);
    /* Cycles from the arrival of the data until the piece can be read (compression). Loads that wait for the data get them at
     * once; a hit before then waits for the rest. NULL: none. */
    uint32_t (*fill_cycles)(struct policy_self *self, const struct policy_access *a, uint32_t way);
    uint32_t (*hit_cycles)(struct policy_self *self, const struct policy_access *a, uint32_t way); /* beyond a plain hit; or NULL */
    /* Called for a certain hit. True when the data come later, at a time that is not known yet (they wait for a bank). The
     * policy then keeps the access's request and calls machine->deliver. NULL: never. */
    bool (*hit_later)(struct policy_self *self, const struct policy_access *a, uint32_t way);
};

/* Shared hooks: any number of policies may fill each of these. They are called in the order in which the policies were named. */
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
    /* The whole cache is emptied, even if it holds nothing. `evicted` is called for its lines after this. L1 only. */
    void (*flushed)(struct policy_self *self, uint32_t level, uint32_t unit);
    void (*every_accesses)(struct policy_self *self, uint32_t level,
                           uint32_t unit); /* after each `access_period` accesses of a unit */
    /* L1 only: cycles that a look at the tags takes beyond a plain L1's, at most POLICY_PROBE_MAX. Asked for each access that
     * enters the pipeline before the L1: loads and stores, hits and misses. The pipeline gets longer by this much but takes as
     * many accesses per cycle as before. The answers of several policies are added. A policy whose answer changes calls
     * machine->regate, which wakes the SM. */
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
/* One structure: `entries` x `bits` in each SM, in each slice or once. 0 entries: this configuration does not have it, and nothing
 * is spent on it. */
struct policy_hardware {
    const char *name;
    enum policy_scope scope;
    uint64_t entries, bits;
};

/* What using a structure costs. A row is given when a paper states the cost, or when it is known which counter counts the uses.
 * A structure without a row gets the numbers that follow from its size (energy/NAME.conf, [structure]), and every access that
 * the policy sees counts as a use (policy_structures). A row may also be a circuit that stores nothing and is not among the
 * `hardware` rows, such as a compressor. It brings its own numbers. */
struct policy_energy {
    const char *structure; /* as in its row of `hardware`; NULL ends the list */
    const char *uses;      /* counters of the run whose sum says how often it is used: "l1.accesses+l1.writes"; NULL: as without
                            * a row */
    double use_pj;         /* of each use; 0: by its size */
    double leakage_mw;     /* of one copy; 0: by its size, and none for a circuit */
    const char *source;    /* where the numbers come from; required with them */
};

/* What the machine keeps only on demand; a policy that uses one must say so. */
enum {
    NEED_NEXT = 1u << 0,   /* policy_sm_view.memory_next */
    NEED_LOADED = 1u << 1, /* policy_sm_view.reads_loaded */
    NEED_VALUES = 1u << 2, /* machine->read_values always answers: a trace without values is refused */
    NEED_TRIALS = 1u << 3  /* it calls machine->try_values: refused where the run records a trace */
};

struct policy {
    const char *name;           /* as typed after --policy; lower case, digits, '-' */
    const char *summary;        /* one line */
    const char *source;         /* the paper, or "textbook" */
    const struct param *params; /* rows over the config struct; NULL none. Key: policy.<name>.<row> */
    size_t config_size;
    const struct stat_group *counters; /* named like the policy, with '_' for '-'; NULL none */
    uint32_t needs;                    /* NEED_* */
    const char *per_kernel; /* rows, "a,b", that may differ from kernel to kernel (--set KERNEL:policy.NAME.ROW=VALUE): its hooks
                             * read them at every use, and neither sizes nor periods depend on them. NULL: none */
    const char *tuned;      /* the row that `warpline tune NAME` searches; NULL: one must be named */
    const char *profile;    /* what its first run records, in lower case and '-': policies with the same name can use each other's
                               profiles; NULL: it needs no first run */
    /* Finds contradictions between parameters, or with the machine: false, and one sentence in `text`. May be NULL. */
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

/* Another policy of the run by its name; NULL when it is not there. In `start` only policies named before are found. Its
 * configuration may be read: a technique that must leave another one some time asks how much. Its state may not be read. */
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
