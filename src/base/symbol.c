/* symbol.c - reads a mangled name as far as names go: namespaces, classes, the function. What follows (types of parameters) is not
 * looked at, and template arguments only as far as it takes to find their end. */
#include "base/symbol.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 1024 };

/* A length and that many letters, at *p; moves *p behind them. NULL when there is none. */
static const char *counted_name(const char **p, size_t *length)
{
    const char *at = *p;
    size_t n = 0;
    while (isdigit((unsigned char)*at) && n < LONGEST_NAME)
        n = 10 * n + (size_t)(*at++ - '0');
    if (n == 0 || strnlen(at, n) < n)
        return NULL;
    *p = at + n;
    *length = n;
    return at;
}

/* Behind a substitution, a template's parameter or the length of an array (S_, S1_, St, T_, T0_, A16_). */
static const char *behind_short_form(const char *p)
{
    if (p[0] == 'S' && islower((unsigned char)p[1]))
        return p + 2;
    const char *end = strchr(p, '_');
    return end ? end + 1 : NULL;
}

/* Behind the E that closes what `p` is inside of. Letters that open something with an E of its own are counted; names are stepped
 * over, since they may have any letter in them. NULL when no such E comes. */
static const char *behind_arguments(const char *p)
{
    size_t length;
    for (unsigned depth = 1; depth;) {
        if (!*p)
            return NULL;
        if (isdigit((unsigned char)*p)) {
            if (!counted_name(&p, &length))
                return NULL;
        } else if (*p == 'L' && p[1] != '_') { /* a number: its digits are no length */
            p = strchr(p, 'E');
            if (!p)
                return NULL;
            p++;
        } else if (*p == 'S' || *p == 'T' || *p == 'A') {
            p = behind_short_form(p);
            if (!p)
                return NULL;
        } else {
            depth += strchr("INXJFZ", *p) != NULL || (p[0] == 'U' && p[1] == 'l') || (p[0] == 'D' && (p[1] | 32) == 't');
            depth -= *p == 'E';
            p += p[0] == 'D' || (p[0] == 'U' && p[1] == 'l') ? 2 : 1;
        }
    }
    return p;
}

static void append(char *out, size_t size, size_t *used, const char *text, size_t length)
{
    for (size_t i = 0; i < length && *used + 1 < size; i++)
        out[(*used)++] = text[i];
    out[*used] = 0;
}

/* False when the symbol is not mangled in a way that is known here. `last` is where the function's own name begins, `end` where it
 * ends and template arguments begin. */
static bool read_names(const char *symbol, char *out, size_t size, size_t *last, size_t *end)
{
    static const char unnamed[] = "_GLOBAL__N_";
    size_t used = 0, length;
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    const char *p = symbol + 2;
    const bool nested = *p == 'N';
    *last = *end = 0;
    for (p += nested; p && *p && *p != 'E';) {
        p += *p == 'L'; /* static */
        const char *name = counted_name(&p, &length);
        if (!name)
            return false;
        if (strncmp(name, unnamed, sizeof unnamed - 1) == 0)
            continue;
        if (used)
            append(out, size, &used, "::", 2);
        *last = used;
        append(out, size, &used, name, length);
        *end = used;
        if (*p == 'I') {
            append(out, size, &used, "<...>", 5);
            p = nested ? behind_arguments(p + 1) : NULL;
        }
        if (!nested)
            return true;
    }
    return p && *p == 'E' && used;
}

void symbol_plain_name(const char *symbol, char *out, size_t size)
{
    size_t last, end;
    if (!read_names(symbol, out, size, &last, &end))
        (void)snprintf(out, size, "%s", symbol);
}

bool symbol_is_kernel(const char *symbol, const char *name)
{
    char whole[LONGEST_NAME + 8];
    size_t last, end;
    if (strcmp(symbol, name) == 0)
        return true;
    if (!read_names(symbol, whole, sizeof whole, &last, &end))
        return false;
    whole[end] = 0;
    return strcmp(whole, name) == 0 || strcmp(whole + last, name) == 0;
}
