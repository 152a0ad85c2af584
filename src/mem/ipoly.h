/* ipoly.h - a number modulo an irreducible polynomial over GF(2) (Rau, ISCA 1991): a hash that spreads every stride of a power of
 * two. Each bit of the remainder is the parity of some bits of the number; the reference's equations stop at bit 16, 19 or 24 of
 * it, for 16, 32 or 64 results. */
#ifndef WARPLINE_MEM_IPOLY_H
#define WARPLINE_MEM_IPOLY_H
#include <stdint.h>

enum { IPOLY_BITS_MAX = 6 };

/* `sets`: 16, 32 or 64. */
static inline uint32_t ipoly_hash(uint64_t number, uint32_t sets)
{
    /* Per bit of the result, the bits of the number that it is the parity of: those whose x^i has it modulo the polynomial. */
    static const uint32_t x4_x_1[IPOLY_BITS_MAX] = { 0xF591, 0x11EB2, 0x3D64, 0x7AC8 };
    static const uint32_t x5_x2_1[IPOLY_BITS_MAX] = { 0x7CD21, 0xF9A42, 0x8F9A4, 0x1F348, 0x3E690 };
    static const uint32_t x6_x_1[IPOLY_BITS_MAX] = { 0x1E51841, 0x2F28C2, 0x5E5184, 0xBCA308, 0x1794610, 0xF28C20 };
    const uint32_t *const parity = sets == 16 ? x4_x_1 : sets == 32 ? x5_x2_1 : x6_x_1;
    uint32_t hash = 0;
    for (uint32_t b = 0; b < IPOLY_BITS_MAX; b++)
        hash |= (uint32_t)(__builtin_popcountll(number & parity[b]) & 1) << b;
    return hash;
}

/* The smallest of 16, 32 and 64 that `count` fits in; 0: none. */
static inline uint32_t ipoly_sets(uint32_t count)
{
    return count <= 16 ? 16 : count <= 32 ? 32 : count <= 64 ? 64 : 0;
}
#endif
