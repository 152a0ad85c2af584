// The numbers that cuRAND draws, from its three generators, near and far along their sequences; the wanted ones are those of
// NVIDIA's own headers (this program made with nvcc prints them with an argument).
#include "check.h"
#include <curand_kernel.h>
static_assert(CURAND_RNG_PSEUDO_DEFAULT == 100 && sizeof(curandGenerator_t) == sizeof(void *), "the host's interface comes along");
struct place { unsigned long long seed, subsequence, offset; };
__constant__ place places[6] = { { 0, 0, 0 }, { 1234, 0, 0 }, { 1234, 5, 0 }, { 0x123456789abcdefull, 131071, 87000000ull },
                                 { 42, 0x100000000ull, 0xfedcba9876543210ull }, { 7, 0xfedcba987ull, 3 } };
template <class S> __device__ unsigned long long draw(const place &p)
{
    S s;
    curand_init(p.seed, p.subsequence, p.offset, &s);
    unsigned long long sum = 0;
    for (int i = 0; i < 7; i++)
        sum = sum * 6364136223846793005ull + curand(&s);
    skipahead(1000003ull, &s);
    sum = sum * 31 + curand(&s);
    sum = sum * 31 + (unsigned long long)(curand_uniform(&s) * 16777216.0f);
    sum = sum * 31 + (unsigned long long)(curand_uniform_double(&s) * 0x1p53);
    return sum;
}
template <class S> __device__ void normals(const place &p, float *out)
{
    S s;
    curand_init(p.seed, p.subsequence, p.offset, &s);
    for (int i = 0; i < 3; i++)
        out[i] = curand_normal(&s);
    out[3] = (float)curand_normal_double(&s);
    out[4] = curand_log_normal(&s, 0.5f, 0.25f);
}
__global__ void numbers(unsigned long long *out, float *more)
{
    const int i = threadIdx.x;
    out[i] = draw<curandStateXORWOW_t>(places[i]);
    out[6 + i] = draw<curandStatePhilox4_32_10_t>(places[i]);
    out[12 + i] = draw<curandStateMRG32k3a_t>(places[i]);
    normals<curandStateXORWOW_t>(places[i], more + 5 * i);
    normals<curandStatePhilox4_32_10_t>(places[i], more + 30 + 5 * i);
    normals<curandStateMRG32k3a_t>(places[i], more + 60 + 5 * i);
}
static const unsigned long long wanted[18] = {
    0xcb651cc805b653bd, 0x206a88939492eae6, 0xd678a4626093fe0b, 0x7db848511ccb995b,
    0x130ba14af837f548, 0x53bfd3b6f5d01b45, 0x3e478f04db7f8214, 0xcc117a596697e842,
    0x64111104f7fa8ebf, 0xa7f7de88c9c318d1, 0xf9e4f07598ff1976, 0x8017f1b753e6bb54,
    0x416bd400be14e6d3, 0xda6418dd5862a239, 0x5eca632ca6f5c10a, 0x5c06b362079ea6ee,
    0x40be1eb0a23e2d42, 0x8e71493cf407c657,
};
static const float wanted_normals[90] = {
    0.2925366f, -0.7183591f, 0.9580113f, 1.09064f, 2.598713f, 0.7809736f, -1.801578f, 0.1462823f, -1.012186f, 2.198534f,
    -0.004148264f, -0.5299583f, 1.199608f, -0.9450352f, 1.791094f, 0.3829409f, 1.06344f, -0.8058276f, -0.1041094f, 1.185899f,
    0.1029605f, 1.328045f, -1.242874f, 0.3451358f, 1.916252f, 0.6662723f, 1.676416f, 0.8079154f, 0.05014982f, 1.428582f,
    -0.9246624f, 0.9911377f, -0.4820687f, 0.3292107f, 3.114362f, -1.61649f, 1.229155f, -1.56054f, 1.008197f, 1.583166f,
    -0.2261509f, -0.04712699f, -1.102226f, 0.5323855f, 1.104688f, -0.8399003f, 0.3068199f, -1.162367f, 0.332401f, 1.567116f,
    -1.393611f, 2.377267f, -1.46321f, 0.2801096f, 1.479945f, -0.006269521f, 0.2958808f, -0.210015f, -1.62605f, 1.029127f,
    1.846073f, -0.8479251f, -1.361476f, -0.3615845f, 2.092623f, -0.3606538f, -0.5912813f, 1.747955f, -0.1561259f, 1.19576f,
    -1.319107f, -0.7988565f, 1.071501f, -0.5364151f, 1.71731f, 1.142954f, -1.183879f, 0.8503423f, -0.6250176f, 1.063006f,
    0.4365326f, 1.08238f, -0.08424916f, -1.439726f, 1.66206f, -0.7949473f, -1.512301f, 0.3420835f, -0.6867291f, 1.268675f,
};
int main(int argc, char **)
{
    unsigned long long out[18];
    float more[90];
    unsigned long long *d = on_device<unsigned long long>(nullptr, 18);
    float *e = on_device<float>(nullptr, 90);
    numbers<<<1, 6>>>(d, e);
    LAUNCHED();
    to_host(out, d, 18);
    to_host(more, e, 90);
    if (argc > 1) {
        for (int i = 0; i < 18; i++)
            std::printf("0x%016llx,%s", out[i], i % 4 == 3 || i == 17 ? "\n" : " ");
        for (int i = 0; i < 90; i++)
            std::printf("%.7gf,%s", more[i], i % 10 == 9 ? "\n" : " ");
        std::printf("%zu %zu %zu\n", sizeof(curandStateXORWOW_t), sizeof(curandStatePhilox4_32_10_t), sizeof(curandStateMRG32k3a_t));
        return 0;
    }
    for (int i = 0; i < 18; i++)
        CHECK(out[i] == wanted[i]);
    for (int i = 0; i < 90; i++)
        CHECK(std::fabs(more[i] - wanted_normals[i]) <= 2e-6f * (1 + std::fabs(wanted_normals[i])));
    CHECK(sizeof(curandStateXORWOW_t) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64);
    return done();
}
