/* parser.c - the module: its directives, and what all parser files use. */
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "ptx/analysis.h"

/* A limit against damage: the largest PTX seen in real programs is a few megabytes. */
enum { PTX_LARGEST_TEXT = 64 * 1024 * 1024 };

void *vector_grow(void *items, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count == *capacity) {
        *capacity = count ? count * 2 : 16;
        items = must_realloc(items, *capacity * size);
    }
    memset((char *)items + count * size, 0, size);
    return items;
}

static bool report(struct parser *p, uint32_t line, uint32_t column, const char *text, size_t length, const char *format,
                   va_list args)
{
    if (p->failed)
        return false;
    char sentence[512], near[64];
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    size_t shown = 0;
    for (size_t i = 0; i < length && shown < 40; i++)
        near[shown++] = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
    near[shown] = '\0';
    if (length)
        (void)error_set(p->err, "%s:%u:%u: %s; at '%s'", p->file, line, column, sentence, near);
    else
        (void)error_set(p->err, "%s:%u:%u: %s", p->file, line, column, sentence);
    p->failed = true;
    p->lexer.at = p->lexer.end;
    p->token.kind = TOKEN_END;
    return false;
}

bool parser_error(struct parser *p, const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct token copy = *at;
    if (copy.kind == TOKEN_END && !p->failed) {
        copy.text = "end of file";
        copy.length = 11;
    }
    (void)report(p, copy.line, copy.column, copy.text, copy.length, format, args);
    va_end(args);
    return false;
}

bool parser_error_at(struct parser *p, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)report(p, line, column, NULL, 0, format, args);
    va_end(args);
    return false;
}

void parser_advance(struct parser *p)
{
    if (p->failed)
        return;
    lexer_next(&p->lexer, &p->token);
    if (p->token.kind == TOKEN_BAD) {
        struct token bad = p->token;
        if (bad.length == 0)
            bad.length = (uint32_t)(p->lexer.at > bad.text ? p->lexer.at - bad.text : 0);
        (void)parser_error(p, &bad, "%s", bad.problem);
    }
}

bool parser_accept(struct parser *p, char punctuation)
{
    if (!parser_at(p, punctuation))
        return false;
    parser_advance(p);
    return true;
}

bool parser_expect(struct parser *p, char punctuation)
{
    if (parser_accept(p, punctuation))
        return !p->failed;
    return parser_error(p, &p->token, "expected '%c'", punctuation);
}

bool parser_at_word(const struct parser *p, const char *dot_word)
{
    return p->token.kind == TOKEN_DOT_WORD && token_is_word(&p->token, dot_word);
}

/* .version 7.8 : the lexer has made a floating-point number of it. */
static bool version_parse(struct parser *p)
{
    parser_advance(p);
    char text[16];
    if (p->token.kind != TOKEN_F64 || p->token.length >= sizeof text)
        return parser_error(p, &p->token, "expected a version number such as 7.8");
    memcpy(text, p->token.text, p->token.length);
    text[p->token.length] = '\0';
    if (sscanf(text, "%u.%u", &p->module->version_major, &p->module->version_minor) != 2)
        return parser_error(p, &p->token, "expected a version number such as 7.8");
    if (p->module->version_major > 9 || p->module->version_major < 1)
        return parser_error(p, &p->token, "PTX versions 1 to 9 are known");
    parser_advance(p);
    return !p->failed;
}

/* .target sm_75, debug, texmode_unified... */
static bool target_parse(struct parser *p)
{
    do {
        parser_advance(p);
        if (p->token.kind != TOKEN_NAME)
            return parser_error(p, &p->token, "expected a target such as sm_75");
        if (p->token.length > 3 && memcmp(p->token.text, "sm_", 3) == 0) {
            uint32_t sm = 0;
            for (uint32_t i = 3; i < p->token.length && p->token.text[i] >= '0' && p->token.text[i] <= '9' && sm < 10000; i++)
                sm = sm * 10 + (uint32_t)(p->token.text[i] - '0');
            p->module->target_sm = sm;
        } else if (token_is_word(&p->token, "texmode_independent")) {
            return parser_error(p, &p->token, "independent texture mode is not supported");
        }
        parser_advance(p);
    } while (parser_at(p, ','));
    return !p->failed;
}

static bool address_size_parse(struct parser *p)
{
    parser_advance(p);
    uint64_t bits;
    struct token at = p->token;
    if (!constant_parse_unsigned(p, 64, &bits))
        return false;
    if (bits != 32 && bits != 64)
        return parser_error(p, &at, "addresses have 32 or 64 bits");
    p->module->address_bits = (uint32_t)bits;
    return true;
}

