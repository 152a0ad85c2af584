/* lexer.c - PTX text into tokens. */
#include "ptx/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { IS_NAME_START = 1, IS_NAME = 2, IS_DIGIT = 4, IS_BLANK = 8 };

/* Character classes by table: the lexer spends its time here. */
#define LETTER (IS_NAME_START | IS_NAME)
static const uint8_t classes[256] = {
    [' '] = IS_BLANK,       ['\t'] = IS_BLANK,      ['\r'] = IS_BLANK,
    ['\f'] = IS_BLANK,      ['\v'] = IS_BLANK,      ['0' ... '9'] = IS_NAME | IS_DIGIT,
    ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER,
    ['$'] = LETTER,         ['%'] = LETTER,         ['@'] = 0,
};

static bool has(const char *at, int class)
{
    return classes[(uint8_t)*at] & class;
}

void lexer_start(struct lexer *lexer, const char *text, size_t length)
{
    /* PTX taken from fat binaries carries NULs behind the text. */
    while (length && text[length - 1] == '\0')
        length--;
    *lexer = (struct lexer){ .at = text, .end = text + length, .line_start = text, .line = 1 };
}

static void skip_line(struct lexer *lexer)
{
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
}

/* False when the comment is not closed. */
static bool skip_block_comment(struct lexer *lexer)
{
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        } else if (*lexer->at == '*' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') {
            lexer->at += 2;
            return true;
        }
    }
    return false;
}

/* Passes blanks, newlines and comments. False: an open comment runs to the end of the text. */
static bool skip_blanks(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->line_start = ++lexer->at;
        } else if (has(lexer->at, IS_BLANK)) {
            lexer->at++;
        } else if (*lexer->at == '/' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') {
            skip_line(lexer);
        } else if (*lexer->at == '/' && lexer->at + 1 < lexer->end && lexer->at[1] == '*') {
            if (!skip_block_comment(lexer))
                return false;
        } else if (*lexer->at == '#' && lexer->at == lexer->line_start) {
            skip_line(lexer); /* preprocessor line marks */
        } else {
            return true;
        }
    }
    return true;
}

static void scan_name(struct lexer *lexer)
{
    while (lexer->at < lexer->end && has(lexer->at, IS_NAME))
        lexer->at++;
}

/* After a dot: letters and digits, with `::` between words. */
static void scan_word(struct lexer *lexer)
{
    scan_name(lexer);
    while (lexer->end - lexer->at > 2 && lexer->at[0] == ':' && lexer->at[1] == ':' && has(lexer->at + 2, IS_NAME)) {
        lexer->at += 2;
        scan_name(lexer);
    }
}

