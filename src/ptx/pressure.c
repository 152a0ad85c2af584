/* pressure.c - how many 32-bit registers per thread ptxas would use, from liveness.
 *
 * ptxas works on SSA values, not on PTX registers, and orders instructions anew. The model keeps what matters for the count:
 *  - kernel parameters, constants and addresses of variables need no register: instructions take them from constant memory;
 *  - copies (mov, cvta) are the value they copy, and `base + constant` used only in addresses folds into them;
 *  - predicates live in registers of their own;
 *  - loads move up to where their addresses are known, in front of other work, but not past barriers, stores and calls;
 *    their results are then live together.
 * The constants at the end of the file were fitted to what ptxas 13 reports for sm_75; docs/ptx.md gives the error. */
#include "ptx/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NO_VALUE UINT32_MAX
enum { PRESSURE_DEEPEST_COPY = 64, PRESSURE_LARGEST = 255 };
#define PRESSURE_MOST_WORDS (UINT64_C(1) << 21) /* of one bit set per block: beyond this the answer is the largest */

struct values {
    const struct ptx_function *fn;
    uint32_t *root;        /* per register: the register whose value it is; NO_VALUE: needs no register */
    uint32_t *definitions; /* per register */
    uint32_t *definition;  /* the last instruction that writes it */
    bool *address_only;    /* every use is as the base of an address */
    uint8_t *width;        /* in 32-bit registers; predicates 0 */
};

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

struct instruction_visit {
    struct values *v;
    uint32_t index;
};

static void count_definition(void *context, uint32_t reg, bool is_address)
{
    struct instruction_visit *c = context;
    (void)is_address;
    c->v->definitions[reg]++;
    c->v->definition[reg] = c->index;
}

static bool is_add_constant(const struct ptx_inst *i)
{
    return (i->op == OP_ADD || i->op == OP_SUB) && i->guard < 0 && !i->mod.carry_out && i->src[0].kind == OPERAND_REG &&
           i->src[1].kind == OPERAND_IMM && ptx_type_bytes(i->type[0]) >= 4;
}

static void note_use(void *context, uint32_t reg, bool is_address)
{
    struct instruction_visit *c = context;
    if (!is_address)
        c->v->address_only[reg] = false;
}

/* What a register stands for, if its one definition is a copy or a constant; itself otherwise. */
static uint32_t one_step(const struct values *v, uint32_t reg)
{
    const struct ptx_function *fn = v->fn;
    if (v->definitions[reg] != 1)
        return reg;
    const struct ptx_inst *i = &fn->code[v->definition[reg]];
    const struct ptx_operand *s = &i->src[0];
    if (i->guard >= 0 || i->dst[0].kind != OPERAND_REG)
        return reg;
    if (i->op == OP_LD && i->mod.space == SPACE_PARAM && fn->is_entry)
        return NO_VALUE;
    bool moves = i->op == OP_MOV || i->op == OP_CVTA;
    if (moves && (s->kind == OPERAND_IMM || s->kind == OPERAND_SYMBOL || s->kind == OPERAND_FUNCTION))
        return NO_VALUE;
    bool copies = moves && s->kind == OPERAND_REG;
    bool folds = is_add_constant(i) && v->address_only[reg];
    if ((copies || folds) && v->definitions[s->index] == 1)
        return s->index;
    return reg;
}

static void find_roots(struct values *v)
{
    const struct ptx_function *fn = v->fn;
    for (uint32_t i = 0; i < fn->code_count; i++)
        visit_definitions(fn, &fn->code[i], count_definition, &(struct instruction_visit){ v, i });
    for (uint32_t r = 0; r < fn->reg_count; r++)
        v->address_only[r] = true;
    for (uint32_t i = 0; i < fn->code_count; i++)
        visit_uses(fn, &fn->code[i], note_use, &(struct instruction_visit){ v, i });
    for (uint32_t r = 0; r < fn->reg_count; r++) {
        uint32_t at = r, next = one_step(v, r);
        for (int depth = 0; next != NO_VALUE && next != at && depth < PRESSURE_DEEPEST_COPY; depth++) {
            at = next;
            next = one_step(v, at);
        }
        v->root[r] = next == NO_VALUE ? NO_VALUE : at;
        v->width[r] = (uint8_t)(fn->regs[r].type == T_PRED ? 0 : (ptx_type_bytes(fn->regs[r].type) + 3) / 4);
    }
}

