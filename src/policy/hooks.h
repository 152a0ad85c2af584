/* hooks.h - what the machine calls: one table per hook point, made by policy_set_bind from the policies of the run.
 *
 * An empty table costs one predictable test:
 *
 *     if (hooks->before_lookup.count)
 *         hooks_before_lookup(hooks, &access, &lookup);
 *
 * so the caller fills in its `struct policy_access` inside the `if`. A decision with one owner is a pointer, NULL when the
 * machine decides for itself (greedy-then-oldest, linear or hashed index, least recently used, fixed-size lines).
 * `owner` is the policy's name, for error messages and dumps. */
#ifndef WARPLINE_POLICY_HOOKS_H
#define WARPLINE_POLICY_HOOKS_H
#include "base/error.h"
#include "policy/policy.h"

enum { POLICIES_MAX = 16 };

#define HOOK_TABLE(name, result, ...)                                                                                              \
    struct name##_hook {                                                                                                           \
        result (*call)(struct policy_self * self, __VA_ARGS__);                                                                    \
        struct policy_self *self;                                                                                                  \
    };                                                                                                                             \
    struct name##_table {                                                                                                          \
        uint32_t count;                                                                                                            \
        struct name##_hook hook[POLICIES_MAX];                                                                                     \
    }

HOOK_TABLE(before_lookup, void, const struct policy_access *, struct policy_lookup *);
HOOK_TABLE(serve, void, const struct policy_access *, struct policy_serve *);
HOOK_TABLE(may_miss, bool, const struct policy_access *);
HOOK_TABLE(accessed, void, const struct policy_access *, enum policy_outcome, uint32_t);
HOOK_TABLE(refused, enum policy_refusal, const struct policy_access *, enum policy_cause);
HOOK_TABLE(refused_end, void, const struct policy_access *, enum policy_cause, uint64_t);
HOOK_TABLE(filled, void, const struct policy_access *, uint32_t);
HOOK_TABLE(evicted, void, const struct policy_evicted *);
HOOK_TABLE(flushed, void, uint32_t, uint32_t);
HOOK_TABLE(every_accesses, void, uint32_t, uint32_t);
HOOK_TABLE(warp_gate, void, const struct policy_sm_view *, struct policy_gate *);
HOOK_TABLE(cta_gate, void, const struct policy_sm_view *, uint32_t *);
HOOK_TABLE(issued, void, const struct policy_sm_view *, uint32_t, const struct inst *, uint32_t);
HOOK_TABLE(warp_event, void, const struct policy_sm_view *, uint32_t);
HOOK_TABLE(cta_event, void, const struct policy_sm_view *, uint32_t, uint32_t);
HOOK_TABLE(token, void, const struct policy_sm_view *, uint64_t);
HOOK_TABLE(kernel_event, void, const struct policy_kernel *);
HOOK_TABLE(every_cycles, void, uint64_t);
HOOK_TABLE(probe_cycles, uint32_t, uint32_t);
#undef HOOK_TABLE

/* Of one level: every cache of the level holds a pointer to it. */
struct cache_hooks {
    struct before_lookup_table before_lookup;
    struct serve_table serve;
    struct may_miss_table may_miss;
    struct accessed_table accessed;
    struct refused_table refused;
    struct refused_end_table refused_end;
    struct filled_table filled;
    struct evicted_table evicted;
    struct flushed_table flushed;
    struct every_accesses_table every_accesses;
    uint64_t access_period[POLICIES_MAX]; /* period of every_accesses.hook[i] */
    struct probe_cycles_table probe_cycles;

    struct {
        const char *owner;
        struct policy_self *self;
        uint32_t (*call)(struct policy_self *, const struct policy_access *);
    } set_index;
    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_replacement_hooks call;
    } replacement;
    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_storage_hooks call;
    } storage;
};

