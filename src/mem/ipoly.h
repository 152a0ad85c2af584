/* ipoly.h - a number modulo an irreducible polynomial over GF(2) (Rau, ISCA 1991): a hash that spreads every stride of a power of
 * two. Each bit of the remainder is the parity of some bits of the number; the reference's equations stop at bit 16, 19 or 24 of
 * it, for 16, 32 or 64 results. */
#ifndef WARPLINE_MEM_IPOLY_H
#define WARPLINE_MEM_IPOLY_H
#include <stdint.h>

enum { IPOLY_BITS_MAX = 6 };
/* Per bit of the result, the bits of the number that it is the parity of; `sets`: 16, 32 or 64. */
static inline void ipoly_prepare(uint32_t sets, uint64_t parity[IPOLY_BITS_MAX])
{
    const uint32_t polynomial = sets == 16 ? 19 : sets == 32 ? 37 : 67, bits = sets == 16 ? 17 : sets == 32 ? 20 : 25;
    for (uint32_t b = 0; b < IPOLY_BITS_MAX; b++)
        parity[b] = 0;
    for (uint32_t i = 0, power = 1; i < bits; i++) { /* power: x^i modulo the polynomial */
        for (uint32_t b = 0; b < IPOLY_BITS_MAX; b++)
            parity[b] |= (uint64_t)(power >> b & 1) << i;
        power = power << 1 & sets ? power << 1 ^ polynomial : power << 1;
    }
}

static inline uint32_t ipoly_apply(const uint64_t parity[IPOLY_BITS_MAX], uint64_t number)
{
    uint32_t hash = 0;
    for (uint32_t b = 0; b < IPOLY_BITS_MAX; b++)
        hash |= (uint32_t)(__builtin_popcountll(number & parity[b]) & 1) << b;
    return hash;
}

/* The same for one number. */
static inline uint32_t ipoly_hash(uint64_t number, uint32_t sets)
{
    uint64_t parity[IPOLY_BITS_MAX];
    ipoly_prepare(sets, parity);
    return ipoly_apply(parity, number);
}

/* The smallest of 16, 32 and 64 that `count` fits in; 0: none. */
static inline uint32_t ipoly_sets(uint32_t count)
{
    return count <= 16 ? 16 : count <= 32 ? 32 : count <= 64 ? 64 : 0;
}
#endif
