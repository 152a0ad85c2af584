/* cuRAND's host interface: numbers are made on the host and copied, so that generating them takes no simulated time. Pseudo-random
 * ones are good and not cuRAND's own, whichever generator is named; Sobol's of 32 bits are cuRAND's own (curand_quasi.h). */
#ifndef WARPLINE_CURAND_H
#define WARPLINE_CURAND_H
#include "bits/names_hidden.h"
#define CURAND_H_ /* programs ask for this name */
#include "cuda_runtime.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED,
    CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
    CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED,
    CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY,
    CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st {
    unsigned long long seed, drawn;
    struct warpline_quasi *quasi; /* NULL: pseudo-random */
} *curandGenerator_t;

#define WARPLINE_CURAND static inline __attribute__((unused))
/* The n-th number of a seed, whatever was drawn before: splitmix64 is a hash of a counter. */
#include "curand_quasi.h"
WARPLINE_CURAND unsigned long long warpline_curand_bits(curandGenerator_t g)
{
    if (g->quasi)
        return warpline_quasi_next(g->quasi, g->drawn);
    unsigned long long z = (g->seed * 0xd1342543de82ef95ull + ++g->drawn) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
/* (0, 1] */
WARPLINE_CURAND double warpline_curand_double(curandGenerator_t g)
{
    const unsigned long long bits = warpline_curand_bits(g);
    return g->quasi && g->quasi->bits == 32 ? (double)(bits >> 32) * 0x1p-32 + 0x1p-33 : ((double)(bits >> 11) + 1.0) * 0x1p-53;
}
WARPLINE_CURAND float warpline_curand_float(curandGenerator_t g)
{
    const unsigned long long bits = warpline_curand_bits(g);
    return g->quasi ? (float)(bits >> 32) * 0x1p-32f + 0x1p-33f : ((float)(bits >> 40) + 1.0f) * 0x1p-24f;
}
WARPLINE_CURAND double warpline_curand_normal(curandGenerator_t g, double mean, double deviation)
{
    if (g->quasi) /* one number makes one */
        return mean + deviation * warpline_quasi_normal(warpline_curand_double(g));
    const double u = warpline_curand_double(g), v = warpline_curand_double(g);
    return mean + deviation * sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

WARPLINE_CURAND curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type)
{
    *g = (curandGenerator_t)calloc(1, sizeof **g);
    if (*g && type >= CURAND_RNG_QUASI_DEFAULT)
        (*g)->quasi = warpline_quasi_new(type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 ? 64 : 32,
                                         type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
    return *g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}
WARPLINE_CURAND curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions)
{
    if (!g->quasi)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions > WARPLINE_QUASI_DIMENSIONS)
        (void)fprintf(stderr, "warpline: curandSetQuasiRandomGeneratorDimensions: %u dimensions, and warpline has %d\n", dimensions, WARPLINE_QUASI_DIMENSIONS);
    if (dimensions < 1 || dimensions > WARPLINE_QUASI_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    return g->quasi->dimensions = dimensions, CURAND_STATUS_SUCCESS;
}
WARPLINE_CURAND curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type) { return curandCreateGenerator(g, type); }
WARPLINE_CURAND curandStatus_t curandDestroyGenerator(curandGenerator_t g) { free(g->quasi); free(g); return CURAND_STATUS_SUCCESS; }
WARPLINE_CURAND curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    g->seed = seed;
    g->drawn = 0;
    return CURAND_STATUS_SUCCESS;
}
WARPLINE_CURAND curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) { g->drawn = offset; return CURAND_STATUS_SUCCESS; }
WARPLINE_CURAND curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) { (void)g; (void)order; return CURAND_STATUS_SUCCESS; }
WARPLINE_CURAND curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) { (void)g; (void)stream; return CURAND_STATUS_SUCCESS; }
WARPLINE_CURAND curandStatus_t curandGenerateSeeds(curandGenerator_t g) { (void)g; return CURAND_STATUS_SUCCESS; }
WARPLINE_CURAND curandStatus_t curandGetVersion(int *version) { *version = 10300; return CURAND_STATUS_SUCCESS; }

