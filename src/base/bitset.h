/* bitset.h - sets of small numbers as arrays of 64-bit words. All operations are a few instructions. */
#ifndef WARPLINE_BASE_BITSET_H
#define WARPLINE_BASE_BITSET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BITSET_NONE = UINT32_MAX >> 1 }; /* "no such member" */

static inline size_t bitset_words(uint32_t members)
{
    return ((size_t)members + 63) / 64;
}

static inline void bitset_add(uint64_t *set, uint32_t member)
{
    set[member / 64] |= UINT64_C(1) << (member % 64);
}

static inline void bitset_remove(uint64_t *set, uint32_t member)
{
    set[member / 64] &= ~(UINT64_C(1) << (member % 64));
}

static inline bool bitset_has(const uint64_t *set, uint32_t member)
{
    return set[member / 64] >> (member % 64) & 1;
}

/* The smallest member >= from, or BITSET_NONE. */
static inline uint32_t bitset_next(const uint64_t *set, uint32_t members, uint32_t from)
{
    for (uint32_t word = from / 64; word < bitset_words(members); word++) {
        uint64_t bits = set[word];
        if (word == from / 64)
            bits &= UINT64_MAX << (from % 64);
        if (bits)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return BITSET_NONE;
}

static inline uint32_t bitset_count(const uint64_t *set, uint32_t members)
{
    uint32_t count = 0;
    for (size_t word = 0; word < bitset_words(members); word++)
        count += (uint32_t)__builtin_popcountll(set[word]);
    return count;
}
#endif
