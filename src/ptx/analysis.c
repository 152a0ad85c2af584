/* analysis.c - runs the analyses over a module. */
#include "ptx/analysis.h"

static void visit_operand(const struct ptx_function *fn, const struct ptx_operand *o, visit_register *visit, void *context)
{
    if (o->kind == OPERAND_REG || o->kind == OPERAND_ADDRESS)
        visit(context, o->index, o->kind == OPERAND_ADDRESS);
    else if (o->kind == OPERAND_VECTOR)
        for (uint32_t i = 0; i < o->count; i++)
            visit_operand(fn, &fn->elements[o->index + i], visit, context);
}

void visit_uses(const struct ptx_function *fn, const struct ptx_inst *i, visit_register *visit, void *context)
{
    for (uint32_t k = 0; k < i->nsrc; k++)
        visit_operand(fn, &i->src[k], visit, context);
    if (i->guard >= 0)
        visit(context, (uint32_t)i->guard, false);
}

void visit_definitions(const struct ptx_function *fn, const struct ptx_inst *i, visit_register *visit, void *context)
{
    for (uint32_t k = 0; k < i->ndst; k++)
        visit_operand(fn, &i->dst[k], visit, context);
}

static bool is_block_barrier(const struct ptx_inst *i)
{
    return i->op == OP_BARRIER || (i->op == OP_BAR && i->mod.mode != BAR_WARP_SYNC);
}

static void note_calls_and_barriers(struct ptx_module *module, struct ptx_function *fn)
{
    for (uint32_t k = 0; k < fn->code_count; k++) {
        const struct ptx_inst *i = &fn->code[k];
        fn->uses_barriers |= is_block_barrier(i);
        if (i->op == OP_CALL)
            fn->calls_unknown |= i->src[0].kind != OPERAND_FUNCTION || !module->functions[i->src[0].index].is_defined;
    }
}

void analysis_run(struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        struct ptx_function *fn = &module->functions[f];
        if (!fn->is_defined)
            continue;
        struct flow *flow = flow_new(fn);
        flow_set_reconvergence(flow, fn);
        assigned_set_zeros(fn, flow);
        live_ranges_set(fn, flow);
        note_calls_and_barriers(module, fn);
        flow_free(flow);
    }
}
