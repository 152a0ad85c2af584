/* ahead.c - asks the host for what an SM's cycle will touch, while the SMs before it have theirs.
 *
 * In a machine of hundreds of SMs all the others are visited before one is again, and what it touches has left the host's near
 * caches by then. What a cycle touches is known before it: whose results end, for whom is fetched, who can issue. But it hangs
 * together by pointers, and to follow one means to wait for what it points to. So an SM is looked at several times, each time a
 * step further along the pointers, and in between other SMs run. Nothing here changes what is computed. */
#include <stddef.h>

#include "sm/sm_state.h"

static void bring(const void *line)
{
    __builtin_prefetch(line);
}

static void bring_lines(const struct sm *sm, size_t from, size_t to)
{
    for (from &= ~(size_t)(HOST_LINE_BYTES - 1); from < to; from += HOST_LINE_BYTES)
        bring((const char *)sm + from);
}

static void bring_warp(const struct sm *sm, uint32_t w)
{
    bring(&sm->warp[w]);
    bring(&sm->warp[w].reserved);
}

/* What every cycle touches. */
static void bring_itself(const struct sm *sm, uint64_t now)
{
    bring_lines(sm, 0, offsetof(struct sm, issue_used));
    bring(&sm->lsu);
    bring_lines(sm, offsetof(struct sm, scheduler_warps), offsetof(struct sm, cta_by_age));
    bring(&sm->calendar[now % SM_CALENDAR]);
}

/* The warp that a scheduler would take, whatever a policy would say: it is only a guess. */
static uint32_t guess(const struct sm *sm, uint32_t s, uint64_t among)
{
    const uint64_t can = sm->scheduler_warps[s] & among;
    if (!can)
        return NO_SLOT;
    if (can >> sm->last_issued[s] & 1)
        return sm->last_issued[s];
    uint32_t age = 0;
    while (!(can & sm->cta_warps[sm->cta_by_age[age]]))
        age++;
    return (uint32_t)__builtin_ctzll(can & sm->cta_warps[sm->cta_by_age[age]]);
}

/* The warp for which the next fetch is. */
static uint32_t guess_fetch(const struct sm *sm)
{
    const uint64_t wants = (sm->resident & ~sm->done & ~sm->fetch_pending & ~sm->has_inst) | sm->finished;
    const uint64_t after = wants & ~(UINT64_MAX >> (63 - sm->last_fetched));
    return wants ? (uint32_t)__builtin_ctzll(after ? after : wants) : NO_SLOT;
}

static void bring_warps(struct sm *sm, uint64_t now)
{
    bring(sm->calendar[now % SM_CALENDAR].first);
    bring(sm->lsu.writeback);
    bring(sm->free_ops);
    bring(sm->l1_mshr);
    const uint32_t f = guess_fetch(sm);
    if (f != NO_SLOT)
        bring_warp(sm, f);
    if (sm->fetched)
        bring_warp(sm, sm->fetched_warp);
    /* Where nothing has changed since no warp could issue, none will but those whose results end: bring_endings. */
    uint64_t among = sm->issue_stale ? sm->ready & ~sm->waiting : 0;
    for (uint32_t full = sm->issue_full[0]; among && full; full &= full - 1)
        among &= ~sm->next_pipe[__builtin_ctz(full)];
    for (uint32_t s = 0; s < sm->config->schedulers; s++) {
        const uint32_t w = guess(sm, s, among);
        sm->guessed[s] = (uint8_t)w;
        if (w != NO_SLOT)
            bring_warp(sm, w);
    }
}

static void bring_front(const struct sm *sm)
{
    if (sm->fetched)
        bring(sm->warp[sm->fetched_warp].front);
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        if (sm->guessed[s] != (uint8_t)NO_SLOT) {
            bring(sm->warp[sm->guessed[s]].front);
            bring(sm->warp[sm->guessed[s]].cta);
        }
}

static void bring_endings(const struct sm *sm, uint64_t now)
{
    for (const struct sm_op *op = sm->calendar[now % SM_CALENDAR].first; op; op = op->next)
        bring_warp(sm, op->warp);
    if (sm->lsu.writeback)
        bring_warp(sm, sm->lsu.writeback->warp);
}

/* A result frees its warp, which then issues in the same cycle. */
static void bring_freed(const struct sm *sm, uint32_t w)
{
    const struct sm_warp *warp = &sm->warp[w];
    bring(warp->cta);
    if (warp->valid && warp->buffer[warp->next])
        sm->front->ops->soon(sm->front, warp->front, warp->buffer[warp->next]);
}

static void bring_registers(const struct sm *sm, uint64_t now)
{
    if (!sm->front->ops->soon)
        return;
    for (uint32_t s = 0; s < sm->config->schedulers; s++)
        if (sm->guessed[s] != (uint8_t)NO_SLOT) {
            const struct sm_warp *warp = &sm->warp[sm->guessed[s]];
            sm->front->ops->soon(sm->front, warp->front, warp->buffer[warp->next]);
        }
    for (const struct sm_op *op = sm->calendar[now % SM_CALENDAR].first; op; op = op->next)
        bring_freed(sm, op->warp);
    if (sm->lsu.writeback)
        bring_freed(sm, sm->lsu.writeback->warp);
}

void sm_bring_near(struct sm *sm, uint32_t ahead, uint64_t now)
{
    if (ahead < SM_AHEAD && !sm->face.cta_count)
        return; /* it has nothing to do, and between kernels no front end */
    switch (ahead) {
    case SM_AHEAD: bring_itself(sm, now); break;
    case 3: bring_warps(sm, now); break;
    case 2:
        bring_front(sm);
        bring_endings(sm, now);
        break;
    default: bring_registers(sm, now); break;
    }
}
