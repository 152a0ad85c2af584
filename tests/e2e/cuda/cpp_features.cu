// C++ in kernels: functors, lambdas with captures, inheritance, operators, constexpr, std::array, unions, inline PTX, threads on
// the host that launch at the same time.
#include "check.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>
struct vec2 {
    float x, y;
    __host__ __device__ vec2 operator+(const vec2 &o) const { return { x + o.x, y + o.y }; }
    __host__ __device__ vec2 operator*(float s) const { return { x * s, y * s }; }
    __host__ __device__ bool operator==(const vec2 &o) const { return x == o.x && y == o.y; }
};
template <class T, int N> struct polynomial {
    T c[N];
    __host__ __device__ constexpr T operator()(T x) const
    {
        T r = 0;
        for (int i = N; i-- > 0;)
            r = r * x + c[i];
        return r;
    }
};
template <class T, class F> __global__ void map(const T *in, T *out, int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(in[i]);
}
template <class T, unsigned Block> __global__ void block_sum(const T *in, T *out)
{
    __shared__ T s[Block];
    s[threadIdx.x] = in[blockIdx.x * Block + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned half = Block / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
constexpr int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }
union pun { float f; unsigned u; };
__device__ unsigned reverse(unsigned x)
{
    unsigned r;
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x));
    return r;
}
__global__ void odds(unsigned *out, float f)
{
    std::array<int, 4> a = { 1, 2, 3, 4 };
    pun p;
    p.f = f;
    out[0] = p.u;
    out[1] = reverse(1u);
    out[2] = (unsigned)a[threadIdx.x + 2] * power(3, 4);
    auto twice = [](int x) { return 2 * x; };
    out[3] = (unsigned)twice(21);
    struct { unsigned low : 5, high : 11; } bits = { 17, 1025 };
    out[4] = bits.low * 10000 + bits.high;
    const std::pair<int, float> both(7, 0.5f);
    out[5] = (unsigned)(both.first * both.second * 10);
}
int main()
{
    const int n = 512;
    std::vector<float> in(n), out(n);
    std::iota(in.begin(), in.end(), 0.0f);
    float *din = on_device(in.data(), n), *dout = on_device<float>(nullptr, n);
    const polynomial<float, 3> p = { { 1.0f, 0.5f, 0.25f } };
    map<<<4, 128>>>(din, dout, n, p);
    LAUNCHED();
    to_host(out.data(), dout, n);
    for (int i = 0; i < n; i++)
        CHECK(out[i] == p(in[i]));
    const float scale = 3.0f;
    map<<<4, 128>>>(din, dout, n, [=] __device__(float x) { return x * scale + 1; });
    LAUNCHED();
    to_host(out.data(), dout, n);
    for (int i = 0; i < n; i++)
        CHECK(out[i] == fmaf(in[i], scale, 1.0f));
    std::vector<vec2> v(n), sums(4);
    for (int i = 0; i < n; i++)
        v[i] = vec2{ (float)i, 1.0f } * 2.0f;
    vec2 *dv = on_device(v.data(), n), *ds = on_device<vec2>(nullptr, 4);
    block_sum<vec2, 128><<<4, 128>>>(dv, ds);
    LAUNCHED();
    to_host(sums.data(), ds, 4);
    for (int b = 0; b < 4; b++)
        CHECK((sums[b] == vec2{ 2.0f * (128 * 128 * b + 127 * 64), 256.0f }));
    unsigned o[6], *d_o = on_device<unsigned>(nullptr, 6);
    odds<<<1, 1>>>(d_o, 1.0f);
    LAUNCHED();
    to_host(o, d_o, 6);
    CHECK(o[0] == 0x3f800000u && o[1] == 0x80000000u && o[2] == 243 && o[3] == 42 && o[4] == 171025 && o[5] == 35);
    std::vector<std::thread> threads;
    std::vector<float *> parts(4);
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            parts[t] = on_device<float>(nullptr, n);
            map<<<4, 128>>>(din, parts[t], n, polynomial<float, 3>{ { (float)t, 1.0f, 0.0f } });
            LAUNCHED();
        });
    for (auto &t : threads)
        t.join();
    for (int t = 0; t < 4; t++) {
        to_host(out.data(), parts[t], n);
        CHECK(out[100] == 100.0f + t);
    }
    return done();
}
