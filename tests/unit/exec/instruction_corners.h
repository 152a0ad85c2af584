/* instruction_corners.h - the values that instructions are tried with, by the code of an operand: zeros, limits, what rounds, what
 * is no number. */
#ifndef WARPLINE_TESTS_INSTRUCTION_CORNERS_H
#define WARPLINE_TESTS_INSTRUCTION_CORNERS_H
#include "instruction_words.h"

static const uint64_t integers[] = { 0,
                                     1,
                                     2,
                                     3,
                                     7,
                                     31,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x10000,
                                     0x1234567,
                                     0x7fffffff,
                                     0x80000000,
                                     0x80000001,
                                     0xfffffffe,
                                     0xffffffff,
                                     UINT64_C(0x100000000),
                                     UINT64_C(0x123456789abcdef),
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0xffffffff80000000),
                                     UINT64_C(0xfffffffffffffffe),
                                     UINT64_C(0xffffffffffffffff),
                                     0x80ff7f01,
                                     0xdeadbeef,
                                     0x1000001,
                                     0x1ffffff,
                                     UINT64_C(0x20000000000001),
                                     UINT64_C(0x40000080000001) };
static const uint32_t floats[] = { 0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
                                   0xbf800000, 0x3f800001, 0x3f7fffff, 0x40490fdb, 0x3eaaaaab, 0x3f000000, 0x3fc00000, 0x40200000,
                                   0xc0600000, 0x4b000001, 0x4b800000, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x5f000000,
                                   0xdf000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
                                   0x34000000, 0x42f6e979, 0xc2c80000, 0x1f800000, 0x5f7fffff, 0x00400000 };
static const uint64_t doubles[] = { 0,
                                    UINT64_C(0x8000000000000000),
                                    1,
                                    UINT64_C(0x000fffffffffffff),
                                    UINT64_C(0x0010000000000000),
                                    UINT64_C(0x3ff0000000000000),
                                    UINT64_C(0xbff0000000000000),
                                    UINT64_C(0x3ff0000000000001),
                                    UINT64_C(0x3fd5555555555555),
                                    UINT64_C(0x400921fb54442d18),
                                    UINT64_C(0x3fe0000000000000),
                                    UINT64_C(0x4004000000000000),
                                    UINT64_C(0x41dfffffffc00000),
                                    UINT64_C(0x41e0000000000000),
                                    UINT64_C(0xc1e0000000200000),
                                    UINT64_C(0x41efffffffe00000),
                                    UINT64_C(0x43e0000000000000),
                                    UINT64_C(0x43dfffffffffffff),
                                    UINT64_C(0xc3e0000000000000),
                                    UINT64_C(0x43f0000000000000),
                                    UINT64_C(0x7fefffffffffffff),
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0xfff0000000000000),
                                    UINT64_C(0x7ff8000000000000),
                                    UINT64_C(0xfff8000000001234),
                                    UINT64_C(0x47efffffe0000000),
                                    UINT64_C(0x47effffff0000000),
                                    UINT64_C(0x380fffffffffffff),
                                    UINT64_C(0x36a0000000000000),
                                    UINT64_C(0x3ff0000010000000),
                                    UINT64_C(0x3ff0000030000000),
                                    UINT64_C(0xc008000000000000) };
static const uint32_t halves[] = { 0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x4248, 0x3555,
                                   0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x6400, 0x1400, 0x0c01, 0x57ff, 0xd801, 0x5800 };
static const uint32_t shifts[] = { 0, 1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 255, 0x80000000 };

static uint64_t corner(char code, size_t i)
{
#define PICK(table) table[i % (sizeof table / sizeof *table)]
    switch (code) {
    case 'f': return PICK(floats);
    case 'x': return BITS((float)((double)(int)(i % 97 - 48) * 0.37 * pow(1.7, (double)(i % 17))));
    case 'g': return PICK(doubles);
    case 'k': return PICK(halves);
    case 'K': return PICK(halves) | (uint64_t)halves[(i * 7 + 3) % (sizeof halves / sizeof *halves)] << 16;
    case 's': return PICK(shifts);
    case 'p': return i & 1;
    case 'h': return PICK(integers) & 0xffff;
    case 'w': return PICK(integers) & 0xffffffff;
    default: return PICK(integers);
    }
}
#endif
