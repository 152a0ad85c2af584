/* array_mend.c - arrays of a length that is known only when the program runs, with values. */
#include "cuda/array_mend.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/launch_mend.h"

enum { MAX_DIMENSIONS = 4, MAX_DEPTH = 256 };

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of what stands before `at`, without white space. */
static size_t back_over_space(const char *text, size_t at)
{
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    return at;
}

/* The start of the word that ends at `end`; `end` itself when none does. */
static size_t back_over_word(const char *text, size_t end)
{
    while (end && is_word(text[end - 1]))
        end--;
    return end;
}

static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    for (size_t i = 0; list[i]; i++)
        if (strlen(list[i]) == length && memcmp(list[i], word, length) == 0)
            return true;
    return false;
}

static bool is_number_type(const char *word, size_t length)
{
    static const char *const types[] = { "int",     "unsigned", "signed",   "char",     "short",   "long",    "float",
                                         "double",  "bool",     "size_t",   "int8_t",   "int16_t", "int32_t", "int64_t",
                                         "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint",    "uchar",   NULL };
    return is_one_of(word, length, types);
}

/* Where the words of a declaration begin whose name starts at `at`: only types of numbers, `const`, `std::` and `auto`. `at` itself
 * when there is no type. */
static size_t specifiers_before(const char *text, size_t at, bool *is_const, bool autos)
{
    size_t first = at;
    *is_const = false;
    for (;;) {
        const size_t end = back_over_space(text, first), start = back_over_word(text, end);
        const size_t length = end - start;
        const bool constant = length == 5 && memcmp(text + start, "const", 5) == 0;
        if (!constant && !is_number_type(text + start, length) && !(autos && length == 4 && memcmp(text + start, "auto", 4) == 0))
            return first;
        *is_const |= constant;
        first = start >= 5 && memcmp(text + start - 5, "std::", 5) == 0 ? start - 5 : start;
    }
}

/* True for a parameter of a function: the bracket that is open before `at` is a round one. */
static bool in_round_brackets(const char *text, size_t at)
{
    for (int depth = 0; at && !strchr(";{}", text[at - 1]); at--) {
        const char c = text[at - 1];
        if (depth == 0 && (c == '(' || c == '<'))
            return c == '(';
        depth += (c == ')' || c == '>') - (c == '(' || c == '<');
    }
    return false;
}

/* The nearest declaration of this name before `at` says that its value is known only when the program runs. */
static bool is_unknown(const char *text, size_t at, const char *name, size_t length)
{
    bool is_const;
    while (at > length) {
        at--;
        if (memcmp(text + at, name, length) != 0 || is_word(text[at + length]) || is_word(text[at - 1]))
            continue;
        const size_t define = back_over_space(text, at), word = back_over_word(text, define);
        if (define - word == 6 && memcmp(text + word, "define", 6) == 0)
            return false;
        const size_t first = specifiers_before(text, at, &is_const, true);
        if (first == at)
            continue;
        const size_t before = back_over_space(text, first), other = back_over_word(text, before);
        if (before - other == 9 && memcmp(text + other, "constexpr", 9) == 0)
            return false;
        const char *behind = text + at + length + strspn(text + at + length, " \t\n");
        if (*behind == ',' || *behind == ')')
            return in_round_brackets(text, first);
        if (!strchr("=;({", *behind))
            continue;
        const size_t value = strcspn(behind, ";");
        return !is_const || (memchr(behind, '(', value) && !memmem(behind, value, "sizeof", 6));
    }
    return false;
}

struct array {
    size_t first;               /* its declaration */
    size_t type;                /* behind a `const` at its start */
    size_t name, name_end, end; /* the name; behind the last bracket */
    int dimensions;
};

/* The declaration of an array of unknown length from `statement` to the = at `equals`. */
static bool find_array(const char *text, size_t statement, size_t equals, struct array *a)
{
    bool unknown = false, is_const;
    size_t at = a->end = back_over_space(text, equals);
    for (a->dimensions = 0; at && text[at - 1] == ']' && a->dimensions < MAX_DIMENSIONS; a->dimensions++) {
        const size_t close = --at;
        while (at && text[at - 1] != '[' && !strchr(";{}]", text[at - 1]))
            at--;
        if (!at || text[at - 1] != '[')
            return false;
        for (size_t word = at; word < close;) {
            size_t end = word;
            while (is_word(text[end]))
                end++;
            unknown |= end > word && !isdigit((unsigned char)text[word]) && is_unknown(text, at, text + word, end - word);
            word = end > word ? end : word + 1;
        }
        at = back_over_space(text, at - 1);
    }
    a->name_end = at;
    a->name = back_over_word(text, at);
    a->first = specifiers_before(text, a->name, &is_const, false);
    if (!unknown || a->name == a->name_end || a->first == a->name || a->first != statement)
        return false;
    a->type = a->first + (strncmp(text + a->first, "const", 5) == 0 && !is_word(text[a->first + 5]) ? 5 : 0);
    return !is_const || a->type != a->first;
}

