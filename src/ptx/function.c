/* function.c - .entry and .func: heads, bodies, labels and tables of labels. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_BLOCK = 500 };

bool pragma_parse(struct parser *p)
{
    do {
        parser_advance(p);
        p->no_unroll |= p->token.kind == TOKEN_STRING && token_is_word(&p->token, "nounroll");
    } while (p->token.kind == TOKEN_STRING || parser_at(p, ','));
    return parser_expect(p, ';');
}

/* One of the attributes behind .loc: `function_name $L_info` (perhaps + 8), or `inlined_at 1 10 3`. */
static bool loc_attribute_parse(struct parser *p)
{
    uint64_t ignored;
    bool is_name = p->token.kind == TOKEN_NAME && token_is_word(&p->token, "function_name");
    if (!is_name && !(p->token.kind == TOKEN_NAME && token_is_word(&p->token, "inlined_at")))
        return parser_error(p, &p->token, "expected function_name or inlined_at");
    parser_advance(p);
    if (is_name) {
        if (p->token.kind != TOKEN_NAME)
            return parser_error(p, &p->token, "expected a label");
        parser_advance(p);
        return parser_accept(p, '+') ? constant_parse_unsigned(p, UINT32_MAX, &ignored) : !p->failed;
    }
    for (int i = 0; i < 3; i++)
        if (!constant_parse_unsigned(p, UINT32_MAX, &ignored))
            return false;
    return true;
}

/* .loc 1 20 5, function_name $L__info_string0, inlined_at 1 10 3 */
bool loc_parse(struct parser *p)
{
    uint64_t numbers[3] = { 0 };
    parser_advance(p);
    for (int i = 0; i < 3 && (i < 2 || p->token.kind == TOKEN_INTEGER); i++)
        if (!constant_parse_unsigned(p, UINT32_MAX, &numbers[i]))
            return false;
    while (parser_accept(p, ','))
        if (!loc_attribute_parse(p))
            return false;
    p->source_file = (uint32_t)numbers[0]; /* .file may follow: the number becomes an index at the end of the module */
    p->source_line = (uint32_t)numbers[1];
    return !p->failed;
}

/* The function of this name: the one declared before, or a new one. */
static bool function_index(struct parser *p, const struct token *name_token, uint32_t *index)
{
    struct name *name = symbols_name(p->symbols, name_token->text, name_token->length, true);
    struct symbol *s = symbols_declare_global(p->symbols, name, SYMBOL_FUNCTION, p->functions.count);
    if (s->kind != SYMBOL_FUNCTION)
        return parser_error(p, name_token, "this name is declared twice");
    *index = s->index;
    if (s->index == p->functions.count)
        vector_add(&p->functions)->name = name->text;
    return true;
}

/* .maxntid 256, 1, 1 and its kind: one to three numbers. */
static bool parse_numbers(struct parser *p, uint32_t numbers[3])
{
    uint32_t count = 0;
    do {
        uint64_t n;
        parser_advance(p);
        if (count == 3)
            return parser_error(p, &p->token, "expected at most three numbers");
        if (!constant_parse_unsigned(p, UINT32_MAX, &n))
            return false;
        numbers[count++] = (uint32_t)n;
    } while (parser_at(p, ','));
    for (; count < 3; count++)
        numbers[count] = 1;
    return !p->failed;
}

