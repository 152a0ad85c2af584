/* form.h - from an opcode's text (`ld.global.nc.v2.f32`) to a row of instructions.def with its modifiers and types. */
#ifndef WARPLINE_PTX_FORM_H
#define WARPLINE_PTX_FORM_H
#include "base/arena.h"
#include "ptx/ptx.h"

typedef unsigned __int128 suffix_kinds; /* a bit per kind of suffix */

enum form_flags { FORM_0, FORM_WIDER = 1, FORM_CMP = 2 };

struct form {
    uint8_t op; /* enum ptx_op */
    uint8_t type_count;
    uint8_t class;     /* enum inst_class */
    uint8_t flags;     /* enum form_flags */
    uint32_t types[4]; /* sets of enum ptx_type */
    suffix_kinds required, optional;
    const char *operands; /* see instructions.def */
};

extern const struct form ptx_forms[];
extern const uint32_t ptx_form_count;

/* An opcode text that has been understood. */
struct opcode {
    const char *text;
    uint32_t length, hash;
    uint16_t form; /* row of ptx_forms */
    uint8_t type[4];
    bool has_cache_hint;
    struct ptx_modifiers mod;
    struct opcode *next;
};

/* Opcodes seen so far in a module: the same few hundred come again and again. */
struct opcode_cache;
struct opcode_cache *opcode_cache_new(struct arena *arena);
/* NULL: `reason` says why not (a static sentence). */
const struct opcode *opcode_find(struct opcode_cache *cache, const char *text, uint32_t length, const char **reason);
enum ptx_type ptx_type_named(const char *text, size_t length); /* T_NONE: no such type */
#endif
