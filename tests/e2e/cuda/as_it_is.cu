// What nvcc takes and clang does not, in the manner of old and of modern programs; each was met in a public one.
// also: as_it_is_host.cpp
// nvcc-arch: 80
#include "check.h"
#include <algorithm>
#include <cuda_bf16.h>
#if !__CUDACC__
#error "a .cu file is CUDA"
#endif
#define UNIT " ms"
int host_part();

// Inline PTX with a single % before the special register.
__device__ unsigned lane_of()
{
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}
__device__ unsigned long long timer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
    return t;
}
// An abstract class on the device.
struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int area() const = 0;
};
struct box : shape {
    int a;
    __device__ box(int n) : a(n) {}
    __device__ int area() const override { return a * a; }
};
// Functions of any arguments that are only declared, to ask what a type has.
template <class T> struct has_area {
    template <class U> static __device__ char asked(decltype(&U::area));
    template <class U> static __device__ long asked(...);
    enum { value = sizeof(asked<T>(0)) == 1 };
};
// A member template of a class that depends on a parameter, named without `template`.
template <class T, class U> struct caster {
    template <int N> __device__ static T sum(const U *from) { return from[0] + from[N - 1]; }
};
template <class T, class U> __device__ T ends(const U *from)
{
    T t = caster<T, U>::sum<2>(from);
    caster<T, U>::sum<2>(from);
    return t + caster<T, U>::template sum<1>(from);
}
__global__ void kernel(int *out, __nv_bfloat16 *b)
{
    register int sum = lane_of();
    const box square(sum);
    const shape *s = &square;
    const float two[] = { 1.0f, 2.0f };
    out[threadIdx.x] = ends<int>(two) - 5 + s->area() * has_area<box>::value + has_area<int>::value + (timer() == 0xffffffffffffffffull);
    __nv_bfloat162_raw raw;
    raw.x = 0x3f80;
    raw.y = 0x4000;
    const __nv_bfloat162 pair(raw);
    __stcs(b + threadIdx.x, __hadd(__ldcs(b + threadIdx.x), __ldcg(b + threadIdx.x)));
    if (threadIdx.x == 0)
        __stcs((__nv_bfloat162 *)(b + 32), pair);
}
// Arrays of a length that is known only when the program runs, with values.
static float values_of(int n)
{
    const int longest = *std::max_element(&n, &n + 1);
    // behind a comment
    float table[2][longest] = { { 1, 2 }, // the rest is 0
                                { 3.5f } };
    int ones[n] = {};
#ifdef __clang__
    const float rest = table[1][1] + table[0][n - 1];
#else
    const float rest = 0; // g++ leaves what is not given in rows as it was
#endif
    return table[0][0] + table[0][1] + table[1][0] + rest + ones[0];
}

int main()
{
    register int n = 32;
    const float half = 128.5f;
    uchar4 narrow = { half, 2, 3, 4 };
    char text[32];
    std::snprintf(text, sizeof text, "%d"UNIT, n);
    CHECK(std::strcmp(text, "32 ms") == 0 && narrow.x == 128);
    int h[32], *d = on_device<int>(nullptr, 32);
    unsigned short bits[34];
    for (int i = 0; i < 34; i++)
        bits[i] = 0x3f80;
    unsigned short *b = on_device(bits, 34);
    kernel << < 1, n >> > (d, (__nv_bfloat16 *)b);
    LAUNCHED();
    to_host(h, d, 32);
    to_host(bits, b, 34);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == i * i && bits[i] == 0x4000);
    CHECK(bits[32] == 0x3f80 && bits[33] == 0x4000);
    CHECK(std::fabs(rsqrtf(4.0f) - 0.5f) < 1e-6f && std::fabs(rsqrt(16.0) - 0.25) < 1e-12);
    CHECK(host_part() == 5);
    CHECK(values_of(5) == 6.5f);
    return done();
}
#include <math_constants.h>
#include <nvtx3/nvToolsExtCudaRt.h>
static_assert(CUDART_SQRT_HALF_F > 0.7071067f && CUDART_SQRT_HALF_F < 0.7071069f && CUDART_SQRT_HALF > 0.70710678118 && CUDART_SQRT_HALF < 0.70710678119, "");
/* Programs that can do without a library ask whether its header is there. */
#if defined(__clang__) && (__has_include(<nvml.h>) || __has_include(<nccl.h>) || __has_include(<cudnn.h>))
#error "a header of a library that is not here"
#endif
