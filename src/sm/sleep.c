/* sleep.c - when an SM has something to do next.
 *
 * Nobody inside an SM marks that something happened. Each stage looks at queues and masks to find its work, and here the same ones
 * are looked at to find whether there is any. Two answers are kept because they are dear, and go out of date by a mark: the
 * schedulers' that no warp can issue (issue_stale), and the L1's that it refuses an access (l1_version). What might be forgotten, a
 * stage or one of these marks, is found by sm_oversleeps: the debug build runs each cycle that is slept through, asks both again,
 * and sees whether anything moves. */
#include "sm/sm_state.h"

#include <string.h>

#include "base/hash.h"

/* The warps' gate is out of date; a warp wants an instruction, has got one, or is to leave. */
static bool front_moves(const struct sm *sm)
{
    const uint64_t unfed = sm->resident & ~sm->done & ~sm->fetch_pending & ~sm->has_inst;
    return sm->gate_stale || sm->fetched || unfed | sm->finished | sm->fences_over ||
           (sm->fetch_pending && readonly_cache_has_ready(sm->l1i));
}

/* An instruction can go from its issue register to a collector, from a collector to an execution register, or from there into its
 * unit. One that waits for an arithmetic unit or for a result bus tries again in each cycle. */
static bool pipes_move(const struct sm *sm)
{
    if (sm->banks_wanted || sm->execute_used & PIPES_ARITHMETIC || seldom(sm->register_accesses))
        return true;
    if (sm->execute_used >> PIPE_MEM & 1 && lsu_can_take(sm))
        return true;
    if (seldom(sm->subcore_mask))
        return subcores_move(sm);
    if (sm->collected & PIPES_ARITHMETIC)
        return true;
    if (sm->collected >> PIPE_MEM & 1 && !op_slots_full(&sm->execute_regs[PIPE_MEM]))
        return true;
    for (uint32_t pipes = sm->issue_used; pipes; pipes &= pipes - 1) {
        const struct sm_collectors *c = &sm->collectors[__builtin_ctz(pipes)];
        if (c->all & ~c->busy)
            return true;
    }
    return false;
}

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t sm_next_event(const struct sm *sm, uint64_t now)
{
    if (sm->issue_stale || lsu_moves(sm)) /* of all reasons not to sleep nearly always one of these */
        return now + 1;
    if (front_moves(sm) || pipes_move(sm))
        return now + 1;
    if (seldom(sm->hooks) && sm->hooks->order.call.cycle && !sm->hooks->order.call.slept)
        return now + 1; /* the policy wants to see every cycle */
    if (seldom(sm->injections) && sm_injection_waits(sm))
        return now + 1;
    uint64_t next = min64(pipes_next_event(sm, now), lsu_next_event(sm, now));
    if (sm->fetch_pending)
        next = min64(next, readonly_cache_next_event(sm->l1i, now + 1));
    if (sm->issue_stalled_until > now)
        next = min64(next, sm->issue_stalled_until);
    next = min64(next, sm->gate.again_at);
    return next > now ? next : now + 1;
}

/* ---- the check of the debug build ------------------------------------------------------------------------------------- */

/* Of all that a stage changes when it does something; of time and of what counts lost cycles nothing. */
static uint64_t digest(const struct sm *sm)
{
    const struct sm_lsu *lsu = &sm->lsu;
    const uint64_t words[] = { sm->counters.warp_instructions,
                               sm->counters.transactions,
                               sm->counters.flushes,
                               sm->counters.bank_reads,
                               sm->resident,
                               sm->done,
                               sm->finished,
                               sm->waiting,
                               sm->has_inst,
                               sm->wrong_path,
                               sm->ready,
                               sm->fetch_pending,
                               sm->fetched,
                               sm->banks_wanted,
                               sm->register_accesses,
                               sm->issue_used,
                               sm->execute_used,
                               sm->collected,
                               sm->collecting,
                               sm->in_units,
                               sm->injections,
                               (uintptr_t)lsu->dispatch,
                               lsu->dispatch ? lsu->dispatch->access_count : 0,
                               lsu->dispatch ? lsu->dispatch->delay : 0,
                               (uintptr_t)lsu->writeback,
                               lsu->writes_done,
                               (uintptr_t)lsu->uncached,
                               (uintptr_t)lsu->delayed,
                               lsu->lane[0].queue.head,
                               lsu->before_l1,
                               lsu->shared.head,
                               lsu->shared.count,
                               lsu->responses.ring.count,
                               lsu->constants_out,
                               lsu->textures_out,
                               lsu->buffered,
                               l1_version(sm->l1),
                               l1_miss_queue_length(sm->l1),
                               readonly_cache_version(sm->l1i),
                               readonly_cache_version(sm->l1c),
                               sm->texture ? texture_fifo_room(sm->texture) : readonly_cache_version(sm->l1t) };
    uint64_t hash = 0;
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = hash_combine(hash, words[i]);
    for (uint32_t w = 0; w < sm->warp_count; w++)
        hash = hash_combine(hash,
                            sm->warp[w].in_pipe | (uint64_t)sm->warp[w].reserved_count << 16 | (uint64_t)sm->warp[w].stores << 32);
    return hash;
}

/* Runs a cycle in which the schedulers and the L1 are asked again for answers that nothing should have changed. What the L1 counts
 * for it is taken back, since its refusals are counted when they end. (With policies the L1 is not asked: they count for
 * themselves.) */
static bool run_doubtfully(struct sm *sm, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    struct l1_counters *counters = (struct l1_counters *)(uintptr_t)l1_counters(sm->l1);
    const struct l1_counters counted = *counters;
    struct lsu_lane lanes[L1_BANKS_MAX];
    const bool doubted = !sm->hooks;
    memcpy(lanes, lsu->lane, sizeof lanes);
    struct error ignored;
    if (sm->issue_stalled_until <= now)
        sm->issue_stale = true;
    for (uint32_t i = 0; doubted && i < lsu->lanes; i++)
        lsu->lane[i].refused_version--;
    if (!sm_cycle(sm, now, 0, &ignored))
        return false;
    if (!doubted)
        return true;
    *counters = counted;
    for (uint32_t i = 0; i < lsu->lanes; i++)
        lsu->lane[i].refused_since = lanes[i].refused_since;
    return true;
}

bool sm_oversleeps(struct sm *sm, uint64_t now)
{
    if (!sm->face.cta_count || sm->last_cycle >= now)
        return false;
    const uint64_t before = digest(sm), wake = sm->face.wake;
    uint8_t loss[SM_SCHEDULERS_MAX];
    memcpy(loss, sm->slot_loss, sizeof loss);
    return !run_doubtfully(sm, now) || digest(sm) != before || memcmp(loss, sm->slot_loss, sizeof loss) != 0 ||
           sm->face.wake < wake;
}
