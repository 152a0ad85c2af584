/* sass.c - SASS opcodes of foreign traces: what each is to the machine. */
#include "trace/sass.h"

#include <string.h>

#include "front/work.h"

enum sass_what { PLAIN, WIDE, ARRIVE, COPY, BULK };

const struct sass_opcode sass_opcodes[] = {
#define SASS(root_, class_, space_, what_)                                                                                         \
    { #root_, CLASS_##class_, SPACE_##space_, (what_) == WIDE, (what_) == ARRIVE, (what_) == COPY, (what_) == BULK },
#include "trace/sass_opcodes.def"
#undef SASS
};
const size_t sass_opcode_count = sizeof sass_opcodes / sizeof sass_opcodes[0];

/* Called once per static instruction of a kernel, so a linear search is quick enough. */
const struct sass_opcode *sass_find(const char *opcode, size_t length)
{
    const char *dot = memchr(opcode, '.', length);
    const size_t root = dot ? (size_t)(dot - opcode) : length;
    for (size_t i = 0; i < sass_opcode_count; i++)
        if (strlen(sass_opcodes[i].root) == root && memcmp(sass_opcodes[i].root, opcode, root) == 0)
            return &sass_opcodes[i];
    return NULL;
}

bool sass_is_half(const struct sass_opcode *known)
{
    return known->root[0] == 'H' && known->class >= CLASS_FP_ADD && known->class <= CLASS_FP_MAD;
}

bool sass_has_suffix(const char *opcode, size_t length, const char *suffix)
{
    const size_t wanted = strlen(suffix);
    const char *end = opcode + length;
    for (const char *at = memchr(opcode, '.', length); at; at = memchr(at, '.', (size_t)(end - at))) {
        at++;
        if ((size_t)(end - at) >= wanted && memcmp(at, suffix, wanted) == 0 && (at + wanted == end || at[wanted] == '.'))
            return true;
    }
    return false;
}

uint8_t sass_work(const struct sass_opcode *known, const char *opcode, size_t length)
{
    static const struct {
        const char *root, *suffix; /* suffix NULL: any */
        uint8_t work;
    } rows[] = {
        { "MUFU", "SIN", WORK_SIN },      { "MUFU", "COS", WORK_COS },      { "MUFU", "SQRT", WORK_SQRT },
        { "MUFU", "LG2", WORK_LOG2 },     { "MUFU", "EX2", WORK_EXP2 },     { "MUFU", "RCP", WORK_RCP },
        { "LOP", "AND", WORK_AND },       { "LOP", "OR", WORK_OR },         { "LOP", "XOR", WORK_XOR },
        { "LOP32I", "AND", WORK_AND },    { "LOP32I", "OR", WORK_OR },      { "LOP32I", "XOR", WORK_XOR },
        { "LOP", NULL, WORK_INT_OTHER },  { "LOP3", NULL, WORK_INT_OTHER }, { "LOP32I", NULL, WORK_INT_OTHER },
        { "SHF", NULL, WORK_INT_OTHER },  { "SHL", NULL, WORK_INT_OTHER },  { "SHR", NULL, WORK_INT_OTHER },
        { "BFE", NULL, WORK_INT_OTHER },  { "BFI", NULL, WORK_INT_OTHER },  { "PRMT", NULL, WORK_INT_OTHER },
        { "POPC", NULL, WORK_INT_OTHER }, { "ISUB", NULL, WORK_INT_SUB },
    };
    for (size_t i = 0; known && i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(known->root, rows[i].root) && (!rows[i].suffix || sass_has_suffix(opcode, length, rows[i].suffix)))
            return rows[i].work;
    return (uint8_t)work_of_class(known ? known->class : CLASS_MOVE);
}

uint32_t sass_width(const char *opcode, size_t length)
{
    static const struct {
        const char *suffix;
        uint32_t bytes;
    } widths[] = {
        { "128", 16 }, { "64", 8 },  { "U64", 8 }, { "S64", 8 }, { "F64", 8 }, { "16", 2 },
        { "U16", 2 },  { "S16", 2 }, { "8", 1 },   { "U8", 1 },  { "S8", 1 },
    };
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (sass_has_suffix(opcode, length, widths[i].suffix))
            return widths[i].bytes;
    return 4;
}
