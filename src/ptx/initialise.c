/* initialise.c - the initial contents of .global and .const variables: constants, addresses of variables and functions. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* Bounds what a damaged file can make us allocate. */
#define MOST_INITIALISED_BYTES (UINT64_C(512) << 20)

struct initialiser {
    struct parser *p;
    enum ptx_type type;
    uint32_t element_bytes;
    uint64_t offset, limit; /* limit: size of the variable; UINT64_MAX when the initialiser decides it */
    VECTOR(uint8_t) bytes;
    VECTOR(struct ptx_init) inits;
};

static bool put_bytes(struct initialiser *in, const struct token *at, uint64_t bits)
{
    if (in->offset + in->element_bytes > in->limit)
        return parser_error(in->p, at, "there are more initial values than the variable has elements");
    if (in->p->initialised_total + in->bytes.count > MOST_INITIALISED_BYTES)
        return parser_error(in->p, at, "the initial values are too large");
    for (uint32_t i = 0; i < in->element_bytes; i++)
        *vector_add(&in->bytes) = (uint8_t)(i < 8 ? bits >> 8 * i : 0);
    in->offset += in->element_bytes;
    return true;
}

/* The symbol at the current token, and what is added to it. */
static bool parse_symbol(struct initialiser *in, struct ptx_init *init)
{
    struct parser *p = in->p;
    struct symbol ignored;
    const struct symbol *s = symbols_find(p->symbols, p->token.text, p->token.length, &ignored);
    if (!s || (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_FUNCTION))
        return parser_error(p, &p->token, "this is not a declared variable or function");
    init->symbol = s->index;
    init->is_function = s->kind == SYMBOL_FUNCTION;
    parser_advance(p);
    return !p->failed;
}

static bool parse_addend(struct parser *p, int64_t *addend)
{
    struct constant c;
    bool minus = parser_at(p, '-');
    if (!minus && !parser_at(p, '+'))
        return !p->failed;
    parser_advance(p);
    struct token at = p->token;
    if (!constant_parse(p, &c))
        return false;
    if (c.kind != CONSTANT_INTEGER)
        return parser_error(p, &at, "expected an integer");
    *addend = (int64_t)(minus ? -c.bits : c.bits);
    return true;
}

/* name, name+8, generic(name)+8 */
static bool parse_address(struct initialiser *in, struct ptx_init *init)
{
    struct parser *p = in->p;
    init->generic = token_is_word(&p->token, "generic");
    if (init->generic) {
        parser_advance(p);
        if (!parser_expect(p, '('))
            return false;
        if (p->token.kind != TOKEN_NAME)
            return parser_error(p, &p->token, "expected a name");
    }
    if (!parse_symbol(in, init) || (init->generic && !parser_expect(p, ')')))
        return false;
    return parse_addend(p, &init->addend);
}

static bool put_address(struct initialiser *in, const struct token *at)
{
    struct ptx_init init = { .offset = (uint32_t)in->offset, .bytes = (uint8_t)in->element_bytes };
    if (!parse_address(in, &init))
        return false;
    if (in->element_bytes != 8 && in->element_bytes != 4)
        return parser_error(in->p, at, "an address needs an element of 4 or 8 bytes");
    if (in->offset > UINT32_MAX)
        return parser_error(in->p, at, "an address lies beyond 4 GiB of its variable");
    *vector_add(&in->inits) = init;
    return put_bytes(in, at, 0);
}

/* 0xFF00(name): one byte of an address. Compilers write all eight bytes, lowest first. The first makes the address, and the
 * others must follow it. */
