/* mascar_mode.c - Mascar's two ways of scheduling (Sethia et al., HPCA 2015, sections III-A and III-B).
 *
 * Equal priority: warps whose next instruction is for memory go first, greedy-then-oldest within each kind.
 * Memory priority, while the L1 is nearly saturated: warps with arithmetic go first, the oldest of them; one warp per SM, the
 * owner, may issue memory instructions, and the L1 refuses the misses of the others.
 *
 * Where the text leaves a choice:
 *  - "Almost full": at most `mshr_free` percent of the MSHRs or `miss_queue_free` places of the miss queue are free. The text gives
 *    no number, only the reason: the owner must still be able to issue. A load of one warp may need 32 MSHRs, half of table I's,
 * and a miss two places of the queue: these are the defaults. Half is more than the words "almost full" suggest; figure 12's times
 * in memory priority speak for it. docs/reproduction-001.md shows other thresholds beside it.
 *  - When the flag falls: as soon as what raised it is no longer so. The text speaks of clearing it when "the back pressure is
 *    relieved over time" and of "rapid and simple toggling", and has no second threshold. `mshr_free_off`, `miss_queue_free_off`
 *    and, for the policy with a queue, `relief=queue` (until the queue of refused accesses is empty) are there to study hysteresis.
 *  - The texture and constant caches count as saturated when they can take at most `readonly_free` misses; while the texture cache
 *    is, textures are memory instructions. The text says only that these caches are observed too.
 *  - The owner lets go when its next instruction waits for its own load, at a barrier or at its end, but not before all the
 *    transactions that it has issued were taken by the L1: the instruction that depends on a load is next as soon as the load was
 *    issued, when the load is still far from the L1, and its own requests would be refused as those of another.
 *  - While nobody owns, nobody is refused.
 *  - When the mode begins, the oldest warp with transactions on their way to the L1 owns: they are of loads that began while
 *    everybody might issue, and as those of another they would be refused half done.
 *  - Others than the owner do not issue memory instructions (their stall bits); what they issued before the mode began is tried and
 *    refused. The text also lets warps issue whose memory instruction was queued as ready before; as stall bits are reset at each
 *    change of owner, these are all that were ready then: `others=ready`. The default is the stall bits, because section III-A
 *    defines them for every warp whose next instruction is for memory, and speaks of the exception as what is left of the time
 *    before the mode.
 *  - The re-execution queue's head becomes the owner only when no memory-ready warp is left (section III-D), though older warps may
 *    wait in it. A warp is ready, too, when only the LSU's pipe has no room for its instruction. `heir=queue`, which the text does
 * not have: it goes before warps that are ready.
 *  - Stores are never refused by the L1 on account of their warp: they are held back at issue alone. */
#include "policy/mascar_mode.h"

#include "policy/warp_order.h"

const char *const mascar_forced_names[] = { "auto", "equal", "memory", NULL };
const char *const mascar_others_names[] = { "stall", "ready", NULL };
const char *const mascar_heir_names[] = { "ready", "queue", NULL };
const char *const mascar_relief_names[] = { "flag", "queue", NULL };

