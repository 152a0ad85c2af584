/* spin.c - lanes of one warp that wait for each other.
 *
 * With a reconvergence stack a lane that took a lock waits at the loop's end for the lanes that still spin for it, for ever.
 * Since Volta a GPU lets the other lanes run. Here, when a warp has gone round a spin loop many times with the same lanes, it
 * puts these behind the lanes that wait (spin_yield). The waiting lanes then leave the meeting point alone, and the warp is
 * split. In a split warp, barriers and instructions with a member mask wait for the lanes that they name (spin_wait), as on
 * Volta. A loop counts as a spin loop when it reads memory that others may change (a compare-and-swap, an exchange, a volatile
 * load) and writes nothing else, so kernels that do not spin run exactly as without this file. */
#include "exec/engine.h"

#include <string.h>

enum { YIELD_AFTER = 64, WAIT_LIMIT = 4096 };

static bool reads_what_others_write(const struct ptx_inst *in)
{
    if (in->op == OP_ATOM) {
        const bool adds_nothing = in->nsrc > 1 && in->src[1].kind == OPERAND_IMM && in->src[1].bits == 0;
        return in->mod.atomic == ATOMIC_CAS || in->mod.atomic == ATOMIC_EXCH || adds_nothing;
    }
    if (in->op == OP_MBARRIER)
        return in->mod.mode == MBARRIER_TEST || in->mod.mode == MBARRIER_TRY;
    return in->op == OP_LD &&
           (in->mod.is_volatile || in->mod.semantics == SEMANTICS_RELAXED || in->mod.semantics == SEMANTICS_ACQUIRE ||
            in->mod.semantics == SEMANTICS_VOLATILE || in->mod.cache_op == CACHE_VOLATILE);
}

/* What a stretch of code does with other lanes. A function that it calls counts as if it stood there. */
enum conduct { CONDUCT_PRIVATE, CONDUCT_POLLS, CONDUCT_WRITES };

static enum conduct conduct_of(const struct ptx_module *module, const struct ptx_function *fn, uint32_t first, uint32_t last,
                               uint32_t depth)
{
    enum { DEEP = 4 };
    enum conduct most = CONDUCT_PRIVATE;
    for (uint32_t i = first; i <= last && most != CONDUCT_WRITES; i++) {
        const struct ptx_inst *in = &fn->code[i];
        enum conduct here = reads_what_others_write(in) ? CONDUCT_POLLS : CONDUCT_PRIVATE;
        switch (in->op) {
        case OP_ST:
            if (in->mod.space != SPACE_PARAM)
                return CONDUCT_WRITES;
            break;
        case OP_MBARRIER:
            if (here != CONDUCT_POLLS)
                return CONDUCT_WRITES;
            break;
        case OP_RED:
        case OP_BAR:
        case OP_BARRIER: return CONDUCT_WRITES;
        case OP_ATOM:
            if (here != CONDUCT_POLLS)
                return CONDUCT_WRITES;
            break;
        case OP_CALL: {
            if (in->src[0].kind != OPERAND_FUNCTION || depth == DEEP)
                return CONDUCT_WRITES;
            const struct ptx_function *callee = &module->functions[in->src[0].index];
            if (!callee->is_defined || callee->code_count == 0)
                return CONDUCT_WRITES;
            here = conduct_of(module, callee, 0, callee->code_count - 1, depth + 1);
            break;
        }
        default: break;
        }
        most = here > most ? here : most;
    }
    return most;
}

bool spin_is_loop(const struct ptx_module *module, const struct ptx_function *fn, uint32_t first, uint32_t last)
{
    return conduct_of(module, fn, first, last, 0) == CONDUCT_POLLS;
}

static uint32_t lanes_of(const struct warp *w, const struct stack_entry *entry)
{
    return entry->mask & w->live & ~w->frames[entry->level].returned;
}

/* Moves the entries [from, depth) below those of [to, from). */
static void move_down(struct warp *w, uint32_t from, uint32_t to)
{
    for (; from < w->depth; from++, to++) {
        const struct stack_entry moved = w->stack[from];
        memmove(&w->stack[to + 1], &w->stack[to], (from - to) * sizeof moved);
        w->stack[to] = moved;
    }
}

