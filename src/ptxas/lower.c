/* lower.c - from PTX to the operations that ptxas schedules.
 *
 *  - Kernel parameters, constants, block sizes and addresses of variables need no register: instructions take them from constant
 *    memory or as immediates.
 *  - Copies and widenings are the value they copy; `base + constant` used only in addresses folds into them.
 *  - A product that is only ever added to something is part of the addition (IMAD, IMAD.WIDE, LEA), wherever that stands.
 *  - Unrolled loops stand in a row; the steps of their counters melt into one. */
#include "ptxas/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_PARTS = 3, MOST_OPS = 50000 /* when the code is longer than this nothing more is unrolled */ };
/* What a register stands for at this point: nothing (a constant), one value, or the values from which it is computed where it is
 * used. */
struct meaning {
    uint8_t count;
    uint32_t part[MOST_PARTS];
    int64_t offset; /* of an address: what has been added to its one part */
};

struct lowering {
    struct lower *out;
    const struct ptx_function *fn;
    const struct flow *flow;
    uint32_t *definitions, *uses; /* per register */
    uint32_t *definition;         /* its last instruction */
    uint32_t *absorbing;          /* of its uses, those that can take a product in */
    uint32_t *addressing;         /* of its uses, those as an address or as a base plus a constant */
    uint32_t *last_write;         /* in the block at hand: the instruction + 1 that writes it last */
    struct meaning *now;
    uint32_t factor; /* value that holds the factor of products added to constants; 0: none yet */
    uint64_t factor_bits;
    uint32_t *base_of; /* per value: what it is a constant more than, or itself */
    bool *narrow;      /* per register, see narrow_find */
    bool relaid;       /* see unroll_factor */
    uint8_t *arm;      /* per block, enum lower_arm */
};

static bool is_wide(enum ptx_type t)
{
    return ptx_type_bytes(t) == 8;
}

static bool is_add_constant(const struct ptx_inst *i)
{
    return (i->op == OP_ADD || i->op == OP_SUB) && i->guard < 0 && !i->mod.carry_out && i->src[0].kind == OPERAND_REG &&
           i->src[1].kind == OPERAND_IMM && ptx_type_bytes(i->type[0]) >= 4 && i->type[0] != T_F32 && i->type[0] != T_F64;
}

static bool is_integer(const struct ptx_inst *i)
{
    return i->type[0] != T_F32 && i->type[0] != T_F64;
}

/* A product or shift by a constant, or a widening, that an addition can include. */
static bool is_absorbable(const struct ptx_inst *i)
{
    if (i->guard >= 0 || i->dst[0].kind != OPERAND_REG || !is_integer(i))
        return false;
    bool by_constant = i->nsrc > 1 && i->src[1].kind == OPERAND_IMM;
    if (i->op == OP_CVT)
        return is_wide(i->type[0]) && ptx_type_bytes(i->type[1]) == 4 && i->type[1] != T_F32;
    return ((i->op == OP_MUL && i->mod.part != PART_HI) || i->op == OP_SHL) && by_constant;
}

struct use_visit {
    struct lowering *l;
    const struct ptx_inst *i;
};

static void count_use(void *context, uint32_t reg, bool is_address)
{
    struct use_visit *c = context;
    const struct ptx_inst *i = c->i;
    c->l->uses[reg]++;
    c->l->addressing[reg] += is_address || is_add_constant(i);
    bool takes_in =
        !is_address && is_integer(i) && i->guard < 0 && ((i->op == OP_ADD && i->src[1].kind == OPERAND_REG) || is_absorbable(i));
    c->l->absorbing[reg] += takes_in;
}

struct definition_visit {
    struct lowering *l;
    uint32_t index;
};

static void count_definition(void *context, uint32_t reg, bool is_address)
{
    struct definition_visit *c = context;
    (void)is_address;
    c->l->definitions[reg]++;
    c->l->definition[reg] = c->index;
}

static uint32_t new_value(struct lowering *l, uint8_t width, bool rewritten)
{
    struct lower *o = l->out;
    if (o->value_count == o->value_capacity) {
        o->value_capacity = o->value_capacity * 2 + 64;
        o->values = must_realloc(o->values, o->value_capacity * sizeof *o->values);
        l->base_of = must_realloc(l->base_of, o->value_capacity * sizeof *l->base_of);
    }
    o->values[o->value_count] = (struct lower_value){ .width = width, .rewritten = rewritten };
    l->base_of[o->value_count] = o->value_count;
    return o->value_count++;
}