static bool put_masked(struct initialiser *in, const struct token *at, uint64_t mask)
{
    struct ptx_init init = { .offset = (uint32_t)in->offset, .bytes = 8 };
    parser_advance(in->p);
    if (in->p->token.kind != TOKEN_NAME)
        return parser_error(in->p, &in->p->token, "expected a name");
    if (!parse_address(in, &init) || !parser_expect(in->p, ')'))
        return false;
    uint32_t byte = mask ? (uint32_t)__builtin_ctzll(mask) / 8 : 8;
    if (in->element_bytes != 1 || byte > 7 || mask != UINT64_C(0xFF) << 8 * byte)
        return parser_error(in->p, at, "a masked address is one byte of the address");
    struct ptx_init *last = in->inits.count ? &in->inits.items[in->inits.count - 1] : NULL;
    if (byte == 0)
        *vector_add(&in->inits) = init;
    else if (!last || last->symbol != init.symbol || last->offset + byte != in->offset)
        return parser_error(in->p, at, "the bytes of an address must follow one another, lowest first");
    return put_bytes(in, at, 0);
}

static bool put_constant(struct initialiser *in, const struct token *at)
{
    struct constant c;
    uint64_t bits;
    if (in->p->token.kind == TOKEN_INTEGER && lexer_peek_char(&in->p->lexer) == '(') {
        uint64_t mask = in->p->token.value;
        parser_advance(in->p);
        return put_masked(in, at, mask);
    }
    if (!constant_parse(in->p, &c))
        return false;
    if (c.kind == CONSTANT_INTEGER && (in->type == T_F32 || in->type == T_F64)) { /* `= {0}` */
        double value = c.is_unsigned ? (double)c.bits : (double)(int64_t)c.bits;
        c.kind = CONSTANT_F64;
        memcpy(&c.bits, &value, sizeof value);
    }
    return constant_to_bits(in->p, at, &c, in->type, &bits) && put_bytes(in, at, bits);
}

/* { a, b, { c, d } } : rows of an array are written one after the other. */
static bool parse_list(struct initialiser *in)
{
    struct parser *p = in->p;
    uint32_t open = 0;
    do {
        struct token at = p->token;
        if (parser_accept(p, '{')) {
            open++;
            continue;
        }
        if (parser_at(p, '}') && open) { /* `{}`, or a comma before the brace */
        } else if (p->token.kind == TOKEN_NAME && !token_is_word(&p->token, "WARP_SZ")) {
            if (!put_address(in, &at))
                return false;
        } else if (!put_constant(in, &at)) {
            return false;
        }
        while (open && parser_accept(p, '}'))
            open--;
        if (open && !parser_at(p, ',') && !p->failed)
            return parser_error(p, &p->token, "expected ',' or '}'");
        if (open)
            parser_advance(p);
    } while (open && !p->failed);
    return !p->failed;
}

/* { channel_order = rgba, ... } of textures: the host sets these here, so the text is skipped. */
static bool skip_braces(struct parser *p)
{
    if (!parser_expect(p, '{'))
        return false;
    while (!p->failed && !parser_at(p, '}')) {
        if (p->token.kind == TOKEN_END)
            return parser_error(p, &p->token, "expected '}'");
        parser_advance(p);
    }
    parser_advance(p);
    return !p->failed;
}

bool initialise_variable(struct parser *p, uint32_t variable, uint64_t *element_count)
{
    struct ptx_variable *v = &p->variables.items[variable];
    struct initialiser in = {
        .p = p, .type = v->type, .element_bytes = ptx_type_bytes(v->type), .limit = element_count ? UINT64_MAX : v->bytes
    };
    parser_advance(p);
    if (v->type == T_TEXREF || v->type == T_SAMPLERREF || v->type == T_SURFREF)
        return skip_braces(p);
    struct token at = p->token;
    bool ok = parse_list(&in);
    if (ok && element_count) {
        *element_count = in.offset / in.element_bytes;
        v->bytes = in.offset;
    }
    p->initialised_total += v->bytes;
    if (ok && p->initialised_total > MOST_INITIALISED_BYTES)
        ok = parser_error(p, &at, "the initial values are too large");
    if (ok) {
        v->data = arena_alloc(p->arena, v->bytes, 1);
        if (in.bytes.count)
            memcpy(v->data, in.bytes.items, in.bytes.count);
        v->inits = arena_copy(p->arena, in.inits.items, in.inits.count * sizeof *in.inits.items);
        v->init_count = in.inits.count;
    }
    free(in.bytes.items);
    free(in.inits.items);
    return ok;
}
