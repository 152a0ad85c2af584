/* prng.c - the one random generator: seeded, the same on every machine. */
#include "base/prng.h"

#include "base/hash.h"

void prng_seed(struct prng *prng, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++)
        prng->state[i] = hash_mix(seed += UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t prng_below(struct prng *prng, uint64_t bound)
{
    /* Numbers in the last, incomplete run of `bound` are drawn again, so that none is favoured. */
    const uint64_t unfair = UINT64_MAX - UINT64_MAX % bound;
    uint64_t x = prng_next(prng);
    while (x >= unfair)
        x = prng_next(prng);
    return x % bound;
}
