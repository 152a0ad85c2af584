/* sm_dump.c - what an SM is doing, in words, for the watchdog. */
#include "sm/sm_state.h"

static void dump_registers(const struct sm *sm, const struct sm_warp *warp, FILE *out)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < sm->register_words * 64 && shown < 4; i++)
        if (warp->reserved[i / 64] >> (i % 64) & 1) {
            fprintf(out, "%s%u%s", shown ? ", " : "", i, warp->loading[i / 64] >> (i % 64) & 1 ? " (a load)" : "");
            shown++;
        }
    if (warp->reserved_count > shown)
        fprintf(out, ", and %u more", warp->reserved_count - shown);
}

static void dump_warp(const struct sm *sm, uint32_t w, FILE *out)
{
    const struct sm_warp *warp = &sm->warp[w];
    const struct inst *next = warp->front->next;
    fprintf(out, "  warp %u of CTA %u: ", w, sm->cta[warp->cta_slot].id);
    if (next)
        fprintf(out, "next instruction at %#llx (PTX line %u), ", (unsigned long long)next->pc, next->line);
    if (!next)
        fprintf(out, "ended, %u instructions in flight, %u stores unacknowledged", warp->in_pipe, warp->stores);
    else if (warp->front->waiting)
        fprintf(out, "waits at a barrier");
    else if (warp->atomics)
        fprintf(out, "waits for atomics of %u lanes", warp->atomics);
    else if (warp->fence)
        fprintf(out, "waits at a fence");
    else if (sm->fetch_pending >> w & 1)
        fprintf(out, "waits for its instruction from memory");
    else if (!(sm->has_inst >> w & 1))
        fprintf(out, "waits to fetch");
    else if (!(sm->ready >> w & 1))
        fprintf(out, "waits for registers");
    else if (!(sm->gate.run >> w & 1))
        fprintf(out, "is held back by a policy");
    else
        fprintf(out, "ready");
    if (warp->reserved_count) {
        fprintf(out, "; writes to come for registers ");
        dump_registers(sm, warp, out);
    }
    fputc('\n', out);
}

void sm_dump(const struct sm *sm, FILE *out)
{
    const struct sm_lsu *lsu = &sm->lsu;
    if (!sm->face.cta_count)
        return;
    fprintf(out, "SM %u: %u CTAs; L1: %u MSHRs in use, %u in the miss queue; LSU: %u before the L1%s, %u replies waiting\n", sm->id,
            sm->face.cta_count, l1_mshr_in_use(sm->l1), l1_miss_queue_length(sm->l1), lsu->before_l1,
            lsu->lane[0].refused ? " (the first is refused)" : "", lsu->responses.ring.count);
    if (lsu->dispatch)
        fprintf(out, "  LSU executes the instruction at %#llx of warp %u: %u transactions to send\n",
                (unsigned long long)lsu->dispatch->inst->pc, lsu->dispatch->warp, lsu->dispatch->access_count);
    for (uint32_t w = 0; w < sm->warp_count; w++)
        if (sm->resident >> w & 1)
            dump_warp(sm, w, out);
}

bool sm_has_deadlock(const struct sm *sm, uint32_t *cta, uint32_t *line)
{
    for (uint32_t c = 0; c < SM_CTAS_MAX; c++) {
        uint32_t live = 0, at_barrier = 0;
        for (uint32_t w = 0; w < sm->warp_count; w++) {
            const struct sm_warp *warp = &sm->warp[w];
            if (!(sm->resident >> w & 1) || warp->cta_slot != c || !warp->front->active)
                continue;
            live++;
            at_barrier += warp->front->waiting;
            if (warp->front->waiting)
                *line = warp->front->next ? warp->front->next->line : 0;
        }
        *cta = sm->cta[c].id;
        if (live && live == at_barrier)
            return true;
    }
    return false;
}