static void put_operand(struct lower *o, uint32_t value)
{
    if (o->operand_count == o->operand_capacity) {
        o->operand_capacity = o->operand_capacity * 2 + 256;
        o->operands = must_realloc(o->operands, o->operand_capacity * sizeof *o->operands);
    }
    o->operands[o->operand_count++] = value;
}

struct operand_visit {
    struct lowering *l;
    struct lower_op *op;
    uint32_t index;
    bool addresses, last_copy, guarded;
};

static void put_use(void *context, uint32_t reg, bool is_address)
{
    struct operand_visit *c = context;
    const struct meaning *m = &c->l->now[reg];
    if (is_address != c->addresses)
        return;
    for (uint8_t k = 0; k < m->count; k++) {
        put_operand(c->l->out, m->part[k]);
        c->op->use_count++;
        c->op->address_count += is_address;
    }
}

/* A register keeps one value number for what it holds at the end of the block. What it holds before that gets no name. */
static uint32_t defined_value(struct lowering *l, uint32_t reg, uint32_t index, bool last_copy)
{
    bool own = l->definitions[reg] == 1 ? last_copy : last_copy && l->last_write[reg] == index + 1;
    return own ? reg : new_value(l, l->out->values[reg].width, false);
}

static void put_definition(void *context, uint32_t reg, bool is_address)
{
    struct operand_visit *c = context;
    (void)is_address;
    put_operand(c->l->out, defined_value(c->l, reg, c->index, c->last_copy));
    c->op->def_count++;
}

/* Lanes that do not write keep the old value, so it must be there. */
static void put_old(void *context, uint32_t reg, bool is_address)
{
    struct operand_visit *c = context;
    (void)is_address;
    if (c->l->definitions[reg] != 1)
        put_use(context, reg, false);
}

static void name_definition(void *context, uint32_t reg, bool is_address)
{
    struct operand_visit *c = context;
    (void)is_address;
    c->l->now[reg] = (struct meaning){ .count = 1, .part = { c->l->out->operands[c->op->operands + c->op->def_count++] } };
}

/* Latencies in cycles, about those of sm_75. Only their proportions matter. */
enum { LATENCY_ALU = 5, LATENCY_SFU = 20, LATENCY_SHARED = 40, LATENCY_GLOBAL = 400, LATENCY_DOUBLE = 16 };

static uint16_t latency_of(const struct ptx_inst *i)
{
    switch (i->op) {
    case OP_LD:
    case OP_LDU:
        return i->mod.space == SPACE_SHARED || i->mod.space == SPACE_CONST || i->mod.space == SPACE_PARAM ? LATENCY_SHARED
                                                                                                          : LATENCY_GLOBAL;
    case OP_ATOM:
    case OP_TEX:
    case OP_TLD4:
    case OP_SULD: return LATENCY_GLOBAL;
    case OP_RCP:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_SIN:
    case OP_COS:
    case OP_LG2:
    case OP_EX2:
    case OP_TANH:
    case OP_DIV:
    case OP_REM:
    case OP_POPC:
    case OP_CLZ:
    case OP_BFIND:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH: return LATENCY_SFU;
    case OP_MOV: return i->src[0].kind == OPERAND_SREG ? LATENCY_SFU : LATENCY_ALU;
    default: return i->type[0] == T_F64 ? LATENCY_DOUBLE : LATENCY_ALU;
    }
}

/* Registers that the instruction sequences behind one PTX instruction need, measured with ptxas on kernels with nothing else. */
static uint8_t scratch_of(const struct ptx_inst *i)
{
    bool by_constant = i->nsrc > 1 && i->src[1].kind == OPERAND_IMM;
    enum ptx_type t = i->type[0];
    bool exact = !i->mod.approx && !i->mod.full;
    switch (i->op) {
    case OP_DIV:
    case OP_REM:
        if (t == T_F32)
            return exact ? 10 : 2;
        if (t == T_F64)
            return 20;
        if (is_wide(t))
            return by_constant ? 12 : t == T_S64 ? 18 : 14;
        return by_constant ? 4 : t == T_S32 ? 9 : 8;
    case OP_RCP: return t == T_F64 ? 9 : exact ? 9 : 0;
    case OP_SQRT: return t == T_F64 ? 16 : exact ? 6 : 1;
    case OP_RSQRT: return t == T_F64 ? 10 : 0;
    case OP_MUL: return is_wide(t) && i->mod.part == PART_HI ? 10 : is_wide(t) && !by_constant && t != T_F64 ? 4 : 0;
    default: return 0;
    }
}

