/* machine_code.c - a function's code as the machine sees it: class, space, scoreboard registers, bank registers.
 *
 * Follows the reference (GPGPU-Sim 4.2.0, ptx_instruction::set_opcode_and_latency and pre_decode):
 *  - every PTX instruction is one machine instruction, bra, ret and bar included;
 *  - fma and mad share a latency, rem has div's, mul24 and mad24 take a cycle more than mul and mad;
 *  - the scoreboard sees destinations, register sources, the address register of ld and st, and the guard;
 *  - an atomic's address register is in neither list: the reference looks for address registers in loads and stores only;
 *  - operand collection reads every operand that the scoreboard sees, without the guard, from the bank of its number (the digits of
 *    its name): x * x reads x twice, in two cycles.
 * Where it differs:
 *  - the reference gives f16 arithmetic the integer latencies: here it has the class of its 32-bit kin;
 *  - it forgets the fourth register source in its scoreboard (bfi, shfl.sync with a register mask), and takes the destination
 *    of vote for a source: here every register is listed, unless the view asks for that;
 *  - parameters of device functions are moves, as the hardware's calling convention passes them in registers; the reference
 *    sends them to local memory, and so does `local_parameters`. (By name, that is: through a register it reads the kernel's);
 *  - red, match, redux, cp.async and surface accesses do not exist in the reference. */
#include "ptxas/ptxas.h"
#include "front/work.h"
#include "ptx/form.h"

#include <stdlib.h>

struct lists {
    const struct ptx_function *fn;
    struct inst *inst;
    struct ptxas_view view;
    uint32_t sources;
};

/* The number by which the reference picks a register's bank: the first run of digits in its name. */
static bool bank_register(const char *name, uint16_t *number)
{
    while (*name && (*name < '0' || *name > '9'))
        name++;
    uint32_t value = 0;
    for (const char *d = name; *d >= '0' && *d <= '9'; d++)
        value = (value * 10 + (uint32_t)(*d - '0')) & 0xFFFF;
    *number = (uint16_t)value;
    return *name != '\0';
}

static void add_read(struct inst *inst, uint16_t bank)
{
    if (inst->nread < INST_MAX_SRC)
        inst->read[inst->nread++] = bank;
}

static void add_collected(const struct lists *l, uint32_t reg)
{
    uint16_t bank;
    if (bank_register(l->fn->regs[reg].name, &bank))
        add_read(l->inst, bank);
}

static void add_source(const struct lists *l, uint32_t reg)
{
    struct inst *inst = l->inst;
    uint16_t number = (uint16_t)(reg + 1);
    for (uint32_t i = 0; i < inst->nsrc; i++)
        if (inst->src[i] == number)
            return;
    if (inst->nsrc < INST_MAX_SRC)
        inst->src[inst->nsrc++] = number;
}

static void add_destination(const struct lists *l, uint32_t reg)
{
    struct inst *inst = l->inst;
    uint16_t bank;
    if (inst->nwrite < INST_MAX_DST && bank_register(l->fn->regs[reg].name, &bank))
        inst->write[inst->nwrite++] = bank;
    if (inst->ndst < INST_MAX_DST)
        inst->dst[inst->ndst++] = (uint16_t)(reg + 1);
}

static void add_operand(struct lists *l, const struct ptx_operand *o, bool destination, bool in_vector)
{
    if (o->kind == OPERAND_VECTOR) {
        for (uint32_t i = 0; i < o->count; i++)
            add_operand(l, &l->fn->elements[o->index + i], destination, true);
    } else if (o->kind == OPERAND_REG && destination) {
        add_destination(l, o->index);
    } else if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && l->inst->class != CLASS_ATOMIC)) {
        const bool seen = in_vector || o->kind == OPERAND_ADDRESS || !l->view.sources || l->sources < l->view.sources;
        l->sources++;
        add_collected(l, o->index);
        if (seen)
            add_source(l, o->index);
    }
}

static bool passes_parameter(const struct ptx_module *module, const struct ptx_function *fn, const struct ptx_inst *i)
{
    if ((i->op != OP_LD && i->op != OP_ST) || i->mod.space != SPACE_PARAM)
        return false;
    const struct ptx_operand *address = &i->src[0];
    if (address->kind != OPERAND_SYMBOL_ADDRESS)
        return !fn->is_entry;
    return !fn->is_entry || module->variables[address->index].offset >= fn->param_bytes;
}

/* ... through the stack in local memory. */
static bool passes_on_stack(const struct ptx_module *module, const struct lists *l, const struct ptx_inst *i)
{
    return l->view.local_parameters && passes_parameter(module, l->fn, i) && i->src[0].kind == OPERAND_SYMBOL_ADDRESS;
}

static bool is_float(enum ptx_type type)
{
    return type >= T_F16 && type <= T_F64;
}

static uint8_t class_of(const struct ptx_module *module, const struct lists *l, const struct ptx_inst *i)
{
    uint8_t class = ptx_forms[i->form].class;
    if (i->op == OP_CALL && i->src[0].kind == OPERAND_FUNCTION && !module->functions[i->src[0].index].is_defined)
        return CLASS_MOVE; /* printf, malloc and their kind: done by the simulator */
    if (passes_parameter(module, l->fn, i) && !passes_on_stack(module, l, i))
        return CLASS_MOVE;
    if (i->op == OP_RET && l->fn->is_entry)
        return CLASS_EXIT;
    if (i->op == OP_CVT && (is_float(i->type[0]) || is_float(i->type[1])))
        return CLASS_CONVERT;
    return i->op == OP_SULD ? CLASS_TEXTURE : class;
}

