/* fetch.c - fetch and decode: one warp per cycle whose buffer is empty gets two instructions through the instruction cache. */
#include "sm/sm_state.h"

static const struct inst *instruction_at(const struct sm *sm, const struct sm_warp *warp, uint64_t pc)
{
    const struct front_launch *launch = &sm->front->launch;
    /* First where the warp is: a called function that lies right behind the kernel begins where the kernel's own rows end, so that
     * its address stands twice in the table. Called functions lie elsewhere, each in one piece: so far from where the warp is, in
     * the table as in memory. */
    const struct inst *next = warp->front->next;
    if (next && pc >= next->pc) {
        const uint64_t at = next->index + (pc - next->pc) / SM_INSTRUCTION_BYTES;
        if (at < launch->code_count && launch->code[at].pc == pc)
            return &launch->code[at];
    }
    const uint64_t index = (pc - sm->code_first_pc) / SM_INSTRUCTION_BYTES;
    if (pc >= sm->code_first_pc && index < launch->code_count && launch->code[index].pc == pc)
        return &launch->code[index];
    return NULL;
}

static void decode_in_order(struct sm *sm, const struct sm_warp *warp, const struct inst *two[2])
{
    two[0] = instruction_at(sm, warp, sm->fetched_pc);
    two[1] = two[0] ? instruction_at(sm, warp, sm->fetched_pc + SM_INSTRUCTION_BYTES) : NULL;
}

void sm_decode(struct sm *sm)
{
    if (!sm->fetched)
        return;
    sm->fetched = false;
    const uint32_t w = sm->fetched_warp;
    struct sm_warp *warp = &sm->warp[w];
    if (seldom(sm->otherwise.decode))
        sm->otherwise.decode(sm, warp->front, warp->buffer);
    else
        decode_in_order(sm, warp, warp->buffer);
    warp->valid = 1;
    warp->next = 0;
    warp->in_pipe++;
    if (warp->buffer[1]) {
        warp->valid = 3;
        warp->in_pipe++;
    }
    warp_look_at_next(sm, w);
}

void warp_flush_buffer(struct sm *sm, uint32_t w)
{
    struct sm_warp *warp = &sm->warp[w];
    const uint32_t dropped = (warp->valid & 1u) + (warp->valid >> 1);
    warp->valid = 0;
    require(warp->in_pipe >= dropped);
    warp->in_pipe = (uint16_t)(warp->in_pipe - dropped);
    warp_look_at_next(sm, w);
    warp_check_finished(sm, w);
}

void sm_retire_warp(struct sm *sm, uint32_t w, uint64_t now)
{
    struct sm_cta *cta = &sm->cta[sm->cta_of[w]];
    const uint64_t bit = 1ull << w;
    sm->resident &= ~bit;
    sm->resident_count--;
    sm->finished &= ~bit;
    if (seldom(sm->hooks) && sm->hooks->warp_end.count) {
        const struct policy_sm_view view = sm_policy_view(sm, now);
        hooks_warp_event(&sm->hooks->warp_end, &view, w);
    }
    sm->gate_stale = true;
    if (--cta->live_warps)
        return;
    registers_free(sm, cta);
    sm->registers_used -= sm->cta_registers;
    if (seldom(sm->hooks) && sm->hooks->cta_end.count) {
        const struct policy_sm_view view = sm_policy_view(sm, now);
        hooks_cta_event(&sm->hooks->cta_end, &view, sm->cta_of[w], cta->id);
    }
    sm->front->ops->cta_end(sm->front, cta->front);
    cta->front = NULL;
    uint32_t age = 0;
    while (sm->cta_by_age[age] != sm->cta_of[w])
        age++;
    for (sm->face.cta_count--; age < sm->face.cta_count; age++)
        sm->cta_by_age[age] = sm->cta_by_age[age + 1];
    sm->ctas_done++;
}

static void fetch_done(struct sm *sm, uint32_t w)
{
    sm->fetched = true;
    sm->fetched_warp = w;
    sm->fetched_pc = sm->warp[w].pc;
}

static struct request *make_fetch(struct sm *sm, uint32_t w, uint64_t now)
{
    const struct sm_warp *warp = &sm->warp[w];
    struct request *r = request_make(sm->pool);
    r->kind = REQUEST_INSTRUCTION_READ;
    r->bytes = sm->l1i_config->line_bytes;
    r->address = (SM_CODE_BASE + warp->pc) & ~(uint64_t)(r->bytes - 1);
    r->pc = warp->pc;
    r->issued = now;
    r->sm = (uint16_t)sm->id;
    r->warp = (uint16_t)w;
    r->reply_needed = true;
    r->sectors = (uint8_t)((1u << (r->bytes / SECTOR_BYTES)) - 1);
    r->mask = (struct byte_mask){ { UINT64_MAX, UINT64_MAX } };
    return r;
}

static void fetch_for(struct sm *sm, uint32_t w, uint64_t now)
{
    sm->last_fetched = w;
    if (readonly_cache_hit(sm->l1i, SM_CODE_BASE + sm->warp[w].pc, now)) {
        fetch_done(sm, w);
        return;
    }
    if (readonly_cache_refuses(sm->l1i, SM_CODE_BASE + sm->warp[w].pc)) {
        sm->counters.fetch_refused++;
        return;
    }
    struct request *r = make_fetch(sm, w, now);
    if (cache_refused(readonly_cache_access(sm->l1i, r, now))) {
        sm->counters.fetch_refused++;
        request_free(sm->pool, r);
    } else {
        sm->fetch_pending |= 1ull << w;
    }
}

/* Walks the warps, beginning after the last one fetched. Warps that are done leave. The first that wants an instruction gets the
 * fetch and ends the walk. */
static void fetch_one(struct sm *sm, uint64_t wants, uint64_t now)
{
    const uint32_t first = in_turn(sm->last_fetched, 1, sm->warp_count);
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t visit = (wants | sm->finished) & (half == 0 ? UINT64_MAX << first : ~(UINT64_MAX << first));
        for (; visit; visit &= visit - 1) {
            const uint32_t w = (uint32_t)__builtin_ctzll(visit);
            if (!(sm->finished >> w & 1)) {
                fetch_for(sm, w, now);
                return;
            }
            sm_retire_warp(sm, w, now);
        }
    }
}

static bool fetch(struct sm *sm, uint64_t now)
{
    if (sm->fetch_pending && readonly_cache_has_ready(sm->l1i)) {
        struct request *r = readonly_cache_pop_ready(sm->l1i);
        const uint32_t w = r->warp;
        sm->fetch_pending &= ~(1ull << w);
        fetch_done(sm, w);
        request_free(sm->pool, r);
        return true;
    }
    const uint64_t wants = sm->resident & ~sm->done & ~sm->fetch_pending & ~sm->has_inst;
    if (!(wants | sm->finished))
        return false;
    fetch_one(sm, wants, now);
    return true;
}

void sm_fetch(struct sm *sm, uint64_t now)
{
    uint32_t fetches = 0;
    while (fetch(sm, now) && seldom(++fetches < sm->config->fetch_width))
        sm_decode(sm);
    if (sm->fetch_pending)
        readonly_cache_cycle(sm->l1i, now);
}