/* Exact quotients and roots call a routine for the rare cases. */
static bool has_slow_path(const struct ptx_inst *i)
{
    if (i->op == OP_RCP || i->op == OP_SQRT || (i->op == OP_DIV && !is_integer(i)))
        return i->type[0] == T_F64 || (!i->mod.approx && !i->mod.full);
    return (i->op == OP_DIV || i->op == OP_REM) && is_wide(i->type[0]);
}

static uint8_t flags_of(const struct ptx_inst *i)
{
    bool vector = i->dst[0].kind == OPERAND_VECTOR && i->op != OP_MOV;
    switch (i->op) {
    case OP_LD:
    case OP_LDU:
    case OP_TEX:
    case OP_TLD4:
    case OP_SULD: return (uint8_t)(i->mod.is_volatile ? LOWER_FENCE : LOWER_LOAD | (vector ? LOWER_VECTOR : 0));
    case OP_ST: return i->mod.is_volatile ? LOWER_FENCE : LOWER_STORE;
    case OP_ATOM:
    case OP_RED:
    case OP_BAR:
    case OP_BARRIER:
    case OP_MEMBAR:
    case OP_FENCE:
    case OP_CALL:
    case OP_SUST:
    case OP_CP:
    case OP_MBARRIER:
    case OP_SURED: return LOWER_FENCE;
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_ACTIVEMASK:
    case OP_REDUX:
    case OP_WMMA:
    case OP_MMA:
    case OP_LDMATRIX: return LOWER_FENCE;
    case OP_BRA:
    case OP_BRX:
    case OP_RET:
    case OP_EXIT:
    case OP_TRAP: return LOWER_LAST;
    default: return has_slow_path(i) ? LOWER_SPLIT : 0;
    }
}

static struct lower_op *new_op(struct lowering *l, uint32_t index)
{
    struct lower *o = l->out;
    if (o->op_count == o->op_capacity) {
        o->op_capacity = o->op_capacity * 2 + 256;
        o->ops = must_realloc(o->ops, o->op_capacity * sizeof *o->ops);
    }
    struct lower_op *op = &o->ops[o->op_count++];
    *op = (struct lower_op){ .inst = index, .operands = o->operand_count, .latency = LATENCY_ALU };
    return op;
}

/* The place that a memory instruction accesses, as far as places can be compared. */
static void note_place(const struct lowering *l, struct lower_op *op, const struct ptx_inst *i)
{
    const struct ptx_operand *a = &i->src[0];
    op->constant = op->flags & LOWER_LOAD &&
                   (i->mod.cache_op == CACHE_READ_ONLY || op->space == SPACE_CONST || op->space == SPACE_PARAM || i->op != OP_LD);
    op->bytes = (uint8_t)(ptx_type_bytes(i->type[0]) * (i->mod.vector ? i->mod.vector : 1));
    op->base = LOWER_NO_BASE;
    op->offset = a->offset;
    if (a->kind == OPERAND_SYMBOL_ADDRESS) {
        op->base = ~a->index - 1;
    } else if (a->kind == OPERAND_ADDRESS && l->now[a->index].count == 1) {
        op->base = l->now[a->index].part[0];
        op->offset = wrapping_add(op->offset, l->now[a->index].offset);
    }
}

static void emit(struct lowering *l, uint32_t index, bool last_copy, bool guarded, int32_t guard)
{
    const struct ptx_inst *i = &l->fn->code[index];
    struct lower_op *op = new_op(l, index);
    op->latency = latency_of(i);
    op->flags = flags_of(i);
    op->space = i->op == OP_TEX || i->op == OP_TLD4 ? SPACE_TEXTURE : i->mod.space;
    op->scratch = scratch_of(i);
    if (op->flags & (LOWER_LOAD | LOWER_STORE))
        note_place(l, op, i);
    struct operand_visit visit = { l, op, index, true, last_copy, guarded || i->guard >= 0 };
    visit_definitions(l->fn, i, put_definition, &visit);
    visit_uses(l->fn, i, put_use, &visit);
    visit.addresses = false;
    visit_uses(l->fn, i, put_use, &visit);
    if (guard >= 0)
        put_use(&visit, (uint32_t)guard, false);
    if (visit.guarded)
        visit_definitions(l->fn, i, put_old, &visit);
    uint16_t definitions = op->def_count;
    op->def_count = 0;
    visit_definitions(l->fn, i, name_definition, &visit);
    op->def_count = definitions;
}

