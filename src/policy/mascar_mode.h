/* mascar_mode.h - Mascar's two ways of scheduling (Sethia et al., HPCA 2015, sections III-A and III-B), shared by `mascar` and
 * `mascar-schedule`. The includer names the struct of its counters in MASCAR_COUNTERS (with the rows of mascar_mode_counters.def).
 *
 * Equal priority: warps whose next instruction is for memory go first, greedy-then-oldest within each kind.
 * Memory priority, while the L1 is nearly saturated: warps with arithmetic go first, the oldest of them; one warp per SM, the
 * owner, may issue memory instructions, and the L1 refuses the misses of the others.
 *
 * Where the text leaves a choice:
 *  - Saturated ("almost full") means: at most `mshr_free` percent of the MSHRs or `miss_queue_free` places of the miss queue are
 * free. The flag is to rise while the owner can still issue. A load may need 32 MSHRs, half of table I's: the default; with it,
 * time in memory-priority mode is nearest to figure 12's. A miss needs two places of the queue. The texture and constant caches
 * count as saturated when they can take at most `readonly_free` misses; while the texture cache is, textures are memory
 * instructions.
 *  - The owner lets go when its next instruction waits for its own load, at a barrier or at its end, but not before all the
 *    transactions that it has issued were taken by the L1: the instruction that depends on a load is next as soon as the load was
 *    issued, when the load is still far from the L1, and its own requests would be refused as those of another.
 *  - While nobody owns, nobody is refused.
 *  - When the mode begins, the oldest warp with transactions on their way to the L1 owns: they are of loads that began while
 * everybody might issue, and as those of another they would be refused half done. (kmeans-1 takes 13 % fewer cycles than without,
 * spmv 2 %.)
 *  - Others than the owner do not issue memory instructions (their stall bits); what they issued before the mode began is tried and
 * refused. The text also lets warps issue whose memory instruction was queued as ready before; as stall bits are reset at each
 * change of owner, these are all that were ready then: `others=ready`. They fill the re-execution queue, the owner's requests wait
 * behind them, and owners come from the queue in turn: kmeans-1 then gains nothing, bfs 4 % instead of 11 % and particle 4 %
 * instead of 17 %, while leuko-1 gains 21 % instead of 13 %.
 *  - The re-execution queue's head becomes the owner only when no memory-ready warp is left (section III-D), though older warps may
 * wait in it. `heir=queue`, which the text does not have: it goes before warps that are ready.
 *  - Stores are never refused by the L1 on account of their warp: they are held back at issue alone. */
#ifndef WARPLINE_POLICY_MASCAR_MODE_H
#define WARPLINE_POLICY_MASCAR_MODE_H
#include "policy/warp_order.h"

enum mascar_forced { MASCAR_AUTO, MASCAR_EQUAL, MASCAR_MEMORY };
static const char *const mascar_forced_names[] = { "auto", "equal", "memory", NULL };
enum mascar_others { MASCAR_OTHERS_STALL, MASCAR_OTHERS_READY };
static const char *const mascar_others_names[] = { "stall", "ready", NULL };
enum mascar_heir { MASCAR_READY_FIRST, MASCAR_QUEUE_FIRST };

struct mascar_mode_config {
    uint32_t mshr_free, miss_queue_free, readonly_free, forced, others, heir;
};

#define MASCAR_MODE_PARAMS(type, field)                                                                                            \
    PARAM_U32(type, field.mshr_free, "mshr_free", 50, 0, 100, "percent", "free MSHRs at which the L1 counts as saturated"),        \
        PARAM_U32(type, field.miss_queue_free, "miss_queue_free", 2, 0, 65536, "entries",                                          \
                  "free places of the miss queue at which it does"),                                                               \
        PARAM_U32(type, field.readonly_free, "readonly_free", 0, 0, 65536, "misses",                                               \
                  "the same for the texture and constant caches"),                                                                 \
        PARAM_CHOICE(type, field.forced, "mode", "auto", mascar_forced_names, "follow the saturation, or stay in one mode"),       \
        PARAM_CHOICE(type, field.others, "others", "stall", mascar_others_names,                                                   \
                     "warps beside the owner: held back, or those that were ready before it may issue")
