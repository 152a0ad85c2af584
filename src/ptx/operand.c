/* operand.c - the operands of an instruction. */
#include "ptx/parser.h"

#include <string.h>

enum ptx_type operand_type(const struct operand_context *c, char type_code)
{
    static const uint8_t wide[T_COUNT] = { [T_U16] = T_U32, [T_S16] = T_S32, [T_U32] = T_U64, [T_S32] = T_S64 };
    switch (type_code) {
    case '0':
    case '1':
    case '2':
    case '3': return c->inst->type[type_code - '0'];
    case 'w': return wide[c->inst->type[0]];
    case 'p': return T_PRED;
    case 'u': return T_B32;
    case 'l': return T_B64;
    default: return T_NONE;
    }
}

bool operand_check_register(struct operand_context *c, const struct token *at, uint32_t reg, enum ptx_type type)
{
    if (type == T_NONE)
        return true;
    const struct ptx_reg *r = &c->p->regs.items[reg];
    uint32_t have = ptx_type_bytes(r->type), want = ptx_type_bytes(type);
    bool fits = have == want || (c->form->flags & FORM_WIDER && have > want);
    if ((type == T_PRED) != (r->type == T_PRED))
        return parser_error(c->p, at, type == T_PRED ? "expected a predicate register" : "a predicate register does not fit here");
    if (!fits)
        return parser_error(c->p, at, "this register has %u bits and the instruction works on %u", have * 8, want * 8);
    return true;
}

static const struct symbol *find_symbol(struct operand_context *c, struct symbol *in_range)
{
    struct parser *p = c->p;
    if (p->token.kind != TOKEN_NAME)
        return NULL;
    return symbols_find(p->symbols, p->token.text, p->token.length, in_range);
}

/* %v.x of a vector register: which element; the current token is the one behind the name. */
static bool read_component(struct operand_context *c, const struct symbol *s, uint32_t *index)
{
    struct parser *p = c->p;
    if (s->count <= 1 || p->token.kind != TOKEN_DOT_WORD)
        return !p->failed;
    static const char components[] = "xyzwrgba";
    const char *found = p->token.length == 1 ? strchr(components, p->token.text[0]) : NULL;
    if (!found || (uint32_t)(found - components) % 4 >= s->count)
        return parser_error(p, &p->token, "this vector register has no such component");
    *index += (uint32_t)(found - components) % 4;
    parser_advance(p);
    return !p->failed;
}

bool operand_read_register(struct operand_context *c, enum ptx_type type, struct ptx_operand *out)
{
    struct symbol in_range;
    struct token at = c->p->token;
    const struct symbol *s = find_symbol(c, &in_range);
    if (!s || s->kind != SYMBOL_REGISTER)
        return parser_error(c->p, &at, at.kind == TOKEN_NAME && !s ? "this register is not declared" : "expected a register");
    uint32_t index = s->index;
    parser_advance(c->p);
    if (!read_component(c, s, &index))
        return false;
    *out = (struct ptx_operand){ .kind = OPERAND_REG, .index = index };
    return operand_check_register(c, &at, index, type);
}

static bool read_constant(struct operand_context *c, enum ptx_type type, struct ptx_operand *out)
{
    struct token at = c->p->token;
    struct constant k;
    *out = (struct ptx_operand){ .kind = OPERAND_IMM };
    if (!constant_parse(c->p, &k))
        return false;
    return constant_to_bits(c->p, &at, &k, type == T_NONE ? T_B64 : type, &out->bits);
}

/* %tid.x and the like; false without an error when it is not one of them. */
static bool find_special(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    char text[48];
    uint32_t length = p->token.length;
    if (p->token.text[0] != '%' || length >= sizeof text - 3)
        return false;
    memcpy(text, p->token.text, length);
    text[length] = '\0';
    const char *rest = p->token.text + length;
    if (p->lexer.end - rest > 1 && rest[0] == '.' && strchr("xyzw", rest[1])) {
        text[length++] = '.';
        text[length++] = rest[1];
        text[length] = '\0';
    }
    for (uint32_t i = 0; i < SREG_COUNT; i++)
        if (strcmp(text, ptx_sreg_names[i]) == 0) {
            *out = (struct ptx_operand){ .kind = OPERAND_SREG, .index = i };
            if (length > p->token.length)
                parser_advance(p);
            return true;
        }
    return false;
}

