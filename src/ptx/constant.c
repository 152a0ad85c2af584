/* constant.c - constant expressions: C's operators on 64-bit integers, and single floating-point literals. */
#include "ptx/parser.h"

#include <string.h>

enum { DEEPEST_EXPRESSION = 100 };

struct operator
{
    uint16_t punctuation;
    int8_t precedence;
};
static const struct operator operators[] = {
    { PUNCT2('*', 0), 10 },  { PUNCT2('/', 0), 10 },  { PUNCT2('%', 0), 10 },  { PUNCT2('+', 0), 9 }, { PUNCT2('-', 0), 9 },
    { PUNCT2('<', '<'), 8 }, { PUNCT2('>', '>'), 8 }, { PUNCT2('<', 0), 7 },   { PUNCT2('>', 0), 7 }, { PUNCT2('<', '='), 7 },
    { PUNCT2('>', '='), 7 }, { PUNCT2('=', '='), 6 }, { PUNCT2('!', '='), 6 }, { PUNCT2('&', 0), 5 }, { PUNCT2('^', 0), 4 },
    { PUNCT2('|', 0), 3 },   { PUNCT2('&', '&'), 2 }, { PUNCT2('|', '|'), 1 },
};

static bool parse_expression(struct parser *p, int lowest, struct constant *out);

static bool need_integer(struct parser *p, const struct token *at, const struct constant *c)
{
    return c->kind == CONSTANT_INTEGER || parser_error(p, at, "this operator works on integers");
}

/* (.s64) and (.u64) */
static bool parse_parenthesis(struct parser *p, struct constant *out)
{
    parser_advance(p);
    if (p->token.kind != TOKEN_DOT_WORD)
        return parse_expression(p, 0, out) && parser_expect(p, ')');
    bool is_unsigned = parser_at_word(p, "u64");
    if (!is_unsigned && !parser_at_word(p, "s64"))
        return parser_error(p, &p->token, "constants are converted to .s64 or .u64 only");
    parser_advance(p);
    if (!parser_expect(p, ')') || !parse_expression(p, 11, out) || !need_integer(p, &p->token, out))
        return false;
    out->is_unsigned = is_unsigned;
    return true;
}

static bool parse_unary(struct parser *p, char operator, struct constant * out)
{
    parser_advance(p);
    struct token at = p->token;
    if (!parse_expression(p, 11, out))
        return false;
    if (out->kind != CONSTANT_INTEGER) {
        if (operator== '-')
            out->bits ^= out->kind == CONSTANT_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
        return operator== '-' || operator== '+' || need_integer(p, &at, out);
    }
    if (operator== '-')
        out->bits = -out->bits;
    else if (operator== '~')
        out->bits = ~out->bits;
    else if (operator== '!')
        out->bits = !out->bits;
    return true;
}

static bool parse_primary(struct parser *p, struct constant *out)
{
    static const char unary[] = "-+~!";
    for (int i = 0; unary[i]; i++)
        if (parser_at(p, unary[i]))
            return parse_unary(p, unary[i], out);
    if (parser_at(p, '('))
        return parse_parenthesis(p, out);
    if (p->token.kind == TOKEN_NAME && token_is_word(&p->token, "WARP_SZ"))
        *out = (struct constant){ .bits = 32 };
    else if (p->token.kind == TOKEN_INTEGER)
        *out = (struct constant){ .bits = p->token.value, .is_unsigned = p->token.is_unsigned || p->token.value >> 63 };
    else if (p->token.kind == TOKEN_F32)
        *out = (struct constant){ .bits = p->token.value, .kind = CONSTANT_F32 };
    else if (p->token.kind == TOKEN_F64)
        *out = (struct constant){ .bits = p->token.value, .kind = CONSTANT_F64 };
    else
        return parser_error(p, &p->token, "expected a constant");
    parser_advance(p);
    return !p->failed;
}

static uint64_t shift(uint64_t a, uint64_t count, bool right, bool is_unsigned)
{
    if (count > 63)
        return right && !is_unsigned && (int64_t)a < 0 ? UINT64_MAX : 0;
    if (!right)
        return a << count;
    return is_unsigned || (int64_t)a >= 0 ? a >> count : ~(~a >> count);
}

static uint64_t compare(uint16_t operator, uint64_t a, uint64_t b, bool is_unsigned)
{
    bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    switch (operator) {
    case PUNCT2('<', 0): return less;
    case PUNCT2('>', 0): return !less && a != b;
    case PUNCT2('<', '='): return less || a == b;
    case PUNCT2('>', '='): return !less;
    case PUNCT2('=', '='): return a == b;
    default: return a != b;
    }
}

