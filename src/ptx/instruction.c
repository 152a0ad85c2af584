/* instruction.c - one instruction: guard, opcode, operands as the form's row says. */
#include "ptx/parser.h"

#include <string.h>

/* @p or @!p */
static bool guard_parse(struct parser *p, int32_t *guard, bool *negated)
{
    *guard = -1;
    *negated = false;
    if (!parser_accept(p, '@'))
        return !p->failed;
    *negated = parser_accept(p, '!');
    struct symbol in_range;
    const struct symbol *s =
        p->token.kind == TOKEN_NAME ? symbols_find(p->symbols, p->token.text, p->token.length, &in_range) : NULL;
    if (!s || s->kind != SYMBOL_REGISTER || p->regs.items[s->index].type != T_PRED)
        return parser_error(p, &p->token, "expected a predicate register");
    *guard = (int32_t)s->index;
    parser_advance(p);
    if (!p->failed && p->token.kind != TOKEN_NAME)
        return parser_error(p, &p->token, "expected an instruction after the predicate");
    return !p->failed;
}

static bool operands_parse(struct operand_context *c)
{
    struct parser *p = c->p;
    bool optional = false, first = true;
    for (const char *s = c->form->operands; *s; s += 2) {
        if (*s == '?') {
            optional = true;
            s++;
        }
        if (s[0] == 'k' && !c->has_cache_hint)
            continue;
        if (first ? optional && parser_at(p, ';') : !parser_at(p, ',')) {
            if (optional && !(s[0] == 'k'))
                break;
            return parser_error(p, &p->token, "expected ',' and another operand");
        }
        if (!first)
            parser_advance(p);
        first = false;
        if (!operand_parse(c, s[0], s[1]))
            return false;
    }
    if (!parser_at(p, ';'))
        return parser_error(p, &p->token, "expected ';' after the operands of this instruction");
    parser_advance(p);
    return !p->failed;
}

bool instruction_parse(struct parser *p)
{
    int32_t guard;
    bool negated;
    struct token start = p->token;
    if (!guard_parse(p, &guard, &negated))
        return false;
    lexer_extend_opcode(&p->lexer, &p->token);
    struct token at = p->token;
    const char *reason;
    const struct opcode *opcode = opcode_find(p->opcodes, at.text, at.length, &reason);
    if (!opcode)
        return parser_error(p, &at, "%s", reason);
    struct ptx_inst *inst = vector_add(&p->code);
    inst->op = ptx_forms[opcode->form].op;
    inst->form = opcode->form;
    memcpy(inst->type, opcode->type, sizeof inst->type);
    inst->mod = opcode->mod;
    inst->guard = guard;
    inst->guard_negated = negated;
    inst->line = start.line;
    inst->column = start.column;
    inst->source_file = p->source_file;
    inst->source_line = p->source_line;
    inst->reconverge = PTX_END;
    inst->no_unroll = p->no_unroll;
    p->no_unroll = false;
    parser_advance(p);
    struct operand_context c = { .p = p,
                                 .inst = inst,
                                 .form = &ptx_forms[opcode->form],
                                 .instruction = p->code.count - 1,
                                 .has_cache_hint = opcode->has_cache_hint };
    return operands_parse(&c) && instruction_check(&c, &at);
}
