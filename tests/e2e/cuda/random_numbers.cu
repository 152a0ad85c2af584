// The random generator of curand_kernel.h: uniform and normal numbers have the right moments; streams differ.
// nvcc: no (cuRAND's own header needs its tables)
#include "check.h"
#include <curand.h>
#include <curand_kernel.h>
__global__ void draw(float *uniform, float *normal, unsigned *first)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    curandState s;
    curand_init(42, t, 0, &s);
    first[t] = curand(&s);
    uniform[t] = curand_uniform(&s);
    normal[t] = curand_normal(&s);
}
static void numbers_made_on_the_host()
{
    enum { N = 4096 };
    curandGenerator_t g;
    static float u[N], again[N];
    static double z[N];
    float *du = on_device<float>(nullptr, N);
    double *dz = on_device<double>(nullptr, N), mean = 0, square = 0;
    CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    for (float *to : { u, again }) {
        CHECK(curandSetPseudoRandomGeneratorSeed(g, 1234ULL) == CURAND_STATUS_SUCCESS);
        CHECK(curandGenerateUniform(g, du, N) == CURAND_STATUS_SUCCESS);
        to_host(to, du, N);
    }
    CHECK(memcmp(u, again, sizeof u) == 0);
    CHECK(curandGenerateNormalDouble(g, dz, N, 3.0, 2.0) == CURAND_STATUS_SUCCESS);
    to_host(z, dz, N);
    for (int i = 0; i < N; i++) {
        CHECK(u[i] > 0 && u[i] <= 1 && (i == 0 || u[i] != u[i - 1]));
        mean += z[i] / N;
        square += (z[i] - 3) * (z[i] - 3) / N;
    }
    CHECK(fabs(mean - 3) < 0.1 && fabs(square - 4) < 0.3);
    CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
}
/* Sobol's numbers; those wanted are what NVIDIA's library gave for the same calls. */
static void quasi_random_numbers()
{
    static unsigned u[20000], hash = 0;
    float z[20];
    double r[20], most = 0;
    const float wanted[] = { 1.980657f, 2.262264f, 0.3417612f, -1.381434f, 3.249853f, 1.788931f, 1.189074f, -3.094176f };
    curandGenerator_t g;
    CHECK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 20) == CURAND_STATUS_SUCCESS && curandSetGeneratorOffset(g, 12345) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(g, u, 7) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandGenerate(g, u, 20000) == CURAND_STATUS_SUCCESS && curandGenerate(g, u, 20000) == CURAND_STATUS_SUCCESS);
    for (unsigned x : u)
        hash = hash * 31 + x;
    CHECK(hash == 3072327680u && u[19999] == 3623616512u);
    CHECK(curandGenerateNormal(g, z, 20, 1, 2) == CURAND_STATUS_SUCCESS);
    for (int i = 0; i < 8; i++)
        most = fmax(most, fabs(z[i] - wanted[i]));
    CHECK(most < 2e-6);
    CHECK(curandGenerateUniformDouble(g, r, 20) == CURAND_STATUS_SUCCESS && r[0] == 0.93804931663908064 && r[3] == 0.86688232445158064);
    CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
    CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS && curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_TYPE_ERROR);
    /* scrambled: of the first 1024 one in each part of a dimension */
    static float scrambled[2048];
    static bool seen[2][1024];
    CHECK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) == CURAND_STATUS_SUCCESS && curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_SUCCESS);
    float *d = on_device<float>(nullptr, 2048);
    CHECK(curandGenerateUniform(g, d, 2048) == CURAND_STATUS_SUCCESS);
    to_host(scrambled, d, 2048);
    for (int i = 0; i < 2048; i++) {
        bool &there = seen[i / 1024][(int)(scrambled[i] * 1024) & 1023];
        CHECK(!there);
        there = true;
    }
}
int main()
{
    numbers_made_on_the_host();
    quasi_random_numbers();
    const int n = 4096;
    static float u[n], g[n];
    static unsigned f[n];
    float *du = on_device<float>(nullptr, n), *dg = on_device<float>(nullptr, n);
    unsigned *df = on_device<unsigned>(nullptr, n);
    draw<<<16, 256>>>(du, dg, df);
    LAUNCHED();
    to_host(u, du, n);
    to_host(g, dg, n);
    to_host(f, df, n);
    double mu = 0, mg = 0, vg = 0;
    for (int i = 0; i < n; i++) {
        CHECK(u[i] > 0 && u[i] <= 1);
        mu += u[i];
        mg += g[i];
        vg += g[i] * g[i];
        for (int j = 0; j < 20 && j < i; j++)
            CHECK(f[i] != f[j]);
    }
    CHECK(fabs(mu / n - 0.5) < 0.03 && fabs(mg / n) < 0.06 && fabs(vg / n - 1) < 0.1);
    return done();
}
