/* sm_policy.c - what policies may ask of an SM and have it do. */
#include "sm/sm_state.h"

void sm_policy_totals(const struct sm *sm, struct policy_totals *out)
{
    const struct l1_counters *l1 = l1_counters(sm->l1);
    *out = (struct policy_totals){ .warp_instructions = sm->counters.warp_instructions,
                                   .thread_instructions = sm->counters.thread_instructions,
                                   .l1_reads = l1->accesses,
                                   .l1_hits = l1->hits,
                                   .l1_merged = l1->merged,
                                   .l1_misses = l1->misses,
                                   .l1_bypassed = l1->bypassed };
}

void sm_policy_occupancy(const struct sm *sm, struct policy_occupancy *out)
{
    const uint64_t ready = sm->ready & ~sm->waiting & sm->gate.run;
    *out = (struct policy_occupancy){ .mshr_entries = l1_mshr_in_use(sm->l1),
                                      .miss_queue = l1_miss_queue_length(sm->l1),
                                      .lsu_queue = sm->lsu.before_l1,
                                      .outgoing = l1_miss_queue_length(sm->l1),
                                      .ready_warps = (uint32_t)__builtin_popcountll(ready),
                                      .texture_free = sm->texture ? texture_fifo_room(sm->texture) : readonly_cache_room(sm->l1t),
                                      .constant_free = readonly_cache_room(sm->l1c) };
}

static enum policy_wait wait_of(const struct sm *sm, uint32_t w)
{
    const struct sm_warp *warp = &sm->warp[w];
    const uint64_t bit = 1ull << w;
    if (!(sm->resident & bit) || (sm->done & bit))
        return WAIT_DONE;
    if (sm->waiting & bit)
        return WAIT_BARRIER;
    if (!(sm->has_inst & bit) || (sm->wrong_path & bit))
        return WAIT_FETCH;
    if (!(sm->ready & bit)) {
        const struct inst *inst = warp->buffer[warp->next];
        for (uint32_t i = 0; i < inst->nsrc; i++)
            if (warp->loading[inst->src[i] / 64] >> (inst->src[i] % 64) & 1)
                return WAIT_LOAD;
        return WAIT_DATA;
    }
    if (!(sm->gate.run & bit))
        return WAIT_GATED;
    for (uint32_t p = 0; p < PIPE_COUNT; p++)
        if ((sm->next_pipe[p] & bit) && sm->issue_full[sm->scheduler_of[w] & sm->subcore_mask] >> p & 1)
            return WAIT_PIPE;
    return WAIT_NONE;
}

void sm_policy_warp(const struct sm *sm, uint32_t slot, struct policy_warp *out)
{
    const struct sm_warp *warp = &sm->warp[slot];
    *out = (struct policy_warp){ .cta_slot = sm->cta_of[slot],
                                 .scheduler = sm->scheduler_of[slot],
                                 .wait = (uint8_t)wait_of(sm, slot) };
    if (!(sm->resident >> slot & 1))
        return;
    out->next = warp->front->next;
    out->active = warp->front->active;
    out->unsent = warp->unsent;
    out->cta = sm->cta[warp->cta_slot].id;
}

uint32_t sm_policy_free_registers(const struct sm *sm)
{
    return sm->config->registers - 32 * sm->cta_registers * (uint32_t)__builtin_popcountll(sm->register_ranges);
}

void sm_policy_regate(struct sm *sm)
{
    sm->gate_stale = true;
    sm_rouse(sm);
}

void sm_policy_stall_issue(struct sm *sm, uint64_t until)
{
    sm->issue_stalled_until = until > sm->issue_stalled_until ? until : sm->issue_stalled_until;
}

bool sm_policy_drop_line(struct sm *sm, uint64_t address)
{
    return l1_drop_line(sm->l1, address);
}

void sm_policy_resize_l1(struct sm *sm)
{
    l1_resize(sm->l1);
}

const char *sm_l1_broken(const struct sm *sm)
{
    return l1_broken(sm->l1);
}

void sm_policy_occupy_bank(struct sm *sm, uint32_t bank, uint64_t until)
{
    bank %= sm->config->register_banks;
    sm->bank_busy_until[bank] = until > sm->bank_busy_until[bank] ? until : sm->bank_busy_until[bank];
    sm->banks_busy_until = until > sm->banks_busy_until ? until : sm->banks_busy_until;
}

