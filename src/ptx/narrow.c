/* narrow.c - which 64-bit registers need only 32: addresses of shared, local and constant memory are 32 bits wide on the machine,
 * whatever PTX calculates them in. */
#include "ptx/lower.h"

struct narrowing {
    const struct ptx_function *fn;
    const struct ptx_inst *inst;
    bool *narrow;              /* per register: assumed until shown wrong */
    bool changed;
};

/* The low half of the result depends on the low halves of the sources alone. */
static bool keeps_low_half(const struct ptx_inst *i)
{
    switch (i->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SHL: case OP_AND: case OP_OR: case OP_XOR: case OP_MOV: case OP_CVTA:
        return i->mod.part != PART_HI && i->type[0] != T_F64;
    default: return false;
    }
}

static void check_use(void *context, uint32_t reg, bool is_address)
{
    struct narrowing *n = context;
    const struct ptx_inst *i = n->inst;
    bool narrow_space = i->mod.space == SPACE_SHARED || i->mod.space == SPACE_LOCAL || i->mod.space == SPACE_CONST;
    bool passes_on = keeps_low_half(i) && i->dst[0].kind == OPERAND_REG && n->narrow[i->dst[0].index];
    if (n->narrow[reg] && (is_address ? !narrow_space : !passes_on)) {
        n->narrow[reg] = false;
        n->changed = true;
    }
}

void narrow_find(const struct ptx_function *fn, bool *narrow)
{
    struct narrowing n = { .fn = fn, .narrow = narrow };
    for (uint32_t r = 0; r < fn->reg_count; r++)
        narrow[r] = ptx_type_bytes(fn->regs[r].type) == 8;
    do {
        n.changed = false;
        for (uint32_t i = fn->code_count; i-- > 0;) {
            n.inst = &fn->code[i];
            visit_uses(fn, n.inst, check_use, &n);
        }
    } while (n.changed);
}