/* Directives between the head and the body. */
static bool tuning_parse(struct parser *p, uint32_t index)
{
    struct ptx_function *f = &p->functions.items[index];
    uint32_t one[3];
    while (!p->failed && p->token.kind == TOKEN_DOT_WORD) {
        bool ok = true;
        if (parser_at_word(p, "maxntid")) {
            ok = parse_numbers(p, f->max_threads);
        } else if (parser_at_word(p, "reqntid")) {
            ok = parse_numbers(p, f->required_threads);
        } else if (parser_at_word(p, "minnctapersm")) {
            ok = parse_numbers(p, one);
            f->min_ctas = ok ? one[0] : 0;
        } else if (parser_at_word(p, "maxnreg")) {
            ok = parse_numbers(p, one);
            f->max_registers = ok ? one[0] : 0;
        } else if (parser_at_word(p, "reqnctapercluster")) {
            ok = parse_numbers(p, f->cluster);
        } else if (parser_at_word(p, "maxnctapersm") || parser_at_word(p, "maxclusterrank") || parser_at_word(p, "abi_preserve") ||
                   parser_at_word(p, "abi_preserve_control")) {
            ok = parse_numbers(p, one); /* limits that nothing here can exceed */
        } else if (parser_at_word(p, "pragma")) {
            ok = pragma_parse(p);
        } else if (parser_at_word(p, "noreturn")) {
            f->is_noreturn = true;
            parser_advance(p);
        } else if (parser_at_word(p, "explicitcluster") || parser_at_word(p, "blocksareclusters") || parser_at_word(p, "unique")) {
            parser_advance(p);
        } else if (parser_at_word(p, "attribute")) {
            while (!p->failed && !parser_at(p, ')') && p->token.kind != TOKEN_END)
                parser_advance(p);
            ok = parser_expect(p, ')');
        } else {
            return parser_error(p, &p->token, "this directive is not known");
        }
        if (!ok)
            return false;
    }
    return !p->failed;
}

/* Resolves the references of the scope that closes: to its own labels, or else they move on to the scope around it. */
static bool resolve_references(struct parser *p, bool outermost)
{
    uint32_t depth = symbols_depth(p->symbols), first = p->references.count;
    while (first && p->references.items[first - 1].depth == depth)
        first--; /* what the closing scope holds lies together at the end */
    uint32_t kept = first;
    for (uint32_t i = first; i < p->references.count; i++) {
        struct reference *r = &p->references.items[i];
        const struct symbol *s = r->name->top;
        if (s && s->depth == depth && s->kind == (r->wants_table ? SYMBOL_TABLE : SYMBOL_LABEL)) {
            if (r->wants_table && p->tables.items[s->index].is_branch != (p->code.items[r->instruction].op == OP_BRX))
                return parser_error_at(p, r->line, r->column, "'%s' is not a list of targets of this kind", r->name->text);
            if (r->in_table)
                p->tables.items[r->instruction].targets[r->operand] = s->index;
            else
                p->code.items[r->instruction].src[r->operand].index = s->index;
            continue;
        }
        if (outermost)
            return parser_error_at(p, r->line, r->column, "there is no %s '%s' in this function",
                                   r->wants_table ? "list of targets" : "label", r->name->text);
        r->depth--;
        p->references.items[kept++] = *r;
    }
    p->references.count = kept;
    return true;
}

/* name: .branchtargets L1, L2;  name: .calltargets f, g; */
static bool targets_parse(struct parser *p, uint32_t table, bool labels)
{
    VECTOR(uint32_t) targets = { 0 };
    struct ptx_table *t = &p->tables.items[table];
    bool ok = true;
    do {
        parser_advance(p);
        struct symbol ignored;
        const struct symbol *s = NULL;
        if (p->token.kind != TOKEN_NAME)
            ok = parser_error(p, &p->token, "expected a name");
        else if (labels)
            *vector_add(&p->references) =
                (struct reference){ .name = symbols_name(p->symbols, p->token.text, p->token.length, true),
                                    .depth = symbols_depth(p->symbols),
                                    .instruction = table,
                                    .operand = targets.count,
                                    .in_table = true,
                                    .line = p->token.line,
                                    .column = p->token.column };
        else if (!(s = symbols_find(p->symbols, p->token.text, p->token.length, &ignored)) || s->kind != SYMBOL_FUNCTION)
            ok = parser_error(p, &p->token, "this is not a declared function");
        if (ok)
            *vector_add(&targets) = s ? s->index : 0;
        parser_advance(p);
    } while (ok && parser_at(p, ','));
    t->targets = arena_copy(p->arena, targets.items, targets.count * sizeof *targets.items);
    t->count = targets.count;
    free(targets.items);
    return ok && parser_expect(p, ';');
}

/* name: .callprototype (.param .b32 _) _ (.param .b64 _); : the shapes are those of the functions that are called. */
static bool prototype_parse(struct parser *p)
{
    while (!p->failed && !parser_at(p, ';')) {
        if (p->token.kind == TOKEN_END)
            return parser_error(p, &p->token, "this .callprototype is not closed");
        parser_advance(p);
    }
    return parser_expect(p, ';');
}

