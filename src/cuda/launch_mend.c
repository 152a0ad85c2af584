/* launch_mend.c - `k<<<grid, block>>>(...)` in device code, which clang does not have, as an object of device_launches.h.
 *
 * A body is device code when __global__ or __device__ stands in what leads to its brace. Where that is guessed wrongly (branches of
 * #if with one brace each) nothing is lost: in host code the object launches as ever. */
#include "cuda/launch_mend.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t behind_literal(const char *text, size_t at)
{
    const char quote = text[at];
    for (at++; text[at] && text[at] != quote && text[at] != '\n'; at++)
        if (text[at] == '\\' && text[at + 1])
            at++;
    return text[at] == quote ? at + 1 : at;
}

/* Behind a line of the preprocessor, with those that continue it. */
static size_t behind_directive(const char *text, size_t at)
{
    while (text[at] && text[at] != '\n')
        at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at;
}

size_t mend_behind_no_code(const char *text, size_t at)
{
    if (text[at] == '"' || (text[at] == '\'' && !(at && is_word(text[at - 1]))))
        return behind_literal(text, at);
    if (text[at] == '/' && text[at + 1] == '/')
        return at + strcspn(text + at, "\n");
    const char *end = text[at] == '/' && text[at + 1] == '*' ? strstr(text + at + 2, "*/") : NULL;
    return end ? (size_t)(end - text) + 2 : at;
}

static bool names_device(const char *text, size_t from, size_t to)
{
    static const char *const words[] = { "__global__", "__device__" };
    bool bracket = false, device = false;
    for (size_t at = from; at < to; at++) {
        bracket |= text[at] == '(';
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            device |= strncmp(text + at, words[i], strlen(words[i])) == 0;
    }
    return bracket && device;
}

/* Where the name of the kernel before `end` begins, with its template arguments and namespaces; `end`: there is none. */
static size_t name_before(const char *text, size_t end)
{
    size_t at = end;
    if (at && text[at - 1] == '>') {
        int depth = 0;
        do {
            at--;
            depth += (text[at] == '>') - (text[at] == '<');
        } while (at && depth && !strchr(";{}", text[at]));
        if (depth)
            return end;
        while (at && isspace((unsigned char)text[at - 1]))
            at--;
    }
    const size_t behind_word = at;
    while (at && (is_word(text[at - 1]) || text[at - 1] == ':'))
        at--;
    return at == behind_word ? end : at;
}

/* The place of >>> for the <<< before `at`; 0: there is none before the statement's end. */
static size_t closing(const char *text, size_t at)
{
    for (int depth = 0; text[at];) {
        const size_t code = mend_behind_no_code(text, at);
        if (code != at) {
            at = code;
            continue;
        }
        if (depth == 0 && strncmp(text + at, ">>>", 3) == 0)
            return at;
        if (text[at] == ';')
            return 0;
        depth += (text[at] == '(' || text[at] == '[') - (text[at] == ')' || text[at] == ']');
        at++;
    }
    return 0;
}

/* How many arguments the brackets at `at` hold, or the next ones if there is space before them. */
static unsigned count_arguments(const char *text, size_t at)
{
    int depth = 0;
    unsigned commas = 0;
    bool any = false;
    while (isspace((unsigned char)text[at]))
        at++;
    while (text[at]) {
        const size_t code = mend_behind_no_code(text, at);
        if (code != at) {
            any |= text[at] != '/';
            at = code;
            continue;
        }
        depth += (strchr("([{", text[at]) != NULL) - (strchr(")]}", text[at]) != NULL);
        if (depth <= 0)
            break;
        any |= text[at] != '(' && !isspace((unsigned char)text[at]);
        commas += depth == 1 && text[at] == ',';
        at++;
    }
    return any ? commas + 1 : 0;
}

/* Of several kernels of one name the arguments choose; their number does here. */
static void name_kernel(const char *name, int length, unsigned arguments, struct text_buffer *out)
{
    if (name[length - 1] == '>')
        text_append(out, "::warpline_launch::kernel<decltype(&%.*s), &%.*s>(", length, name, length, name);
    else
        text_append(out, "WARPLINE_LAUNCH(%u, %.*s)(", arguments, length, name);
}

/* Writes what comes before the launch at `at` and the launch up to its arguments; returns the place of those, 0: no launch. */
static size_t rewrite(const char *text, size_t done, size_t at, struct text_buffer *out)
{
    size_t end = at;
    while (end && isspace((unsigned char)text[end - 1]))
        end--;
    const size_t name = name_before(text, end), close = closing(text, at + 3);
    if (name == end || name < done || !close)
        return 0;
    const int length = (int)(end - name);
    text_append_bytes(out, text + done, name - done);
    name_kernel(text + name, length, count_arguments(text, close + 3), out);
    text_append_bytes(out, text + end, at - end); /* lines keep their numbers */
    text_append_bytes(out, text + at + 3, close - at - 3);
    text_append_bytes(out, ")", 1);
    return close + 3;
}

char *mend_device_launches(const char *text)
{
    struct text_buffer out = { 0 };
    size_t done = 0, head = 0; /* where what leads to the next brace begins */
    unsigned depth = 0;        /* of braces in a body of device code; 0: not in one */
    bool line_start = true;
    if (!strstr(text, "<<<"))
        return NULL;
    for (size_t at = 0; text[at];) {
        const size_t code = line_start && text[at] == '#' ? behind_directive(text, at) : mend_behind_no_code(text, at);
        if (code != at) {
            head = line_start && text[at] == '#' && !depth ? code : head;
            at = code;
            continue;
        }
        line_start = text[at] == '\n' || (line_start && isspace((unsigned char)text[at]));
        const size_t arguments = depth && strncmp(text + at, "<<<", 3) == 0 ? rewrite(text, done, at, &out) : 0;
        if (arguments) {
            done = at = arguments;
            continue;
        }
        if (text[at] == '{' && (depth || names_device(text, head, at)))
            depth++;
        else if (text[at] == '}' && depth)
            depth--;
        if (strchr(";{}", text[at]))
            head = at + 1;
        at++;
    }
    if (done)
        text_append_bytes(&out, text + done, strlen(text + done));
    return out.text;
}
