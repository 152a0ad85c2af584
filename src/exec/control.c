/* control.c - where a warp goes next: the reconvergence stack, calls, returns, exits.
 *
 * The top entry lives in the warp itself (pc, front.active, reconverge); stacked entries wait below. A divergent branch turns the
 * current entry into one that waits at the branch's immediate post-dominator and stacks the paths above it. As in GPGPU-Sim, the
 * lanes that branch go first.
 *
 * A call stacks the caller's entry and enters a new frame (level). Lanes that return are noted in the frame and leave every
 * entry of that level; the caller's entry still holds them, so they meet there. */
#include "exec/engine.h"

#include <string.h>

static void push(struct warp *w, uint32_t pc, uint32_t reconverge, uint32_t mask)
{
    w->stack[w->depth++] = (struct stack_entry){ pc, reconverge, mask, w->level };
}

void warp_pop(struct warp *w)
{
    while (w->depth > 0) {
        const struct stack_entry *entry = &w->stack[--w->depth];
        uint32_t mask = entry->mask & w->live & ~w->frames[entry->level].returned;
        if (mask == 0 || entry->pc == entry->reconverge)
            continue;
        w->pc = entry->pc;
        w->reconverge = entry->reconverge;
        w->front.active = mask;
        if (entry->level != w->level) {
            w->level = entry->level;
            w->base[BASE_REGS] = w->frames[w->level].regs;
        }
        return;
    }
    w->front.active = 0;
}

static void go_to(struct warp *w, uint32_t pc)
{
    w->pc = pc;
    if (pc == w->reconverge)
        warp_pop(w);
}

/* One path of a divergent branch; paths that start at the meeting point only wait there. */
static void push_path(struct warp *w, uint32_t pc, uint32_t reconverge, uint32_t mask)
{
    if (pc != reconverge)
        push(w, pc, reconverge, mask);
}

static void wait_at(struct warp *w, uint32_t reconverge)
{
    if (reconverge != w->reconverge)
        push(w, reconverge, w->reconverge, w->front.active);
}

void control_branch(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint32_t stay = w->front.active & ~mask;
    if (stay == 0) {
        go_to(w, x->target);
    } else if (mask == 0) {
        go_to(w, w->pc + 1);
    } else {
        uint32_t next = w->pc + 1;
        wait_at(w, x->reconverge);
        push_path(w, next, x->reconverge, stay);
        push_path(w, x->target, x->reconverge, mask);
        warp_pop(w);
    }
}

void control_branch_uniform(struct warp *w, const struct xop *x, uint32_t mask)
{
    (void)mask;
    go_to(w, x->target);
}

void control_switch(struct warp *w, const struct xop *x, uint32_t mask)
{
    const struct jump_table *table = x->table;
    uint32_t stay = w->front.active & ~mask, target[LANES], distinct = 0, group[LANES];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t index = operand_lane(w, x->src[0], lane);
        if (index >= table->count) {
            fault_plain(w, x, lane, "brx.idx index %llu is outside its table of %u targets", (unsigned long long)index,
                        table->count);
            return;
        }
        uint32_t g = 0;
        while (g < distinct && target[g] != table->targets[index])
            g++;
        if (g == distinct) {
            target[distinct] = table->targets[index];
            group[distinct++] = 0;
        }
        group[g] |= 1u << lane;
    }
    if (stay) {
        uint32_t g = 0;
        while (g < distinct && target[g] != w->pc + 1)
            g++;
        if (g == distinct) {
            target[distinct] = w->pc + 1;
            group[distinct++] = 0;
        }
        group[g] |= stay;
    }
    if (distinct == 1) {
        go_to(w, target[0]);
        return;
    }
    wait_at(w, x->reconverge);
    while (distinct > 0) { /* the group of the highest lane first, so that it runs last */
        uint32_t best = 0;
        for (uint32_t g = 1; g < distinct; g++)
            if (group[g] > group[best])
                best = g;
        push_path(w, target[best], x->reconverge, group[best]);
        target[best] = target[--distinct];
        group[best] = group[distinct];
    }
    warp_pop(w);
}

static void leave(struct warp *w, uint32_t mask)
{
    w->front.active &= ~mask;
    if (w->front.active)
        go_to(w, w->pc + 1);
    else
        warp_pop(w);
    if (w->live == 0)
        barrier_warp_exited(w);
}

void control_exit(struct warp *w, const struct xop *x, uint32_t mask)
{
    (void)x;
    w->live &= ~mask;
    leave(w, mask);
}

static void copy_lane(uint8_t *to, uint32_t to_width, const uint8_t *from, uint32_t from_width)
{
    uint32_t bytes = to_width < from_width ? to_width : from_width;
    memcpy(to, from, bytes);
    if (to_width > bytes)
        memset(to + bytes, 0, to_width - bytes);
}