/* Liveness of roots over blocks, as bit sets. */
struct live_sets {
    struct values *v;
    uint32_t words;
    uint64_t *used, *written, *in, *out; /* per block */
    uint64_t *used_here, *written_here;  /* while a block is read */
};

static void set_use(void *context, uint32_t reg, bool is_address)
{
    struct live_sets *l = context;
    uint32_t root = l->v->root[reg];
    (void)is_address;
    if (root != NO_VALUE && !(l->written_here[root / 64] >> root % 64 & 1))
        l->used_here[root / 64] |= UINT64_C(1) << root % 64;
}

static void set_definition(void *context, uint32_t reg, bool is_address)
{
    struct live_sets *l = context;
    (void)is_address;
    if (l->v->root[reg] == reg)
        l->written_here[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void summarise_blocks(struct live_sets *l, const struct flow *flow)
{
    const struct ptx_function *fn = l->v->fn;
    for (uint32_t b = 0; b < flow->count; b++) {
        l->used_here = l->used + (size_t)b * l->words;
        l->written_here = l->written + (size_t)b * l->words;
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            visit_uses(fn, &fn->code[i], set_use, l);
            if (fn->code[i].guard < 0) /* a guarded write leaves the old value to the other lanes */
                visit_definitions(fn, &fn->code[i], set_definition, l);
        }
    }
}

static void solve_liveness(struct live_sets *l, const struct flow *flow)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            uint64_t *out = l->out + (size_t)b * l->words, *in = l->in + (size_t)b * l->words;
            const uint64_t *used = l->used + (size_t)b * l->words, *written = l->written + (size_t)b * l->words;
            for (uint32_t k = 0; k < flow->blocks[b].successor_count; k++) {
                uint32_t s = flow->successors[flow->blocks[b].successor_start + k];
                for (uint32_t w = 0; s != flow->count && w < l->words; w++)
                    out[w] |= l->in[(size_t)s * l->words + w];
            }
            for (uint32_t w = 0; w < l->words; w++) {
                uint64_t now = used[w] | (out[w] & ~written[w]);
                changed |= now != in[w];
                in[w] = now;
            }
        }
    }
}

/* A walk backwards through a block: what is live, and how many registers that is. */
struct walk {
    const struct values *v;
    uint64_t *live;
    uint32_t now, written_width;
};

static void walk_definition(void *context, uint32_t reg, bool is_address)
{
    struct walk *w = context;
    (void)is_address;
    if (w->v->root[reg] != reg)
        return;
    if (w->live[reg / 64] >> reg % 64 & 1) {
        w->live[reg / 64] &= ~(UINT64_C(1) << reg % 64);
        w->now -= w->v->width[reg];
    } else {
        w->written_width += w->v->width[reg]; /* never read: a register all the same while it is written */
    }
}

static void walk_use(void *context, uint32_t reg, bool is_address)
{
    struct walk *w = context;
    uint32_t root = w->v->root[reg];
    (void)is_address;
    if (root == NO_VALUE || w->live[root / 64] >> root % 64 & 1)
        return;
    w->live[root / 64] |= UINT64_C(1) << root % 64;
    w->now += w->v->width[root];
}

static bool is_load(const struct ptx_inst *i)
{
    return (i->op == OP_LD && i->mod.space != SPACE_PARAM && !i->mod.is_volatile) || i->op == OP_TEX;
}

/* What loads do not move past. */
static bool is_fence(const struct ptx_inst *i)
{
    switch (i->op) {
    case OP_ST: case OP_ATOM: case OP_RED: case OP_BAR: case OP_BARRIER: case OP_MEMBAR: case OP_FENCE: case OP_CALL: case OP_SHFL:
    case OP_VOTE: return true;
    default: return i->mod.is_volatile;
    }
}

/* The order that a block's instructions are thought to be in: in each stretch between fences, loads and what their addresses
 * need come first; END_OF_LOADS stands behind them. */
#define END_OF_LOADS UINT32_MAX
struct schedule {
    const struct values *v;
    uint32_t *order, count;
    bool *wanted;  /* per register: a moved instruction reads it */
    bool *moved;   /* per instruction */
    bool writes_wanted;
};

