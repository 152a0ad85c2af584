/* analysis.c - runs the analyses over a module. */
#include "ptx/analysis.h"

enum {
    ABI_REGISTERS = 24,       /* what ptxas gives at least to code with calls: the registers that the convention names */
    INLINED_INSTRUCTIONS = 50, /* functions up to this size that call nothing are taken in by ptxas: there is no call */
    REGISTERS_OF_SM = 65536,  /* launch bounds divide these, in steps of 8, as ptxas does for sm_75 */
    REGISTER_STEP = 8
};

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

static bool is_inlined(const struct ptx_function *callee)
{
    for (uint32_t k = 0; k < callee->code_count; k++)
        if (callee->code[k].op == OP_CALL)
            return false;
    return callee->code_count <= INLINED_INSTRUCTIONS;
}

/* A caller needs what its callees need. True when that changed something. */
static bool take_from_callee(struct ptx_function *fn, const struct ptx_function *callee)
{
    const uint32_t least = is_inlined(callee) ? 0 : ABI_REGISTERS;
    const uint32_t need = callee->register_estimate > least ? callee->register_estimate : least;
    bool changed = false;
    if (callee->is_entry || !callee->is_defined)
        return false;
    if (fn->register_estimate < need) {
        fn->register_estimate = need;
        changed = true;
    }
    if (callee->uses_barriers && !fn->uses_barriers)
        fn->uses_barriers = changed = true;
    return changed;
}

/* An indirect call may reach any device function. */
static bool take_from_call(struct ptx_module *module, struct ptx_function *fn, const struct ptx_operand *target)
{
    bool changed = false;
    if (target->kind == OPERAND_FUNCTION)
        return take_from_callee(fn, &module->functions[target->index]);
    for (uint32_t f = 0; f < module->function_count; f++)
        changed |= take_from_callee(fn, &module->functions[f]);
    return changed;
}

static void spread_over_calls(struct ptx_module *module)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < module->function_count; f++) {
            struct ptx_function *fn = &module->functions[f];
            for (uint32_t k = 0; k < fn->code_count; k++)
                if (fn->code[k].op == OP_CALL)
                    changed |= take_from_call(module, fn, &fn->code[k].src[0]);
        }
    }
}

/* .maxnreg, and what .maxntid and .minnctapersm leave to each thread. */
static void limit_registers(struct ptx_function *fn)
{
    uint32_t limit = fn->max_registers;
    uint64_t threads = 1;
    const uint32_t *bound = fn->required_threads[0] ? fn->required_threads : fn->max_threads;
    for (int d = 0; d < 3; d++)
        threads *= bound[d] ? bound[d] : 1;
    if (!limit && bound[0] && threads && threads <= REGISTERS_OF_SM) {
        uint64_t share = REGISTERS_OF_SM / threads / (fn->min_ctas ? fn->min_ctas : 1);
        limit = (uint32_t)(share / REGISTER_STEP * REGISTER_STEP);
    }
    if (limit && fn->register_estimate > limit)
        fn->register_estimate = limit;
}

void analysis_run(struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        struct ptx_function *fn = &module->functions[f];
        if (!fn->is_defined)
            continue;
        struct flow *flow = flow_new(fn);
        flow_set_reconvergence(flow, fn);
        fn->register_estimate = pressure_estimate(fn, flow);
        assigned_set_zeros(fn, flow);
        live_ranges_set(fn, flow);
        note_calls_and_barriers(module, fn);
        flow_free(flow);
    }
    spread_over_calls(module);
    for (uint32_t f = 0; f < module->function_count; f++)
        limit_registers(&module->functions[f]);
}
