/* cuRAND's device interface: XORWOW, Philox4x32-10 and MRG32k3a with the seeding, jumps and conversions of the real library, so
 * that a program draws the numbers it draws with NVIDIA's. A jump takes a number of steps that grows with the bits of its length.
 * curand_poisson draws by its own method: its numbers are not cuRAND's. Sobol's sequence is in curand_sobol.h. */
#ifndef WARPLINE_CURAND_KERNEL_H
#define WARPLINE_CURAND_KERNEL_H
#include "bits/names_hidden.h"
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"
#include "curand.h" /* as the real one does: programs include this alone and call both interfaces */
#include "curand_jumps.h"
#if defined(__CUDACC__)
#include "curand_sobol.h"
#endif

/* Fields as in cuRAND: kernels load and store whole states. */
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define WARPLINE_RANDOM static __device__ __forceinline__
template <class S> WARPLINE_RANDOM void warpline_forget_normals(S *s)
{
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0.0f;
    s->boxmuller_extra_double = 0.0;
}

/* --- XORWOW (Marsaglia): a shift register of 160 bits, and a counter. --- */
WARPLINE_RANDOM void warpline_xorwow_step(unsigned int v[5])
{
    const unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}
WARPLINE_RANDOM unsigned int curand(curandStateXORWOW *s)
{
    warpline_xorwow_step(s->v);
    s->d += 362437u;
    return s->v[4] + s->d;
}
/* The sum of those of 160 successive states that a polynomial names is the state it stands for. */
static __device__ __noinline__ void warpline_xorwow_jump(unsigned int v[5], unsigned long long n, int first)
{
    for (; n; n >>= 1, first++) {
        if (!(n & 1))
            continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
        for (int word = 0; word < 5; word++) {
            unsigned int row = warpline_xorwow_jumps[first][word];
            for (int bit = 0; bit < 32; bit++, row >>= 1) {
                const unsigned int taken = 0u - (row & 1u);
                for (int i = 0; i < 5; i++)
                    sum[i] ^= v[i] & taken;
                warpline_xorwow_step(v);
            }
        }
        for (int i = 0; i < 5; i++)
            v[i] = sum[i];
    }
}
WARPLINE_RANDOM void skipahead(unsigned long long n, curandStateXORWOW *s)
{
    warpline_xorwow_jump(s->v, n, 0);
    s->d += 362437u * (unsigned int)n;
}
/* 2^67 steps each; the counter comes round. */
WARPLINE_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) { warpline_xorwow_jump(s->v, n, 64); }
WARPLINE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW *s)
{
    const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u), high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + high + low;
    s->v[0] = 123456789u + low;
    s->v[1] = 362436069u ^ low;
    s->v[2] = 521288629u + high;
    s->v[3] = 88675123u ^ high;
    s->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
    warpline_forget_normals(s);
}

#if !defined(__CUDACC__) /* in plain .cpp files, for their types */
static inline unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)((unsigned long long)a * b >> 32); }
static inline void sincospi(double x, double *s, double *c) { *s = sin(x * 3.14159265358979323846); *c = cos(x * 3.14159265358979323846); }
static inline void sincospif(float x, float *s, float *c) { *s = sinf(x * 3.14159265f); *c = cosf(x * 3.14159265f); }
#endif
/* --- Philox4x32-10 (Salmon and others, SC 2011): a hash of a counter, four numbers at a time. --- */
WARPLINE_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        const unsigned int high0 = __umulhi(0xd2511f53u, c.x), high1 = __umulhi(0xcd9e8d57u, c.z);
        c = make_uint4(high1 ^ c.y ^ k.x, 0xcd9e8d57u * c.z, high0 ^ c.w ^ k.y, 0xd2511f53u * c.x);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
WARPLINE_RANDOM void warpline_philox_count(curandStatePhilox4_32_10 *s, unsigned long long n)
{
    const unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + n;
    s->ctr.x = (unsigned int)sum;
    s->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++s->ctr.z == 0)
        s->ctr.w++;
}
WARPLINE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    s->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (s->STATE > 3) {
        n++;
        s->STATE -= 4;
    }
    warpline_philox_count(s, n);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