struct policy_hooks {
    uint32_t needs; /* NEED_* of all policies */
    struct cache_hooks cache[LEVEL_COUNT];

    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_order_hooks call;
    } order;
    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_lsu_hooks call;
    } lsu;
    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_cta_hooks call;
    } cta;
    struct {
        const char *owner;
        struct policy_self *self;
        struct policy_page_hooks call;
    } page;
    struct warp_gate_table warp_gate;
    struct cta_gate_table cta_gate;
    struct issued_table issued;
    struct warp_event_table warp_start, warp_end;
    struct cta_event_table cta_start, cta_end, cta_drained;
    struct token_table injected, register_done;

    /* The serial point of a cycle. The gpu calls hooks_serial when cycle >= next_period, before any component acts in that
     * cycle, and never lets its clock jump past next_period. */
    struct kernel_event_table kernel_start, kernel_end;
    struct every_cycles_table every_cycles;
    uint64_t cycle_period[POLICIES_MAX], cycle_next[POLICIES_MAX];
    bool period_restarts[POLICIES_MAX];
    uint64_t next_period; /* UINT64_MAX: none */
};

/* A hook gave an answer that its contract does not allow ("victim", "answered 9; ..."): a plug-in's fault or ours
 * (plugin_fault.c). */
_Noreturn void hooks_wrong_answer(const struct policy_self *self, const char *hook, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Call these only when the table's count is not 0. Callers make that test themselves, so that it is inlined. */
static inline void hooks_before_lookup(const struct cache_hooks *h, const struct policy_access *a, struct policy_lookup *answer)
{
    for (uint32_t i = 0; i < h->before_lookup.count; i++) {
        h->before_lookup.hook[i].call(h->before_lookup.hook[i].self, a, answer);
        if (seldom(answer->fill_bytes < 32 || (answer->fill_bytes & (answer->fill_bytes - 1))))
            hooks_wrong_answer(h->before_lookup.hook[i].self, "before_lookup",
                               "answered fill_bytes of %u; 32, 64 or 128 is expected", answer->fill_bytes);
    }
}
static inline bool hooks_serve(const struct cache_hooks *h, const struct policy_access *a, struct policy_serve *answer)
{
    for (uint32_t i = 0; i < h->serve.count && !answer->served; i++)
        h->serve.hook[i].call(h->serve.hook[i].self, a, answer);
    return answer->served;
}
static inline bool hooks_may_miss(const struct cache_hooks *h, const struct policy_access *a)
{
    for (uint32_t i = 0; i < h->may_miss.count; i++)
        if (!h->may_miss.hook[i].call(h->may_miss.hook[i].self, a))
            return false;
    return true;
}
static inline void hooks_accessed(const struct cache_hooks *h, const struct policy_access *a, enum policy_outcome outcome,
                                  uint32_t way)
{
    for (uint32_t i = 0; i < h->accessed.count; i++)
        h->accessed.hook[i].call(h->accessed.hook[i].self, a, outcome, way);
}
static inline enum policy_refusal hooks_refused(const struct cache_hooks *h, const struct policy_access *a, enum policy_cause cause)
{
    enum policy_refusal strongest = REFUSAL_WAIT;
    for (uint32_t i = 0; i < h->refused.count; i++) {
        const enum policy_refusal answer = h->refused.hook[i].call(h->refused.hook[i].self, a, cause);
        if (seldom((unsigned)answer > REFUSAL_BYPASS))
            hooks_wrong_answer(h->refused.hook[i].self, "refused", "answered %u, which is none of REFUSAL_*", (unsigned)answer);
        if (answer > strongest)
            strongest = answer;
    }
    return strongest;
}
static inline void hooks_refused_end(const struct cache_hooks *h, const struct policy_access *a, enum policy_cause cause,
                                     uint64_t cycles)
{
    for (uint32_t i = 0; i < h->refused_end.count; i++)
        h->refused_end.hook[i].call(h->refused_end.hook[i].self, a, cause, cycles);
}
static inline void hooks_filled(const struct cache_hooks *h, const struct policy_access *a, uint32_t way)
{
    for (uint32_t i = 0; i < h->filled.count; i++)
        h->filled.hook[i].call(h->filled.hook[i].self, a, way);
}
static inline void hooks_evicted(const struct cache_hooks *h, const struct policy_evicted *e)
{
    for (uint32_t i = 0; i < h->evicted.count; i++)
        h->evicted.hook[i].call(h->evicted.hook[i].self, e);
}
static inline void hooks_flushed(const struct cache_hooks *h, uint32_t level, uint32_t unit)
{
    for (uint32_t i = 0; i < h->flushed.count; i++)
        h->flushed.hook[i].call(h->flushed.hook[i].self, level, unit);
}
/* `accesses`: how many this unit has served, this one included. */
static inline void hooks_every_accesses(const struct cache_hooks *h, uint32_t level, uint32_t unit, uint64_t accesses)
{
    for (uint32_t i = 0; i < h->every_accesses.count; i++)
        if (accesses % h->access_period[i] == 0)
            h->every_accesses.hook[i].call(h->every_accesses.hook[i].self, level, unit);
}
static inline uint32_t hooks_probe_cycles(const struct cache_hooks *h, uint32_t sm)
{
    uint32_t cycles = 0;
    for (uint32_t i = 0; i < h->probe_cycles.count; i++)
        cycles += h->probe_cycles.hook[i].call(h->probe_cycles.hook[i].self, sm);
    return cycles < POLICY_PROBE_MAX ? cycles : POLICY_PROBE_MAX;
}
/* `gate` receives the answer; it is set to all ones first. Ask again no later than gate->again_at. */
static inline void hooks_warp_gate(const struct policy_hooks *h, const struct policy_sm_view *v, struct policy_gate *gate)
{
    *gate = (struct policy_gate){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
    for (uint32_t i = 0; i < h->warp_gate.count; i++)
        h->warp_gate.hook[i].call(h->warp_gate.hook[i].self, v, gate);
}
static inline uint32_t hooks_cta_gate(const struct policy_hooks *h, const struct policy_sm_view *v, uint32_t limit)
{
    for (uint32_t i = 0; i < h->cta_gate.count; i++) {
        const uint32_t before = limit;
        h->cta_gate.hook[i].call(h->cta_gate.hook[i].self, v, &limit);
        if (seldom(limit > before))
            hooks_wrong_answer(h->cta_gate.hook[i].self, "cta_gate", "raised the limit from %u CTAs to %u; it may only lower it",
                               before, limit);
    }
    return limit;
}
static inline void hooks_issued(const struct policy_hooks *h, const struct policy_sm_view *v, uint32_t slot,
                                const struct inst *inst, uint32_t active)
{
    for (uint32_t i = 0; i < h->issued.count; i++)
        h->issued.hook[i].call(h->issued.hook[i].self, v, slot, inst, active);
}
static inline void hooks_warp_event(const struct warp_event_table *t, const struct policy_sm_view *v, uint32_t slot)
{
    for (uint32_t i = 0; i < t->count; i++)
        t->hook[i].call(t->hook[i].self, v, slot);
}
static inline void hooks_cta_event(const struct cta_event_table *t, const struct policy_sm_view *v, uint32_t cta_slot, uint32_t cta)
{
    for (uint32_t i = 0; i < t->count; i++)
        t->hook[i].call(t->hook[i].self, v, cta_slot, cta);
}
static inline void hooks_token(const struct token_table *t, const struct policy_sm_view *v, uint64_t token)
{
    for (uint32_t i = 0; i < t->count; i++)
        t->hook[i].call(t->hook[i].self, v, token);
}

/* Serial point (policy_set.c). The GPU's clock runs on from kernel to kernel. */
void hooks_kernel_start(struct policy_hooks *h, const struct policy_kernel *k);
void hooks_kernel_end(struct policy_hooks *h, const struct policy_kernel *k);
void hooks_serial(struct policy_hooks *h, uint64_t cycle); /* calls every policy whose period ends at or before `cycle` */
#endif
