/* declare.c - variables, registers and parameters. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* The scoreboard numbers registers with 16 bits, 0 being none; the total bounds what a damaged file can make us allocate. */
enum { MOST_REGISTERS = 65534, MOST_REGISTERS_IN_MODULE = 8 * 1024 * 1024 };
#define LARGEST_VARIABLE (UINT64_C(1) << 40)

bool space_of_directive(const struct token *token, enum mem_space *space)
{
    static const struct {
        const char *word;
        uint8_t space;
    } spaces[] = { { "global", SPACE_GLOBAL }, { "const", SPACE_CONST }, { "shared", SPACE_SHARED },
                   { "local", SPACE_LOCAL },   { "param", SPACE_PARAM }, { "tex", SPACE_TEXTURE } };
    if (token->kind != TOKEN_DOT_WORD)
        return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (token_is_word(token, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

/* What stands between the space and the name. */
struct attributes {
    enum ptx_type type;
    uint32_t vector, align; /* align 0: natural */
    bool is_managed;
};

static bool parse_align(struct parser *p, uint32_t *align)
{
    struct token at;
    uint64_t value;
    parser_advance(p);
    at = p->token;
    if (!constant_parse_unsigned(p, 1 << 20, &value))
        return false;
    if (value == 0 || (value & (value - 1)))
        return parser_error(p, &at, "an alignment is a power of two");
    *align = (uint32_t)value;
    return true;
}

/* .attribute(.managed) and .attribute(.unified(1, 2)) */
static bool parse_attribute(struct parser *p, struct attributes *a)
{
    parser_advance(p);
    if (!parser_expect(p, '('))
        return false;
    uint32_t open = 1;
    while (!p->failed && open) {
        if (p->token.kind == TOKEN_END)
            return parser_error(p, &p->token, "this .attribute is not closed");
        a->is_managed |= parser_at_word(p, "managed");
        open += parser_at(p, '(');
        open -= parser_at(p, ')');
        parser_advance(p);
    }
    return !p->failed;
}

/* .ptr .global .align 8 : a hint about where a parameter points. */
static bool parse_pointer(struct parser *p)
{
    uint32_t ignored;
    enum mem_space space;
    parser_advance(p);
    while (!p->failed && p->token.kind == TOKEN_DOT_WORD) {
        if (parser_at_word(p, "align")) {
            if (!parse_align(p, &ignored))
                return false;
        } else if (space_of_directive(&p->token, &space)) {
            parser_advance(p);
        } else {
            return parser_error(p, &p->token, "expected a space or .align after .ptr");
        }
    }
    return !p->failed;
}

static bool parse_attributes(struct parser *p, struct attributes *a)
{
    *a = (struct attributes){ .vector = 1 };
    while (!p->failed && p->token.kind == TOKEN_DOT_WORD) {
        if (parser_at_word(p, "align")) {
            if (!parse_align(p, &a->align))
                return false;
        } else if (parser_at_word(p, "attribute")) {
            if (!parse_attribute(p, a))
                return false;
        } else if (parser_at_word(p, "ptr")) {
            if (!parse_pointer(p))
                return false;
        } else if (parser_at_word(p, "v2") || parser_at_word(p, "v4")) {
            a->vector = p->token.text[1] == '2' ? 2 : 4;
            parser_advance(p);
        } else {
            enum ptx_type type = ptx_type_named(p->token.text, p->token.length);
            if (type == T_NONE || a->type != T_NONE)
                return parser_error(p, &p->token, "expected a type");
            a->type = type;
            parser_advance(p);
        }
    }
    if (!p->failed && a->type == T_NONE)
        return parser_error(p, &p->token, "expected a type");
    return !p->failed;
}

/* [4][8], [] : the product of the dimensions; `open` when the first has no number. */
static bool parse_dimensions(struct parser *p, uint64_t *elements, bool *is_array, bool *open)
{
    *elements = 1;
    *is_array = *open = false;
    while (!p->failed && parser_at(p, '[')) {
        struct token at = p->token;
        uint64_t n = 1;
        parser_advance(p);
        if (parser_at(p, ']') && !*is_array)
            *open = true;
        else if (!constant_parse_unsigned(p, LARGEST_VARIABLE, &n))
            return false;
        if (!parser_expect(p, ']'))
            return false;
        if (__builtin_mul_overflow(*elements, n, elements) || *elements > LARGEST_VARIABLE)
            return parser_error(p, &at, "this array is too large");
        *is_array = true;
    }
    return !p->failed;
}

/* A variable declared before (.extern, or a repeated declaration) keeps its index. */
static bool variable_index(struct parser *p, const struct token *name_token, uint8_t linkage, uint32_t *index)
{
    struct name *name = symbols_name(p->symbols, name_token->text, name_token->length, true);
    const struct symbol *old = name->top;
    if (old && old->kind == SYMBOL_VARIABLE && old->depth == symbols_depth(p->symbols)) {
        struct ptx_variable *v = &p->variables.items[old->index];
        if (v->linkage != LINKAGE_EXTERN && linkage != LINKAGE_EXTERN && linkage != LINKAGE_WEAK && linkage != LINKAGE_COMMON)
            return parser_error(p, name_token, "this name is declared twice");
        *index = old->index;
        return true;
    }
    *index = p->variables.count;
    if (!symbols_declare(p->symbols, name, SYMBOL_VARIABLE, *index, 1))
        return parser_error(p, name_token, "this name is declared twice");
    vector_add(&p->variables)->name = name->text;
    return true;
}

/* Offsets of parameters and of .param variables for calls: one frame per function, in order of declaration. */
static void place_parameter(struct parser *p, struct ptx_variable *v)
{
    p->param_frame = (p->param_frame + v->align - 1) & ~(uint64_t)(v->align - 1);
    v->offset = p->param_frame;
    p->param_frame += v->bytes;
}

/* One declarator: name, dimensions, initialiser. */
static bool declare_variable(struct parser *p, enum mem_space space, uint8_t linkage, const struct attributes *a, uint32_t *index)
{
    struct token name = p->token;
    if (name.kind != TOKEN_NAME)
        return parser_error(p, &name, "expected a name");
    parser_advance(p);
    uint64_t elements;
    bool is_array, open;
    uint32_t element_bytes = ptx_type_bytes(a->type) * a->vector;
    if (!parse_dimensions(p, &elements, &is_array, &open) || !variable_index(p, &name, linkage, index))
        return false;
    struct ptx_variable *v = &p->variables.items[*index];
    bool again = v->space != SPACE_NONE;
    if (again && linkage == LINKAGE_EXTERN)
        return !p->failed; /* an .extern after the definition adds nothing */
    v->space = (uint8_t)space;
    v->type = (uint8_t)a->type;
    v->linkage = linkage;
    v->align = a->align ? a->align : element_bytes;
    v->is_managed = a->is_managed;
    v->function = p->function;
    if (__builtin_mul_overflow(elements, (uint64_t)element_bytes, &v->bytes) || v->bytes > LARGEST_VARIABLE)
        return parser_error(p, &name, "this variable is too large");
    if (open)
        v->bytes = 0;
    if (parser_at(p, '=')) {
        if (space != SPACE_GLOBAL && space != SPACE_CONST && space != SPACE_TEXTURE)
            return parser_error(p, &p->token, "only .global and .const variables have initial values");
        uint64_t given;
        if (!initialise_variable(p, *index, open ? &given : NULL))
            return false;
    } else if (open && linkage != LINKAGE_EXTERN && space != SPACE_PARAM) {
        return parser_error(p, &name, "this array has no size");
    }
    v = &p->variables.items[*index];
    if (space == SPACE_PARAM) {
        if (p->param_frame + v->bytes > 1 << 24)
            return parser_error(p, &name, "the parameters are too large");
        place_parameter(p, v);
    }
    return !p->failed;
}

bool declare_variables(struct parser *p, enum mem_space space, uint8_t linkage)
{
    struct attributes a;
    uint32_t index;
    if (parser_at(p, '[')) { /* .const[2]: one of eleven constant banks, long gone */
        uint64_t bank;
        parser_advance(p);
        if (!constant_parse_unsigned(p, 10, &bank) || !parser_expect(p, ']'))
            return false;
    }
    if (!parse_attributes(p, &a))
        return false;
    do {
        if (!declare_variable(p, space, linkage, &a, &index))
            return false;
    } while (parser_accept(p, ','));
    return parser_expect(p, ';');
}

static bool add_register(struct parser *p, const struct token *at, const char *name, enum ptx_type type)
{
    if (p->regs.count >= MOST_REGISTERS)
        return parser_error(p, at, "a function has at most %d registers", MOST_REGISTERS);
    if (++p->register_total > MOST_REGISTERS_IN_MODULE)
        return parser_error(p, at, "a module has at most %d registers", MOST_REGISTERS_IN_MODULE);
    *vector_add(&p->regs) = (struct ptx_reg){ .name = name, .type = (uint8_t)type };
    return true;
}

/* %r<100> declares %r0 .. %r99. */
static bool declare_range(struct parser *p, const struct token *name, enum ptx_type type)
{
    parser_advance(p);
    uint64_t count = p->token.value; /* a plain number: '>' closes the range */
    if (p->token.kind != TOKEN_INTEGER || count > MOST_REGISTERS)
        return parser_error(p, &p->token, "expected a number of registers up to %d", MOST_REGISTERS);
    parser_advance(p);
    if (!parser_expect(p, '>'))
        return false;
    uint32_t first = p->regs.count;
    struct name *prefix = symbols_name(p->symbols, name->text, name->length, true);
    if (!symbols_declare(p->symbols, prefix, SYMBOL_RANGE, first, (uint32_t)count))
        return parser_error(p, name, "this name is declared twice");
    for (uint32_t i = 0; i < count; i++) {
        char digits[12], *d = digits + sizeof digits;
        uint32_t rest = i;
        do
            *--d = (char)('0' + rest % 10);
        while (rest /= 10);
        uint32_t length = (uint32_t)(digits + sizeof digits - d);
        char *text = arena_alloc(p->arena, prefix->length + length + 1, 1);
        memcpy(text, prefix->text, prefix->length);
        memcpy(text + prefix->length, d, length);
        if (!add_register(p, name, text, type))
            return false;
    }
    return true;
}

/* Registers of eight bits are used by loads, stores and conversions alone, which take wider ones as well; CUB declares them. */
static enum ptx_type register_type(enum ptx_type type)
{
    return type == T_B8 ? T_B16 : type == T_U8 ? T_U16 : type == T_S8 ? T_S16 : type;
}

static bool declare_register(struct parser *p, const struct attributes *a)
{
    struct token name = p->token;
    if (name.kind != TOKEN_NAME)
        return parser_error(p, &name, "expected a register name");
    const enum ptx_type type = register_type(a->type);
    if (type == T_TEXREF || type == T_SAMPLERREF || type == T_SURFREF)
        return parser_error(p, &name, "registers do not have this type");
    parser_advance(p);
    if (parser_at(p, '<'))
        return a->vector == 1 ? declare_range(p, &name, type)
                              : parser_error(p, &name, "ranges of vector registers are not supported");
    struct name *n = symbols_name(p->symbols, name.text, name.length, true);
    if (!symbols_declare(p->symbols, n, SYMBOL_REGISTER, p->regs.count, a->vector))
        return parser_error(p, &name, "this name is declared twice");
    for (uint32_t i = 0; i < a->vector; i++)
        if (!add_register(p, &name, n->text, type))
            return false;
    return !p->failed;
}

bool declare_registers(struct parser *p)
{
    struct attributes a;
    if (p->function < 0)
        return parser_error(p, &p->token, "registers belong to functions");
    if (!parse_attributes(p, &a))
        return false;
    do {
        if (!declare_register(p, &a))
            return false;
    } while (parser_accept(p, ','));
    return parser_expect(p, ';');
}

static bool declare_parameter(struct parser *p, uint32_t *out)
{
    struct attributes a;
    bool is_register = parser_at_word(p, "reg");
    if (!is_register && !parser_at_word(p, "param"))
        return parser_error(p, &p->token, "expected .param or .reg");
    parser_advance(p);
    if (!parse_attributes(p, &a))
        return false;
    if (!is_register)
        return declare_variable(p, SPACE_PARAM, LINKAGE_NONE, &a, out);
    *out = ~p->regs.count;
    return declare_register(p, &a);
}

bool declare_parameters(struct parser *p, uint32_t **list, uint32_t *count)
{
    VECTOR(uint32_t) found = { 0 };
    bool ok = true;
    if (!parser_at(p, ')')) {
        do {
            uint32_t one = 0;
            ok = declare_parameter(p, &one);
            if (ok)
                *vector_add(&found) = one;
        } while (ok && parser_accept(p, ','));
    }
    ok = ok && parser_expect(p, ')');
    *list = arena_copy(p->arena, found.items, found.count * sizeof *found.items);
    *count = found.count;
    free(found.items);
    return ok;
}
