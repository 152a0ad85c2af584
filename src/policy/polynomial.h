/* polynomial.h - polynomials over GF(2) as numbers: bit i is the coefficient of x^i, addition is XOR. */
#ifndef WARPLINE_POLICY_POLYNOMIAL_H
#define WARPLINE_POLICY_POLYNOMIAL_H
#include <stdbool.h>
#include <stdint.h>

static inline uint32_t polynomial_degree(uint64_t p)
{
    return p ? 63 - (uint32_t)__builtin_clzll(p) : 0;
}

static inline uint32_t polynomial_remainder(uint64_t a, uint32_t p)
{
    const uint32_t degree = polynomial_degree(p);
    while (a >> degree)
        a ^= (uint64_t)p << (polynomial_degree(a) - degree);
    return (uint32_t)a;
}

/* By trial division: a reducible polynomial has a factor of at most half its degree. */
static inline bool polynomial_is_irreducible(uint32_t p)
{
    const uint32_t degree = polynomial_degree(p);
    if (degree == 0)
        return false;
    for (uint32_t factor = 2; polynomial_degree(factor) <= degree / 2; factor++)
        if (polynomial_remainder(p, factor) == 0)
            return false;
    return true;
}

/* There is one of every degree >= 1. */
static inline uint32_t polynomial_first_irreducible(uint32_t degree)
{
    uint32_t p = 1u << degree;
    while (!polynomial_is_irreducible(p))
        p++;
    return p;
}
#endif