static bool label_parse(struct parser *p)
{
    struct token at = p->token;
    struct name *name = symbols_name(p->symbols, at.text, at.length, true);
    parser_advance(p);
    parser_advance(p);
    bool branches = parser_at_word(p, "branchtargets"), calls = parser_at_word(p, "calltargets");
    bool prototype = parser_at_word(p, "callprototype");
    bool is_table = branches || calls || prototype;
    uint32_t index = is_table ? p->tables.count : p->code.count;
    if (!symbols_declare(p->symbols, name, is_table ? SYMBOL_TABLE : SYMBOL_LABEL, index, 1))
        return parser_error(p, &at, "this name is declared twice");
    if (!is_table)
        return !p->failed;
    *vector_add(&p->tables) = (struct ptx_table){ .name = name->text, .is_prototype = prototype, .is_branch = branches };
    return prototype ? prototype_parse(p) : targets_parse(p, index, branches);
}

static bool body_directive_parse(struct parser *p)
{
    enum mem_space space;
    if (parser_at_word(p, "loc"))
        return loc_parse(p);
    if (parser_at_word(p, "pragma"))
        return pragma_parse(p);
    if (parser_at_word(p, "reg")) {
        parser_advance(p);
        return declare_registers(p);
    }
    uint8_t linkage = LINKAGE_NONE;
    if (parser_at_word(p, "extern")) {
        linkage = LINKAGE_EXTERN;
        parser_advance(p);
    }
    if (space_of_directive(&p->token, &space)) {
        parser_advance(p);
        return declare_variables(p, space, linkage);
    }
    if (parser_at_word(p, "section"))
        return section_skip(p);
    return parser_error(p, &p->token, "this directive is not known");
}

/* The body, behind its '{', to its '}'. Blocks nest: each is a scope. */
static bool body_parse(struct parser *p)
{
    uint32_t outermost = symbols_depth(p->symbols);
    while (!p->failed) {
        if (parser_at(p, '}')) {
            bool last = symbols_depth(p->symbols) == outermost;
            if (!resolve_references(p, last))
                return false;
            if (last) {
                parser_advance(p);
                return !p->failed;
            }
            symbols_close(p->symbols);
            parser_advance(p);
        } else if (parser_at(p, '{')) {
            if (symbols_depth(p->symbols) == DEEPEST_BLOCK)
                return parser_error(p, &p->token, "blocks are nested too deeply");
            symbols_open(p->symbols);
            parser_advance(p);
        } else if (parser_accept(p, ';')) {
            continue;
        } else if (p->token.kind == TOKEN_DOT_WORD) {
            if (!body_directive_parse(p))
                return false;
        } else if (p->token.kind == TOKEN_NAME && lexer_peek_char(&p->lexer) == ':') {
            if (!label_parse(p))
                return false;
        } else if (p->token.kind == TOKEN_NAME || parser_at(p, '@')) {
            if (!instruction_parse(p))
                return false;
        } else if (p->token.kind == TOKEN_END) {
            return parser_error(p, &p->token, "the file ends inside '%s'", p->functions.items[p->function].name);
        } else {
            return parser_error(p, &p->token, "expected an instruction");
        }
    }
    return false;
}

static void start_function(struct parser *p, uint32_t index)
{
    p->function = (int32_t)index;
    p->code.count = p->regs.count = p->elements.count = p->tables.count = p->references.count = 0;
    p->source_file = p->source_line = 0;
    p->no_unroll = false;
    p->param_frame = 0;
    symbols_open(p->symbols);
}

