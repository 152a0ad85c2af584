/* mascar_bench.h - an SM's schedulers, LSU and L1 as Mascar's tests play them: the flag, warps that issue, requests that the L1
 * takes or refuses. */
#ifndef MASCAR_BENCH_H
#define MASCAR_BENCH_H
#include "fake_machine.h"

#include <string.h>

enum { MSHRS = 32, WARPS = 6 }; /* of fake_geometry's L1 */
static const struct inst global_load = { .class = CLASS_LOAD, .space = SPACE_GLOBAL }, add = { .class = CLASS_INT_ADD };

struct rig {
    struct bound b;
    struct fake_view f;
    uint64_t cycle;
};

static inline void rig_begin(struct rig *r, const char *policy, const char *const *settings)
{
    bind_policies(&r->b, policy, settings);
    fake_view_fill(&r->f, 0, WARPS, 0);
    r->cycle = 0;
}

static inline const struct policy_hooks *hooks(const struct rig *r)
{
    return &r->b.instance->hooks;
}
static inline void saturate(struct rig *r, bool yes)
{
    r->b.machine.occupancy[0].mshr_entries = yes ? MSHRS / 2 : MSHRS / 2 - 1;
}
static inline struct request *handle(size_t n)
{
    return (struct request *)(64 * n);
}

static inline void next_cycle(struct rig *r)
{
    r->f.view.cycle = ++r->cycle;
    hooks(r)->order.call.cycle(hooks(r)->order.self, &r->f.view, 0);
    hooks(r)->order.call.cycle(hooks(r)->order.self, &r->f.view, 1);
}

static inline uint32_t pick(struct rig *r, uint32_t scheduler, uint64_t candidates)
{
    return hooks(r)->order.call.pick(hooks(r)->order.self, &r->f.view, scheduler,
                                     candidates & r->f.view.scheduler_slots[scheduler]);
}

static inline void issue(struct rig *r, uint32_t slot, const struct inst *inst)
{
    hooks(r)->order.call.issued(hooks(r)->order.self, &r->f.view, slot % 2, slot);
    hooks_issued(hooks(r), &r->f.view, slot, inst, UINT32_MAX);
}

static inline struct policy_access load_of(const struct rig *r, uint16_t warp, size_t request)
{
    struct policy_access a = fake_load(LEVEL_L1, 0, request * 4096, 32);
    a.warp = warp;
    a.request = handle(request);
    a.cycle = r->cycle;
    a.pc = request * 8;
    return a;
}

static inline bool may_miss(const struct rig *r, uint16_t warp)
{
    const struct policy_access a = load_of(r, warp, 99);
    return hooks_may_miss(&hooks(r)->cache[LEVEL_L1], &a);
}

static inline bool push(const struct rig *r, struct policy_access a)
{
    return hooks(r)->lsu.call.push(hooks(r)->lsu.self, &a);
}
static inline struct request *next(const struct rig *r)
{
    return hooks(r)->lsu.call.next(hooks(r)->lsu.self, 0, r->cycle);
}
static inline void take(const struct rig *r, struct request *q)
{
    hooks(r)->lsu.call.taken(hooks(r)->lsu.self, 0, q);
}

static inline void refuse(const struct rig *r, struct policy_access a)
{
    assert_int_equal(hooks_refused(&hooks(r)->cache[LEVEL_L1], &a, CAUSE_MSHR_ENTRY), REFUSAL_RECYCLE);
    hooks(r)->lsu.call.returned(hooks(r)->lsu.self, 0, a.request, CAUSE_MSHR_ENTRY);
}

static inline void accept(const struct rig *r, struct policy_access a)
{
    hooks_accessed(&hooks(r)->cache[LEVEL_L1], &a, OUTCOME_MISS, 0);
}

/* Pushes it, sends it on and has it refused. */
static inline void put_into_queue(const struct rig *r, struct policy_access a)
{
    assert_true(push(r, a));
    assert_ptr_equal(next(r), a.request);
    take(r, a.request);
    refuse(r, a);
}

static inline uint64_t counted(const struct rig *r, const char *name)
{
    uint64_t counters[32];
    const struct stat_group *g = r->b.instance->self[0].policy->counters;
    assert_true(g->size <= sizeof counters);
    policy_instance_counters(r->b.instance, 0, counters);
    for (const struct stat_counter *c = g->counters; c->name; c++)
        if (!strcmp(c->name, name))
            return counters[c->offset / sizeof counters[0]];
    fail_msg("there is no counter %s", name);
    return 0;
}

static inline uint64_t memory_gate(const struct rig *r)
{
    struct policy_gate gate;
    hooks_warp_gate(hooks(r), &r->f.view, &gate);
    return gate.memory;
}
#endif
