/* hash.h - hashes that are the same on every machine and in every run. Not for secrets. */
#ifndef WARPLINE_BASE_HASH_H
#define WARPLINE_BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

/* Spreads every input bit over all output bits; a bijection (the finaliser of splitmix64). */
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint64_t hash_combine(uint64_t hash, uint64_t value)
{
    return hash_mix(hash * UINT64_C(0x9e3779b97f4a7c15) + value + 1);
}

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed);
uint64_t hash_text(const char *text);
#endif
