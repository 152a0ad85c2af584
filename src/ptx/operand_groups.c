/* operand_groups.c - operands that come in groups: calls, textures and surfaces. */
#include "ptx/parser.h"

enum { MOST_ARGUMENTS = 255 };

/* An argument or a place for a return value: register, constant, .param variable or '_'. */
static bool read_argument(struct operand_context *c, bool result, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct symbol in_range;
    if (p->token.kind == TOKEN_NAME && token_is_word(&p->token, "_")) {
        *out = (struct ptx_operand){ .kind = OPERAND_SINK };
        parser_advance(p);
        return !p->failed;
    }
    const struct symbol *s =
        p->token.kind == TOKEN_NAME ? symbols_find(p->symbols, p->token.text, p->token.length, &in_range) : NULL;
    if (s && s->kind == SYMBOL_VARIABLE) {
        if (p->variables.items[s->index].space != SPACE_PARAM)
            return parser_error(p, &p->token, "calls pass .param variables, registers and constants");
        *out = (struct ptx_operand){ .kind = OPERAND_SYMBOL, .index = s->index };
        parser_advance(p);
        return !p->failed;
    }
    return result ? operand_read_register(c, T_NONE, out) : operand_read_source(c, T_NONE, out);
}

/* (a, b, c), the current token being behind '('. No operand at all for (). */
static bool read_arguments(struct operand_context *c, bool result, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct token at = p->token;
    uint32_t first = p->elements.count;
    if (parser_accept(p, ')'))
        return !p->failed;
    do {
        struct ptx_operand one;
        if (!read_argument(c, result, &one))
            return false;
        *vector_add(&p->elements) = one;
    } while (parser_accept(p, ','));
    uint32_t count = p->elements.count - first;
    if (count > MOST_ARGUMENTS)
        return parser_error(p, &at, "a call has at most %d arguments", MOST_ARGUMENTS);
    *out = (struct ptx_operand){ .kind = OPERAND_VECTOR, .count = (uint8_t)count, .index = first };
    return parser_expect(p, ')');
}

static bool check_counts(struct operand_context *c, const struct token *at)
{
    const struct ptx_inst *i = c->inst;
    if (i->src[0].kind != OPERAND_FUNCTION)
        return true;
    const struct ptx_function *f = &c->p->functions.items[i->src[0].index];
    if (f->is_entry)
        return parser_error(c->p, at, "an .entry cannot be called");
    if (f->param_count != i->src[1].count)
        return parser_error(c->p, at, "this function has %u parameters and is called with %u", f->param_count, i->src[1].count);
    if (f->return_count != i->dst[0].count)
        return parser_error(c->p, at, "this function returns %u values and the call takes %u", f->return_count, i->dst[0].count);
    return true;
}

/* The prototype or list of targets of an indirect call, settled when its scope closes. */
static bool read_prototype(struct operand_context *c)
{
    c->inst->nsrc = 2;
    if (!parser_accept(c->p, ','))
        return parser_error(c->p, &c->p->token, "an indirect call needs a prototype or a list of targets");
    return operand_parse(c, 't', 'x');
}

bool operand_read_call(struct operand_context *c)
{
    struct parser *p = c->p;
    struct ptx_inst *i = c->inst;
    struct symbol in_range;
    if (parser_accept(p, '(') && (!read_arguments(c, true, &i->dst[0]) || !parser_expect(p, ',')))
        return false;
    i->ndst = i->dst[0].kind != OPERAND_NONE;
    struct token at = p->token;
    const struct symbol *s = at.kind == TOKEN_NAME ? symbols_find(p->symbols, at.text, at.length, &in_range) : NULL;
    if (!s || (s->kind != SYMBOL_FUNCTION && s->kind != SYMBOL_REGISTER))
        return parser_error(p, &at, "expected a declared function or a register");
    bool indirect = s->kind == SYMBOL_REGISTER;
    if (indirect && !operand_read_register(c, T_NONE, &i->src[0]))
        return false;
    if (!indirect) {
        i->src[0] = (struct ptx_operand){ .kind = OPERAND_FUNCTION, .index = s->index };
        parser_advance(p);
    }
    i->nsrc = 1;
    if (parser_at(p, ',') && lexer_peek_char(&p->lexer) == '(') {
        parser_advance(p);
        parser_advance(p);
        if (!read_arguments(c, false, &i->src[1]))
            return false;
    }
    i->nsrc = 2;
    if (indirect)
        return read_prototype(c);
    if (parser_accept(p, ','))
        return parser_error(p, &p->token, "a direct call ends with its arguments");
    return check_counts(c, &at);
}

/* A texture, sampler or surface: a variable, or a register (or parameter's register) that holds a handle. */
static bool read_handle(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct symbol in_range;
    const struct symbol *s =
        p->token.kind == TOKEN_NAME ? symbols_find(p->symbols, p->token.text, p->token.length, &in_range) : NULL;
    if (!s || s->kind != SYMBOL_VARIABLE)
        return operand_read_register(c, T_B64, out);
    *out = (struct ptx_operand){ .kind = OPERAND_SYMBOL, .index = s->index };
    parser_advance(p);
    return !p->failed;
}

static bool read_coordinates(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    uint32_t first = p->elements.count;
    if (!parser_accept(p, '{'))
        return operand_read_source(c, T_B32, out);
    do {
        struct ptx_operand one;
        if (!operand_read_source(c, T_B32, &one))
            return false;
        *vector_add(&p->elements) = one;
    } while (parser_accept(p, ','));
    uint32_t count = p->elements.count - first;
    if (count > 4)
        return parser_error(p, &p->token, "there are at most four coordinates");
    *out = (struct ptx_operand){ .kind = OPERAND_VECTOR, .count = (uint8_t)count, .index = first };
    return parser_expect(p, '}');
}

/* True when the texture operand names a sampler of its own: [tex, sampler, {coordinates}]. */
static bool at_sampler(struct operand_context *c)
{
    struct parser *p = c->p;
    struct symbol in_range;
    if (p->token.kind != TOKEN_NAME || lexer_peek_char(&p->lexer) != ',')
        return false;
    const struct symbol *s = symbols_find(p->symbols, p->token.text, p->token.length, &in_range);
    return s && (s->kind == SYMBOL_VARIABLE || (s->kind == SYMBOL_REGISTER && ptx_type_bytes(p->regs.items[s->index].type) == 8));
}

bool operand_read_texture(struct operand_context *c, char kind)
{
    struct parser *p = c->p;
    struct ptx_inst *i = c->inst;
    if (kind == 'c')
        return read_coordinates(c, &i->src[i->nsrc++]);
    if (!parser_expect(p, '[') || !read_handle(c, &i->src[i->nsrc++]))
        return false;
    if (kind == 'r')
        return parser_expect(p, ']');
    if (!parser_expect(p, ','))
        return false;
    if (kind == 'x') {
        struct ptx_operand *sampler = &i->src[i->nsrc++];
        if (at_sampler(c) && (!read_handle(c, sampler) || !parser_expect(p, ',')))
            return false;
    }
    return read_coordinates(c, &i->src[i->nsrc++]) && parser_expect(p, ']');
}
