/* template_mend.c - calls of member templates, rewritten for clang. */
#include "cuda/template_mend.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "cuda/launch_mend.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the > that closes the < at `at`; 0 when a statement ends before. */
static size_t behind_angles(const char *text, size_t at)
{
    int depth = 0;
    for (; text[at] && !strchr(";{}", text[at]); at++) {
        depth += (text[at] == '<') - (text[at] == '>');
        if (depth == 0)
            return at + 1;
    }
    return 0;
}

/* Where the < is that the > before `end` closes; `end` when a statement begins before. */
static size_t opening_angle(const char *text, size_t end)
{
    int depth = 0;
    for (size_t at = end; at-- && !strchr(";{}", text[at]);) {
        depth += (text[at] == '>') - (text[at] == '<');
        if (depth == 0)
            return at;
    }
    return end;
}

/* Is X<...> that ends at `end` the start of an expression? In front of a definition's name there is a type. */
static bool starts_expression(const char *text, size_t end)
{
    size_t at = opening_angle(text, end);
    if (at == end)
        return false;
    while (at && (is_word(text[at - 1]) || text[at - 1] == ':'))
        at--;
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    return at && (strchr(";{}(,=", text[at - 1]) || (at >= 6 && memcmp(text + at - 6, "return", 6) == 0));
}

char *mend_member_templates(const char *text)
{
    struct text_buffer out = { 0 };
    size_t done = 0;
    if (!strstr(text, ">::"))
        return NULL;
    for (size_t at = 0; text[at];) {
        const size_t code = mend_behind_no_code(text, at);
        if (code != at) {
            at = code;
            continue;
        }
        const size_t name = at++ + 3;
        if (strncmp(text + name - 3, ">::", 3) != 0)
            continue;
        size_t end = name;
        while (is_word(text[end]))
            end++;
        const size_t behind = end > name && text[end] == '<' ? behind_angles(text, end) : 0;
        if (!behind || text[behind] != '(' || !starts_expression(text, name - 2))
            continue;
        text_append_bytes(&out, text + done, name - done);
        text_append_bytes(&out, "template ", 9);
        done = name;
    }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}