/* base + constant, counted from where the chain of such steps began, so that the steps between can vanish. */
static void emit_step(struct lowering *l, uint32_t index, bool last_copy)
{
    struct lower *o = l->out;
    const struct meaning source = l->now[l->fn->code[index].src[0].index];
    emit(l, index, last_copy, false, -1);
    struct lower_op *op = &o->ops[o->op_count - 1];
    if (source.count != 1 || op->use_count != 1 || op->def_count != 1)
        return;
    uint32_t base = l->base_of[source.part[0]], made = o->operands[op->operands];
    o->operands[op->operands + 1] = base;
    if (made >= l->fn->reg_count)
        l->base_of[made] = base;
}

static bool is_bank_value(const struct ptx_operand *s)
{
    if (s->kind == OPERAND_SREG)
        return (s->index >= SREG_NTID_X && s->index <= SREG_NTID_W) || (s->index >= SREG_NCTAID_X && s->index <= SREG_NCTAID_W);
    return s->kind == OPERAND_IMM || s->kind == OPERAND_SYMBOL || s->kind == OPERAND_FUNCTION;
}

static bool is_copy(const struct ptx_inst *i)
{
    if (i->op == OP_MOV || i->op == OP_CVTA)
        return i->src[0].kind == OPERAND_REG;
    bool same_kind = is_integer(i) && i->type[1] != T_F32 && i->type[1] != T_F64;
    return i->op == OP_CVT && same_kind && i->src[0].kind == OPERAND_REG &&
           (i->type[0] == T_U64 ? ptx_type_bytes(i->type[1]) == 4 : ptx_type_bytes(i->type[0]) <= 4);
}

/* True when no value that a register's expression is made of changes. */
static bool is_stable(const struct lowering *l, const struct meaning *m)
{
    for (uint8_t k = 0; k < m->count; k++)
        if (l->out->values[m->part[k]].rewritten)
            return false;
    return true;
}

static bool join(struct meaning *into, const struct meaning *more)
{
    if (into->count + more->count > MOST_PARTS)
        return false;
    for (uint8_t k = 0; k < more->count; k++)
        into->part[into->count++] = more->part[k];
    return true;
}

/* Finds what an instruction's result stands for without an instruction. False when it needs one. */
static bool meaning_of(struct lowering *l, uint32_t index, bool last_copy, struct meaning *m)
{
    const struct ptx_inst *i = &l->fn->code[index];
    *m = (struct meaning){ 0 };
    if (i->guard >= 0 || i->ndst != 1 || i->dst[0].kind != OPERAND_REG)
        return false;
    uint32_t reg = i->dst[0].index;
    bool nameless = l->definitions[reg] == 1 || !last_copy || l->last_write[reg] != index + 1;
    if (!nameless)
        return false;
    if (i->op == OP_LD && i->mod.space == SPACE_PARAM && l->fn->is_entry)
        return true;
    if ((i->op == OP_MOV || i->op == OP_CVTA) && is_bank_value(&i->src[0]))
        return true;
    bool copies = is_copy(i), folds = is_add_constant(i) && l->addressing[reg] == l->uses[reg];
    bool absorbed = is_absorbable(i) && l->absorbing[reg] == l->uses[reg];
    if (!copies && !folds && !absorbed)
        return false;
    for (uint32_t k = 0; k < i->nsrc; k++)
        if (i->src[k].kind == OPERAND_REG && !join(m, &l->now[i->src[k].index]))
            return false;
    if (m->count == 1 && (copies || folds)) {
        const struct ptx_operand *added = &i->src[1];
        int64_t step = !folds || copies ? 0 : ptx_type_bytes(i->type[0]) == 8 ? (int64_t)added->bits : (int32_t)added->bits;
        int64_t from = l->now[i->src[0].index].offset;
        m->offset = i->op == OP_SUB ? wrapping_sub(from, step) : wrapping_add(from, step);
    }
    return l->definitions[reg] != 1 || is_stable(l, m) || !last_copy;
}

static void note_last_write(void *context, uint32_t reg, bool is_address)
{
    struct definition_visit *c = context;
    (void)is_address;
    c->l->last_write[reg] = c->index + 1;
}

