/* ahead.c - asks the host for what this SM will touch in its next cycles.
 *
 * In a machine of hundreds of SMs all the others are visited before this one is again, and what it touches now and then (a warp,
 * its registers, an instruction in flight) has left the host's near caches by then. Which of these comes next is known a cycle
 * before: whose results end, who is fetched for, who can issue. Nothing here changes what is computed. */
#include <stddef.h>

#include "sm/sm_state.h"

enum {
    CALENDAR_AHEAD = 4,  /* cycles; a line of the host holds as many */
    FORETOLD_MOST = 2,   /* warps of a scheduler: those after them may wait so long that what they need would be gone again */
    FIRST_COUNTERS = 192 /* bytes: cycles, slots, instructions */
};

static void bring_warp(const struct sm *sm, uint32_t w)
{
    bring_near(&sm->warp[w]);
    bring_near(&sm->warp[w].reserved);
}

/* Instructions that end: their part of the calendar, then themselves, then their warps. */
static void look_at_endings(const struct sm *sm, uint64_t now)
{
    bring_near(&sm->calendar[(now + CALENDAR_AHEAD) % SM_CALENDAR]);
    bring_near(sm->calendar[(now + 2) % SM_CALENDAR].first);
    for (const struct sm_op *op = sm->calendar[(now + 1) % SM_CALENDAR].first; op; op = op->next)
        bring_warp(sm, op->warp);
}

static void look_at_fetch(const struct sm *sm)
{
    if (sm->fetched)
        bring_near(sm->warp[sm->fetched_warp].front);
    const uint64_t wants = (sm->resident & ~sm->done & ~sm->fetch_pending & ~sm->has_inst) | sm->finished;
    const uint64_t after = wants & ~(UINT64_MAX >> (63 - sm->last_fetched));
    if (wants)
        bring_warp(sm, (uint32_t)__builtin_ctzll(after ? after : wants));
}

/* The warps that a scheduler would take next, oldest first, whatever a policy would say: it is only a guess. */
static void look_at_issue(struct sm *sm, uint32_t s)
{
    if (sm->slot_loss[s] == LOSS_NONE)
        sm->foretold &= ~(1ull << sm->last_issued[s]);
    uint64_t can = sm->scheduler_warps[s] & sm->ready & ~sm->waiting;
    if (__builtin_popcountll(can & sm->foretold) >= FORETOLD_MOST)
        return;
    can &= ~sm->foretold;
    if (!can)
        return;
    uint32_t w = sm->last_issued[s];
    if (!(can >> w & 1)) {
        uint32_t age = 0;
        while (!(can & sm->cta_warps[sm->cta_by_age[age]]))
            age++;
        w = (uint32_t)__builtin_ctzll(can & sm->cta_warps[sm->cta_by_age[age]]);
    }
    const struct sm_warp *warp = &sm->warp[w];
    sm->foretold |= 1ull << w;
    bring_near(warp->cta);
    if (sm->front->ops->soon)
        sm->front->ops->soon(sm->front, warp->front, warp->buffer[warp->next]);
}

void sm_look_ahead(struct sm *sm, uint64_t now)
{
    look_at_endings(sm, now);
    look_at_fetch(sm);
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        look_at_issue(sm, s);
    bring_near(sm->free_ops);
}

static void bring_lines(const struct sm *sm, size_t from, size_t to)
{
    for (from &= ~(size_t)(HOST_LINE_BYTES - 1); from < to; from += HOST_LINE_BYTES)
        __builtin_prefetch((const char *)sm + from);
}

void sm_bring_near(const struct sm *sm)
{
    bring_lines(sm, 0, offsetof(struct sm, issue_regs));
    bring_lines(sm, offsetof(struct sm, lsu), offsetof(struct sm, counters) + FIRST_COUNTERS);
    bring_lines(sm, offsetof(struct sm, front), offsetof(struct sm, cta_by_age));
    bring_lines(sm, offsetof(struct sm, calendar_used), offsetof(struct sm, collector));
}