/* Of the policy that has a queue as well. */
#define MASCAR_HEIR_PARAM(type, field)                                                                                             \
    PARAM_CHOICE(type, field.heir, "heir", "ready", mascar_heir_names,                                                             \
                 "who owns next: warps that are ready before the queue, as in the text, or not")

/* Of an SM. */
struct mascar_mode {
    uint64_t cycle; /* of the last look */
    uint16_t owner; /* NO_WARP: none */
    bool looked, saturated, textures;
    bool open;         /* at the last look, anybody might issue to memory */
    uint64_t admitted; /* slots whose memory instruction was ready while it was */
    bool memory_ready; /* since the last look, a scheduler had a warp with a memory instruction to issue */
};

static inline void mascar_mode_clear(struct mascar_mode *m)
{
    *m = (struct mascar_mode){ .owner = NO_WARP };
}

static inline bool mascar_is_saturated(const struct policy_self *self, const struct mascar_mode_config *c, uint32_t sm,
                                       bool *textures)
{
    struct policy_occupancy now;
    *textures = false;
    if (c->forced != MASCAR_AUTO)
        return c->forced == MASCAR_MEMORY;
    self->machine->occupancy(self->machine->gpu, sm, &now);
    const struct policy_cache_geometry *l1 = &self->geometry->cache[LEVEL_L1];
    *textures = now.texture_free <= c->readonly_free;
    return *textures || now.constant_free <= c->readonly_free ||
           100ull * now.mshr_entries >= (uint64_t)(100 - c->mshr_free) * l1->mshr_entries ||
           now.miss_queue + c->miss_queue_free >= l1->miss_queue_entries;
}

static inline bool mascar_lets_go(const struct policy_self *self, uint32_t sm, uint32_t owner)
{
    struct policy_warp w;
    self->machine->warp(self->machine->gpu, sm, owner, &w);
    return w.unsent == 0 && (w.wait == WAIT_LOAD || w.wait == WAIT_BARRIER || w.wait == WAIT_DONE);
}

static inline void mascar_own(struct mascar_mode *m, MASCAR_COUNTERS *count, uint16_t warp)
{
    count->owners += m->owner != warp;
    m->owner = warp;
}

/* The oldest warp with transactions that the L1 has not taken yet, or NO_WARP. */
static inline uint16_t mascar_oldest_on_its_way(const struct policy_self *self, const struct policy_sm_view *v)
{
    uint64_t unsent = 0;
    for (uint64_t rest = v->resident; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        struct policy_warp w;
        self->machine->warp(self->machine->gpu, v->sm, slot, &w);
        unsent |= w.unsent ? 1ull << slot : 0;
    }
    return unsent ? (uint16_t)warp_order_oldest(v, unsent) : NO_WARP;
}

/* Once per cycle, before its first pick. `head`: the warp at the head of the re-execution queue, or NO_WARP. */
static inline void mascar_look(struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode_config *c,
                               struct mascar_mode *m, uint16_t head)
{
    if (m->looked && m->cycle == v->cycle)
        return;
    MASCAR_COUNTERS *count = policy_sm_counters(self, v->sm);
    const bool saturated = mascar_is_saturated(self, c, v->sm, &m->textures);
    const bool begins = saturated && !m->saturated;
    count->mode_switches += saturated != m->saturated;
    count->mp_cycles += saturated;
    count->ep_cycles += !saturated;
    m->looked = true;
    m->cycle = v->cycle;
    m->saturated = saturated;
    if (!saturated || (m->owner != NO_WARP && mascar_lets_go(self, v->sm, m->owner)))
        m->owner = NO_WARP;
    const uint16_t first = begins ? mascar_oldest_on_its_way(self, v) : NO_WARP;
    if (first != NO_WARP)
        mascar_own(m, count, first);
    if (saturated && m->owner == NO_WARP && head != NO_WARP && (!m->memory_ready || c->heir == MASCAR_QUEUE_FIRST)) {
        mascar_own(m, count, head);
        count->owners_from_queue++;
    }
    m->memory_ready = false;
    m->open = m->owner == NO_WARP;
}