static void want(void *context, uint32_t reg, bool is_address)
{
    struct schedule *s = context;
    (void)is_address;
    s->wanted[reg] = true;
}

static void take_wanted(void *context, uint32_t reg, bool is_address)
{
    struct schedule *s = context;
    (void)is_address;
    s->writes_wanted |= s->wanted[reg];
    s->wanted[reg] = false;
}

static void unwant(void *context, uint32_t reg, bool is_address)
{
    struct schedule *s = context;
    (void)is_address;
    s->wanted[reg] = false;
}

static void want_address(struct schedule *s, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_ADDRESS)
        s->wanted[o->index] = true;
}

/* Orders [first, end), of which only the last may be a fence. */
static void order_stretch(struct schedule *s, uint32_t first, uint32_t end)
{
    const struct ptx_function *fn = s->v->fn;
    uint32_t before = s->count;
    if (is_fence(&fn->code[end - 1]))
        want_address(s, &fn->code[end - 1].src[0]);
    for (uint32_t i = end; i-- > first;) {
        s->writes_wanted = false;
        visit_definitions(fn, &fn->code[i], take_wanted, s);
        s->moved[i] = !is_fence(&fn->code[i]) && (is_load(&fn->code[i]) || s->writes_wanted);
        if (s->moved[i])
            visit_uses(fn, &fn->code[i], want, s);
    }
    for (uint32_t i = first; i < end; i++)
        if (s->moved[i])
            s->order[s->count++] = i;
    if (s->count > before)
        s->order[s->count++] = END_OF_LOADS;
    for (uint32_t i = first; i < end; i++) {
        if (!s->moved[i])
            s->order[s->count++] = i;
        visit_uses(fn, &fn->code[i], unwant, s);
    }
}

static void order_block(struct schedule *s, uint32_t first, uint32_t end)
{
    s->count = 0;
    for (uint32_t at = first; at < end;) {
        uint32_t stop = at;
        while (stop < end && !is_fence(&s->v->fn->code[stop]))
            stop++;
        stop += stop < end;
        order_stretch(s, at, stop);
        at = stop;
    }
}

/* Address registers are not given away while the loads of a group are under way. */
static void hold_addresses(struct walk *w, const struct schedule *s, uint32_t behind)
{
    for (uint32_t k = behind; k-- > 0 && s->order[k] != END_OF_LOADS && s->moved[s->order[k]];) {
        const struct ptx_inst *i = &w->v->fn->code[s->order[k]];
        if (is_load(i) && i->src[0].kind == OPERAND_ADDRESS)
            walk_use(w, i->src[0].index, true);
    }
}

struct peak {
    uint32_t most, at_end; /* registers live at once anywhere in the block; at its end */
};

/* The most registers live at once in a block, in the order of the schedule. */
static struct peak block_peak(const struct schedule *s, const uint64_t *out, uint32_t words, uint64_t *scratch)
{
    const struct values *v = s->v;
    struct walk w = { .v = v, .live = scratch };
    memcpy(scratch, out, words * sizeof *scratch);
    for (uint32_t k = 0; k < words; k++)
        for (uint64_t bits = out[k]; bits; bits &= bits - 1)
            w.now += v->width[k * 64 + (uint32_t)__builtin_ctzll(bits)];
    struct peak peak = { w.now, w.now };
    for (uint32_t k = s->count; k-- > 0;) {
        w.written_width = 0;
        if (s->order[k] == END_OF_LOADS) {
            hold_addresses(&w, s, k);
        } else {
            const struct ptx_inst *i = &v->fn->code[s->order[k]];
            if (i->guard < 0)
                visit_definitions(v->fn, i, walk_definition, &w);
            if (w.now + w.written_width > peak.most)
                peak.most = w.now + w.written_width;
            visit_uses(v->fn, i, walk_use, &w);
        }
        if (w.now > peak.most)
            peak.most = w.now;
    }
    return peak;
}

/* Whether a block is a loop of its own that ptxas would unroll once more: counted by constant steps, with loads, without
 * barriers, and not forbidden by the pragma. */