/* Opcodes whose work does not follow from their class. */
static uint8_t work_of(const struct inst *inst, const struct ptx_inst *i)
{
    static const uint8_t by_op[] = {
        [OP_AND] = WORK_AND,       [OP_OR] = WORK_OR,         [OP_XOR] = WORK_XOR,        [OP_SIN] = WORK_SIN,
        [OP_COS] = WORK_COS,       [OP_SQRT] = WORK_SQRT,     [OP_LG2] = WORK_LOG2,       [OP_EX2] = WORK_EXP2,
        [OP_RCP] = WORK_RCP,       [OP_NOT] = WORK_INT_OTHER, [OP_CNOT] = WORK_INT_OTHER, [OP_LOP3] = WORK_INT_OTHER,
        [OP_SHF] = WORK_INT_OTHER, [OP_SHL] = WORK_INT_OTHER, [OP_SHR] = WORK_INT_OTHER,  [OP_PRMT] = WORK_INT_OTHER,
        [OP_BFE] = WORK_INT_OTHER, [OP_BFI] = WORK_INT_OTHER, [OP_SAD] = WORK_INT_OTHER,  [OP_POPC] = WORK_INT_OTHER,
    };
    const bool alu = inst->class == CLASS_MOVE || inst->class == CLASS_SFU;
    if (inst->class == CLASS_SFU && i->type[0] == T_F64)
        return WORK_DP_DIV;
    if (inst->class == CLASS_INT_ADD && (i->op == OP_SUB || i->op == OP_SUBC))
        return WORK_INT_SUB;
    if (alu && i->op < sizeof by_op && by_op[i->op]) /* 0: not in a row above */
        return by_op[i->op];
    return (uint8_t)work_of_class(inst->class);
}

static uint8_t space_of(const struct ptx_module *module, const struct lists *l, const struct ptx_inst *i)
{
    const uint8_t class = l->inst->class;
    if (class != CLASS_LOAD && class != CLASS_STORE && class != CLASS_ATOMIC && class != CLASS_TEXTURE)
        return SPACE_NONE;
    if ((i->op == OP_CP && i->mod.mode == CP_ASYNC) || i->op == OP_SUST || i->op == OP_SURED)
        return SPACE_GLOBAL;
    return passes_on_stack(module, l, i) ? SPACE_LOCAL : i->mod.space;
}

/* Bytes and elements that one lane moves. */
static void set_size(struct inst *inst, const struct ptx_inst *i)
{
    if (inst->space == SPACE_NONE)
        return;
    inst->elements = i->mod.vector;
    inst->element_bytes = (uint8_t)ptx_type_bytes(i->type[0]);
    if (i->op == OP_CP && i->mod.mode == CP_ASYNC) {
        inst->element_bytes = (uint8_t)i->src[2].bits;
    } else if (i->op == OP_LDMATRIX || i->op == OP_STMATRIX) {
        inst->elements = 4; /* a lane names a row of 16 bytes */
        inst->element_bytes = 4;
    } else if (i->op == OP_WMMA) {
        const struct ptx_operand *fragment = i->mod.mode == WMMA_STORE_D ? &i->src[1] : &i->dst[0];
        inst->elements = fragment->count;
        inst->element_bytes = i->type[0] == T_F64 ? 8 : 4; /* fragments are packed in 32-bit registers */
    }
}

/* For the instruction at `at` of its function. A register that lives as long as a loop dies at the loop's end. */
static void mark_last_reads(struct lists *l, uint32_t at)
{
    struct inst *inst = l->inst;
    for (uint32_t s = 0; s < inst->nsrc; s++)
        if (inst->src[s] && l->fn->regs[inst->src[s] - 1].last_live == at)
            inst->last_reads |= 1u << s;
}

static void list_registers(struct lists *l, const struct ptx_inst *i)
{
    struct inst *inst = l->inst;
    for (uint32_t d = 0; d < i->ndst; d++)
        add_operand(l, &i->dst[d], !(l->view.vote_reads && i->op == OP_VOTE), false);
    const bool writes_first = l->view.barrier_writes && !i->ndst && i->op == OP_BAR;
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (i->src[s].kind != OPERAND_ADDRESS)
            add_operand(l, &i->src[s], writes_first && !s, false);
    inst->nvalue = inst->nsrc;
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (i->src[s].kind == OPERAND_ADDRESS)
            add_operand(l, &i->src[s], false, false);
    if (i->op == OP_RED && i->src[0].kind == OPERAND_ADDRESS) {
        add_collected(l, i->src[0].index);
        add_source(l, i->src[0].index);
    }
    if (i->guard >= 0)
        add_source(l, (uint32_t)i->guard);
}

struct inst *ptxas_machine_code(struct ptx_module *module, const struct ptx_function *fn, uint64_t base_pc, struct ptxas_view view)
{
    struct inst *table = arena_alloc(module->arena, fn->code_count, sizeof *table);
    for (uint32_t k = 0; k < fn->code_count; k++) {
        const struct ptx_inst *i = &fn->code[k];
        struct inst *inst = &table[k];
        struct lists l = { fn, inst, view, 0 };
        inst->pc = base_pc + 8 * (uint64_t)k;
        inst->index = k;
        inst->line = i->line;
        inst->source_line = i->source_line;
        inst->class = class_of(module, &l, i);
        inst->space = space_of(module, &l, i);
        inst->timing = inst_timing(inst->class, inst->space);
        inst->work = work_of(inst, i);
        inst->cache_op = i->mod.cache_op;
        inst->guarded = i->guard >= 0;
        set_size(inst, i);
        list_registers(&l, i);
        mark_last_reads(&l, k);
    }
    return table;
}