static bool read_special(struct operand_context *c, enum ptx_type type, struct ptx_operand *out)
{
    struct token at = c->p->token;
    if (!find_special(c, out))
        return parser_error(c->p, &at, "this name is not declared");
    /* 16-bit reads of %tid and the like are left from PTX 1; 64-bit counters may be read as 32 bits and the other way round */
    bool is_predicate = ptx_sreg_types[out->index] == T_PRED;
    if (is_predicate != (type == T_PRED) && type != T_NONE)
        return parser_error(c->p, &at, "this special register does not fit here");
    parser_advance(c->p);
    return !c->p->failed;
}

/* name+8 : the address of a variable. */
static bool read_variable(struct operand_context *c, const struct symbol *s, struct ptx_operand *out)
{
    struct parser *p = c->p;
    *out = (struct ptx_operand){ .kind = OPERAND_SYMBOL, .index = s->index };
    parser_advance(p);
    while (parser_at(p, '+') || parser_at(p, '-')) {
        struct ptx_operand addend;
        bool minus = parser_at(p, '-');
        parser_advance(p);
        if (!read_constant(c, T_B64, &addend))
            return false;
        out->offset += (int64_t)(minus ? -addend.bits : addend.bits);
    }
    return !p->failed;
}

bool operand_read_source(struct operand_context *c, enum ptx_type type, struct ptx_operand *out)
{
    struct parser *p = c->p;
    if (p->token.kind != TOKEN_NAME || token_is_word(&p->token, "WARP_SZ"))
        return read_constant(c, type, out);
    struct symbol in_range;
    const struct symbol *s = find_symbol(c, &in_range);
    if (!s)
        return read_special(c, type, out);
    if (s->kind == SYMBOL_REGISTER)
        return operand_read_register(c, type, out);
    return parser_error(p, &p->token, "expected a register or a constant");
}

/* A predicate that may be negated. */
static bool read_predicate(struct operand_context *c, struct ptx_operand *out)
{
    bool negated = parser_accept(c->p, '!');
    if (!operand_read_source(c, T_PRED, out))
        return false;
    out->negated = negated;
    return true;
}

/* A label or a table of targets, settled when its scope closes. */
static bool read_reference(struct operand_context *c, bool table, struct ptx_operand *out)
{
    struct parser *p = c->p;
    if (p->token.kind != TOKEN_NAME)
        return parser_error(p, &p->token, "expected a label");
    *out = (struct ptx_operand){ .kind = table ? OPERAND_TABLE : OPERAND_LABEL };
    *vector_add(&p->references) = (struct reference){ .name = symbols_name(p->symbols, p->token.text, p->token.length, true),
                                                      .depth = symbols_depth(p->symbols),
                                                      .instruction = c->instruction,
                                                      .operand = (uint32_t)(out - c->inst->src),
                                                      .wants_table = table,
                                                      .line = p->token.line,
                                                      .column = p->token.column };
    parser_advance(p);
    return !p->failed;
}

