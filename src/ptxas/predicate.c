/* predicate.c - which branches ptxas turns into predicated instructions.
 *
 * Some branches jump over a few instructions that can all be guarded, with or without a second arm that is as short. Executing
 * these is cheaper than branching around them. The result is one block, whose loads can move together and which can be unrolled. */
#include "ptxas/lower.h"

enum { PREDICATE_MOST = 12 };

static bool can_be_guarded(const struct ptx_inst *i)
{
    switch (i->op) {
    case OP_BAR:
    case OP_BARRIER:
    case OP_CALL:
    case OP_BRX:
    case OP_RET:
    case OP_EXIT:
    case OP_TRAP:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_MEMBAR:
    case OP_FENCE:
    case OP_ACTIVEMASK:
    case OP_REDUX:
    case OP_WMMA:
    case OP_MMA: return false;
    case OP_DIV:
    case OP_REM: return i->mod.approx || i->mod.full || (i->nsrc > 1 && i->src[1].kind == OPERAND_IMM);
    case OP_SQRT:
    case OP_RCP: return i->mod.approx;
    default: return true;
    }
}

/* A short block that is entered only from `from` and continues only to `to`. */
static bool is_arm(const struct ptx_function *fn, const struct flow *flow, uint32_t b, uint32_t from, uint32_t to)
{
    if (b >= flow->count)
        return false;
    const struct flow_block *block = &flow->blocks[b];
    if (block->predecessor_count != 1 || flow->predecessors[block->predecessor_start] != from || block->successor_count != 1 ||
        flow->successors[block->successor_start] != to)
        return false;
    uint32_t size = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        if (i + 1 == block->end && fn->code[i].op == OP_BRA)
            continue;
        if (!can_be_guarded(&fn->code[i]))
            return false;
        size++;
    }
    return size <= PREDICATE_MOST;
}

static bool joins_only(const struct flow *flow, uint32_t b, uint32_t one, uint32_t other)
{
    if (b >= flow->count)
        return false;
    const struct flow_block *block = &flow->blocks[b];
    for (uint32_t k = 0; k < block->predecessor_count; k++) {
        uint32_t from = flow->predecessors[block->predecessor_start + k];
        if (from != one && from != other)
            return false;
    }
    return true;
}

uint32_t predicate_extent(const struct ptx_function *fn, const struct flow *flow, uint32_t first, uint8_t *arm)
{
    uint32_t last = first;
    arm[first] = ARM_NONE;
    for (;;) {
        const struct flow_block *block = &flow->blocks[last];
        const struct ptx_inst *branch = &fn->code[block->end - 1];
        if (block->successor_count == 1 && last + 1 < flow->count && flow->successors[block->successor_start] == last + 1 &&
            joins_only(flow, last + 1, last, last)) {
            arm[++last] = ARM_NONE;
            continue;
        }
        if (branch->op != OP_BRA || branch->guard < 0)
            return last;
        uint32_t target = flow->block_of[branch->src[0].index];
        if (target == last + 2 && is_arm(fn, flow, last + 1, last, target) && joins_only(flow, target, last, last + 1)) {
            arm[last + 1] = ARM_ONLY;
            arm[last + 2] = ARM_NONE;
            last += 2;
        } else if (target == last + 2 && is_arm(fn, flow, last + 1, last, last + 3) && is_arm(fn, flow, last + 2, last, last + 3) &&
                   joins_only(flow, last + 3, last + 1, last + 2)) {
            arm[last + 1] = ARM_FIRST;
            arm[last + 2] = ARM_ONLY;
            arm[last + 3] = ARM_NONE;
            last += 3;
        } else {
            return last;
        }
    }
}