/* The output may be the host's or the device's memory. */
#define WARPLINE_CURAND_FILL(name, type, arguments, value)                                               \
    WARPLINE_CURAND curandStatus_t name arguments                                                        \
    {                                                                                                    \
        if (g->quasi && !warpline_quasi_begin(g->quasi, n))                                              \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                                    \
        type *made = (type *)malloc(n * sizeof(type) + 1);                                               \
        if (!made)                                                                                       \
            return CURAND_STATUS_ALLOCATION_FAILED;                                                      \
        for (size_t i = 0; i < n; i++)                                                                   \
            made[i] = (type)(value);                                                                     \
        g->drawn += g->quasi ? g->quasi->each : 0;                                                       \
        const cudaError_t code = cudaMemcpy(out, made, n * sizeof(type), cudaMemcpyDefault);             \
        free(made);                                                                                      \
        return code == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;               \
    }
WARPLINE_CURAND_FILL(curandGenerate, unsigned int, (curandGenerator_t g, unsigned int *out, size_t n), warpline_curand_bits(g) >> 32)
WARPLINE_CURAND_FILL(curandGenerateLongLong, unsigned long long, (curandGenerator_t g, unsigned long long *out, size_t n), warpline_curand_bits(g))
WARPLINE_CURAND_FILL(curandGenerateUniform, float, (curandGenerator_t g, float *out, size_t n), warpline_curand_float(g))
WARPLINE_CURAND_FILL(curandGenerateUniformDouble, double, (curandGenerator_t g, double *out, size_t n),
                     warpline_curand_double(g) + (g->quasi && g->quasi->bits == 32 ? 0x1p-33 : 0)) /* cuRAND's are (0, 1] here, and halfway for normal ones */
WARPLINE_CURAND_FILL(curandGenerateNormal, float, (curandGenerator_t g, float *out, size_t n, float mean, float deviation),
                     warpline_curand_normal(g, mean, deviation))
WARPLINE_CURAND_FILL(curandGenerateNormalDouble, double, (curandGenerator_t g, double *out, size_t n, double mean, double deviation),
                     warpline_curand_normal(g, mean, deviation))
WARPLINE_CURAND_FILL(curandGenerateLogNormal, float, (curandGenerator_t g, float *out, size_t n, float mean, float deviation),
                     exp(warpline_curand_normal(g, mean, deviation)))
WARPLINE_CURAND_FILL(curandGenerateLogNormalDouble, double, (curandGenerator_t g, double *out, size_t n, double mean, double deviation),
                     exp(warpline_curand_normal(g, mean, deviation)))
#undef WARPLINE_CURAND_FILL

/* Sobol's direction vectors are a table of NVIDIA's that is not here: a program must bring its own (curand_sobol.h). */
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
} curandDirectionVectorSet_t;
WARPLINE_CURAND curandStatus_t warpline_curand_no_table(const char *call)
{
    (void)fprintf(stderr, "warpline: %s: the direction vectors of cuRAND's library are not part of warpline\n", call);
    return CURAND_STATUS_INTERNAL_ERROR;
}
WARPLINE_CURAND curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set)
{ (void)vectors; (void)set; return warpline_curand_no_table("curandGetDirectionVectors32"); }
WARPLINE_CURAND curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set)
{ (void)vectors; (void)set; return warpline_curand_no_table("curandGetDirectionVectors64"); }
WARPLINE_CURAND curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{ (void)constants; return warpline_curand_no_table("curandGetScrambleConstants32"); }
WARPLINE_CURAND curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{ (void)constants; return warpline_curand_no_table("curandGetScrambleConstants64"); }
#undef WARPLINE_CURAND
#include "bits/names_shown.h"
#endif