/* [reg+4], [variable+4], [4096] */
static bool read_address(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct symbol in_range;
    if (!parser_expect(p, '['))
        return false;
    struct token at = p->token;
    const struct symbol *s = find_symbol(c, &in_range);
    if (!s && at.kind == TOKEN_NAME)
        return parser_error(p, &at, "this name is not declared");
    if (!s) {
        if (!read_constant(c, T_B64, out))
            return false;
        *out = (struct ptx_operand){ .kind = OPERAND_ABSOLUTE, .offset = (int64_t)out->bits };
        return parser_expect(p, ']');
    }
    if (s->kind == SYMBOL_REGISTER) {
        uint32_t bytes = ptx_type_bytes(p->regs.items[s->index].type);
        if (bytes != 4 && bytes != 8)
            return parser_error(p, &at, "an address register has 32 or 64 bits");
    } else if (s->kind != SYMBOL_VARIABLE) {
        return parser_error(p, &at, "expected a register or a variable");
    }
    bool is_register = s->kind == SYMBOL_REGISTER;
    if (!read_variable(c, s, out))
        return false;
    out->kind = is_register ? OPERAND_ADDRESS : OPERAND_SYMBOL_ADDRESS;
    if (is_register)
        return parser_expect(p, ']');
    uint8_t space = p->variables.items[out->index].space;
    if (c->inst->mod.space == SPACE_GENERIC)
        c->inst->mod.space = space; /* the generic address of a known variable */
    if (c->inst->mod.space != space && c->inst->mod.space != SPACE_NONE)
        return parser_error(p, &at, "this variable does not lie in the space that the instruction names");
    return parser_expect(p, ']');
}

/* { a, b, c, d }, the current token being '{'. */
static bool read_vector(struct operand_context *c, enum ptx_type type, bool source, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct token at = p->token;
    uint32_t first = p->elements.count;
    parser_advance(p);
    do {
        struct ptx_operand element;
        if (p->token.kind == TOKEN_NAME && token_is_word(&p->token, "_")) {
            element = (struct ptx_operand){ .kind = OPERAND_SINK };
            parser_advance(p);
        } else if (source ? !operand_read_source(c, type, &element) : !operand_read_register(c, type, &element)) {
            return false;
        }
        *vector_add(&p->elements) = element;
    } while (parser_accept(p, ','));
    uint32_t count = p->elements.count - first;
    if (count > 16)
        return parser_error(p, &at, "this vector is too long");
    *out = (struct ptx_operand){ .kind = OPERAND_VECTOR, .count = (uint8_t)count, .index = first };
    return parser_expect(p, '}');
}

/* A whole vector register as a vector operand. */
static bool read_vector_register(struct operand_context *c, const struct symbol *s, struct ptx_operand *out)
{
    struct parser *p = c->p;
    *out = (struct ptx_operand){ .kind = OPERAND_VECTOR, .count = (uint8_t)s->count, .index = p->elements.count };
    for (uint32_t i = 0; i < s->count; i++)
        *vector_add(&p->elements) = (struct ptx_operand){ .kind = OPERAND_REG, .index = s->index + i };
    parser_advance(p);
    return !p->failed;
}

/* All four parts of %tid and the like; .w reads as zero. False without an error when it is no such name. */
static bool read_special_vector(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    const uint32_t length = p->token.length;
    for (uint32_t i = 0; i + 3 < SREG_COUNT; i++)
        if (strncmp(ptx_sreg_names[i], p->token.text, length) == 0 && strcmp(ptx_sreg_names[i] + length, ".x") == 0) {
            *out = (struct ptx_operand){ .kind = OPERAND_VECTOR, .count = 4, .index = p->elements.count };
            for (uint32_t k = 0; k < 4; k++)
                *vector_add(&p->elements) = (struct ptx_operand){ .kind = OPERAND_SREG, .index = i + k };
            parser_advance(p);
            return !p->failed;
        }
    return false;
}

/* A scalar, or a vector of the length that .v2 or .v4 says. */
static bool read_value(struct operand_context *c, enum ptx_type type, bool source, struct ptx_operand *out)
{
    struct parser *p = c->p;
    struct token at = p->token;
    uint32_t length = c->inst->mod.vector;
    struct symbol in_range;
    const struct symbol *s = find_symbol(c, &in_range);
    if (parser_at(p, '{')) {
        if (!read_vector(c, type, source, out))
            return false;
        if (out->count != length)
            return parser_error(p, &at, "the instruction moves %u elements and this vector has %u", length, out->count);
        if (length == 1)
            *out = p->elements.items[out->index];
        return true;
    }
    if (s && s->kind == SYMBOL_REGISTER && s->count > 1 && s->count == length && p->lexer.at < p->lexer.end && *p->lexer.at != '.')
        return read_vector_register(c, s, out);
    if (source && length == 4 && p->token.kind == TOKEN_NAME && read_special_vector(c, out))
        return true;
    if (length != 1)
        return parser_error(p, &at, "expected a vector of %u elements in braces", length);
    return source ? operand_read_source(c, type, out) : operand_read_register(c, type, out);
}