/* Code that runs off the end returns. A label may stand there, and the last instruction need not be ret. */
static void close_body(struct parser *p)
{
    const struct ptx_inst *last = p->code.count ? &p->code.items[p->code.count - 1] : NULL;
    bool label_at_end = false;
    for (uint32_t i = 0; i < p->code.count && !label_at_end; i++)
        for (uint32_t k = 0; k < p->code.items[i].nsrc; k++)
            label_at_end |= p->code.items[i].src[k].kind == OPERAND_LABEL && p->code.items[i].src[k].index == p->code.count;
    for (uint32_t t = 0; t < p->tables.count && !label_at_end; t++)
        for (uint32_t k = 0; k < p->tables.items[t].count; k++)
            label_at_end |= p->tables.items[t].is_branch && p->tables.items[t].targets[k] == p->code.count;
    bool ends = last && last->guard < 0 && (last->op == OP_RET || last->op == OP_EXIT || last->op == OP_TRAP || last->op == OP_BRA);
    if (ends && !label_at_end)
        return;
    const char *reason;
    const struct opcode *ret = opcode_find(p->opcodes, "ret", 3, &reason);
    *vector_add(&p->code) = (struct ptx_inst){
        .op = OP_RET, .form = ret->form, .mod = ret->mod, .guard = -1, .line = p->token.line, .column = p->token.column
    };
}

/* Any number of branches may name one list of targets. So a short text could make a huge number of edges. */
static bool check_targets(struct parser *p, const struct token *at)
{
    enum { MOST_TARGETS = 1 << 22 };
    uint64_t targets = 0;
    for (uint32_t i = 0; i < p->code.count; i++)
        if (p->code.items[i].op == OP_BRX)
            targets += p->tables.items[p->code.items[i].src[1].index].count;
    return targets <= MOST_TARGETS ||
           parser_error(p, at, "the indirect branches of this function have more than %d targets", MOST_TARGETS);
}

static void keep_function(struct parser *p)
{
    struct ptx_function *f = &p->functions.items[p->function];
    f->is_defined = true;
    f->code = arena_copy(p->arena, p->code.items, p->code.count * sizeof *f->code);
    f->code_count = p->code.count;
    f->regs = arena_copy(p->arena, p->regs.items, p->regs.count * sizeof *f->regs);
    f->reg_count = p->regs.count;
    f->elements = arena_copy(p->arena, p->elements.items, p->elements.count * sizeof *f->elements);
    f->element_count = p->elements.count;
    f->tables = arena_copy(p->arena, p->tables.items, p->tables.count * sizeof *f->tables);
    f->table_count = p->tables.count;
    f->param_frame_bytes = (uint32_t)p->param_frame;
}

/* `(returns) name (parameters)`, the scope of the parameters open. */
static bool head_parse(struct parser *p, bool is_entry, uint8_t linkage, struct token *name)
{
    uint32_t *returns = NULL, *params = NULL, return_count = 0, param_count = 0, index = 0;
    start_function(p, p->functions.count);
    if (!is_entry && parser_accept(p, '(') && !declare_parameters(p, &returns, &return_count))
        return false;
    *name = p->token;
    if (name->kind != TOKEN_NAME)
        return parser_error(p, name, "expected the name of a function");
    parser_advance(p);
    if (parser_accept(p, '(') && !declare_parameters(p, &params, &param_count))
        return false;
    if (!function_index(p, name, &index))
        return false;
    p->function = (int32_t)index;
    struct ptx_function *f = &p->functions.items[index];
    if (f->is_defined)
        return true; /* a body that follows is refused; a declaration adds nothing */
    f->is_entry = is_entry;
    f->linkage = linkage;
    f->params = params;
    f->param_count = param_count;
    f->returns = returns;
    f->return_count = return_count;
    f->param_bytes = f->param_frame_bytes = (uint32_t)p->param_frame;
    for (uint32_t i = 0; i < param_count + return_count; i++) {
        uint32_t v = i < param_count ? params[i] : returns[i - param_count];
        if (v < p->variables.count)
            p->variables.items[v].function = (int32_t)index;
    }
    return true;
}

bool function_parse(struct parser *p, bool is_entry, uint8_t linkage)
{
    struct token name;
    bool ok = head_parse(p, is_entry, linkage, &name) && tuning_parse(p, (uint32_t)p->function);
    if (ok && parser_at(p, '{')) {
        if (p->functions.items[p->function].is_defined)
            return parser_error(p, &name, "this function is defined twice");
        parser_advance(p);
        ok = body_parse(p) && check_targets(p, &name);
        if (ok) {
            close_body(p);
            keep_function(p);
        }
    } else if (ok) {
        (void)parser_accept(p, ';');
    }
    if (!ok)
        return false;
    symbols_close(p->symbols);
    p->function = -1;
    return !p->failed;
}