static void bad(struct token *token, const char *problem)
{
    token->kind = TOKEN_BAD;
    token->problem = problem;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Digits of `base` from `at` to `end`, which may close with U. */
static void scan_integer(struct token *token, const char *at, const char *end, int base)
{
    const char *start = at;
    token->kind = TOKEN_INTEGER;
    for (; at < end && digit_value(*at) < base; at++) {
        uint64_t next;
        if (__builtin_mul_overflow(token->value, (uint64_t)base, &next) ||
            __builtin_add_overflow(next, (uint64_t)digit_value(*at), &next)) {
            bad(token, "this integer does not fit in 64 bits");
            return;
        }
        token->value = next;
    }
    bool digits = at > start;
    if (at < end && (*at == 'U' || *at == 'u')) {
        token->is_unsigned = true;
        at++;
    }
    if (!digits || at != end)
        bad(token, "this is not a number");
}

/* 0f and 0d: exactly 8 or 16 hexadecimal digits, the bits of the value. */
static void scan_float_bits(struct token *token, uint32_t digits)
{
    token->kind = digits == 8 ? TOKEN_F32 : TOKEN_F64;
    if (token->length != digits + 2) {
        bad(token, digits == 8 ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
        return;
    }
    for (uint32_t i = 2; i < token->length; i++) {
        int v = digit_value(token->text[i]);
        if (v > 15) {
            bad(token, "this floating-point literal has a character that is no hexadecimal digit");
            return;
        }
        token->value = token->value << 4 | (uint64_t)v;
    }
}

static void scan_decimal_float(struct lexer *lexer, struct token *token)
{
    const char *start = token->text;
    if (lexer->at < lexer->end && *lexer->at == '.') {
        lexer->at++;
        scan_name(lexer);
    }
    bool exponent = lexer->at > start && (lexer->at[-1] == 'e' || lexer->at[-1] == 'E');
    if (exponent && lexer->at < lexer->end && (*lexer->at == '+' || *lexer->at == '-')) {
        lexer->at++;
        scan_name(lexer);
    }
    token->length = (uint32_t)(lexer->at - start);
    char copy[64], *stop;
    if (token->length >= sizeof copy) {
        bad(token, "this number is too long");
        return;
    }
    memcpy(copy, start, token->length);
    copy[token->length] = '\0';
    double value = strtod(copy, &stop);
    if (*stop) {
        bad(token, "this is not a number");
        return;
    }
    token->kind = TOKEN_F64;
    memcpy(&token->value, &value, sizeof value);
}

static void scan_number(struct lexer *lexer, struct token *token)
{
    const char *start = lexer->at;
    scan_name(lexer);
    token->length = (uint32_t)(lexer->at - start);
    char second = token->length > 1 ? start[1] : '\0';
    bool dot = lexer->at < lexer->end && *lexer->at == '.';
    bool exponent = (memchr(start, 'e', token->length) || memchr(start, 'E', token->length));
    if (*start == '0' && (second == 'x' || second == 'X'))
        scan_integer(token, start + 2, lexer->at, 16);
    else if (*start == '0' && (second == 'f' || second == 'F'))
        scan_float_bits(token, 8);
    else if (*start == '0' && (second == 'd' || second == 'D'))
        scan_float_bits(token, 16);
    else if (*start == '0' && (second == 'b' || second == 'B'))
        scan_integer(token, start + 2, lexer->at, 2);
    else if (dot || exponent)
        scan_decimal_float(lexer, token);
    else
        scan_integer(token, start, lexer->at, *start == '0' && token->length > 1 && has(start + 1, IS_DIGIT) ? 8 : 10);
}

static void scan_string(struct lexer *lexer, struct token *token)
{
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at += *lexer->at == '\\' && lexer->end - lexer->at > 1 && lexer->at[1] != '\n' ? 2 : 1;
    if (lexer->at >= lexer->end || *lexer->at != '"') {
        lexer->at = lexer->at < lexer->end ? lexer->at : lexer->end;
        bad(token, "this string is not closed");
        return;
    }
    token->kind = TOKEN_STRING;
    token->text = start;
    token->length = (uint32_t)(lexer->at++ - start);
}

static void scan_punctuation(struct lexer *lexer, struct token *token)
{
    static const char pairs[][3] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };
    if (!strchr("@!,;:(){}[]<>+-*/%&|^~?=", *lexer->at) || *lexer->at == '\0') {
        lexer->at++;
        bad(token, "this character has no place in PTX");
        return;
    }
    token->kind = TOKEN_PUNCTUATION;
    token->punctuation = PUNCT2(*lexer->at, 0);
    char next = lexer->end - lexer->at > 1 ? lexer->at[1] : '\0';
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == *lexer->at && pairs[i][1] == next) {
            token->punctuation = PUNCT2(*lexer->at, next);
            lexer->at++;
            break;
        }
    lexer->at++;
}

void lexer_next(struct lexer *lexer, struct token *token)
{
    bool closed = skip_blanks(lexer);
    *token = (struct token){
        .kind = TOKEN_END, .line = lexer->line, .text = lexer->at, .column = (uint32_t)(lexer->at - lexer->line_start) + 1
    };
    if (!closed) {
        bad(token, "this comment is not closed");
        return;
    }
    if (lexer->at >= lexer->end)
        return;
    const char *start = lexer->at;
    /* '%' alone is the remainder operator of constant expressions */
    if (has(start, IS_NAME_START) && !(*start == '%' && (lexer->end - start < 2 || !has(start + 1, IS_NAME)))) {
        token->kind = TOKEN_NAME;
        scan_name(lexer);
    } else if (has(start, IS_DIGIT)) {
        scan_number(lexer, token);
        return;
    } else if (*start == '.' && lexer->end - start > 1 && has(start + 1, IS_NAME)) {
        token->kind = TOKEN_DOT_WORD;
        lexer->at++;
        scan_word(lexer);
        token->text = start + 1;
    } else if (*start == '"') {
        scan_string(lexer, token);
        return;
    } else if (*start == '.') {
        lexer->at++;
        bad(token, "a dot must be followed by a word");
    } else {
        scan_punctuation(lexer, token);
    }
    token->length = (uint32_t)(lexer->at - token->text);
}

void lexer_extend_opcode(struct lexer *lexer, struct token *token)
{
    if (lexer->at != token->text + token->length)
        return; /* a look at the next character has passed blanks: no suffix follows */
    while (lexer->end - lexer->at > 1 && *lexer->at == '.' && has(lexer->at + 1, IS_NAME)) {
        lexer->at++;
        scan_word(lexer);
    }
    token->length = (uint32_t)(lexer->at - token->text);
}

char lexer_peek_char(struct lexer *lexer)
{
    if (!skip_blanks(lexer) || lexer->at >= lexer->end)
        return '\0';
    if (*lexer->at == ':' && lexer->end - lexer->at > 1 && lexer->at[1] == ':')
        return '\0';
    return *lexer->at;
}

bool token_is_word(const struct token *token, const char *word)
{
    return strlen(word) == token->length && memcmp(token->text, word, token->length) == 0;
}