/* Bytes of a vector's registers together. */
static uint32_t vector_bytes(const struct operand_context *c, const struct ptx_operand *v, uint32_t whole)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct ptx_operand *e = &c->p->elements.items[v->index + i];
        bytes += e->kind == OPERAND_REG ? ptx_type_bytes(c->p->regs.items[e->index].type) : whole / v->count;
    }
    return bytes;
}

/* One side of mov: a vector packs or unpacks the other side. */
static bool read_mov_side(struct operand_context *c, bool source, struct ptx_operand *out)
{
    struct parser *p = c->p;
    enum ptx_type type = c->inst->type[0];
    struct token at = p->token;
    if (c->inst->mod.vector > 1)
        return read_value(c, type, source, out);
    if (parser_at(p, '{')) {
        uint32_t bytes = ptx_type_bytes(type);
        /* the elements' type follows from their number; it only matters to constants */
        if (!read_vector(c, T_NONE, source, out))
            return false;
        if (vector_bytes(c, out, bytes) != bytes)
            return parser_error(p, &at, "the elements of this vector do not make up %u bits", bytes * 8);
        return true;
    }
    struct symbol in_range;
    const struct symbol *s = source ? find_symbol(c, &in_range) : NULL;
    if (s && s->kind == SYMBOL_VARIABLE)
        return read_variable(c, s, out);
    if (s && s->kind == SYMBOL_FUNCTION) {
        *out = (struct ptx_operand){ .kind = OPERAND_FUNCTION, .index = s->index };
        parser_advance(p);
        return !p->failed;
    }
    return source ? operand_read_source(c, type, out) : operand_read_register(c, type, out);
}

static bool read_mov(struct operand_context *c)
{
    struct ptx_inst *i = c->inst;
    if (!read_mov_side(c, false, &i->dst[i->ndst++]) || !parser_expect(c->p, ','))
        return false;
    return read_mov_side(c, true, &i->src[i->nsrc++]);
}

/* d, d|p, _|p */
static bool read_destination(struct operand_context *c, enum ptx_type type, bool sink, bool pair)
{
    struct ptx_inst *i = c->inst;
    struct parser *p = c->p;
    struct ptx_operand *out = &i->dst[i->ndst++];
    if (sink && p->token.kind == TOKEN_NAME && token_is_word(&p->token, "_")) {
        *out = (struct ptx_operand){ .kind = OPERAND_SINK };
        parser_advance(p);
    } else if (!operand_read_register(c, type, out)) {
        return false;
    }
    if (!pair || !parser_accept(p, '|'))
        return !p->failed;
    if (p->token.kind == TOKEN_NAME && token_is_word(&p->token, "_")) {
        parser_advance(p);
        return !p->failed;
    }
    return operand_read_register(c, T_PRED, &i->dst[i->ndst++]);
}