static void forget(void *context, uint32_t reg, bool is_address)
{
    struct definition_visit *c = context;
    (void)is_address;
    if (c->l->definitions[reg] != 1)
        c->l->now[reg] = (struct meaning){ .count = 1, .part = { reg } };
}

/* The product that the addition includes, when its other operand comes from constant memory. An instruction has room for one
 * constant, so the factor needs a register. */
static const struct ptx_inst *product_on_constant(const struct lowering *l, const struct ptx_inst *i)
{
    if (i->op != OP_ADD || !is_wide(i->type[0]) || i->src[0].kind != OPERAND_REG || i->src[1].kind != OPERAND_REG)
        return NULL;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t reg = i->src[k].index;
        const struct ptx_inst *from = &l->fn->code[l->definition[reg]];
        if (l->definitions[reg] == 1 && from->op == OP_MUL && from->mod.part == PART_WIDE && is_absorbable(from) &&
            l->absorbing[reg] == l->uses[reg] && l->now[i->src[1 - k].index].count == 0)
            return from;
    }
    return NULL;
}

static void emit_product(struct lowering *l, uint32_t index, bool last_copy, bool guarded, int32_t guard,
                         const struct ptx_inst *product)
{
    if (!l->factor || l->factor_bits != product->src[1].bits) {
        l->factor = new_value(l, 1, false);
        l->factor_bits = product->src[1].bits;
        new_op(l, index)->def_count = 1;
        put_operand(l->out, l->factor);
    }
    emit(l, index, last_copy, guarded, guard);
    put_operand(l->out, l->factor);
    l->out->ops[l->out->op_count - 1].use_count++;
}

static bool lowers_branch(const struct lowering *l, uint32_t index, uint32_t end)
{
    return index + 1 == end || !(flags_of(&l->fn->code[index]) & LOWER_LAST);
}

/* The predicate that decides about the arm in which an instruction stands; -1: none. */
static int32_t guard_of_arm(const struct lowering *l, uint32_t index)
{
    uint32_t b = l->flow->block_of[index];
    if (l->arm[b] == ARM_NONE)
        return -1;
    const struct flow_block *block = &l->flow->blocks[b];
    return l->fn->code[l->flow->blocks[l->flow->predecessors[block->predecessor_start]].end - 1].guard;
}

static void lower_body(struct lowering *l, const struct instruction_range *body, bool last_copy)
{
    struct meaning m;
    for (uint32_t i = body->first; i < body->end; i++) {
        const struct ptx_inst *inst = &l->fn->code[i];
        bool partial = l->arm[l->flow->block_of[i]] == ARM_ONLY;
        bool guarded = partial && inst->ndst && inst->dst[0].kind == OPERAND_REG && l->definitions[inst->dst[0].index] != 1;
        if (!guarded && meaning_of(l, i, last_copy, &m))
            l->now[inst->dst[0].index] = m;
        else if (!guarded && is_add_constant(inst))
            emit_step(l, i, last_copy);
        else if (product_on_constant(l, inst))
            emit_product(l, i, last_copy, guarded, -1, product_on_constant(l, inst));
        else if (lowers_branch(l, i, body->end) && (last_copy || i + 1 < body->end)) /* branches inside are gone */
            emit(l, i, last_copy, guarded, guarded || flags_of(inst) ? guard_of_arm(l, i) : -1);
    }
}

/* Lowers block `b` with the blocks that it takes in, and returns the last of them. */
static uint32_t lower_block(struct lowering *l, uint32_t b)
{
    uint32_t last = predicate_extent(l->fn, l->flow, b, l->arm);
    const struct instruction_range body = { l->flow->blocks[b].first, l->flow->blocks[last].end };
    uint32_t copies = l->out->op_count < MOST_OPS ? unroll_factor(l->fn, &body, l->definitions, l->relaid) : 1;
    if (copies == 1)
        l->factor = 0; /* computed again rather than kept */
    l->out->blocks[b].first = l->out->op_count;
    for (uint32_t i = body.first; i < body.end; i++)
        visit_definitions(l->fn, &l->fn->code[i], note_last_write, &(struct definition_visit){ l, i });
    for (uint32_t c = 0; c < copies; c++)
        lower_body(l, &body, c + 1 == copies);
    l->out->blocks[b].end = l->out->op_count;
    for (uint32_t k = b + 1; k <= last; k++)
        l->out->blocks[k].first = l->out->blocks[k].end = l->out->op_count;
    for (uint32_t i = body.first; i < body.end; i++)
        visit_definitions(l->fn, &l->fn->code[i], forget, &(struct definition_visit){ l, i });
    return last;
}

