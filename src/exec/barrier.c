/* barrier.c - bar and barrier: named barriers of a CTA, counted in warps as the hardware does.
 *
 * A warp that arrives with only some of its living lanes is an error. Hardware before Volta counts the others as arrived, later
 * hardware waits for them, and a program that relies on one is wrong on the other. Lanes that have nothing left to do but return
 * (`if (i >= n) return;` before the barrier, which compilers make a branch to a common return where the warp meets again) are as
 * good as gone. */
#include "exec/engine.h"

static void write_reduction(struct warp *w, const struct barrier *b)
{
    const struct ptx_inst *inst = w->barrier->inst;
    uint32_t mask = w->barrier_mask;
    if (inst->mod.boolean == BOOL_POPC) {
        for (uint32_t left = mask; left; left &= left - 1)
            frame_set_lane(w, w->barrier->dst, w->barrier->dst_width, (uint32_t)__builtin_ctz(left), b->ballot_count);
        return;
    }
    bool value = inst->mod.boolean == BOOL_AND ? b->ballot_count == b->threads : b->ballot_count > 0;
    uint32_t *predicate = frame_at(w, w->barrier->dst);
    *predicate = (*predicate & ~mask) | (value ? mask : 0);
}

static void complete_if_all_here(struct cta *cta, struct barrier *b, bool ended)
{
    uint64_t woken;
    const struct run *run = cta->warps[0].run;
    if (!run->front.barrier_rule(&b->front, cta->live, ended, &woken))
        return;
    for (; woken; woken &= woken - 1) {
        struct warp *w = &cta->warps[__builtin_ctzll(woken)];
        if (w->barrier_at == b && w->barrier->inst->mod.mode == BAR_RED)
            write_reduction(w, b);
        w->front.waiting = false;
        w->barrier = NULL;
        w->barrier_at = NULL;
    }
    *b = (struct barrier){ 0 };
    cta->epoch++;
}

static bool leads_to_exit(const struct warp *w, const struct stack_entry *entry)
{
    const struct image *image = w->run->image;
    uint32_t pc = entry->pc;
    for (uint32_t hops = 0; hops < 8 && pc < image->count; hops++) {
        const struct xop *x = &image->code[pc];
        if (x->guard)
            return false;
        if (x->fn == control_exit || (x->fn == control_return && entry->level == 0))
            return true;
        if (x->fn != control_branch_uniform)
            return false;
        pc = x->target;
    }
    return false;
}

/* Every missing lane waits at its topmost stacked entry; true when all of those entries only leave the kernel. */
static bool only_exits_are_missing(const struct warp *w, uint32_t missing)
{
    for (uint32_t i = w->depth; i-- > 0 && missing;) {
        const struct stack_entry *entry = &w->stack[i];
        uint32_t here = entry->mask & missing & ~w->frames[entry->level].returned;
        if (here && !leads_to_exit(w, entry))
            return false;
        missing &= ~here;
    }
    return missing == 0;
}

static bool check_arrival(struct warp *w, const struct xop *x, uint32_t mask, uint64_t number, uint64_t threads)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    if (number >= MAX_BARRIERS) {
        fault_plain(w, x, lane, "barrier %llu does not exist: a CTA has %d", (unsigned long long)number, MAX_BARRIERS);
        return false;
    }
    if (threads % LANES != 0) {
        fault_plain(w, x, lane, "barrier %llu counts %llu threads, which is no multiple of %d", (unsigned long long)number,
                    (unsigned long long)threads, LANES);
        return false;
    }
    if (mask != w->live && !w->run->device->options.allow_divergent_barriers && !only_exits_are_missing(w, w->live & ~mask)) {
        if (spin_wait(w, w->live))
            return false;
        fault_plain(w, x, lane,
                    "barrier in divergent code: lanes 0x%08x of the warp arrive, lanes 0x%08x do not; "
                    "--set reference.divergent_barriers=true takes them for arrived, as GPUs before Volta did",
                    mask, w->live & ~mask);
        return false;
    }
    return true;
}

void barrier_execute(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint64_t number = x->source_count > 0 ? operand_lane(w, x->src[0], lane) : 0;
    uint64_t threads = x->src[1].width ? operand_lane(w, x->src[1], lane) : 0;
    if (!check_arrival(w, x, mask, number, threads))
        return;
    struct cta *cta = w->cta;
    struct barrier *b = &cta->barriers[number];
    w->run->barrier = (uint8_t)number;
    w->run->barrier_warps = (uint8_t)(threads / LANES);
    w->run->barrier_waits = x->inst->mod.mode != BAR_ARRIVE;
    front_barrier_arrive(&b->front, w->index, (uint32_t)(threads / LANES), w->run->barrier_waits);
    if (x->inst->mod.mode == BAR_RED) {
        b->ballot_count += (uint32_t)__builtin_popcount(operand_predicate(w, x->src[2]) & mask);
        b->threads += (uint32_t)__builtin_popcount(mask);
    }
    if (w->run->barrier_waits) {
        w->barrier = x;
        w->barrier_mask = mask;
        w->barrier_at = b;
        w->front.waiting = true;
    }
    complete_if_all_here(cta, b, false);
}

/* Exited warps count as arrived at barriers that wait for the whole CTA. */
void barrier_warp_exited(struct warp *w)
{
    struct cta *cta = w->cta;
    cta->live &= ~(UINT64_C(1) << w->index);
    for (uint32_t i = 0; i < MAX_BARRIERS; i++)
        if (cta->barriers[i].front.here)
            complete_if_all_here(cta, &cta->barriers[i], true);
}