static bool unrolls(const struct values *v, const struct flow *flow, uint32_t b)
{
    const struct ptx_function *fn = v->fn;
    const struct flow_block *block = &flow->blocks[b];
    const struct ptx_inst *branch = &fn->code[block->end - 1];
    bool loops = false, loads = false, counted = false;
    for (uint32_t k = 0; k < block->successor_count; k++)
        loops |= flow->successors[block->successor_start + k] == b;
    if (!loops || branch->guard < 0 || fn->code[block->first].no_unroll)
        return false;
    uint32_t test = v->definition[branch->guard];
    if (test < block->first || test >= block->end || fn->code[test].src[0].kind != OPERAND_REG)
        return false;
    for (uint32_t i = block->first; i < block->end; i++) {
        if (fn->code[i].op == OP_BAR || fn->code[i].op == OP_BARRIER)
            return false;
        loads |= is_load(&fn->code[i]);
        counted |= is_add_constant(&fn->code[i]) && fn->code[i].dst[0].index == fn->code[test].src[0].index;
    }
    return loads && counted;
}

/* Fitted to 96 kernels (26 of tests/validation through clang, the others workloads through nvcc 13) and ptxas 13, sm_75:
 * UNROLL is how much an unrolled loop's own registers grow, LIMIT what ptxas does not let it pass, BASE the stack pointer and
 * what allocation in pairs wastes. */
enum { PRESSURE_UNROLL = 2, PRESSURE_UNROLL_LIMIT = 61, PRESSURE_BASE = 3 };

static uint32_t block_need(const struct schedule *s, const struct flow *flow, uint32_t b, const uint64_t *out, uint32_t words,
                           uint64_t *scratch)
{
    struct peak peak = block_peak(s, out, words, scratch);
    if (!unrolls(s->v, flow, b) || peak.most >= PRESSURE_UNROLL_LIMIT)
        return peak.most;
    uint32_t grown = peak.at_end + PRESSURE_UNROLL * (peak.most - peak.at_end);
    return grown < PRESSURE_UNROLL_LIMIT ? grown : PRESSURE_UNROLL_LIMIT;
}

static uint32_t function_need(struct values *v, const struct flow *flow)
{
    const struct ptx_function *fn = v->fn;
    uint32_t words = fn->reg_count / 64 + 1, need = 0;
    size_t set_words = (size_t)flow->count * words;
    uint64_t *sets = must_calloc(4 * set_words + words, sizeof *sets);
    struct live_sets l = { .v = v, .words = words, .used = sets, .written = sets + set_words, .in = sets + 2 * set_words,
                           .out = sets + 3 * set_words };
    struct schedule s = { .v = v, .order = must_calloc(2 * (size_t)fn->code_count, sizeof *s.order),
                          .wanted = must_calloc(fn->reg_count, 1), .moved = must_calloc(fn->code_count, 1) };
    find_roots(v);
    summarise_blocks(&l, flow);
    solve_liveness(&l, flow);
    for (uint32_t b = 0; b < flow->count && need < PRESSURE_LARGEST; b++) {
        order_block(&s, flow->blocks[b].first, flow->blocks[b].end);
        uint32_t here = block_need(&s, flow, b, l.out + (size_t)b * words, words, sets + 4 * set_words);
        need = here > need ? here : need;
    }
    free(s.order);
    free(s.wanted);
    free(s.moved);
    free(sets);
    return need;
}

uint32_t pressure_estimate(const struct ptx_function *fn, const struct flow *flow)
{
    if ((uint64_t)flow->count * (fn->reg_count / 64 + 1) > PRESSURE_MOST_WORDS)
        return PRESSURE_LARGEST;
    struct values v = { .fn = fn, .root = must_calloc(fn->reg_count, sizeof *v.root),
                        .definitions = must_calloc(fn->reg_count, sizeof *v.definitions),
                        .definition = must_calloc(fn->reg_count, sizeof *v.definition),
                        .address_only = must_calloc(fn->reg_count, sizeof *v.address_only),
                        .width = must_calloc(fn->reg_count, sizeof *v.width) };
    uint32_t need = function_need(&v, flow) + PRESSURE_BASE;
    free(v.root);
    free(v.definitions);
    free(v.definition);
    free(v.address_only);
    free(v.width);
    return need < PRESSURE_LARGEST ? need : PRESSURE_LARGEST;
}
