/* Sobol's sequences for curand.h's generators: in the order of the Gray code, with the direction numbers of S. Joe and F. Y. Kuo (the set
 * "new-joe-kuo-6"), of whose dimensions the first 20 are here. Results lie dimension after dimension, as cuRAND's do. Of 32 bits they are
 * cuRAND's own; scrambled ones are shifted by constants of ours. */
#ifndef WARPLINE_CURAND_QUASI_H
#define WARPLINE_CURAND_QUASI_H
#include <stddef.h>
#include <stdlib.h>
#define WARPLINE_QUASI_DIMENSIONS 20
#define WARPLINE_QUASI static inline __attribute__((unused))
struct warpline_quasi {
    int bits;
    unsigned dimensions;
    size_t each, made; /* of a call: results of a dimension, results made */
    unsigned long long shift[WARPLINE_QUASI_DIMENSIONS], directions[WARPLINE_QUASI_DIMENSIONS][64];
};
/* degree, the polynomial's inner bits, and as many first numbers */
WARPLINE_QUASI void warpline_quasi_directions(struct warpline_quasi *q)
{
    static const unsigned char known[WARPLINE_QUASI_DIMENSIONS][9] = {
        {0}, {1, 0, 1}, {2, 1, 1, 3}, {3, 1, 1, 3, 1}, {3, 2, 1, 1, 1}, {4, 1, 1, 1, 3, 3}, {4, 4, 1, 3, 5, 13}, {5, 2, 1, 1, 5, 5, 17},
        {5, 4, 1, 1, 5, 5, 5}, {5, 7, 1, 1, 7, 11, 19}, {5, 11, 1, 1, 5, 1, 1}, {5, 13, 1, 1, 1, 3, 11}, {5, 14, 1, 3, 5, 5, 31},
        {6, 1, 1, 3, 3, 9, 7, 49}, {6, 13, 1, 1, 1, 15, 21, 21}, {6, 16, 1, 3, 1, 13, 27, 49}, {6, 19, 1, 1, 1, 15, 7, 5},
        {6, 22, 1, 3, 1, 15, 13, 25}, {6, 25, 1, 1, 5, 5, 19, 61}, {7, 1, 1, 3, 7, 11, 23, 15, 103}};
    for (int d = 0; d < WARPLINE_QUASI_DIMENSIONS; d++) {
        unsigned long long *const v = q->directions[d];
        const int degree = known[d][0];
        for (int i = 0; i < 64; i++) {
            if (degree == 0 || i < degree) {
                v[i] = (unsigned long long)(degree ? known[d][2 + i] : 1) << (63 - i);
                continue;
            }
            v[i] = v[i - degree] ^ v[i - degree] >> degree;
            for (int k = 1; k < degree; k++)
                if (known[d][1] >> (degree - 1 - k) & 1)
                    v[i] ^= v[i - k];
        }
    }
}
WARPLINE_QUASI struct warpline_quasi *warpline_quasi_new(int bits, int scrambled)
{
    struct warpline_quasi *q = (struct warpline_quasi *)calloc(1, sizeof *q);
    if (!q)
        return q;
    q->bits = bits;
    q->dimensions = 1;
    warpline_quasi_directions(q);
    for (int d = 0; scrambled && d < WARPLINE_QUASI_DIMENSIONS; d++)
        q->shift[d] = (unsigned long long)(d + 1) * 0x9e3779b97f4a7c15ull;
    return q;
}
/* False: n is no multiple of the dimensions. */
WARPLINE_QUASI int warpline_quasi_begin(struct warpline_quasi *q, size_t n)
{
    q->each = n / q->dimensions;
    q->made = 0;
    return n % q->dimensions == 0;
}
WARPLINE_QUASI unsigned long long warpline_quasi_next(struct warpline_quasi *q, unsigned long long first)
{
    const size_t d = q->made / q->each;
    const unsigned long long i = first + q->made++ % q->each;
    unsigned long long x = q->shift[d];
    int k = 0;
    for (unsigned long long gray = i ^ i >> 1; gray; gray >>= 1, k++)
        if (gray & 1)
            x ^= q->directions[d][k];
    return x;
}
/* The x below which a normal number lies with probability p: halved until Newton's steps take over. */
WARPLINE_QUASI double warpline_quasi_normal(double p)
{
    double low = -9, high = 9, x;
    for (int i = 0; i < 12; i++) {
        x = (low + high) / 2;
        if (0.5 * erfc(-x * 0.7071067811865476) < p)
            low = x;
        else
            high = x;
    }
    x = (low + high) / 2;
    for (int i = 0; i < 4; i++)
        x -= (0.5 * erfc(-x * 0.7071067811865476) - p) / (0.3989422804014327 * exp(-x * x / 2));
    return x;
}
#undef WARPLINE_QUASI
#endif
