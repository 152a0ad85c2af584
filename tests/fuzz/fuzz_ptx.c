/* PTX text: any bytes are read or refused in a sentence, twice with the same outcome; what is read holds together. */
#include <string.h>

#include "ptxas/ptxas.h"

static void check_operand(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_REG:
    case OPERAND_ADDRESS: require(o->index < f->reg_count); break;
    case OPERAND_SREG: require(o->index < SREG_COUNT); break;
    case OPERAND_SYMBOL:
    case OPERAND_SYMBOL_ADDRESS: require(o->index < m->variable_count); break;
    case OPERAND_LABEL: require(o->index < f->code_count); break;
    case OPERAND_FUNCTION: require(o->index < m->function_count); break;
    case OPERAND_TABLE: require(o->index < f->table_count); break;
    case OPERAND_VECTOR:
        require(o->index + o->count <= f->element_count);
        for (uint32_t i = 0; i < o->count; i++)
            check_operand(m, f, &f->elements[o->index + i]);
        break;
    default: break;
    }
}

static void check_function(struct ptx_module *m, const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->code_count; i++) {
        const struct ptx_inst *inst = &f->code[i];
        require(inst->op < OP_COUNT && inst->ndst <= 2 && inst->nsrc <= PTX_MAX_SRC);
        require(inst->guard < (int32_t)f->reg_count);
        require(inst->reconverge == PTX_END || inst->reconverge < f->code_count);
        for (uint32_t k = 0; k < inst->ndst; k++)
            check_operand(m, f, &inst->dst[k]);
        for (uint32_t k = 0; k < inst->nsrc; k++)
            check_operand(m, f, &inst->src[k]);
    }
    for (uint32_t t = 0; t < f->table_count; t++)
        for (uint32_t k = 0; k < f->tables[t].count; k++)
            require(f->tables[t].targets[k] < (f->tables[t].is_branch ? f->code_count : m->function_count));
    const struct inst *table = ptxas_machine_code(m, f, 0x1000, (struct ptxas_view){ 0 });
    for (uint32_t i = 0; i < f->code_count; i++)
        for (uint32_t k = 0; k < table[i].nsrc; k++)
            require(table[i].src[k] > 0 && table[i].src[k] <= f->reg_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error first = { 0 }, second = { 0 };
    struct ptx_module *m = ptx_parse("fuzz.ptx", (const char *)data, size, &first);
    struct ptx_module *again = ptx_parse("fuzz.ptx", (const char *)data, size, &second);
    require(!m == !again && !strcmp(first.text, second.text));
    require(m || (first.text[0] && first.code == CODE_INPUT && !strchr(first.text, '\n')));
    if (m)
        ptxas_assign_resources(m);
    for (uint32_t f = 0; m && f < m->function_count; f++)
        check_function(m, &m->functions[f]);
    ptx_free(m);
    ptx_free(again);
    return 0;
}
