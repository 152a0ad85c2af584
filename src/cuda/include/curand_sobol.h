/* cuRAND's quasi-random generators for kernels: Sobol's sequence in the order of the Gray code, of 32 and 64 bits, plain and scrambled by a
 * constant. The program brings the direction vectors. Those that cuRAND's host library gives out (curandGetDirectionVectors32 and
 * its kin) are a table of 20,000 dimensions that is not part of warpline: the calls answer CURAND_STATUS_INTERNAL_ERROR and say so. */
#ifndef WARPLINE_CURAND_SOBOL_H
#define WARPLINE_CURAND_SOBOL_H
#include "cuda_runtime.h"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#define WARPLINE_SOBOL static __device__ __forceinline__
/* Fields as in cuRAND; the scrambled ones differ in name alone. */
#define WARPLINE_SOBOL_STATE(name, T, bits)                                                                                        \
    struct name { T i, x, c, direction_vectors[bits]; };                                                                           \
    typedef struct name name##_t;
WARPLINE_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
WARPLINE_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
WARPLINE_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
WARPLINE_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef WARPLINE_SOBOL_STATE

#define WARPLINE_SOBOL_FOR(S, T, bits, first_zero)                                                                                 \
    WARPLINE_SOBOL void skipahead(T n, S *s)                                                                                       \
    {                                                                                                                              \
        s->i += n;                                                                                                                 \
        s->x = s->c;                                                                                                               \
        T gray = s->i ^ s->i >> 1;                                                                                                 \
        for (int k = 0; gray; k++, gray >>= 1)                                                                                     \
            if (gray & 1)                                                                                                          \
                s->x ^= s->direction_vectors[k];                                                                                   \
    }                                                                                                                              \
    WARPLINE_SOBOL T curand(S *s)                                                                                                  \
    {                                                                                                                              \
        const T now = s->x;                                                                                                        \
        s->x ^= s->direction_vectors[s->i == (T)-1 ? 0 : first_zero(~s->i) - 1];                                                   \
        s->i++;                                                                                                                    \
        return now;                                                                                                                \
    }                                                                                                                              \
    WARPLINE_SOBOL void warpline_sobol_init(T *vectors, T scramble, T offset, S *s)                                                \
    {                                                                                                                              \
        for (int k = 0; k < bits; k++)                                                                                             \
            s->direction_vectors[k] = vectors[k];                                                                                  \
        s->i = 0;                                                                                                                  \
        s->c = scramble;                                                                                                           \
        skipahead(offset, s);                                                                                                      \
    }
WARPLINE_SOBOL_FOR(curandStateSobol32, unsigned int, 32, __ffs)
WARPLINE_SOBOL_FOR(curandStateScrambledSobol32, unsigned int, 32, __ffs)
WARPLINE_SOBOL_FOR(curandStateSobol64, unsigned long long, 64, __ffsll)
WARPLINE_SOBOL_FOR(curandStateScrambledSobol64, unsigned long long, 64, __ffsll)
#undef WARPLINE_SOBOL_FOR
WARPLINE_SOBOL void curand_init(curandDirectionVectors32_t v, unsigned int offset, curandStateSobol32 *s) { warpline_sobol_init(v, 0, offset, s); }
WARPLINE_SOBOL void curand_init(curandDirectionVectors32_t v, unsigned int c, unsigned int offset, curandStateScrambledSobol32 *s)
{
    warpline_sobol_init(v, c, offset, s);
}
WARPLINE_SOBOL void curand_init(curandDirectionVectors64_t v, unsigned long long offset, curandStateSobol64 *s) { warpline_sobol_init(v, 0, offset, s); }
WARPLINE_SOBOL void curand_init(curandDirectionVectors64_t v, unsigned long long c, unsigned long long offset, curandStateScrambledSobol64 *s)
{
    warpline_sobol_init(v, c, offset, s);
}

/* (0, 1], and normals by the inverse of the distribution: pairs would break the sequence. */
WARPLINE_SOBOL float warpline_sobol_float(unsigned int x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2; }
WARPLINE_SOBOL float warpline_sobol_float(unsigned long long x) { return warpline_sobol_float((unsigned int)(x >> 32)); }
WARPLINE_SOBOL double warpline_sobol_double(unsigned int x) { return x * 0x1p-32 + 0x1p-32; }
WARPLINE_SOBOL double warpline_sobol_double(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-54; }
WARPLINE_SOBOL float warpline_sobol_normal(unsigned int x)
{
    const bool upper = x > 0x80000000u;
    const float p = (upper ? 0xffffffffu - x : x) * 2.3283064e-10f + 2.3283064e-10f / 2;
    return (upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * p);
}
WARPLINE_SOBOL float warpline_sobol_normal(unsigned long long x) { return warpline_sobol_normal((unsigned int)(x >> 32)); }
#define WARPLINE_SOBOL_DRAWS(S)                                                                                                    \
    WARPLINE_SOBOL float curand_uniform(S *s) { return warpline_sobol_float(curand(s)); }                                          \
    WARPLINE_SOBOL double curand_uniform_double(S *s) { return warpline_sobol_double(curand(s)); }                                 \
    WARPLINE_SOBOL float curand_normal(S *s) { return warpline_sobol_normal(curand(s)); }
WARPLINE_SOBOL_DRAWS(curandStateSobol32)
WARPLINE_SOBOL_DRAWS(curandStateScrambledSobol32)
WARPLINE_SOBOL_DRAWS(curandStateSobol64)
WARPLINE_SOBOL_DRAWS(curandStateScrambledSobol64)
#undef WARPLINE_SOBOL_DRAWS
#undef WARPLINE_SOBOL
#endif
