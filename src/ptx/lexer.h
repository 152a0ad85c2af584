/* lexer.h - PTX text as tokens. Positions are kept as byte offsets, with the line counted as it goes by. */
#ifndef WARPLINE_PTX_LEXER_H
#define WARPLINE_PTX_LEXER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,         /* end of text; also everything after an error */
    TOKEN_NAME,        /* identifiers, with % $ _ in front or inside: %r1, $L_2, vadd */
    TOKEN_DOT_WORD,    /* .reg, .u32, .L1::evict_last : the text without the dot */
    TOKEN_INTEGER,     /* value; is_unsigned when written with U */
    TOKEN_F32,         /* 0f........ : bits */
    TOKEN_F64,         /* 0d................ or decimal: bits of the double */
    TOKEN_STRING,      /* text between the quotes */
    TOKEN_PUNCTUATION, /* one or two characters in `punctuation`, the first in the low byte */
    TOKEN_BAD          /* text is the offending character or literal; `problem` says why */
};

struct token {
    uint8_t kind;
    bool is_unsigned;
    uint16_t punctuation;
    uint32_t line, column; /* from 1 */
    uint32_t length;
    const char *text;
    uint64_t value;
    const char *problem;
};

struct lexer {
    const char *at, *end, *line_start;
    uint32_t line;
};

#define PUNCT2(a, b) ((uint16_t)((uint8_t)(a) | (uint16_t)((uint8_t)(b) << 8)))

void lexer_start(struct lexer *lexer, const char *text, size_t length);
/* The next token. Comments and blanks are passed over. */
void lexer_next(struct lexer *lexer, struct token *token);
/* Extends a NAME token over a whole opcode: `ld` -> `ld.global.nc.L1::no_allocate.f32`. */
void lexer_extend_opcode(struct lexer *lexer, struct token *token);
/* The character that the next token starts with, 0 at the end; `::` counts as the character ':' only when single. */
char lexer_peek_char(struct lexer *lexer);
bool token_is_word(const struct token *token, const char *word);
#endif