static uint8_t *slot_lane(const struct warp *w, uint32_t level, const struct param_slot *slot, uint32_t lane, uint32_t *width)
{
    if (slot->is_register) {
        *width = slot->value.width;
        const uint8_t *base = slot->value.base == BASE_REGS ? w->frames[level].regs : w->base[slot->value.base];
        return (uint8_t *)base + slot->value.offset + lane * slot->value.width;
    }
    *width = slot->bytes;
    return frame_params(w, level, lane) + slot->offset;
}

/* Arguments go from the caller's variables or registers to the callee's, and return values the other way. */
static void copy_slots(const struct warp *w, uint32_t to_level, const struct param_slot *to, uint32_t from_level,
                       const struct param_slot *from, uint32_t count, uint32_t mask)
{
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left), to_width, from_width;
            uint8_t *into = slot_lane(w, to_level, &to[k], lane, &to_width);
            const uint8_t *out = slot_lane(w, from_level, &from[k], lane, &from_width);
            copy_lane(into, to_width, out, from_width);
        }
}

void control_return(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (w->level == 0) {
        control_exit(w, x, mask);
        return;
    }
    struct frame *frame = &w->frames[w->level];
    const struct routine *routine = &w->run->image->routines[frame->routine];
    const struct call_site *site = frame->site;
    uint32_t count = site->return_count < routine->fn->return_count ? site->return_count : routine->fn->return_count;
    copy_slots(w, frame->caller, site->returns, w->level, routine->returns, count, mask);
    frame->returned |= mask;
    leave(w, mask);
}

/* The last frame in use: the current one, unless lanes that wait inside a call have frames above it. */
static uint32_t top_frame(const struct warp *w)
{
    uint32_t top = w->level;
    for (uint32_t i = 0; w->is_split && i < w->depth; i++)
        top = w->stack[i].level > top ? w->stack[i].level : top;
    return top;
}

static void enter(struct warp *w, const struct xop *x, uint32_t routine_index, uint32_t mask)
{
    const struct image *image = w->run->image;
    const struct routine *routine = &image->routines[routine_index];
    const uint32_t level = w->level, top = top_frame(w);
    const struct frame *caller = &w->frames[level];
    uint8_t *regs = w->frames[top].regs + image->routines[w->frames[top].routine].frame_bytes;
    uint32_t local_base = caller->local_base + image->routines[caller->routine].local_bytes;
    uint32_t stack_base = caller->stack_base + image->routines[caller->routine].stack_bytes;
    if (top + 1 >= image->max_frames || (uint32_t)(regs - w->frame_stack) + routine->frame_bytes > image->frame_stack_bytes ||
        local_base + routine->local_bytes > image->local_bytes) {
        fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "the call stack overflows at a depth of %u in %s", top + 1,
                    routine->fn->name);
        return;
    }
    push(w, w->pc + 1, w->reconverge, w->front.active);
    frame_clear(routine, regs);
    w->level = top + 1;
    w->frames[w->level] = (struct frame){ regs, routine_index, 0, local_base, stack_base, level, x->call };
    uint32_t count = x->call->argument_count < routine->fn->param_count ? x->call->argument_count : routine->fn->param_count;
    copy_slots(w, w->level, routine->params, level, x->call->arguments, count, mask);
    w->base[BASE_REGS] = regs;
    w->pc = routine->first;
    w->reconverge = NO_PC;
    w->front.active = mask;
}

static int32_t routine_at(const struct image *image, uint64_t address)
{
    for (uint32_t i = 0; i < image->routine_count; i++)
        if (image->routines[i].address == address && address)
            return (int32_t)i;
    return -1;
}

/* Lanes may hold different pointers. The first group is called now, and the rest meets this instruction again afterwards. */
static void call_indirect(struct warp *w, const struct xop *x, uint32_t mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), group = 0;
    uint64_t address = operand_lane(w, x->call->pointer, first);
    int32_t routine = routine_at(w->run->image, address);
    if (routine < 0) {
        fault_plain(w, x, first, "indirect call to 0x%llx, where no function is", (unsigned long long)address);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (operand_lane(w, x->call->pointer, lane) == address)
            group |= 1u << lane;
    }
    if (mask & ~group) {
        uint32_t here = w->pc;
        push(w, here + 1, w->reconverge, w->front.active);
        push(w, here, here + 1, mask & ~group);
        w->reconverge = here + 1;
        w->front.active = group;
    }
    enter(w, x, (uint32_t)routine, group);
}

void control_call(struct warp *w, const struct xop *x, uint32_t mask)
{
    if (mask == 0) {
        go_to(w, w->pc + 1);
    } else if (x->call->builtin != BUILTIN_NONE) {
        builtin_call(w, x, mask);
        go_to(w, w->pc + 1);
    } else if (x->call->routine >= 0) {
        enter(w, x, (uint32_t)x->call->routine, mask);
    } else if (x->call->undefined) {
        fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "function %s is called but no loaded module defines it",
                    x->call->undefined);
    } else {
        call_indirect(w, x, mask);
    }
}

void control_trap(struct warp *w, const struct xop *x, uint32_t mask)
{
    fault_plain(w, x, (uint32_t)__builtin_ctz(mask), "the kernel executed %s", ptx_op_names[x->inst->op]);
}