/* .file 1 "x.cu", 123, 456 */
static bool file_parse(struct parser *p)
{
    parser_advance(p);
    uint64_t number;
    if (!constant_parse_unsigned(p, UINT32_MAX, &number))
        return false;
    if (p->token.kind != TOKEN_STRING)
        return parser_error(p, &p->token, "expected a file name in quotes");
    *vector_add(&p->source_files) = arena_copy_text(p->arena, p->token.text, p->token.length);
    *vector_add(&p->source_file_numbers) = (uint32_t)number;
    parser_advance(p);
    while (parser_accept(p, ','))
        if (!constant_parse_unsigned(p, UINT64_MAX, &number))
            return false;
    return !p->failed;
}

/* .alias name, target; */
static bool alias_parse(struct parser *p)
{
    const char *names[2];
    for (int i = 0; i < 2; i++) {
        parser_advance(p);
        struct symbol ignored;
        const struct symbol *s =
            p->token.kind == TOKEN_NAME ? symbols_find(p->symbols, p->token.text, p->token.length, &ignored) : NULL;
        if (!s || s->kind != SYMBOL_FUNCTION)
            return parser_error(p, &p->token, "expected the name of a declared function");
        names[i] = p->functions.items[s->index].name;
        parser_advance(p);
        if (i == 0 && !parser_at(p, ','))
            return parser_error(p, &p->token, "expected ','");
    }
    *vector_add(&p->aliases) = (struct ptx_alias){ names[0], names[1] };
    return parser_expect(p, ';');
}

bool section_skip(struct parser *p)
{
    while (!p->failed && !parser_at(p, '{')) {
        if (p->token.kind == TOKEN_END)
            return parser_error(p, &p->token, "expected '{' after .section");
        parser_advance(p);
    }
    parser_advance(p);
    while (!p->failed && !parser_at(p, '}')) {
        if (p->token.kind == TOKEN_END)
            return parser_error(p, &p->token, "this .section is not closed");
        parser_advance(p);
    }
    parser_advance(p);
    return !p->failed;
}

/* Directives that start with a linkage or a space: variables and functions. */
static bool declaration_parse(struct parser *p)
{
    static const struct {
        const char *word;
        uint8_t linkage;
    } linkages[] = {
        { "visible", LINKAGE_VISIBLE }, { "extern", LINKAGE_EXTERN }, { "weak", LINKAGE_WEAK }, { "common", LINKAGE_COMMON }
    };
    uint8_t linkage = LINKAGE_NONE;
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++)
        if (parser_at_word(p, linkages[i].word)) {
            linkage = linkages[i].linkage;
            parser_advance(p);
            break;
        }
    enum mem_space space;
    bool is_entry = parser_at_word(p, "entry");
    if (is_entry || parser_at_word(p, "func")) {
        parser_advance(p);
        return function_parse(p, is_entry, linkage);
    }
    if (space_of_directive(&p->token, &space)) {
        if (space == SPACE_PARAM)
            return parser_error(p, &p->token, "parameters belong to functions");
        parser_advance(p);
        return declare_variables(p, space, linkage);
    }
    return parser_error(p, &p->token, "this directive is not known");
}

static bool directive_parse(struct parser *p)
{
    if (p->token.kind != TOKEN_DOT_WORD)
        return parser_error(p, &p->token, "expected a directive");
    if (parser_at_word(p, "version"))
        return parser_error(p, &p->token, "a module has one .version");
    if (parser_at_word(p, "target"))
        return target_parse(p);
    if (parser_at_word(p, "address_size"))
        return address_size_parse(p);
    if (parser_at_word(p, "file"))
        return file_parse(p);
    if (parser_at_word(p, "section"))
        return section_skip(p);
    if (parser_at_word(p, "alias"))
        return alias_parse(p);
    if (parser_at_word(p, "loc"))
        return loc_parse(p);
    if (parser_at_word(p, "pragma"))
        return pragma_parse(p);
    return declaration_parse(p);
}

static bool module_parse(struct parser *p)
{
    parser_advance(p);
    if (!p->failed && !parser_at_word(p, "version"))
        return parser_error(p, &p->token, "this is not PTX: it must start with .version");
    if (p->failed || !version_parse(p))
        return false;
    if (!parser_at_word(p, "target"))
        return parser_error(p, &p->token, "expected .target after .version");
    while (!p->failed && p->token.kind != TOKEN_END)
        if (!directive_parse(p))
            return false;
    return !p->failed;
}