/* The end of the value at `at`: a comma or brace outside of brackets. */
static size_t behind_value(const char *text, size_t at)
{
    int depth = 0;
    while (text[at] && (depth || !strchr(",{}", text[at]))) {
        const size_t code = mend_behind_no_code(text, at);
        depth += (text[at] == '(') - (text[at] == ')');
        at = code != at ? code : at + 1;
    }
    return at;
}

/* Writes the values of the braces at `at` as assignments; the place behind the braces, 0 when they are not as deep as the array. */
static size_t write_values(const char *text, size_t at, const struct array *a, struct text_buffer *out)
{
    size_t index[MAX_DIMENSIONS] = { 0 };
    int depth = 0;
    for (;;) {
        const size_t code = mend_behind_no_code(text, at);
        if (text[at] == '{') {
            if (depth == a->dimensions)
                return 0;
            index[depth++] = 0;
            at++;
        } else if (text[at] == '}') {
            at++;
            if (--depth == 0)
                return at;
        } else if (text[at] == ',') {
            index[depth - 1]++;
            at++;
        } else if (isspace((unsigned char)text[at])) {
            text_append_bytes(out, text + at++, 1);
        } else if (code != at && text[at] == '/') {
            for (; at < code; at++)
                if (text[at] == '\n')
                    text_append_bytes(out, "\n", 1);
        } else {
            const size_t end = behind_value(text, at);
            if (!text[at] || depth != a->dimensions || end == at || text[end] == '{')
                return 0;
            text_append_bytes(out, text + a->name, a->name_end - a->name);
            for (int i = 0; i < a->dimensions; i++)
                text_append(out, "[%zu]", index[i]);
            text_append(out, " = ");
            text_append_bytes(out, text + at, end - at);
            text_append(out, "; ");
            at = end;
        }
    }
}

/* Does the brace at `at` open the body of a function, or a block in one? Those of classes and namespaces have a name in front. */
static bool opens_code(const char *text, size_t at)
{
    static const char *const words[] = { "else", "do", "try", "const", "noexcept", "mutable", NULL };
    const size_t end = back_over_space(text, at), start = back_over_word(text, end);
    if (!end)
        return false;
    return start == end ? strchr("){};:", text[end - 1]) != NULL : is_one_of(text + start, end - start, words);
}

/* The next place at or behind `at` that is neither white space nor a directive of the preprocessor. */
static size_t behind_directives(const char *text, size_t at)
{
    for (;;) {
        at += strspn(text + at, " \t\r\n");
        if (text[at] != '#')
            return at;
        while (text[at] && (text[at] != '\n' || text[at - 1] == '\\'))
            at++;
    }
}

/* The array at the brace at `at` with its values one by one; the place behind the braces, 0 when there is none. */
static size_t write_array(const char *text, size_t statement, size_t at, struct text_buffer *out)
{
    struct array a;
    struct text_buffer values = { 0 };
    const size_t equals = back_over_space(text, at);
    size_t end = 0;
    if (equals && text[equals - 1] == '=' && find_array(text, statement, equals - 1, &a))
        end = write_values(text, at, &a, &values);
    if (end && text[end] == ';') {
        const int length = (int)(a.name_end - a.name);
        text_append_bytes(out, text + a.type, a.end - a.type);
        text_append(out, "; __builtin_memset(%.*s, 0, sizeof %.*s); %s", length, text + a.name, length, text + a.name,
                    values.text ? values.text : "");
    } else
        end = 0;
    free(values.text);
    return end;
}

char *mend_array_values(const char *text)
{
    struct text_buffer out = { 0 };
    bool code[MAX_DEPTH] = { false }, begins = true;
    size_t done = 0, depth = 0, statement = 0;
    for (size_t at = 0; text[at] && depth + 1 < MAX_DEPTH;) {
        if (begins)
            at = behind_directives(text, at);
        const size_t behind = mend_behind_no_code(text, at);
        if (behind != at) {
            at = behind;
            continue;
        }
        statement = begins ? at : statement;
        begins = text[at] && strchr(";{}", text[at]);
        if (text[at] == '}' && depth)
            depth--;
        if (text[at] != '{') {
            at += text[at] != 0;
            continue;
        }
        struct text_buffer array = { 0 };
        const size_t end = code[depth] ? write_array(text, statement, at, &array) : 0;
        if (end) {
            text_append_bytes(&out, text + done, statement - done);
            text_append(&out, "%s", array.text);
            done = at = end;
        } else {
            code[++depth] = opens_code(text, at);
            at++;
        }
        free(array.text);
    }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}
