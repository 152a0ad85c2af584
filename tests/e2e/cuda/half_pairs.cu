// Comparisons, saturation, atomics and shuffles of half and half2, which become set.f16x2, setp.f16x2 and their kin.
#include "check.h"
#include <cuda_fp16.h>
__global__ void pairs(float *out, __half2 *sums)
{
    const __half a = __float2half(1.5f), b = __float2half(2.25f), nan = __ushort_as_half(0x7fff);
    const __half2 p = __halves2half2(a, b), q = __float2half2_rn(2.0f), odd = __halves2half2(nan, b);
    int k = 0;
    out[k++] = __low2float(__hge2(p, q));                    /* 0 */
    out[k++] = __high2float(__hge2(p, q));                   /* 1 */
    out[k++] = (float)__hbge2(q, p) + 2 * __hbge2(q, __low2half2(p)); /* 2 */
    out[k++] = __low2float(__heq2(odd, odd));                /* 0: not a number */
    out[k++] = (float)__hneu(nan, a) + 2 * __hne(nan, a);    /* 1 */
    out[k++] = __high2float(__hmax2(p, q)) + __low2float(__hmin2(p, q)); /* 3.75 */
    out[k++] = __half2float(__hsub_sat(a, b)) + __half2float(__hadd_sat(a, b)); /* 1 */
    out[k++] = __low2float(__lowhigh2highlow(p));            /* 2.25 */
    out[k++] = __half2float(__float2half_ru(1.0001f)) - 1.0f; /* 2^-10 */
    __half2 r = p;
    r *= q;
    r -= p;
    r = -r;
    out[k++] = __low2float(r) + __high2float(r);             /* -3.75 */
    atomicAdd(sums, p);
}
__global__ void lanes(float *out) { out[threadIdx.x] = __half2float(__shfl_xor_sync(0xffffffffu, __float2half((float)threadIdx.x), 5)); }
int main()
{
    float *out = on_device<float>(nullptr, 32), h[32];
    __half2 *sums = on_device<__half2>(nullptr, 1), s;
    pairs<<<1, 1>>>(out, sums);
    LAUNCHED();
    to_host(h, out, 10);
    const float wanted[] = { 0, 1, 2, 0, 1, 3.75f, 1, 2.25f, 0x1p-10f, -3.75f };
    for (int i = 0; i < 10; i++)
        CHECK(h[i] == wanted[i]);
    to_host(&s, sums, 1);
    CHECK(__low2float(s) == 1.5f && __high2float(s) == 2.25f);
    lanes<<<1, 32>>>(out);
    LAUNCHED();
    to_host(h, out, 32);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == (float)(i ^ 5));
    return done();
}
