/* sass.h - what the machine needs to know of a SASS opcode; one row per root in sass_opcodes.def. */
#ifndef WARPLINE_TRACE_SASS_H
#define WARPLINE_TRACE_SASS_H
#include <stddef.h>

#include "front/inst.h"

struct sass_opcode {
    const char *root;
    uint8_t class, space;
    bool wide;       /* its result takes two registers */
    bool may_arrive; /* a barrier: .ARV in its suffixes says that the warp goes on */
    bool copies;     /* from global to shared memory: a line with the addresses of each */
    bool bulk;       /* its addresses are in a form of their own */
};
/* Of a full opcode such as LDG.E.128.SYS, of `length` letters; NULL: unknown. */
const struct sass_opcode *sass_find(const char *opcode, size_t length);
/* Bytes per lane that the suffixes of a memory opcode say: 1, 2, 4, 8 or 16. */
uint32_t sass_width(const char *opcode, size_t length);
/* What work it does, as front/work.h has it. */
uint8_t sass_work(const struct sass_opcode *known, const char *opcode, size_t length);
bool sass_is_half(const struct sass_opcode *known); /* arithmetic on two halves at once */
bool sass_has_suffix(const char *opcode, size_t length, const char *suffix);

extern const struct sass_opcode sass_opcodes[];
extern const size_t sass_opcode_count;
#endif
