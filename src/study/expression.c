/* expression.c - arithmetic over the numbers of a result. */
#include "study/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 };

struct reader {
    const char *text, *at;
    expression_lookup *lookup;
    void *context;
    struct error *err;
    unsigned depth;
    bool failed;
};

static double read_level(struct reader *r, unsigned level);

static double fail(struct reader *r, const char *what)
{
    if (!r->failed)
        error_set(r->err, "'%.120s': %s at '%.30s'", r->text, what, *r->at ? r->at : "the end");
    r->failed = true;
    return 0;
}

static void skip_blanks(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static double read_number(struct reader *r)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = { { "KiB", 1024 }, { "MiB", 1048576 }, { "GiB", 1073741824 }, { "KB", 1000 }, { "MB", 1e6 },
                  { "GB", 1e9 },   { "MHz", 1e6 },     { "GHz", 1e9 },        { "kHz", 1e3 } };
    char *end;
    double value = strtod(r->at, &end);
    r->at = end;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(r->at, units[i].suffix, strlen(units[i].suffix)) == 0) {
            r->at += strlen(units[i].suffix);
            return value * units[i].factor;
        }
    return isalpha((unsigned char)*r->at) ? fail(r, "a number with an unknown unit") : value;
}

static double read_name(struct reader *r)
{
    char name[96];
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) ||
           (r->at[length] && strchr("._-", r->at[length]) && isalnum((unsigned char)r->at[length + 1])))
        length++;
    if (length >= sizeof name)
        return fail(r, "a name that is too long");
    memcpy(name, r->at, length);
    name[length] = '\0';
    double value = 0;
    if (!r->lookup(r->context, name, &value))
        return fail(r, "a name that is not an axis with numbers");
    r->at += length;
    return value;
}

static double read_operand(struct reader *r)
{
    skip_blanks(r);
    if (r->failed || ++r->depth > DEPTH_LIMIT)
        return fail(r, "too deeply nested");
    double value;
    if (*r->at == '(') {
        r->at++;
        value = read_level(r, 0);
        skip_blanks(r);
        if (*r->at != ')')
            return fail(r, "a ')' is missing");
        r->at++;
    } else if (*r->at == '!' || *r->at == '-') {
        const char sign = *r->at++;
        value = read_operand(r);
        value = sign == '!' ? value == 0 : -value;
    } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        value = read_number(r);
    } else if (isalpha((unsigned char)*r->at)) {
        value = read_name(r);
    } else {
        value = fail(r, "a number or a name is missing");
    }
    r->depth--;
    return value;
}

/* Longer operators stand before their own beginnings. */
static const char *const levels[][7] = {
    { "||" }, { "&&" }, { "==", "!=", "<=", ">=", "<", ">" }, { "+", "-" }, { "*", "/", "%" }
};
enum { LEVELS = sizeof levels / sizeof *levels };

static double apply(struct reader *r, const char *op, double a, double b)
{
    switch (op[0]) {
    case '|': return a != 0 || b != 0;
    case '&': return a != 0 && b != 0;
    case '=': return a == b;
    case '!': return a != b;
    case '<': return op[1] ? a <= b : a < b;
    case '>': return op[1] ? a >= b : a > b;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return b == 0 ? fail(r, "a division by zero") : op[0] == '/' ? a / b : fmod(a, b);
    }
}

static double read_level(struct reader *r, unsigned level)
{
    if (level == LEVELS)
        return read_operand(r);
    double value = read_level(r, level + 1);
    for (;;) {
        skip_blanks(r);
        const char *const *op = levels[level];
        while (*op && strncmp(r->at, *op, strlen(*op)) != 0)
            op++;
        if (!*op || r->failed)
            return value;
        r->at += strlen(*op);
        value = apply(r, *op, value, read_level(r, level + 1));
    }
}

bool expression_evaluate(const char *text, expression_lookup *lookup, void *context, double *value, struct error *err)
{
    struct reader r = { .text = text, .at = text, .lookup = lookup, .context = context, .err = err };
    *value = read_level(&r, 0);
    skip_blanks(&r);
    if (!r.failed && *r.at)
        fail(&r, "something that does not belong here");
    return !r.failed;
}