/* Removes ops whose results nobody reads. */
static void drop_dead(struct lower *o)
{
    for (uint32_t k = 0; k < o->op_count; k++)
        for (uint32_t u = 0; u < o->ops[k].use_count; u++)
            o->values[o->operands[o->ops[k].operands + o->ops[k].def_count + u]].uses++;
    for (uint32_t k = o->op_count; k-- > 0;) {
        struct lower_op *op = &o->ops[k];
        bool dead = !(op->flags & (LOWER_STORE | LOWER_FENCE | LOWER_LAST)) && op->def_count > 0;
        for (uint32_t d = 0; d < op->def_count; d++)
            dead &= !o->values[o->operands[op->operands + d]].uses;
        for (uint32_t u = 0; dead && u < op->use_count; u++)
            o->values[o->operands[op->operands + op->def_count + u]].uses--;
        op->flags |= dead ? LOWER_DEAD : 0;
        for (uint32_t d = 0; op->space == SPACE_TEXTURE && d < op->def_count; d++) /* a texture load gives only the elements that
                                                                                    * are asked for */
            if (!o->values[o->operands[op->operands + d]].uses)
                o->values[o->operands[op->operands + d]].width = 0;
    }
}

static void squeeze(struct lower *o, uint32_t block_count)
{
    uint32_t kept = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        uint32_t first = kept;
        for (uint32_t k = o->blocks[b].first; k < o->blocks[b].end; k++)
            if (!(o->ops[k].flags & LOWER_DEAD))
                o->ops[kept++] = o->ops[k];
        o->blocks[b] = (struct lower_block){ first, kept };
    }
    o->op_count = kept;
}

static uint8_t register_width(enum ptx_type type, bool narrow)
{
    if (type == T_PRED)
        return 0;
    return (uint8_t)(narrow ? 1 : (ptx_type_bytes(type) + 3) / 4);
}

void lower_function(struct lower *out, const struct ptx_function *fn, const struct flow *flow)
{
    uint32_t *counts = must_calloc(6 * (size_t)fn->reg_count + 1, sizeof *counts);
    struct lowering l = { .out = out,
                          .fn = fn,
                          .flow = flow,
                          .definitions = counts,
                          .uses = counts + fn->reg_count,
                          .definition = counts + 2 * (size_t)fn->reg_count,
                          .absorbing = counts + 3 * (size_t)fn->reg_count,
                          .addressing = counts + 4 * (size_t)fn->reg_count,
                          .last_write = counts + 5 * (size_t)fn->reg_count,
                          .now = must_calloc(fn->reg_count + 1, sizeof *l.now),
                          .arm = must_calloc(flow->count + 1, 1),
                          .narrow = must_calloc(fn->reg_count + 1, 1) };
    /* The arrays exist from the start. In a function without operands a reader would otherwise add to a null pointer. */
    *out = (struct lower){ .blocks = must_calloc(flow->count + 1, sizeof *out->blocks),
                           .ops = must_calloc(1, sizeof *out->ops),
                           .values = must_calloc(1, sizeof *out->values),
                           .operands = must_calloc(1, sizeof *out->operands) };
    for (uint32_t i = 0; i < fn->code_count; i++) {
        visit_definitions(fn, &fn->code[i], count_definition, &(struct definition_visit){ &l, i });
        visit_uses(fn, &fn->code[i], count_use, &(struct use_visit){ &l, &fn->code[i] });
    }
    narrow_find(fn, l.narrow);
    for (uint32_t b = 0; b < flow->count; b++)
        l.relaid |= unroll_reaches_from_behind(flow, b);
    for (uint32_t r = 0; r < fn->reg_count; r++) {
        uint8_t width = register_width(fn->regs[r].type, l.narrow[r]);
        l.now[r] = (struct meaning){ .count = 1, .part = { new_value(&l, width, l.definitions[r] != 1) } };
    }
    for (uint32_t b = 0; b < flow->count; b++)
        b = lower_block(&l, b);
    drop_dead(out);
    squeeze(out, flow->count);
    free(counts);
    free(l.now);
    free(l.base_of);
    free(l.arm);
    free(l.narrow);
}

void lower_free(struct lower *l)
{
    free(l->ops);
    free(l->operands);
    free(l->values);
    free(l->blocks);
}