static bool divide(struct parser *p, const struct token *at, bool remainder, bool is_unsigned, uint64_t a, uint64_t b, uint64_t *r)
{
    if (b == 0)
        return parser_error(p, at, "this constant expression divides by zero");
    if (is_unsigned)
        *r = remainder ? a % b : a / b;
    else if (b == UINT64_MAX) /* -1: the smallest integer has no positive counterpart */
        *r = remainder ? 0 : -a;
    else
        *r = (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    return true;
}

static bool combine(struct parser *p, const struct token *at, struct constant *a, const struct constant *b)
{
    uint16_t operator= at->punctuation;
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    uint64_t r = 0;
    switch (operator) {
    case PUNCT2('*', 0): r = a->bits * b->bits; break;
    case PUNCT2('+', 0): r = a->bits + b->bits; break;
    case PUNCT2('-', 0): r = a->bits - b->bits; break;
    case PUNCT2('&', 0): r = a->bits & b->bits; break;
    case PUNCT2('^', 0): r = a->bits ^ b->bits; break;
    case PUNCT2('|', 0): r = a->bits | b->bits; break;
    case PUNCT2('&', '&'): r = a->bits && b->bits; break;
    case PUNCT2('|', '|'): r = a->bits || b->bits; break;
    case PUNCT2('<', '<'):
        r = shift(a->bits, b->bits, false, a->is_unsigned);
        is_unsigned = a->is_unsigned;
        break;
    case PUNCT2('>', '>'):
        r = shift(a->bits, b->bits, true, a->is_unsigned);
        is_unsigned = a->is_unsigned;
        break;
    case PUNCT2('/', 0):
    case PUNCT2('%', 0):
        if (!divide(p, at, operator== PUNCT2('%', 0), is_unsigned, a->bits, b->bits, &r))
            return false;
        break;
    default: r = compare(operator, a->bits, b->bits, is_unsigned); is_unsigned = false;
    }
    *a = (struct constant){ .bits = r, .is_unsigned = is_unsigned };
    return true;
}

static int precedence_of(const struct token *token)
{
    if (token->kind == TOKEN_PUNCTUATION)
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (operators[i].punctuation == token->punctuation)
                return operators[i].precedence;
    return -1;
}

static bool parse_ternary(struct parser *p, struct constant *out)
{
    struct constant yes, no;
    struct token at = p->token;
    parser_advance(p);
    if (!need_integer(p, &at, out) || !parse_expression(p, 0, &yes) || !parser_expect(p, ':') || !parse_expression(p, 0, &no))
        return false;
    *out = out->bits ? yes : no;
    return true;
}

static bool parse_operators(struct parser *p, int lowest, struct constant *out)
{
    if (!parse_primary(p, out))
        return false;
    for (int precedence; (precedence = precedence_of(&p->token)) >= lowest && precedence > 0;) {
        struct token at = p->token;
        struct constant right;
        parser_advance(p);
        if (!parse_expression(p, precedence + 1, &right) || !need_integer(p, &at, out) || !need_integer(p, &at, &right) ||
            !combine(p, &at, out, &right))
            return false;
    }
    if (lowest == 0 && parser_at(p, '?'))
        return parse_ternary(p, out);
    return true;
}

static bool parse_expression(struct parser *p, int lowest, struct constant *out)
{
    if (++p->expression_depth > DEEPEST_EXPRESSION)
        return parser_error(p, &p->token, "this constant expression is nested too deeply");
    bool ok = parse_operators(p, lowest, out);
    p->expression_depth--;
    return ok;
}

bool constant_parse(struct parser *p, struct constant *out)
{
    p->expression_depth = 0;
    return parse_expression(p, 0, out);
}

bool constant_parse_unsigned(struct parser *p, uint64_t limit, uint64_t *out)
{
    struct token at = p->token;
    struct constant c;
    if (!constant_parse(p, &c))
        return false;
    if (c.kind != CONSTANT_INTEGER || (!c.is_unsigned && (int64_t)c.bits < 0) || c.bits > limit)
        return parser_error(p, &at, "expected an integer from 0 to %llu", (unsigned long long)limit);
    *out = c.bits;
    return true;
}

static double as_double(const struct constant *c)
{
    float single;
    double value;
    uint32_t low = (uint32_t)c->bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &c->bits, sizeof value);
    return c->kind == CONSTANT_F32 ? (double)single : value;
}

bool constant_to_bits(struct parser *p, const struct token *at, const struct constant *c, enum ptx_type type, uint64_t *bits)
{
    uint32_t bytes = ptx_type_bytes(type);
    if (type == T_PRED) {
        *bits = c->bits != 0;
        return c->kind == CONSTANT_INTEGER || parser_error(p, at, "a predicate is 0 or 1");
    }
    if (c->kind == CONSTANT_INTEGER && (type == T_F32 || type == T_F64))
        return parser_error(p, at, "expected a floating-point constant (1.0, 0f3F800000 or 0d3FF0000000000000)");
    if (c->kind == CONSTANT_INTEGER) {
        const uint64_t value = p->integer ? p->integer(c->bits) : c->bits;
        *bits = bytes >= 8 ? value : value & ((UINT64_C(1) << bytes * 8) - 1);
        return true;
    }
    double value = as_double(c);
    if (bytes == 4 && (type == T_F32 || type == T_B32)) {
        float single = (float)value;
        uint32_t low = (uint32_t)c->bits;
        if (c->kind != CONSTANT_F32) /* NaN payloads of 0f literals stay as written */
            memcpy(&low, &single, sizeof low);
        *bits = low;
        return true;
    }
    if (bytes == 8 && (type == T_F64 || type == T_B64)) {
        memcpy(bits, &value, sizeof *bits);
        return true;
    }
    return parser_error(p, at, "a floating-point constant does not fit here");
}