/* Lanes that write nothing before a barrier gain nothing from going on: `if (leader) spin(); __syncthreads();`. */
static bool comes_to_barrier(const struct warp *w, uint32_t pc)
{
    enum { FAR = 64 };
    const struct xop *code = w->run->image->code;
    for (uint32_t i = pc; i < pc + FAR && i < w->run->image->count && !code[i].is_control; i++) {
        const uint16_t op = code[i].inst->op;
        if (op == OP_ST || op == OP_ATOM || op == OP_RED)
            return false;
        if (code[i].fn == barrier_execute || code[i].fn == warpwide_sync)
            return true;
    }
    return false;
}

/* Puts the running lanes, with the entries that are theirs alone, behind the lanes that wait for them. Those wait at a meeting
 * point of this function or, if they returned from it, in a caller. The frames of the lanes that are put away stay where they
 * are, and calls of the others get frames above them. False when nobody waits. */
static bool spin_yield(struct warp *w)
{
    uint32_t group = w->front.active, first = w->depth;
    for (;; first--) {
        if (first == 0)
            return false;
        struct stack_entry *below = &w->stack[first - 1];
        if (below->level != w->level && below->pc == below->reconverge)
            continue; /* lanes that returned to a caller's meeting point wait in its entry, further below */
        const uint32_t lanes = lanes_of(w, below);
        if ((lanes & ~group) == 0)
            continue;
        if ((lanes & group) == 0)
            break; /* another path of the same branch */
        if (below->pc == below->reconverge) {
            group |= lanes;
            continue;
        }
        if (w->depth + 2 >= w->stack_entries - SPLIT_RESERVE || comes_to_barrier(w, below->pc))
            return false;
        /* a meeting point: from now on there are two, one for the lanes that are there and one for the others */
        const struct stack_entry ours = { below->pc, below->reconverge, group, below->level };
        below->mask &= ~group;
        memmove(below + 1, below, (w->depth - (first - 1)) * sizeof *below);
        *below = ours;
        w->depth++;
        w->stack[w->depth++] = (struct stack_entry){ w->pc, w->reconverge, w->front.active, w->level };
        /* [ours, theirs, group...] becomes [ours, group..., theirs] */
        move_down(w, first + 1, first);
        w->is_split = true;
        warp_pop(w);
        return true;
    }
    uint32_t bottom = first;
    while (bottom > 0 && (lanes_of(w, &w->stack[bottom - 1]) & group) == 0)
        bottom--;
    if (w->depth + 1 >= w->stack_entries - SPLIT_RESERVE)
        return false;
    w->stack[w->depth++] = (struct stack_entry){ w->pc, w->reconverge, w->front.active, w->level };
    move_down(w, first, bottom);
    w->is_split = true;
    warp_pop(w);
    return true;
}

void spin_branch(struct warp *w, const struct xop *x, uint32_t mask)
{
    const uint32_t active = w->front.active;
    (x->guard ? control_branch : control_branch_uniform)(w, x, mask);
    if (w->front.active != active || w->pc != x->target || w->depth == 0) {
        w->spins = 0;
    } else if (++w->spins >= YIELD_AFTER) {
        w->spins = 0;
        (void)spin_yield(w);
    }
}

bool spin_wait(struct warp *w, uint32_t wanted)
{
    if (!w->is_split || (wanted & w->live & ~w->front.active) == 0 || ++w->waits > WAIT_LIMIT) {
        w->waits = 0;
        return false;
    }
    for (uint32_t i = w->depth; i-- > 0;) {
        struct stack_entry *other = &w->stack[i];
        if (other->pc == w->pc && other->reconverge == w->reconverge && other->level == w->level) {
            other->mask = lanes_of(w, other) | w->front.active;
            warp_pop(w);
            w->pc--; /* the instruction waits: the caller's step forward leads to where the warp is now */
            return true;
        }
    }
    if (!spin_yield(w))
        return false;
    w->pc--;
    return true;
}