void mascar_mode_clear(struct mascar_mode *m)
{
    *m = (struct mascar_mode){ .owner = NO_WARP };
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The flag. Once up, it stays up until more is free than raised it, where the second thresholds say so. `queued`: something is in
 * the re-execution queue. That alone never keeps the mode when nothing is in flight, so that no owner can stop the others for good.
 */
static bool is_saturated(const struct policy_self *self, const struct mascar_mode_config *c, struct mascar_mode *m, uint32_t sm,
                         bool queued)
{
    struct policy_occupancy now;
    m->textures = false;
    if (c->forced != MASCAR_AUTO)
        return c->forced == MASCAR_MEMORY;
    self->machine->occupancy(self->machine->gpu, sm, &now);
    const struct policy_cache_geometry *l1 = &self->geometry->cache[LEVEL_L1];
    const uint32_t mshrs = m->saturated ? larger(c->mshr_free, c->mshr_free_off) : c->mshr_free;
    const uint32_t places = m->saturated ? larger(c->miss_queue_free, c->miss_queue_free_off) : c->miss_queue_free;
    const bool held = m->saturated && queued && c->relief == MASCAR_BY_QUEUE && now.mshr_entries + now.miss_queue != 0;
    m->textures = now.texture_free <= c->readonly_free;
    return held || m->textures || now.constant_free <= c->readonly_free ||
           (now.mshr_entries && 100ull * now.mshr_entries >= (uint64_t)(100 - mshrs) * l1->mshr_entries) ||
           (now.miss_queue && now.miss_queue + places >= l1->miss_queue_entries);
}

static bool lets_go(const struct policy_self *self, uint32_t sm, uint32_t owner)
{
    struct policy_warp w;
    self->machine->warp(self->machine->gpu, sm, owner, &w);
    return w.unsent == 0 && (w.wait == WAIT_LOAD || w.wait == WAIT_BARRIER || w.wait == WAIT_DONE);
}

void mascar_mode_own(struct mascar_mode *m, struct mascar_mode_counters *count, uint16_t warp)
{
    count->owners += m->owner != warp;
    m->owner = warp;
}

/* The oldest warp with transactions that the L1 has not taken yet, or NO_WARP. */
static uint16_t oldest_on_its_way(const struct policy_self *self, const struct policy_sm_view *v)
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

/* The candidates with a memory instruction next. */
static uint64_t memory_next(const struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode *m,
                            uint64_t candidates)
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

/* A memory instruction could be issued, now or as soon as the LSU's pipe has room. */
static bool memory_is_ready(const struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode *m,
                            uint64_t held)
{
    for (uint64_t rest = memory_next(self, v, m, v->resident & ~held); rest; rest &= rest - 1) {
        struct policy_warp w;
        self->machine->warp(self->machine->gpu, v->sm, (uint32_t)__builtin_ctzll(rest), &w);
        if (w.wait == WAIT_NONE || w.wait == WAIT_PIPE)
            return true;
    }
    return false;
}

void mascar_mode_look(struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode_config *c,
                      struct mascar_mode *m, struct mascar_mode_counters *count, uint16_t head, uint64_t held)
{
    if (m->looked && m->cycle == v->cycle)
        return;
    const bool saturated = is_saturated(self, c, m, v->sm, head != NO_WARP);
    const bool begins = saturated && !m->saturated;
    count->mode_switches += saturated != m->saturated;
    count->mp_cycles += saturated;
    count->ep_cycles += !saturated;
    m->looked = true;
    m->cycle = v->cycle;
    m->saturated = saturated;
    if (!saturated || (m->owner != NO_WARP && lets_go(self, v->sm, m->owner)))
        m->owner = NO_WARP;
    const uint16_t first = begins ? oldest_on_its_way(self, v) : NO_WARP;
    if (first != NO_WARP)
        mascar_mode_own(m, count, first);
    if (saturated && m->owner == NO_WARP && head != NO_WARP &&
        (c->heir == MASCAR_QUEUE_FIRST || !memory_is_ready(self, v, m, held))) {
        mascar_mode_own(m, count, head);
        count->owners_from_queue++;
    }
    m->open = m->owner == NO_WARP;
}

/* While something is in the queue it is tried in every cycle, and the SM does not sleep. */
void mascar_mode_slept(const struct mascar_mode *m, struct mascar_mode_counters *count, uint64_t cycles)
{
    *(m->saturated ? &count->mp_cycles : &count->ep_cycles) += cycles;
}

static uint32_t greedy_then_oldest(const struct policy_sm_view *v, const struct last_issued *last, uint32_t scheduler,
                                   uint64_t candidates)
{
    const uint32_t greedy = warp_order_last(last, v, scheduler);
    return candidates >> greedy & 1 ? greedy : warp_order_oldest(v, candidates);
}

uint32_t mascar_mode_pick(const struct policy_self *self, const struct policy_sm_view *v, const struct mascar_mode_config *c,
                          struct mascar_mode *m, uint32_t scheduler, uint64_t candidates)
{
    const struct last_issued *last = policy_scheduler_state(self, v->sm, scheduler);
    const uint64_t memory = memory_next(self, v, m, candidates), compute = candidates & ~memory;
    m->admitted |= m->open ? memory : 0;
    if (!m->saturated)
        return greedy_then_oldest(v, last, scheduler, memory ? memory : compute);
    if (compute)
        return warp_order_oldest(v, compute);
    if (m->owner == NO_WARP)
        return warp_order_oldest(v, memory);
    if (memory >> m->owner & 1)
        return m->owner;
    const uint64_t before = c->others == MASCAR_OTHERS_READY ? memory & m->admitted : 0;
    return before ? warp_order_oldest(v, before) : NO_SLOT;
}

void mascar_mode_issued(struct mascar_mode *m, struct mascar_mode_counters *count, uint32_t slot, const struct inst *inst)
{
    m->admitted &= ~(1ull << slot);
    const bool reaches_l1 = inst->space == SPACE_GLOBAL || inst->space == SPACE_LOCAL || inst->space == SPACE_GENERIC;
    if (m->saturated && m->owner == NO_WARP && (reaches_l1 || (m->textures && inst->class == CLASS_TEXTURE)))
        mascar_mode_own(m, count, (uint16_t)slot);
}

bool mascar_mode_is_anothers(const struct mascar_mode *m, const struct policy_access *a)
{
    return m->saturated && m->owner != NO_WARP && m->owner != a->warp;
}

/* Table II: two bits per warp, and the owner's number. Section III-A also has a bit in each entry of the scoreboard, which says
 * that the register comes from a load. The table leaves it out and no text says how many entries there are: it is not counted here.
 */
uint32_t mascar_mode_hardware(const struct policy_geometry *g, struct policy_hardware rows[])
{
    uint32_t bits = 1;
    while ((1u << bits) < g->warps_per_sm)
        bits++;
    rows[0] = (struct policy_hardware){ "warp readiness checker (owner)", PER_SM, 1, bits };
    rows[1] = (struct policy_hardware){ "warp status table", PER_SM, g->warps_per_sm, 2 };
    return 2;
}