bool sm_policy_inject(struct sm *sm, uint64_t address, uint32_t bytes, bool write, bool first, uint64_t token, uint64_t now)
{
    uint32_t slot = 0;
    while (slot < POLICY_INJECT_MAX && sm->injected[slot].acknowledgements)
        slot++;
    if (slot == POLICY_INJECT_MAX)
        return false;
    struct request *r = request_make(sm->pool);
    r->kind = REQUEST_POLICY;
    r->bytes = bytes;
    r->address = address & ~(uint64_t)(bytes - 1);
    r->issued = now;
    r->sm = (uint16_t)sm->id;
    r->warp = NO_WARP;
    r->write = write;
    r->reply_needed = true;
    r->bypass_l1 = true;
    r->slot = slot;
    r->mask = (struct byte_mask){ { UINT64_MAX, UINT64_MAX } };
    r->sectors = (uint8_t)(((1u << (bytes / SECTOR_BYTES)) - 1) << (r->address % 128 / SECTOR_BYTES));
    sm->injected[slot] = (struct sm_injection){ .token = token,
                                                .first = first,
                                                .waiting = r,
                                                .acknowledgements = write ? (bytes > SECTOR_BYTES ? bytes / SECTOR_BYTES : 1) : 1 };
    sm->injections++;
    sm_rouse(sm);
    return true;
}

bool sm_injection_waits(const struct sm *sm)
{
    for (uint32_t slot = 0; slot < POLICY_INJECT_MAX; slot++)
        if (sm->injected[slot].waiting)
            return true;
    return false;
}

void sm_send_injections(struct sm *sm, bool first)
{
    for (uint32_t slot = 0; slot < POLICY_INJECT_MAX; slot++) {
        struct request *r = sm->injected[slot].waiting;
        if (!r || sm->injected[slot].first != first)
            continue;
        if (outlet_takes(sm->out, r)) {
            sm->injected[slot].waiting = NULL;
            outlet_push(sm->out, r);
        }
        return;
    }
}

void sm_take_injected(struct sm *sm, struct request *reply, uint64_t now)
{
    const uint32_t slot = reply->slot;
    const bool write = reply->write;
    struct request *r = write ? reply : request_join_sectors(sm->pool, reply);
    if (!r)
        return;
    request_free(sm->pool, r);
    struct sm_injection *injection = &sm->injected[slot];
    if (--injection->acknowledgements)
        return;
    sm->injections--;
    const struct policy_sm_view view = sm_policy_view(sm, now);
    hooks_token(&sm->hooks->injected, &view, injection->token);
}

struct policy_registers sm_policy_cta_registers(const struct sm *sm, uint32_t cta_slot)
{
    const struct sm_cta *cta = &sm->cta[cta_slot];
    const bool has = cta->front && cta->first_register != NO_SLOT;
    return (struct policy_registers){ has ? cta->first_register : 0, has ? sm->cta_registers : 0 };
}

void sm_policy_release_registers(struct sm *sm, uint32_t cta_slot)
{
    registers_free(sm, &sm->cta[cta_slot]);
}

bool sm_policy_take_registers(struct sm *sm, uint32_t cta_slot)
{
    struct sm_cta *cta = &sm->cta[cta_slot];
    if (cta->first_register == NO_SLOT)
        registers_give(sm, cta);
    return cta->first_register != NO_SLOT;
}

void sm_policy_drain_cta(struct sm *sm, uint32_t cta_slot)
{
    sm->draining |= 1u << cta_slot;
    sm_rouse(sm);
}

bool sm_policy_access_register(struct sm *sm, uint32_t number, bool write, uint32_t delay, uint64_t token, uint64_t now)
{
    if (sm->register_accesses == UINT64_MAX)
        return false;
    const uint32_t slot = (uint32_t)__builtin_ctzll(~sm->register_accesses);
    sm->access[slot] = (struct sm_register_access){
        .token = token, .start = now + delay, .bank = (uint8_t)(number % sm->config->register_banks), .write = write
    };
    sm->register_accesses |= 1ull << slot;
    sm->register_unqueued |= 1ull << slot;
    sm_rouse(sm);
    return true;
}

void sm_policy_take_space(struct sm *sm, uint32_t set, uint32_t bytes, uint64_t now)
{
    l1_take_space(sm->l1, set, bytes, now);
}

void sm_policy_deliver(struct sm *sm, struct request *r, uint64_t now)
{
    lsu_data_later(sm, r, now + 1, now);
    sm_rouse(sm);
}
