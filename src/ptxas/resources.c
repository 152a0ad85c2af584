/* resources.c - what a kernel and all that it calls need of an SM: registers per thread, and whether they wait at barriers. */
#include "ptxas/lower.h"
#include "ptxas/ptxas.h"

enum {
    ABI_REGISTERS = 24,        /* the least that ptxas gives to code with calls: the registers that the calling convention names */
    INLINED_INSTRUCTIONS = 50, /* ptxas inlines functions up to this size that call nothing, so there is no call */
    REGISTERS_OF_SM = 65536,   /* launch bounds divide these, in steps of 8, as ptxas does for sm_75 */
    REGISTER_STEP = 8
};

static bool is_inlined(const struct ptx_function *callee)
{
    if (callee->code_count > INLINED_INSTRUCTIONS)
        return false;
    for (uint32_t k = 0; k < callee->code_count; k++)
        if (callee->code[k].op == OP_CALL)
            return false;
    return true;
}

/* The registers that a caller must keep free for the functions that it calls. */
struct callee_need {
    uint32_t registers;
    bool barriers;
};

static void add_callee(struct callee_need *need, const struct ptx_function *callee)
{
    if (callee->is_entry || !callee->is_defined)
        return;
    const uint32_t least = is_inlined(callee) ? 0 : ABI_REGISTERS;
    const uint32_t registers = callee->register_estimate > least ? callee->register_estimate : least;
    need->registers = registers > need->registers ? registers : need->registers;
    need->barriers |= callee->uses_barriers;
}

/* An indirect call may reach any device function. `anyone` needs as much as the largest of them. */
static bool take_from_callees(const struct ptx_module *module, struct ptx_function *fn, const struct callee_need *anyone)
{
    struct callee_need need = { fn->register_estimate, fn->uses_barriers };
    for (uint32_t k = 0; k < fn->code_count; k++) {
        const struct ptx_operand *target = &fn->code[k].src[0];
        if (fn->code[k].op != OP_CALL)
            continue;
        if (target->kind == OPERAND_FUNCTION) {
            add_callee(&need, &module->functions[target->index]);
        } else {
            need.registers = anyone->registers > need.registers ? anyone->registers : need.registers;
            need.barriers |= anyone->barriers;
        }
    }
    bool changed = need.registers != fn->register_estimate || need.barriers != fn->uses_barriers;
    fn->register_estimate = need.registers;
    fn->uses_barriers = need.barriers;
    return changed;
}

static void spread_over_calls(struct ptx_module *module)
{
    for (bool changed = true; changed;) {
        struct callee_need anyone = { 0 };
        changed = false;
        for (uint32_t f = 0; f < module->function_count; f++)
            add_callee(&anyone, &module->functions[f]);
        for (uint32_t f = 0; f < module->function_count; f++)
            changed |= take_from_callees(module, &module->functions[f], &anyone);
    }
}

/* .maxnreg, and the registers that .maxntid and .minnctapersm leave to each thread. */
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

void ptxas_assign_resources(struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        struct ptx_function *fn = &module->functions[f];
        if (!fn->is_defined)
            continue;
        struct flow *flow = flow_new(fn);
        fn->register_estimate = pressure_estimate(fn, flow);
        flow_free(flow);
    }
    spread_over_calls(module);
    for (uint32_t f = 0; f < module->function_count; f++)
        limit_registers(&module->functions[f]);
}
