/* decode_control.c - branches, calls, barriers. */
#include "exec/decode.h"

static uint32_t flat(const struct decoder *d, uint32_t index)
{
    return index == PTX_END ? NO_PC : d->routine->first + index;
}

static uint32_t meeting_point(const struct decoder *d)
{
    return d->in->early_end && d->device->options.reconverge_late ? NO_PC : flat(d, d->in->reconverge);
}

static bool decode_branch(struct decoder *d)
{
    struct xop *x = d->x;
    x->is_control = true;
    x->target = flat(d, d->in->src[0].index);
    x->reconverge = meeting_point(d);
    x->fn = d->in->guard < 0 ? control_branch_uniform : control_branch;
    const uint32_t here = (uint32_t)(d->in - d->routine->fn->code), target = d->in->src[0].index;
    if (target <= here && !d->device->options.never_yield && spin_is_loop(d->routine->module->ptx, d->routine->fn, target, here)) {
        x->fn = spin_branch;
        d->image->spins_in_callee |= d->routine != d->image->routines;
    }
    return true;
}

static bool decode_switch(struct decoder *d)
{
    struct xop *x = d->x;
    const struct ptx_table *from = &d->routine->fn->tables[d->in->src[1].index];
    struct jump_table *table = arena_alloc(d->image->arena, 1, sizeof *table);
    table->count = from->count;
    table->targets = arena_alloc(d->image->arena, from->count, sizeof *table->targets);
    for (uint32_t i = 0; i < from->count; i++)
        table->targets[i] = flat(d, from->targets[i]);
    x->is_control = true;
    x->reconverge = meeting_point(d);
    x->table = table;
    x->fn = control_switch;
    x->source_count = 1;
    return decode_source(d, &d->in->src[0], 4, &x->src[0]);
}

static bool decode_slot(struct decoder *d, const struct ptx_operand *o, struct param_slot *slot)
{
    if (o->kind == OPERAND_SYMBOL) {
        const struct ptx_variable *v = &d->routine->module->ptx->variables[o->index];
        slot->offset = d->routine->variable_offset[o->index] + (uint32_t)o->offset;
        slot->bytes = (uint32_t)v->bytes;
        return true;
    }
    slot->is_register = true;
    if (o->kind == OPERAND_SINK) {
        slot->value = (struct operand){ .offset = FRAME_SINK, .base = BASE_REGS, .width = 8 };
        return true;
    }
    return decode_source(d, o, 8, &slot->value);
}

static bool decode_slots(struct decoder *d, const struct ptx_operand *list, struct param_slot **slots, uint32_t *count)
{
    *count = list->kind == OPERAND_VECTOR ? list->count : list->kind == OPERAND_NONE ? 0 : 1;
    const struct ptx_operand *first = list->kind == OPERAND_VECTOR ? &d->routine->fn->elements[list->index] : list;
    *slots = arena_alloc(d->image->arena, *count, sizeof **slots);
    for (uint32_t i = 0; i < *count; i++)
        if (!decode_slot(d, &first[i], &(*slots)[i]))
            return false;
    return true;
}

static bool decode_call(struct decoder *d)
{
    const struct ptx_inst *in = d->in;
    struct call_site *site = arena_alloc(d->image->arena, 1, sizeof *site);
    d->x->call = site;
    d->x->fn = control_call;
    d->x->is_control = true;
    site->routine = -1;
    if (!decode_slots(d, &in->src[1], &site->arguments, &site->argument_count) ||
        !decode_slots(d, &in->dst[0], &site->returns, &site->return_count))
        return false;
    if (in->src[0].kind != OPERAND_FUNCTION)
        return decode_source(d, &in->src[0], 8, &site->pointer);
    const char *name = d->routine->module->ptx->functions[in->src[0].index].name;
    const struct loaded_module *owner;
    uint32_t index;
    if (builtin_replaces(name) || !device_resolve_function(d->device, d->routine->module, name, &owner, &index)) {
        site->builtin = (uint8_t)builtin_find(name);
        site->undefined = site->builtin == BUILTIN_NONE ? name : NULL;
        return true;
    }
    for (uint32_t r = 0; r < d->image->routine_count; r++)
        if (d->image->routines[r].fn == &owner->ptx->functions[index])
            site->routine = (int32_t)r;
    return true;
}

static bool decode_barrier(struct decoder *d)
{
    struct xop *x = d->x;
    switch (d->in->mod.mode) {
    case BAR_WARP_SYNC:
        x->fn = warpwide_sync;
        x->source_count = 1;
        return decode_source(d, &d->in->src[0], 4, &x->src[0]);
    case BAR_CLUSTER_ARRIVE:
    case BAR_CLUSTER_WAIT: /* a cluster is one CTA: passed at once */ x->fn = special_nothing; return true;
    default: break;
    }
    x->fn = barrier_execute;
    if (d->in->mod.mode == BAR_RED && !decode_destination(d))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (d->in->src[i].kind != OPERAND_NONE && !decode_source(d, &d->in->src[i], i == 2 ? 0 : 4, &x->src[i]))
            return false;
    x->source_count = d->in->src[0].kind == OPERAND_NONE ? 0 : 1;
    return true;
}

bool decode_control(struct decoder *d)
{
    struct xop *x = d->x;
    switch (d->in->op) {
    case OP_BRA: return decode_branch(d);
    case OP_BRX: return decode_switch(d);
    case OP_CALL: return decode_call(d);
    case OP_RET:
        x->is_control = true;
        x->fn = control_return;
        return true;
    case OP_EXIT:
        x->is_control = true;
        x->fn = control_exit;
        return true;
    case OP_BAR:
    case OP_BARRIER: return decode_barrier(d);
    case OP_TRAP:
    case OP_BRKPT: x->fn = control_trap; return true;
    default: /* membar, fence, nanosleep, griddepcontrol, pmevent: values are visible as soon as they are stored */
        x->fn = special_nothing;
        return true;
    }
}
