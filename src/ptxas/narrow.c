/* narrow.c - finds 64-bit registers of which only 32 bits are needed. Addresses of shared, local and constant memory are 32 bits
 * wide on the machine, even when PTX computes them in 64. */
#include "ptxas/lower.h"

#include <stdlib.h>

#include "base/error.h"

struct narrowing {
    const struct ptx_function *fn;
    const struct ptx_inst *inst;
    bool *narrow;                 /* per register: assumed until shown wrong */
    uint32_t *writer;             /* per register: instruction + 1 that passes low halves on to it; the others by other_writer */
    uint32_t *other_writer;       /* per instruction: the same */
    uint32_t *shown, shown_count; /* registers just shown wrong: what is passed on to them is needed in full */
};

/* True when the low half of the result depends only on the low halves of the sources. */
static bool keeps_low_half(const struct ptx_inst *i)
{
    switch (i->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MAD:
    case OP_SHL:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_MOV:
    case OP_CVTA: return i->mod.part != PART_HI && i->type[0] != T_F64;
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
        n->shown[n->shown_count++] = reg;
    }
}

void narrow_find(const struct ptx_function *fn, bool *narrow)
{
    struct narrowing n = { .fn = fn,
                           .narrow = narrow,
                           .writer = must_calloc(fn->reg_count + 1, sizeof *n.writer),
                           .other_writer = must_calloc(fn->code_count, sizeof *n.other_writer),
                           .shown = must_calloc(fn->reg_count + 1, sizeof *n.shown) };
    for (uint32_t r = 0; r < fn->reg_count; r++)
        narrow[r] = ptx_type_bytes(fn->regs[r].type) == 8;
    for (uint32_t i = 0; i < fn->code_count; i++) {
        n.inst = &fn->code[i];
        if (keeps_low_half(n.inst) && n.inst->dst[0].kind == OPERAND_REG) {
            n.other_writer[i] = n.writer[n.inst->dst[0].index];
            n.writer[n.inst->dst[0].index] = i + 1;
        }
        visit_uses(fn, n.inst, check_use, &n);
    }
    while (n.shown_count)
        for (uint32_t i = n.writer[n.shown[--n.shown_count]]; i; i = n.other_writer[i - 1]) {
            n.inst = &fn->code[i - 1];
            visit_uses(fn, n.inst, check_use, &n);
        }
    free(n.writer);
    free(n.other_writer);
    free(n.shown);
}
