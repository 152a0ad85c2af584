/* scoreboard.c - what keeps a warp from issuing: registers with a write to come, barriers, fences, atomics, the wrong path. */
#include "sm/sm_state.h"

static inline bool bit_get(const uint64_t *bits, uint16_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}
static inline void bit_set(uint64_t *bits, uint16_t i)
{
    bits[i / 64] |= 1ull << (i % 64);
}
static inline void bit_clear(uint64_t *bits, uint16_t i)
{
    bits[i / 64] &= ~(1ull << (i % 64));
}

static bool registers_ready(const struct sm_warp *warp, const struct inst *inst)
{
    if (!warp->reserved_count)
        return true;
    for (uint32_t i = 0; i < inst->ndst; i++)
        if (bit_get(warp->reserved, inst->dst[i]))
            return false;
    for (uint32_t i = 0; i < inst->nsrc; i++)
        if (bit_get(warp->reserved, inst->src[i]))
            return false;
    return true;
}

void warp_look_at_next(struct sm *sm, uint32_t w)
{
    struct sm_warp *warp = &sm->warp[w];
    const uint64_t bit = 1ull << w;
    sm->issue_stale = true;
    sm->loaded_stale |= bit;
    sm->has_inst &= ~bit;
    sm->wrong_path &= ~bit;
    sm->ready &= ~bit;
    sm->next_pipe[warp->pipe] &= ~bit;
    sm->next_l1 &= ~bit;
    sm->next_l1_load &= ~bit;
    if (!warp->valid)
        return;
    sm->has_inst |= bit;
    const struct inst *inst = warp->buffer[warp->next];
    if (inst != warp->front->next || !inst) {
        sm->wrong_path |= bit;
        return;
    }
    warp->pipe = sm->timing[inst->timing].pipe;
    sm->next_pipe[warp->pipe] |= bit;
    if (inst->space == SPACE_GLOBAL || inst->space == SPACE_LOCAL || inst->space == SPACE_GENERIC) {
        sm->next_l1 |= bit;
        sm->next_l1_load |= inst->class == CLASS_LOAD ? bit : 0;
    }
    if (registers_ready(warp, inst))
        sm->ready |= bit;
}

void warp_look_at_waiting(struct sm *sm, uint32_t w)
{
    struct sm_warp *warp = &sm->warp[w];
    const uint64_t bit = 1ull << w;
    const bool done = !warp->front->next;
    const uint64_t before = sm->waiting;
    sm->issue_stale = true;
    if (done)
        sm->done |= bit;
    if (done || warp->front->waiting || warp->fence || warp->atomics)
        sm->waiting |= bit;
    else
        sm->waiting &= ~bit;
    sm->gate_stale |= sm->waiting != before; /* waiting warps do not count against a limit, so others may run in their place */
}

/* What other SMs wrote must be seen. */
static void empty_for_fence(struct sm *sm)
{
    if (!sm->l1_config->flush)
        return;
    l1_invalidate(sm->l1);
    if (sm->fenced)
        *sm->fenced = true;
}

void warp_start_fence(struct sm *sm, uint32_t w)
{
    struct sm_warp *warp = &sm->warp[w];
    warp->fence = warp->reserved_count != 0;
    if (!warp->fence) /* nothing to wait for */
        empty_for_fence(sm);
}

void warp_end_fences(struct sm *sm, uint64_t now)
{
    sm->fences_unseen |= sm->fences_over;
    for (; sm->fences_over; sm->fences_over &= sm->fences_over - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(sm->fences_over);
        sm->warp[w].fence = false;
        warp_look_at_waiting(sm, w);
    }
    if (seldom(sm->otherwise.fences_over))
        sm->otherwise.fences_over(sm, now);
    else
        warp_see_fences(sm, UINT64_MAX);
}

void warp_see_fences(struct sm *sm, uint64_t warps)
{
    if (sm->fences_unseen & warps)
        empty_for_fence(sm);
    sm->fences_unseen &= ~warps;
}

void warp_reserve(struct sm *sm, uint32_t w, const struct inst *inst, uint8_t space)
{
    struct sm_warp *warp = &sm->warp[w];
    const bool load = inst->class == CLASS_LOAD || inst->class == CLASS_ATOMIC || inst->class == CLASS_TEXTURE;
    const bool slow = load && space != SPACE_SHARED && space != SPACE_CONST;
    for (uint32_t i = 0; i < inst->ndst; i++) {
        const uint16_t reg = inst->dst[i];
        if (!reg || bit_get(warp->reserved, reg))
            continue;
        bit_set(warp->reserved, reg);
        warp->reserved_count++;
        if (slow) {
            bit_set(warp->loading, reg);
            bit_set(warp->long_op, reg);
        }
    }
}

/* After one or more registers of the warp were released. */
static void registers_changed(struct sm *sm, uint32_t w)
{
    struct sm_warp *warp = &sm->warp[w];
    const uint64_t bit = 1ull << w;
    if ((sm->has_inst & ~sm->wrong_path & ~sm->ready) & bit)
        if (registers_ready(warp, warp->buffer[warp->next])) {
            sm->ready |= bit;
            sm->issue_stale = true;
        }
    if (!warp->reserved_count) {
        if (warp->fence)
            sm->fences_over |= bit; /* seen by the schedulers, when the LSU has done its work of this cycle */
        warp_check_finished(sm, w);
    }
}

static void release(struct sm_warp *warp, uint16_t reg)
{
    if (reg && bit_get(warp->reserved, reg)) {
        bit_clear(warp->reserved, reg);
        bit_clear(warp->loading, reg);
        warp->reserved_count--;
    }
}

void warp_release(struct sm *sm, uint32_t w, uint16_t reg)
{
    release(&sm->warp[w], reg);
    registers_changed(sm, w);
}

void warp_release_all(struct sm *sm, uint32_t w, const struct inst *inst)
{
    struct sm_warp *warp = &sm->warp[w];
    for (uint32_t i = 0; i < inst->ndst; i++) {
        release(warp, inst->dst[i]);
        bit_clear(warp->long_op, inst->dst[i]);
    }
    sm->loaded_stale |= 1ull << w;
    registers_changed(sm, w);
}
