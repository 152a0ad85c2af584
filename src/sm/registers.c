/* registers.c - the register file as a resource: which of its registers each CTA has, and when nothing of a CTA is under way.
 *
 * Registers are counted as the file stores them, 32 lanes of 4 bytes each. A CTA gets the lowest free range, which without policies
 * is the one that its slot had before. A policy may take the registers of a drained CTA away and give it others later.
 * The banks that operands are read from are the reference's, by register and warp; ranges say who has how much, not which bank. */
#include "sm/sm_state.h"

void registers_kernel_start(struct sm *sm)
{
    const struct front_launch *launch = &sm->front->launch;
    sm->warp_registers = registers_given(launch->registers_per_thread);
    sm->cta_registers = launch->warps_per_cta * sm->warp_registers;
    sm->register_ranges = 0;
    sm->registers_used = 0;
    sm->draining = 0;
    sm->register_accesses = sm->register_unqueued = 0;
    for (uint32_t b = 0; b < SM_BANKS_MAX; b++) /* only dropped accesses of policies are left in them */
        sm->bank[b].head = sm->bank[b].tail = 0;
    sm->banks_wanted = 0;
}

void registers_give(struct sm *sm, struct sm_cta *cta)
{
    if (!sm->cta_registers) { /* a kernel without registers has none to number */
        cta->first_register = 0;
        return;
    }
    const uint32_t range = ~sm->register_ranges ? (uint32_t)__builtin_ctzll(~sm->register_ranges) : 64;
    if (range == 64 || (range + 1) * sm->cta_registers > sm->config->registers / 32)
        return;
    cta->first_register = range * sm->cta_registers;
    sm->register_ranges |= 1ull << range;
}

static uint64_t range_of(const struct sm *sm, const struct sm_cta *cta)
{
    return sm->cta_registers ? 1ull << cta->first_register / sm->cta_registers : 0;
}

void registers_free(struct sm *sm, struct sm_cta *cta)
{
    if (cta->first_register == NO_SLOT)
        return;
    sm->register_ranges &= ~range_of(sm, cta);
    cta->first_register = NO_SLOT;
}

/* True when nothing of the warp is under way: none of its registers will be read or written. */
static bool is_drained(const struct sm_warp *warp)
{
    const uint32_t decoded = (warp->valid & 1u) + (warp->valid >> 1);
    return warp->in_pipe == decoded && !warp->reserved_count && !warp->atomics;
}

static bool cta_is_drained(const struct sm *sm, uint32_t slot)
{
    for (uint64_t rest = sm->cta_warps[slot] & sm->resident; rest; rest &= rest - 1)
        if (!is_drained(&sm->warp[__builtin_ctzll(rest)]))
            return false;
    return true;
}

void registers_look_at_draining(struct sm *sm, uint64_t now)
{
    for (uint32_t rest = sm->draining; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(rest);
        if (sm->cta[slot].front && !cta_is_drained(sm, slot))
            continue;
        sm->draining &= ~(1u << slot);
        if (!sm->cta[slot].front || !sm->hooks->cta_drained.count)
            continue;
        const struct policy_sm_view view = sm_policy_view(sm, now);
        hooks_cta_event(&sm->hooks->cta_drained, &view, slot, sm->cta[slot].id);
    }
}

const char *sm_registers_broken(const struct sm *sm)
{
    uint64_t ranges = 0;
    for (uint32_t slot = 0; slot < SM_CTAS_MAX; slot++) {
        const struct sm_cta *cta = &sm->cta[slot];
        if (!cta->front)
            continue;
        if (cta->first_register == NO_SLOT) {
            if (!cta_is_drained(sm, slot))
                return "an instruction of a CTA that has no registers is under way";
            continue;
        }
        if (ranges & range_of(sm, cta))
            return "two CTAs have the same registers";
        ranges |= range_of(sm, cta);
    }
    return !sm->cta_registers || ranges == sm->register_ranges ? NULL : "registers are taken that no CTA has";
}
