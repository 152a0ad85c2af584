// bfloat16: arithmetic, conversions, pairs, comparisons, functions, shuffles and atomics, on the device and on the host.
// nvcc-arch: 80
#include "check.h"
#include <cuda_bf16.h>

enum { RESULTS = 24 };

__global__ void scalars(float *out)
{
    const __nv_bfloat16 a = __float2bfloat16(1.5f), b = __float2bfloat16(3.140625f);
    __nv_bfloat16 sum = a;
    sum += b;
    int i = 0;
    out[i++] = __bfloat162float(__hadd(a, b));
    out[i++] = __bfloat162float(a * b);
    out[i++] = __bfloat162float(__hsub(a, b));
    out[i++] = __bfloat162float(a / b);
    out[i++] = __bfloat162float(__hfma(a, b, a));
    out[i++] = __bfloat162float(sum);
    out[i++] = __bfloat162float(__hmax(a, b)) + __bfloat162float(__hmin(a, b));
    out[i++] = (float)((a < b) + 2 * (a == a) + 4 * (b <= a) + 8 * (a != b));
    out[i++] = __bfloat162float(-b) + __bfloat162float(__habs(__hneg(b)));
    out[i++] = __bfloat162float(hexp(a));
    out[i++] = __bfloat162float(hsqrt(b));
    out[i++] = __bfloat162float(__double2bfloat16(1.00390625000001)); // just above half of the last place: up
    out[i++] = __bfloat162float(__float2bfloat16(1.00390625f));       // exactly half: to even
    out[i++] = (float)__bfloat16_as_ushort(b);
    out[i++] = __bfloat162float(__ushort_as_bfloat16(0x4120));
    out[i++] = (float)__bfloat162int_rn(b) + __bfloat162float(__int2bfloat16_rn(40));
    out[i++] = (float)(__hisnan(__float2bfloat16(NAN)) + 2 * __hisinf(__float2bfloat16(-INFINITY)));
}

__global__ void pairs(float *out, __nv_bfloat162 *total)
{
    const __nv_bfloat162 p = __floats2bfloat162_rn(2.0f, -3.0f), q = __hfma2(p, p, p);
    const float2 both = __bfloat1622float2(p * q);
    const __nv_bfloat16 next = __shfl_xor_sync(0xffffffffu, __float2bfloat16((float)threadIdx.x), 1);
    atomicAdd(total, __floats2bfloat162_rn(1.0f, 2.0f));
    atomicAdd(&total[1].y, __float2bfloat16(0.5f));
    if (threadIdx.x != 6)
        return;
    out[17] = both.x;
    out[18] = both.y;
    out[19] = __bfloat162float(__low2bfloat16(q)) + __bfloat162float(__high2bfloat16(q));
    out[20] = __bfloat162float(next);
    out[21] = __bfloat162float(__hadd2(p, q).x);
}

int main()
{
    float *out = on_device<float>(nullptr, RESULTS), host[RESULTS];
    __nv_bfloat162 *total = on_device<__nv_bfloat162>(nullptr, 2), sums[2];
    scalars<<<1, 1>>>(out);
    pairs<<<1, 32>>>(out, total);
    LAUNCHED();
    to_host(host, out, RESULTS);
    to_host(sums, total, 2);
    const float wanted[22] = {4.625f, 4.71875f, -1.640625f, 0.478515625f, 6.21875f, 4.625f, 4.640625f, 1 + 2 + 8, 0, 4.46875f, 1.7734375f,
                              1.0078125f, 1, 0x4049, 10, 43, -1, 12, -18, 12, 7, 8};
    for (int i = 0; i < 22; i++) {
        if (host[i] != wanted[i])
            printf("%d: %.9g and not %.9g\n", i, host[i], wanted[i]);
        CHECK(host[i] == wanted[i]);
    }
    CHECK(__bfloat162float(sums[0].x) == 32 && __bfloat162float(sums[0].y) == 64 && __bfloat162float(sums[1].y) == 16);
    CHECK(__bfloat162float(__float2bfloat16(-2.5f)) == -2.5f && sizeof(__nv_bfloat16) == 2 && sizeof(__nv_bfloat162) == 4);
    return done();
}