/* Calls of an alias go to its target. */
static void resolve_aliases(struct parser *p)
{
    for (uint32_t a = 0; a < p->aliases.count; a++) {
        struct symbol ignored;
        const char *name = p->aliases.items[a].name, *target = p->aliases.items[a].target;
        const struct symbol *from = symbols_find(p->symbols, name, (uint32_t)strlen(name), &ignored);
        const struct symbol *to = symbols_find(p->symbols, target, (uint32_t)strlen(target), &ignored);
        if (!from || !to)
            continue;
        for (uint32_t f = 0; f < p->functions.count; f++)
            for (uint32_t i = 0; i < p->functions.items[f].code_count; i++)
                for (uint32_t k = 0; k < p->functions.items[f].code[i].nsrc; k++) {
                    struct ptx_operand *o = &p->functions.items[f].code[i].src[k];
                    if (o->kind == OPERAND_FUNCTION && o->index == from->index)
                        o->index = to->index;
                }
    }
}

static uint32_t source_file_index(const struct parser *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->source_file_numbers.count; i++)
        if (p->source_file_numbers.items[i] == number)
            return i;
    return 0;
}

/* Numbers of .file become indices; those of one stretch of code are mostly the same. */
static void resolve_source_files(struct parser *p)
{
    uint32_t number = UINT32_MAX, index = 0;
    for (uint32_t f = 0; f < p->functions.count; f++)
        for (uint32_t i = 0; i < p->functions.items[f].code_count; i++) {
            struct ptx_inst *inst = &p->functions.items[f].code[i];
            if (inst->source_file != number) {
                number = inst->source_file;
                index = source_file_index(p, number);
            }
            inst->source_file = index;
        }
}

static void move_to_module(struct parser *p)
{
    struct ptx_module *m = p->module;
    m->functions = arena_copy(p->arena, p->functions.items, p->functions.count * sizeof *m->functions);
    m->function_count = p->functions.count;
    m->variables = arena_copy(p->arena, p->variables.items, p->variables.count * sizeof *m->variables);
    m->variable_count = p->variables.count;
    m->aliases = arena_copy(p->arena, p->aliases.items, p->aliases.count * sizeof *m->aliases);
    m->alias_count = p->aliases.count;
    m->source_files = arena_copy(p->arena, p->source_files.items, p->source_files.count * sizeof *m->source_files);
    m->source_file_count = p->source_files.count;
}

static void parser_close(struct parser *p)
{
    symbols_free(p->symbols);
    free(p->functions.items);
    free(p->variables.items);
    free(p->aliases.items);
    free(p->source_files.items);
    free(p->source_file_numbers.items);
    free(p->code.items);
    free(p->regs.items);
    free(p->elements.items);
    free(p->tables.items);
    free(p->references.items);
}

struct ptx_module *ptx_parse(const char *file, const char *text, size_t length, struct error *err)
{
    return ptx_parse_as(file, text, length, NULL, err);
}

struct ptx_module *ptx_parse_as(const char *file, const char *text, size_t length, ptx_integer *integer, struct error *err)
{
    if (length > PTX_LARGEST_TEXT) {
        (void)error_set(err, "%s: %zu bytes of PTX; more than %d are not read", file, length, PTX_LARGEST_TEXT);
        return NULL;
    }
    struct arena *arena = arena_new();
    struct parser p = { .err = err, .file = file, .arena = arena, .integer = integer, .function = -1 };
    p.module = arena_alloc(arena, 1, sizeof *p.module);
    p.module->arena = arena;
    p.module->file = arena_copy_text(arena, file, strlen(file));
    p.module->address_bits = 32; /* what PTX assumes without .address_size */
    p.symbols = symbols_new(arena);
    p.opcodes = opcode_cache_new(arena);
    lexer_start(&p.lexer, text, length);
    bool ok = module_parse(&p);
    if (ok) {
        resolve_aliases(&p);
        resolve_source_files(&p);
        ok = layout_module(&p);
    }
    if (ok) {
        move_to_module(&p);
        analysis_run(p.module);
    }
    parser_close(&p);
    if (ok)
        return p.module;
    arena_free(arena);
    return NULL;
}

void ptx_free(struct ptx_module *module)
{
    if (module)
        arena_free(module->arena);
}

const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].name, name) == 0)
            return &module->functions[i];
    return NULL;
}
