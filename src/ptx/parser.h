/* parser.h - what the files of the PTX parser share. Private to src/ptx.
 *
 * After the first error `failed` is set and every further token is TOKEN_END, so that all loops over tokens end and nothing
 * needs to be unwound. The parser builds in growing arrays, which move to the module's arena at the end. */
#ifndef WARPLINE_PTX_PARSER_H
#define WARPLINE_PTX_PARSER_H
#include "base/arena.h"
#include "ptx/form.h"
#include "ptx/lexer.h"
#include "ptx/ptx.h"
#include "ptx/symbols.h"

#define VECTOR(type)                                                                                                               \
    struct {                                                                                                                       \
        type *items;                                                                                                               \
        uint32_t count, capacity;                                                                                                  \
    }
void *vector_grow(void *items, uint32_t *capacity, uint32_t count, size_t size);
/* A new zeroed item at the end. Pointers to older items are invalid afterwards. */
#define vector_add(v)                                                                                                              \
    ((v)->items = vector_grow((v)->items, &(v)->capacity, (v)->count, sizeof *(v)->items), &(v)->items[(v)->count++])

/* A label or table that an operand or a table names. What it is becomes known at the end of the scope. */
struct reference {
    struct name *name;
    uint32_t depth;                /* scope that it is looked up in first */
    uint32_t instruction, operand; /* src[operand] of the instruction; or, when in_table, target `operand` of the table */
    bool in_table, wants_table;
    uint32_t line, column;
};

struct parser {
    struct lexer lexer;
    struct token token; /* the current one */
    struct error *err;
    ptx_integer *integer; /* NULL: integers mean what they say */
    bool failed;
    const char *file;
    struct arena *arena;
    struct ptx_module *module;
    struct symbols *symbols;
    struct opcode_cache *opcodes;
    VECTOR(struct ptx_function) functions;
    VECTOR(struct ptx_variable) variables;
    VECTOR(struct ptx_alias) aliases;
    VECTOR(const char *) source_files;
    VECTOR(uint32_t) source_file_numbers; /* the number that .loc uses for source_files[i] */
    uint64_t register_total, initialised_total;
    uint32_t expression_depth;
    /* the function being read */
    int32_t function; /* -1: none */
    VECTOR(struct ptx_inst) code;
    VECTOR(struct ptx_reg) regs;
    VECTOR(struct ptx_operand) elements;
    VECTOR(struct ptx_table) tables;
    VECTOR(struct reference) references;
    uint32_t source_file, source_line; /* of the last .loc */
    bool no_unroll;                    /* the pragma stood before the next instruction */
    uint64_t param_frame;
};

/* Reporting: `file:line:column: sentence; at 'text'`. Always false. */
bool parser_error(struct parser *p, const struct token *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool parser_error_at(struct parser *p, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Tokens. */
void parser_advance(struct parser *p);
static inline bool parser_at(const struct parser *p, char punctuation)
{
    return p->token.kind == TOKEN_PUNCTUATION && p->token.punctuation == PUNCT2(punctuation, 0);
}
bool parser_accept(struct parser *p, char punctuation);
bool parser_expect(struct parser *p, char punctuation);
bool parser_at_word(const struct parser *p, const char *dot_word);

/* constant.c: constant expressions. */
struct constant {
    uint64_t bits; /* integer; or the bits of the float or double */
    enum { CONSTANT_INTEGER, CONSTANT_F32, CONSTANT_F64 } kind;
    bool is_unsigned;
};
bool constant_parse(struct parser *p, struct constant *out);
bool constant_parse_unsigned(struct parser *p, uint64_t limit, uint64_t *out); /* an integer from 0 to limit */
/* The constant as `type` holds it. False (with an error at `at`): a float where an integer belongs or the like. */
bool constant_to_bits(struct parser *p, const struct token *at, const struct constant *c, enum ptx_type type, uint64_t *bits);

/* declare.c: variables, registers, parameters. */
enum { LINKAGE_NONE, LINKAGE_VISIBLE, LINKAGE_EXTERN, LINKAGE_WEAK, LINKAGE_COMMON };
bool declare_variables(struct parser *p, enum mem_space space, uint8_t linkage); /* after .global and the like, to the ';' */
bool declare_registers(struct parser *p);                                        /* after .reg, to the ';' */
/* `( .param ... , .reg ... )`: fills *list (arena) with variables, or ~register. The current token is behind '('. */
bool declare_parameters(struct parser *p, uint32_t **list, uint32_t *count);
bool space_of_directive(const struct token *token, enum mem_space *space);

/* initialise.c */
bool initialise_variable(struct parser *p, uint32_t variable, uint64_t *element_count);

/* function.c: .func and .entry; tables. */
bool function_parse(struct parser *p, bool is_entry, uint8_t linkage);
bool loc_parse(struct parser *p);
bool pragma_parse(struct parser *p);
bool section_skip(struct parser *p);

/* instruction.c and operand.c */
bool instruction_parse(struct parser *p);
struct operand_context {
    struct parser *p;
    struct ptx_inst *inst; /* of p->code, stable while operands are read */
    const struct form *form;
    uint32_t instruction; /* its index */
    bool has_cache_hint;  /* .L2::cache_hint: a cache policy is the last operand */
};
bool operand_parse(struct operand_context *c, char kind, char type_code);
bool operand_check_register(struct operand_context *c, const struct token *at, uint32_t reg, enum ptx_type type);
enum ptx_type operand_type(const struct operand_context *c, char type_code);
bool operand_read_source(struct operand_context *c, enum ptx_type type, struct ptx_operand *out);
bool operand_read_register(struct operand_context *c, enum ptx_type type, struct ptx_operand *out);
bool operand_read_call(struct operand_context *c);
bool operand_read_texture(struct operand_context *c, char kind);

/* check.c */
bool instruction_check(struct operand_context *c, const struct token *at);

/* layout.c: offsets of shared and local variables, sizes. */
bool layout_module(struct parser *p);
#endif
