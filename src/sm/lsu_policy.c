/* lsu_policy.c - what policies change about the LSU: a buffer between the coalescer and the L1, the time that a look at the tags
 * takes, and data that come later than a hit's. */
#include "base/near.h"
#include "mem/cache_policy.h"
#include "sm/sm_state.h"

static struct policy_access describe(const struct sm *sm, struct request *r, uint64_t now)
{
    const uint64_t block = r->address & ~(uint64_t)(sm->l1_config->line_bytes - 1);
    return (struct policy_access){ .address = block,
                                   .cycle = now,
                                   .pc = r->pc,
                                   .line = block / sm->l1_config->line_bytes,
                                   .request = r,
                                   .unit = sm->id,
                                   .lanes = r->lanes,
                                   .cta = r->cta,
                                   .sm = r->sm,
                                   .warp = r->warp,
                                   .level = LEVEL_L1,
                                   .kind = r->kind,
                                   .sectors = r->sectors,
                                   .transactions = r->transactions,
                                   .write = r->write,
                                   .atomic = r->kind == REQUEST_ATOMIC,
                                   .local = r->kind == REQUEST_LOCAL_READ || r->kind == REQUEST_LOCAL_WRITE };
}

void lsu_make_queue(struct sm *sm)
{
    const bool longer = seldom(sm->hooks) && sm->hooks->cache[LEVEL_L1].probe_cycles.count;
    sm->lsu.queue_size = ring_size(sm->l1_config->hit_latency + (longer ? POLICY_PROBE_MAX : 0));
    sm->lsu.lanes = sm->l1_config->banks;
    for (uint32_t i = 0; i < sm->lsu.lanes; i++)
        sm->lsu.lane[i].queued = near_calloc(sm->lsu.queue_size.mask + 1, sizeof sm->lsu.lane[i].queued[0]);
}

bool lsu_buffer_push(struct sm *sm, struct request *r, uint64_t now)
{
    const struct policy_access a = describe(sm, r, now);
    if (!sm->hooks->lsu.call.push(sm->hooks->lsu.self, &a))
        return false;
    sm->lsu.buffered++;
    return true;
}

bool lsu_buffer_drain(struct sm *sm, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    if (!lsu->buffered || lsu_lane_full(sm, lsu->lane))
        return false;
    struct request *r = sm->hooks->lsu.call.next(sm->hooks->lsu.self, sm->id, now);
    if (!r)
        return false;
    sm->hooks->lsu.call.taken(sm->hooks->lsu.self, sm->id, r);
    lsu->buffered--;
    lsu_enter_lane(sm, lsu->lane, r, now); /* such a machine has one */
    return true;
}

bool lsu_buffer_return(struct sm *sm, struct request *r, enum cache_outcome cause)
{
    if (!lsu_has_buffer(sm) || !sm->hooks->lsu.call.returned)
        return false;
    sm->hooks->lsu.call.returned(sm->hooks->lsu.self, sm->id, r, cache_policy_cause(cause));
    sm->lsu.buffered++;
    return true;
}

void lsu_data_later(struct sm *sm, struct request *r, uint64_t when, uint64_t now)
{
    if (when <= now) {
        lsu_data_arrived(sm, sm->op[r->slot]);
        request_free(sm->pool, r);
        return;
    }
    r->ready = when;
    struct request **at = &sm->lsu.delayed;
    while (*at && (*at)->ready <= when)
        at = &(*at)->next;
    r->next = *at;
    *at = r;
}

void lsu_deliver_delayed(struct sm *sm, uint64_t now)
{
    struct sm_lsu *lsu = &sm->lsu;
    while (lsu->delayed && lsu->delayed->ready <= now) {
        struct request *r = lsu->delayed;
        lsu->delayed = r->next;
        lsu_data_arrived(sm, sm->op[r->slot]);
        request_free(sm->pool, r);
    }
}
