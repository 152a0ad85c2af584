/* prng.h - seeded, deterministic random numbers: xoshiro256** (Blackman and Vigna), seeded through splitmix64.
 *
 * The same seed gives the same numbers on every machine. State is the caller's: no global generator exists. */
#ifndef WARPLINE_BASE_PRNG_H
#define WARPLINE_BASE_PRNG_H
#include <stdint.h>

struct prng {
    uint64_t state[4];
};

void prng_seed(struct prng *prng, uint64_t seed);

static inline uint64_t prng_next(struct prng *prng)
{
    uint64_t *s = prng->state;
    const uint64_t five = s[1] * 5, result = (five << 7 | five >> 57) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* 0 .. bound-1, each equally likely (bound >= 1). */
uint64_t prng_below(struct prng *prng, uint64_t bound);
#endif
