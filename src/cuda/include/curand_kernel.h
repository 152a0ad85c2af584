/* A random generator for kernels with cuRAND's device interface: XORWOW (Marsaglia) with seeds spread by splitmix64. The numbers
 * are not cuRAND's: a program that only needs good random numbers works, one that compares with cuRAND's own does not. */
#ifndef WARPLINE_CURAND_KERNEL_H
#define WARPLINE_CURAND_KERNEL_H
#include "cuda_runtime.h"

struct curandStateXORWOW { unsigned int d, v[5]; int has_normal; float normal; };
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* cuRAND's other generators are this one under their names. */
struct curandStatePhilox4_32_10 : curandStateXORWOW {};
struct curandStateMRG32k3a : curandStateXORWOW {};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define WARPLINE_RANDOM static __device__ __forceinline__
WARPLINE_RANDOM unsigned int curand(curandState *s)
{
    const unsigned int t = s->v[0] ^ (s->v[0] >> 2);
    s->v[0] = s->v[1];
    s->v[1] = s->v[2];
    s->v[2] = s->v[3];
    s->v[3] = s->v[4];
    s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
    s->d += 362437u;
    return s->v[4] + s->d;
}
WARPLINE_RANDOM unsigned long long warpline_spread(unsigned long long *x)
{
    *x += 0x9e3779b97f4a7c15ull;
    unsigned long long z = *x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
/* Subsequences differ by seed, not by distance; an offset is walked. */
WARPLINE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandState *s)
{
    unsigned long long x = seed;
    x = warpline_spread(&x) ^ (subsequence * 0xd1342543de82ef95ull);
    for (int i = 0; i < 5; i++)
        s->v[i] = (unsigned int)warpline_spread(&x);
    s->v[0] |= 1u; /* the state may not be all zeros */
    s->d = (unsigned int)warpline_spread(&x);
    s->has_normal = 0;
    s->normal = 0.0f;
    for (; offset; offset--)
        (void)curand(s);
}
/* (0, 1], as cuRAND's */
WARPLINE_RANDOM float curand_uniform(curandState *s) { return __fmaf_rn((float)curand(s), 2.3283064e-10f, 1.1641532e-10f); }
WARPLINE_RANDOM double curand_uniform_double(curandState *s)
{
    const unsigned long long bits = (unsigned long long)curand(s) << 21 ^ curand(s) >> 11;
    return ((double)(bits & 0x1fffffffffffffull) + 0.5) * 0x1p-53;
}
WARPLINE_RANDOM float2 curand_normal2(curandState *s)
{
    const float u = curand_uniform(s), v = curand_uniform(s), r = sqrtf(-2.0f * logf(u));
    float sine, cosine;
    sincospif(2.0f * v, &sine, &cosine);
    return make_float2(r * sine, r * cosine);
}
WARPLINE_RANDOM float curand_normal(curandState *s)
{
    if (s->has_normal) {
        s->has_normal = 0;
        return s->normal;
    }
    const float2 both = curand_normal2(s);
    s->has_normal = 1;
    s->normal = both.y;
    return both.x;
}
WARPLINE_RANDOM double curand_normal_double(curandState *s)
{
    const double u = curand_uniform_double(s), v = curand_uniform_double(s);
    return sqrt(-2.0 * log(u)) * cospi(2.0 * v);
}
WARPLINE_RANDOM float curand_log_normal(curandState *s, float mean, float deviation) { return expf(mean + deviation * curand_normal(s)); }
WARPLINE_RANDOM double curand_log_normal_double(curandState *s, double mean, double deviation)
{ return exp(mean + deviation * curand_normal_double(s)); }
WARPLINE_RANDOM double2 curand_normal2_double(curandState *s) { const double x = curand_normal_double(s); return make_double2(x, curand_normal_double(s)); }
/* Braces evaluate in order. */
WARPLINE_RANDOM uint4 curand4(curandState *s) { return uint4{curand(s), curand(s), curand(s), curand(s)}; }
WARPLINE_RANDOM float4 curand_uniform4(curandState *s)
{ return float4{curand_uniform(s), curand_uniform(s), curand_uniform(s), curand_uniform(s)}; }
WARPLINE_RANDOM double2 curand_uniform2_double(curandState *s) { return double2{curand_uniform_double(s), curand_uniform_double(s)}; }
WARPLINE_RANDOM float4 curand_normal4(curandState *s) { return float4{curand_normal(s), curand_normal(s), curand_normal(s), curand_normal(s)}; }
/* Knuth's product of uniforms, in steps whose exponential does not underflow. */
WARPLINE_RANDOM unsigned int curand_poisson(curandState *s, double lambda)
{
    unsigned int count = 0;
    double left = lambda, product = 1.0;
    for (;;) {
        product *= curand_uniform_double(s);
        while (product < 1.0 && left > 0.0) {
            const double step = left > 500.0 ? 500.0 : left;
            product *= exp(step);
            left -= step;
        }
        if (product <= 1.0)
            return count;
        count++;
    }
}
WARPLINE_RANDOM void skipahead(unsigned long long n, curandState *s)
{
    for (; n; n--)
        (void)curand(s);
}
#undef WARPLINE_RANDOM
#endif
