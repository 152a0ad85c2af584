// Sobol's sequence by cuRAND's device interface, with direction vectors of the program's own: the wanted numbers are those of NVIDIA's headers
// (this program made with nvcc prints them with an argument).
#include "check.h"
#include <cmath>
#include <curand_kernel.h>
enum { DIMENSIONS = 3, VALUES = 4 * DIMENSIONS };
template <class S, class T> __device__ unsigned long long draw(S s, T jump)
{
    unsigned long long sum = 0;
    for (int i = 0; i < 9; i++)
        sum = sum * 6364136223846793005ull + curand(&s);
    skipahead(jump, &s);
    sum = sum * 31 + curand(&s);
    sum = sum * 31 + (unsigned long long)(curand_uniform(&s) * 16777216.0f);
    return sum * 31 + (unsigned long long)(curand_uniform_double(&s) * 0x1p53);
}
__global__ void numbers(unsigned int (*v32)[32], unsigned long long (*v64)[64], unsigned long long *out, float *normals)
{
    const int d = (int)threadIdx.x;
    curandStateSobol32_t a;
    curandStateScrambledSobol32_t b;
    curandStateSobol64_t c;
    curandStateScrambledSobol64_t e;
    curand_init(v32[d], 17u, &a);
    curand_init(v32[d], 0xdeadbeefu, 1000u, &b);
    curand_init(v64[d], 0x123456789ull, &c);
    curand_init(v64[d], 0xfeedfacecafebeefull, 5ull, &e);
    out[d] = draw(a, 100003u);
    out[DIMENSIONS + d] = draw(b, 7u);
    out[2 * DIMENSIONS + d] = draw(c, 0x1000000007ull);
    out[3 * DIMENSIONS + d] = draw(e, 1ull);
    normals[4 * d] = curand_normal(&a);
    normals[4 * d + 1] = curand_normal(&b);
    normals[4 * d + 2] = curand_normal(&c);
    normals[4 * d + 3] = curand_normal(&e);
}
static const unsigned long long wanted[VALUES] = {
    0x26e428e9418f2d80, 0x75474f42c5684580, 0xa0633e18aaa6c180, 0xbe38e342b5e40c79,
    0x4dad4b48ba148c79, 0x6dd12ed166308c79, 0xdd7ae2731e0e50f9, 0x025f484ecfdaba3e,
    0xc1e0f704dcaeba0e, 0xe1213b2dc3fd7394, 0xc1153b2db85d7394, 0x21153b2db85d7394,
};
static const float wanted_normals[VALUES] = {
    0.23720211f, 1.2934093f, 0.51288015f, -1.1709034f, 1.8627318f, 0.7557888f,
    0.049207292f, -1.1709034f, 1.8627318f, -0.37659559f, 0.36226472f, 1.13027f,
};
// The first dimension counts; the others follow the polynomials x + 1 and x^2 + x + 1 from 1, and from 1 and 3.
static unsigned long long vector(int dimension, int k, int bits)
{
    unsigned long long m[64] = { 1, 3 };
    for (int i = dimension; i <= k; i++)
        m[i] = dimension == 0 ? 1 : dimension == 1 ? 2 * m[i - 1] ^ m[i - 1] : 2 * m[i - 1] ^ 4 * m[i - 2] ^ m[i - 2];
    return m[k] << (bits - 1 - k);
}
int main(int argc, char **)
{
    static unsigned int v32[DIMENSIONS][32];
    static unsigned long long v64[DIMENSIONS][64], out[VALUES];
    static float normals[VALUES];
    for (int d = 0; d < DIMENSIONS; d++)
        for (int k = 0; k < 64; k++) {
            v64[d][k] = vector(d, k, 64);
            if (k < 32)
                v32[d][k] = (unsigned int)vector(d, k, 32);
        }
    unsigned int *p = on_device(&v32[0][0], DIMENSIONS * 32);
    unsigned long long *q = on_device(&v64[0][0], DIMENSIONS * 64), *o = on_device(out, VALUES);
    float *n = on_device(normals, VALUES);
    numbers<<<1, DIMENSIONS>>>((unsigned int(*)[32])p, (unsigned long long(*)[64])q, o, n);
    LAUNCHED();
    to_host(out, o, VALUES);
    to_host(normals, n, VALUES);
    if (argc > 1) {
        for (int i = 0; i < VALUES; i++)
            std::printf("0x%016llx,%s", out[i], i % 4 == 3 ? "\n" : " ");
        for (int i = 0; i < VALUES; i++)
            std::printf("%.8gf,%s", normals[i], i % 6 == 5 ? "\n" : " ");
        return 0;
    }
    for (int i = 0; i < VALUES; i++) {
        CHECK(out[i] == wanted[i]);
        CHECK(std::fabs(normals[i] - wanted_normals[i]) <= 2e-6f * (1 + std::fabs(wanted_normals[i])));
    }
    CHECK(sizeof(curandStateSobol32_t) == 140 && sizeof(curandStateSobol64_t) == 536);
    return done();
}