WARPLINE_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    const unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
WARPLINE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10 *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    s->STATE = 0;
    warpline_forget_normals(s);
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
WARPLINE_RANDOM unsigned int curand(curandStatePhilox4_32_10 *s)
{
    const unsigned int drawn = s->STATE == 0 ? s->output.x : s->STATE == 1 ? s->output.y : s->STATE == 2 ? s->output.z : s->output.w;
    if (++s->STATE == 4) {
        warpline_philox_count(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
        s->STATE = 0;
    }
    return drawn;
}
/* Braces evaluate in order. */
WARPLINE_RANDOM uint4 curand4(curandStatePhilox4_32_10 *s) { return uint4{curand(s), curand(s), curand(s), curand(s)}; }

/* --- MRG32k3a (L'Ecuyer): two recurrences of order three. --- */
#define WARPLINE_MRG1 4294967087ull
#define WARPLINE_MRG2 4294944443ull
WARPLINE_RANDOM unsigned int warpline_mrg_draw(curandStateMRG32k3a *s)
{
    const unsigned long long p = (1403580ull * s->s1[1] + 810728ull * (WARPLINE_MRG1 - s->s1[0])) % WARPLINE_MRG1;
    const unsigned long long q = (527612ull * s->s2[2] + 1370589ull * (WARPLINE_MRG2 - s->s2[0])) % WARPLINE_MRG2;
    s->s1[0] = s->s1[1];
    s->s1[1] = s->s1[2];
    s->s1[2] = (unsigned int)p;
    s->s2[0] = s->s2[1];
    s->s2[1] = s->s2[2];
    s->s2[2] = (unsigned int)q;
    return (unsigned int)(p <= q ? p - q + WARPLINE_MRG1 : p - q); /* 1 to m1 */
}
/* x = A^(n * 2^shift) x, modulo m. */
static __device__ __noinline__ void warpline_mrg_jump(unsigned int x[3], unsigned long long a1, unsigned long long a2, unsigned long long a0,
                                                      unsigned long long m, unsigned long long n, int shift)
{
    unsigned int power[9] = {0, 1, 0, 0, 0, 1, (unsigned int)a0, (unsigned int)a1, (unsigned int)a2};
    for (int k = 0; k < 64 + shift; k++) {
        if (k >= shift && (n >> (k - shift)) == 0)
            return;
        if (k >= shift && (n >> (k - shift) & 1)) {
            unsigned int y[3];
            for (int i = 0; i < 3; i++)
                y[i] = (unsigned int)(((unsigned long long)power[3 * i] * x[0] % m + (unsigned long long)power[3 * i + 1] * x[1] % m +
                                       (unsigned long long)power[3 * i + 2] * x[2] % m) % m);
            for (int i = 0; i < 3; i++)
                x[i] = y[i];
        }
        unsigned int squared[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                squared[3 * i + j] = (unsigned int)(((unsigned long long)power[3 * i] * power[j] % m + (unsigned long long)power[3 * i + 1] * power[3 + j] % m +
                                                     (unsigned long long)power[3 * i + 2] * power[6 + j] % m) % m);
        for (int i = 0; i < 9; i++)
            power[i] = squared[i];
    }
}
WARPLINE_RANDOM void warpline_mrg_jump_both(unsigned long long n, int shift, curandStateMRG32k3a *s)
{
    if (!n)
        return;
    warpline_mrg_jump(s->s1, 1403580ull, 0, WARPLINE_MRG1 - 810728ull, WARPLINE_MRG1, n, shift);
    warpline_mrg_jump(s->s2, 0, 527612ull, WARPLINE_MRG2 - 1370589ull, WARPLINE_MRG2, n, shift);
}
WARPLINE_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a *s) { warpline_mrg_jump_both(n, 0, s); }
WARPLINE_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *s) { warpline_mrg_jump_both(n, 76, s); }
WARPLINE_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *s) { warpline_mrg_jump_both(n, 127, s); }
WARPLINE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a *s)
{
    for (int i = 0; i < 3; i++)
        s->s1[i] = s->s2[i] = 12345u;
    if (seed != 0) {
        const unsigned long long low = (unsigned int)seed ^ 0x55555555u, high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
        s->s1[0] = (unsigned int)(low * 12345u % WARPLINE_MRG1);
        s->s1[1] = (unsigned int)(high * 12345u % WARPLINE_MRG1);
        s->s1[2] = (unsigned int)(low * 12345u % WARPLINE_MRG1);
        s->s2[0] = (unsigned int)(high * 12345u % WARPLINE_MRG2);
        s->s2[1] = (unsigned int)(low * 12345u % WARPLINE_MRG2);
        s->s2[2] = (unsigned int)(high * 12345u % WARPLINE_MRG2);
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    warpline_forget_normals(s);
}
/* 1 to m1, spread over 32 bits. */
WARPLINE_RANDOM unsigned int curand(curandStateMRG32k3a *s) { return (unsigned int)(warpline_mrg_draw(s) * 1.000000048662); }

/* --- Distributions --- */
WARPLINE_RANDOM float warpline_uniform(unsigned int x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
WARPLINE_RANDOM double warpline_uniform_53(unsigned int x, unsigned int y)
{ return ((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54; }
WARPLINE_RANDOM float2 warpline_box_muller(float u, float v)
{
    float2 r;
    const float s = sqrtf(-2.0f * logf(u));
    __sincosf(v, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
WARPLINE_RANDOM float2 warpline_box_muller_of(unsigned int x, unsigned int y)
{
    return warpline_box_muller(x * 2.3283064e-10f + 2.3283064e-10f / 2, y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2);
}
WARPLINE_RANDOM double2 warpline_box_muller_double(double u, double v)
{
    double2 r;
    const double s = sqrt(-2.0 * log(u));
    sincospi(v, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
WARPLINE_RANDOM double2 warpline_box_muller_of(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1)
{
    const unsigned long long x = (unsigned long long)x0 ^ (unsigned long long)x1 << 21, y = (unsigned long long)y0 ^ (unsigned long long)y1 << 21;
    return warpline_box_muller_double(x * 0x1p-53 + 0x1p-54, y * 0x1p-52 + 0x1p-53);
}

/* (0, 1] */
WARPLINE_RANDOM float curand_uniform(curandStateXORWOW *s) { return warpline_uniform(curand(s)); }
WARPLINE_RANDOM float curand_uniform(curandStatePhilox4_32_10 *s) { return warpline_uniform(curand(s)); }
WARPLINE_RANDOM float curand_uniform(curandStateMRG32k3a *s) { return (float)(warpline_mrg_draw(s) * 2.3283065498378288e-10); }
WARPLINE_RANDOM double curand_uniform_double(curandStateXORWOW *s) { const unsigned int x = curand(s); return warpline_uniform_53(x, curand(s)); }
WARPLINE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10 *s) { return curand(s) * 0x1p-32 + 0x1p-32; }
WARPLINE_RANDOM double curand_uniform_double(curandStateMRG32k3a *s) { return warpline_mrg_draw(s) * 2.3283065498378288e-10; }

WARPLINE_RANDOM float2 curand_normal2(curandStateXORWOW *s) { const unsigned int x = curand(s); return warpline_box_muller_of(x, curand(s)); }
WARPLINE_RANDOM float2 curand_normal2(curandStatePhilox4_32_10 *s) { const unsigned int x = curand(s); return warpline_box_muller_of(x, curand(s)); }
WARPLINE_RANDOM float2 curand_normal2(curandStateMRG32k3a *s)
{ const float u = curand_uniform(s); return warpline_box_muller(u, curand_uniform(s) * 6.2831855f); }
WARPLINE_RANDOM double2 curand_normal2_double(curandStateXORWOW *s)
{ const unsigned int a = curand(s), b = curand(s), c = curand(s); return warpline_box_muller_of(a, b, c, curand(s)); }
WARPLINE_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10 *s)
{ const unsigned int a = curand(s), b = curand(s), c = curand(s); return warpline_box_muller_of(a, b, c, curand(s)); }
WARPLINE_RANDOM double2 curand_normal2_double(curandStateMRG32k3a *s)
{ const double u = curand_uniform_double(s); return warpline_box_muller_double(u, curand_uniform_double(s) * 2.0); }

/* What is drawn in pairs gives one number now and keeps the other, for the distribution that it was drawn for. */
enum { WARPLINE_NO_NORMAL, WARPLINE_A_NORMAL, WARPLINE_A_LOG_NORMAL };
#define WARPLINE_RANDOM_ONE(S, T, T2, name, pair, flag, extra, kind, arguments, passed)                                                    \
    WARPLINE_RANDOM T name arguments                                                                                                      \
    {                                                                                                                                     \
        if (s->flag == kind) {                                                                                                            \
            s->flag = WARPLINE_NO_NORMAL;                                                                                                 \
            return s->extra;                                                                                                              \
        }                                                                                                                                 \
        const T2 both = pair passed;                                                                                                      \
        s->extra = both.y;                                                                                                                \
        s->flag = kind;                                                                                                                   \
        return both.x;                                                                                                                    \
    }
#define WARPLINE_RANDOM_FOR(S)                                                                                                            \
    WARPLINE_RANDOM float2 curand_log_normal2(S *s, float mean, float deviation)                                                          \
    { const float2 n = curand_normal2(s); return make_float2(expf(mean + deviation * n.x), expf(mean + deviation * n.y)); }               \
    WARPLINE_RANDOM double2 curand_log_normal2_double(S *s, double mean, double deviation)                                                \
    { const double2 n = curand_normal2_double(s); return make_double2(exp(mean + deviation * n.x), exp(mean + deviation * n.y)); }        \
    WARPLINE_RANDOM_ONE(S, float, float2, curand_normal, curand_normal2, boxmuller_flag, boxmuller_extra, WARPLINE_A_NORMAL, (S *s), (s)) \
    WARPLINE_RANDOM_ONE(S, double, double2, curand_normal_double, curand_normal2_double, boxmuller_flag_double, boxmuller_extra_double,   \
                        WARPLINE_A_NORMAL, (S *s), (s))                                                                                   \
    WARPLINE_RANDOM_ONE(S, float, float2, curand_log_normal, curand_log_normal2, boxmuller_flag, boxmuller_extra, WARPLINE_A_LOG_NORMAL,  \
                        (S *s, float mean, float deviation), (s, mean, deviation))                                                        \
    WARPLINE_RANDOM_ONE(S, double, double2, curand_log_normal_double, curand_log_normal2_double, boxmuller_flag_double,                   \
                        boxmuller_extra_double, WARPLINE_A_LOG_NORMAL, (S *s, double mean, double deviation), (s, mean, deviation))       \
    WARPLINE_RANDOM unsigned int curand_poisson(S *s, double lambda) { return warpline_poisson(s, lambda); }
/* Knuth's product of uniforms, in steps whose exponential does not underflow. */
template <class S> WARPLINE_RANDOM unsigned int warpline_poisson(S *s, double lambda)
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
WARPLINE_RANDOM_FOR(curandStateXORWOW)
WARPLINE_RANDOM_FOR(curandStatePhilox4_32_10)
WARPLINE_RANDOM_FOR(curandStateMRG32k3a)
#undef WARPLINE_RANDOM_FOR
#undef WARPLINE_RANDOM_ONE

WARPLINE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{ const uint4 x = curand4(s); return make_float4(warpline_uniform(x.x), warpline_uniform(x.y), warpline_uniform(x.z), warpline_uniform(x.w)); }
WARPLINE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *s)
{ const uint4 x = curand4(s); return make_double2(warpline_uniform_53(x.x, x.y), warpline_uniform_53(x.z, x.w)); }
WARPLINE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10 *s)
{ const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s); return make_double4(a.x, a.y, b.x, b.y); }
WARPLINE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    const uint4 x = curand4(s);
    const float2 a = warpline_box_muller_of(x.x, x.y), b = warpline_box_muller_of(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
WARPLINE_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float deviation)
{
    const float4 n = curand_normal4(s);
    return make_float4(expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z), expf(mean + deviation * n.w));
}
#undef WARPLINE_MRG1
#undef WARPLINE_MRG2
#undef WARPLINE_RANDOM
#include "bits/names_shown.h"
#endif
