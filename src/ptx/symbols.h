/* symbols.h - names and what they stand for, in nested scopes. An inner declaration hides an outer one until its block ends. */
#ifndef WARPLINE_PTX_SYMBOLS_H
#define WARPLINE_PTX_SYMBOLS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"

enum symbol_kind {
    SYMBOL_REGISTER, /* index: register; count > 1: a vector register */
    SYMBOL_RANGE,    /* %r<100>: index: the first register, count: how many */
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_LABEL, /* index: instruction */
    SYMBOL_TABLE  /* .branchtargets, .calltargets, .callprototype: index of the function's table */
};

struct symbol {
    uint8_t kind;
    uint32_t index, count, depth;
    struct name *name;
    struct symbol *hidden;     /* the one this name stood for outside */
    struct symbol *same_scope; /* list of the scope's symbols */
};

struct name {
    const char *text; /* NUL-terminated */
    uint32_t length, hash;
    struct symbol *top;       /* what it stands for now */
    struct symbol *top_range; /* name is the prefix of a range of registers */
    struct name *next;
};

struct symbols;
struct symbols *symbols_new(struct arena *arena);
void symbols_free(struct symbols *symbols);
uint32_t symbols_depth(const struct symbols *symbols); /* 0: module scope */
void symbols_open(struct symbols *symbols);
void symbols_close(struct symbols *symbols); /* forgets what the innermost scope declared */
/* The name, made if `add`; NULL when it was never declared. */
struct name *symbols_name(struct symbols *symbols, const char *text, uint32_t length, bool add);
/* NULL: something of that name is in this scope already. */
struct symbol *symbols_declare(struct symbols *symbols, struct name *name, enum symbol_kind kind, uint32_t index, uint32_t count);
/* Declares at module scope from any scope; gives the symbol of that name that is there already, if one is. */
struct symbol *symbols_declare_global(struct symbols *symbols, struct name *name, enum symbol_kind kind, uint32_t index);
/* What the text stands for now. For a register of a range it fills *in_range with kind REGISTER and returns a pointer to it. */
const struct symbol *symbols_find(struct symbols *symbols, const char *text, uint32_t length, struct symbol *in_range);
#endif
