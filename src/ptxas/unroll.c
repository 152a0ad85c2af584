/* unroll.c - which loops ptxas unrolls, and how far.
 *
 * Found by experiments with ptxas 13 for sm_75 on loops of many shapes. It unrolls a block that branches back to itself when a
 * counter with a constant step decides, unless a pragma forbids it. The branch back must be the conditional one, taken when its
 * predicate holds. clang's loops leave by the conditional branch and go back by another; they stay as they are, unless the
 * function has its blocks in an order that ptxas changes. Then ptxas turns all branches. */
#include "ptxas/lower.h"

enum {
    UNROLL_UNKNOWN = 4,       /* the factor, when the count of iterations is not known */
    UNROLL_BODY = 46,         /* the largest body, in instructions, that is treated so */
    UNROLL_BODY_ALU = 22,     /* the same, when it loads nothing */
    UNROLL_LOADS = 16,        /* a body with this many loads is not unrolled */
    UNROLL_FULL = 640,        /* instructions that a loop of known count may grow to, overhead not counted */
    UNROLL_FULL_SMALL = 1100, /* the same for bodies up to UNROLL_SMALL */
    UNROLL_SMALL = 8,
    UNROLL_PART = 200,    /* what it grows to when it may not be unrolled fully */
    LOOP_OVERHEAD = 3,    /* step, test, branch */
    COUNTER_SEARCH = 1000 /* instructions in front of a loop where its counter may be set */
};

struct counted_loop {
    uint32_t counter; /* register */
    int64_t step, limit;
    bool has_limit; /* a constant */
};

static bool is_step(const struct ptx_inst *i, uint32_t counter)
{
    return (i->op == OP_ADD || i->op == OP_SUB) && i->guard < 0 && i->dst[0].kind == OPERAND_REG && i->dst[0].index == counter &&
           i->src[1].kind == OPERAND_IMM && i->src[0].kind == OPERAND_REG && i->src[0].index == counter;
}

static int64_t constant_of(const struct ptx_inst *i, const struct ptx_operand *o)
{
    return ptx_type_bytes(i->type[0]) == 8 ? (int64_t)o->bits : (int32_t)o->bits;
}

static const struct ptx_inst *find_step(const struct ptx_function *fn, const struct instruction_range *b,
                                        const struct ptx_operand *o)
{
    for (uint32_t i = b->first; i < b->end && o->kind == OPERAND_REG; i++)
        if (is_step(&fn->code[i], o->index))
            return &fn->code[i];
    return NULL;
}

/* The body's own counter: stepped by a constant, tested at the end, on either side of the comparison. */
static bool find_counter(const struct ptx_function *fn, const struct instruction_range *b, struct counted_loop *loop)
{
    const struct ptx_inst *test = NULL;
    for (uint32_t i = b->first; i < b->end; i++)
        if (fn->code[i].op == OP_SETP && fn->code[i].dst[0].index == (uint32_t)fn->code[b->end - 1].guard)
            test = &fn->code[i];
    if (!test || test->mod.boolean)
        return false;
    for (uint32_t side = 0; side < 2; side++) {
        const struct ptx_inst *step = find_step(fn, b, &test->src[side]);
        const struct ptx_operand *limit = &test->src[1 - side];
        if (!step)
            continue;
        int64_t by = constant_of(step, &step->src[1]);
        *loop = (struct counted_loop){ .counter = test->src[side].index,
                                       .has_limit = limit->kind == OPERAND_IMM,
                                       .step = step->op == OP_SUB ? wrapping_sub(0, by) : by };
        loop->limit = loop->has_limit ? constant_of(test, limit) : 0;
        return loop->step != 0;
    }
    return false;
}

/* Iterations, 0 when not known: the counter is set to a constant at one place, in front of the loop. */
static uint64_t count_iterations(const struct ptx_function *fn, const struct instruction_range *b, const struct counted_loop *loop,
                                 const uint32_t *definitions)
{
    if (!loop->has_limit || definitions[loop->counter] != 2)
        return 0;
    for (uint32_t i = b->first; i-- > 0 && b->first - i < COUNTER_SEARCH;) {
        const struct ptx_inst *set = &fn->code[i];
        if (set->op != OP_MOV || set->dst[0].kind != OPERAND_REG || set->dst[0].index != loop->counter ||
            set->src[0].kind != OPERAND_IMM)
            continue;
        int64_t distance;
        if (__builtin_sub_overflow(loop->limit, constant_of(set, &set->src[0]), &distance) || distance == INT64_MIN)
            return 0; /* more than any loop runs; and the quotient by -1 would overflow */
        return distance / loop->step > 0 ? (uint64_t)(distance / loop->step) : 0;
    }
    return 0;
}

static uint32_t largest_divisor(uint64_t of, uint64_t at_most)
{
    for (uint64_t d = at_most; d > 1; d--)
        if (of % d == 0)
            return (uint32_t)d;
    return 1;
}

/* Whether the body goes back to its beginning, in a shape that ptxas recognises. */
static bool loops_back(const struct ptx_function *fn, const struct instruction_range *b, bool relaid)
{
    const struct ptx_inst *branch = &fn->code[b->end - 1], *after = b->end < fn->code_count ? &fn->code[b->end] : branch;
    if (branch->op != OP_BRA || branch->guard < 0)
        return false;
    if (branch->src[0].index == b->first)
        return !branch->guard_negated;
    return relaid && after->op == OP_BRA && after->guard < 0 && after->src[0].index == b->first;
}

bool unroll_reaches_from_behind(const struct flow *flow, uint32_t b)
{
    const struct flow_block *block = &flow->blocks[b];
    for (uint32_t k = 0; k < block->predecessor_count; k++)
        if (flow->predecessors[block->predecessor_start + k] < b)
            return false;
    return b > 0 && block->predecessor_count > 0;
}

uint32_t unroll_factor(const struct ptx_function *fn, const struct instruction_range *b, const uint32_t *definitions, bool relaid)
{
    struct counted_loop loop = { 0 };
    if (!loops_back(fn, b, relaid) || fn->code[b->first].no_unroll || !find_counter(fn, b, &loop))
        return 1;
    uint32_t loads = 0, size = b->end - b->first, body = size > LOOP_OVERHEAD ? size - LOOP_OVERHEAD : 1;
    for (uint32_t i = b->first; i < b->end; i++) {
        loads += fn->code[i].op == OP_LD && fn->code[i].mod.space != SPACE_PARAM;
        if (fn->code[i].op == OP_CALL)
            return 1;
    }
    uint64_t iterations = count_iterations(fn, b, &loop, definitions);
    if (iterations && iterations <= (body <= UNROLL_SMALL ? UNROLL_FULL_SMALL : UNROLL_FULL) / body)
        return (uint32_t)iterations;
    if (iterations)
        return body > UNROLL_PART / 2 ? 1 : largest_divisor(iterations, UNROLL_PART / body);
    return size > (loads ? UNROLL_BODY : UNROLL_BODY_ALU) || loads >= UNROLL_LOADS ? 1 : UNROLL_UNKNOWN;
}