/* Cycles in which nothing in the SM changed, and so neither the mode nor the owner: with something in the queue, it is tried in
 * every cycle and the SM does not sleep. */
static inline void mascar_slept(struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode *m,
                                uint64_t cycles)
{
    MASCAR_COUNTERS *count = policy_sm_counters(self, v->sm);
    if (m->saturated)
        count->mp_cycles += cycles;
    else
        count->ep_cycles += cycles;
}

static inline uint64_t mascar_memory_next(const struct policy_self *self, const struct policy_sm_view *v,
                                          const struct mascar_mode *m, uint64_t candidates)
{
    uint64_t memory = candidates & v->memory_next;
    for (uint64_t rest = m->textures ? candidates & ~memory : 0; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        struct policy_warp w;
        self->machine->warp(self->machine->gpu, v->sm, slot, &w);
        memory |= w.next && w.next->class == CLASS_TEXTURE ? 1ull << slot : 0;
    }
    return memory;
}

static inline uint32_t mascar_greedy_then_oldest(const struct policy_sm_view *v, const struct last_issued *last, uint32_t scheduler,
                                                 uint64_t candidates)
{
    const uint32_t greedy = warp_order_last(last, v, scheduler);
    return candidates >> greedy & 1 ? greedy : warp_order_oldest(v, candidates);
}

static inline uint32_t mascar_pick(const struct policy_self *self, const struct policy_sm_view *v,
                                   const struct mascar_mode_config *c, struct mascar_mode *m, uint32_t scheduler,
                                   uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    const uint64_t memory = mascar_memory_next(self, v, m, candidates), compute = candidates & ~memory;
    m->memory_ready |= memory != 0;
    m->admitted |= m->open ? memory : 0;
    if (!m->saturated)
        return mascar_greedy_then_oldest(v, last, scheduler, memory ? memory : compute);
    if (compute)
        return warp_order_oldest(v, compute);
    if (m->owner == NO_WARP)
        return warp_order_oldest(v, memory);
    if (memory >> m->owner & 1)
        return m->owner;
    const uint64_t before = c->others == MASCAR_OTHERS_READY ? memory & m->admitted : 0;
    return before ? warp_order_oldest(v, before) : NO_SLOT;
}

/* A warp has issued an instruction: without an owner, a memory instruction makes it one. `view` is of after the issue, so that what
 * was issued must be looked at. */
static inline void mascar_issued(struct policy_self *self, const struct policy_sm_view *v, struct mascar_mode *m, uint32_t slot,
                                 const struct inst *inst)
{
    m->admitted &= ~(1ull << slot);
    const bool reaches_l1 = inst->space == SPACE_GLOBAL || inst->space == SPACE_LOCAL || inst->space == SPACE_GENERIC;
    if (m->saturated && m->owner == NO_WARP && (reaches_l1 || (m->textures && inst->class == CLASS_TEXTURE)))
        mascar_own(m, policy_sm_counters(self, v->sm), (uint16_t)slot);
}

static inline bool mascar_is_anothers(const struct mascar_mode *m, const struct policy_access *a)
{
    return m->saturated && m->owner != NO_WARP && m->owner != a->warp;
}

/* Table II: two bits per warp, and the owner's number. */
static inline uint32_t mascar_mode_hardware(const struct policy_geometry *g, struct policy_hardware rows[])
{
    uint32_t bits = 1;
    while ((1u << bits) < g->warps_per_sm)
        bits++;
    rows[0] = (struct policy_hardware){ "warp readiness checker (owner)", PER_SM, 1, bits };
    rows[1] = (struct policy_hardware){ "warp status table", PER_SM, g->warps_per_sm, 2 };
    return 2;
}
#endif