/* .b0 .h1 of scalar video operands; .b3210 and masks of two and four lanes. */
static bool read_selector(struct operand_context *c, struct ptx_operand *out)
{
    struct parser *p = c->p;
    if (p->token.kind != TOKEN_DOT_WORD)
        return !p->failed;
    const char *t = p->token.text;
    uint32_t n = p->token.length;
    if (n == 2 && t[0] == 'b' && t[1] >= '0' && t[1] <= '3')
        out->select = (uint8_t)(SELECT_B0 + (t[1] - '0'));
    else if (n == 2 && t[0] == 'h' && (t[1] == '0' || t[1] == '1'))
        out->select = (uint8_t)(SELECT_H0 + (t[1] - '0'));
    else if (n > 2 && n <= 5 && (t[0] == 'b' || t[0] == 'h'))
        out->select = SELECT_LANES;
    else
        return parser_error(p, &p->token, "expected a selector such as .b0 or .h1");
    /* written from the highest lane down */
    for (uint32_t i = 0; out->select == SELECT_LANES && i + 1 < n; i++) {
        if (t[n - 1 - i] < '0' || t[n - 1 - i] > '7')
            return parser_error(p, &p->token, "expected a selector such as .b3210");
        out->bits |= (uint64_t)(t[n - 1 - i] - '0') << 4 * i;
    }
    parser_advance(p);
    return !p->failed;
}

/* The end of bar.red: `[, threads] , predicate`, of which one or two operands are there. */
static bool read_reduction(struct operand_context *c)
{
    struct ptx_inst *i = c->inst;
    struct parser *p = c->p;
    struct symbol in_range;
    const struct symbol *s = find_symbol(c, &in_range);
    bool is_predicate = parser_at(p, '!') || (s && s->kind == SYMBOL_REGISTER && p->regs.items[s->index].type == T_PRED);
    if (!is_predicate && (!operand_read_source(c, T_B32, &i->src[1]) || !parser_expect(p, ',')))
        return false;
    i->nsrc = 3;
    return read_predicate(c, &i->src[2]);
}

/* cp.async: the bytes to read, or a predicate, or (dropped) a cache policy. */
static bool read_copy_size(struct operand_context *c)
{
    struct ptx_inst *i = c->inst;
    struct symbol in_range;
    const struct symbol *s = find_symbol(c, &in_range);
    uint8_t type = s && s->kind == SYMBOL_REGISTER ? c->p->regs.items[s->index].type : T_B32;
    struct ptx_operand *out = &i->src[i->nsrc++];
    if (type == T_PRED)
        return read_predicate(c, out);
    if (ptx_type_bytes(type) != 8)
        return operand_read_source(c, T_B32, out);
    struct ptx_operand dropped;
    return operand_read_source(c, T_B64, &dropped);
}

bool operand_parse(struct operand_context *c, char kind, char type_code)
{
    struct ptx_inst *i = c->inst;
    enum ptx_type type = operand_type(c, type_code);
    struct ptx_operand dropped;
    switch (kind) {
    case 'd': return read_destination(c, type, false, false);
    case 'D': return read_destination(c, type, true, false);
    case 'e': return read_destination(c, type, false, true);
    case 'E': return read_destination(c, type, true, true);
    case 'v': return read_value(c, type, false, &i->dst[i->ndst++]);
    case 'V': return read_value(c, type, true, &i->src[i->nsrc++]);
    case 's': return operand_read_source(c, type, &i->src[i->nsrc++]);
    case 'b': return read_predicate(c, &i->src[i->nsrc++]);
    case 'i': return read_constant(c, type, &i->src[i->nsrc++]);
    case 'k': return operand_read_source(c, type, &dropped);
    case 'm': return read_address(c, &i->src[i->nsrc++]);
    case 'l': return read_reference(c, false, &i->src[i->nsrc++]);
    case 't': return read_reference(c, true, &i->src[i->nsrc++]);
    case 'f':
    case 'F':
        if (!parser_at(c->p, '{'))
            return parser_error(c->p, &c->p->token, "expected a fragment in braces");
        return read_vector(c, T_NONE, false, kind == 'f' ? &i->dst[i->ndst++] : &i->src[i->nsrc++]);
    case 'z': return operand_read_source(c, type, &i->src[i->nsrc]) && read_selector(c, &i->src[i->nsrc++]);
    case 'Z': return read_destination(c, type, false, false) && read_selector(c, &i->dst[0]);
    case 'M': return read_mov(c);
    case 'R': return read_reduction(c);
    case 'Q': return read_copy_size(c);
    case 'C': return operand_read_call(c);
    default: return operand_read_texture(c, kind);
    }
}
