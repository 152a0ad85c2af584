// What programs use less of half and bfloat16: roundings, masks, forms with u, constants, numbers of other types.
// nvcc-arch: 80
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <class T, class Pair> static __device__ int compare(float *out, int k, T one, T two, T nan)
{
    Pair p(one, two), q(two, one), odd(nan, two);
    out[k++] = __low2float(__hltu2(odd, p)) + 2 * __high2float(__hltu2(p, q));          /* 1: not a number */
    out[k++] = (float)(__hlt2_mask(p, q) == 0xffffu) + 2 * (__hge2_mask(p, q) == 0xffff0000u); /* 3 */
    out[k++] = (float)__hequ(nan, one) + 2 * __hbeq2(p, p) + 4 * __hbequ2(odd, odd) + 8 * __hbeq2(odd, odd); /* 7 */
    out[k++] = (float)(p == p) + 2 * (p != q) + 4 * (p < q);                            /* 3 */
    out[k++] = __low2float(__hisnan2(odd)) + 2 * __high2float(__hisnan2(odd));          /* 1 */
    out[k++] = (float)__hisnan(__hmax_nan(nan, one)) + 2 * (__hmax(nan, one) == one);   /* 3 */
    const Pair product = __hcmadd(p, q, p); /* (1 + 2i)(2 + i) + 1 + 2i */
    out[k++] = __low2float(product) + 10 * __high2float(product);                       /* 71 */
    out[k++] = (float)__hadd_sat(one, two) + 2 * (float)__hfma_relu(-one, two, one) + 4 * (float)__hmul_rn(one, two); /* 9 */
    return k;
}
__global__ void half_names(float *out, const __half2 *pair, __half *to)
{
    int k = compare<__half, __half2>(out, 0, CUDART_ONE_FP16, __half(2), CUDART_NAN_FP16);
    out[k++] = (float)__int2half_rz(2049) + (float)__int2half_ru(2049) - 4096;          /* 2: 2048 and 2050 */
    out[k++] = (float)(__half2char_rz(__half(-300.5f)) + __half2uchar_rz(__half(3.9f))); /* -125 */
    out[k++] = (float)CUDART_MAX_NORMAL_FP16;                                           /* 65504 */
    out[k++] = __low2float(__ldcs(pair)) + __high2float(__ldcg(pair));                  /* 3 */
    __stcs(to, nv_half(5));
}
__global__ void bf16_names(float *out)
{
    int k = compare<__nv_bfloat16, __nv_bfloat162>(out, 0, CUDART_ONE_BF16, __nv_bfloat16(2), CUDART_NAN_BF16);
    const float up = 1.0f + 0x1p-9f;
    out[k++] = (float)__float2bfloat16_rz(up) + (float)__float2bfloat16_ru(up) - 2;     /* 2^-7 */
    out[k++] = (float)__float2bfloat16_rd(-up) + (float)__float2bfloat16_ru(-up) + 2;   /* -2^-7 */
    out[k++] = (float)(__bfloat162short_rz(__nv_bfloat16(-2.5f)) + __bfloat162uint_rz(__nv_bfloat16(3.5f))) + __bfloat162int_ru(__nv_bfloat16(2.5f)); /* 4 */
    out[k++] = (float)__nv_bfloat16((short)-3) + (float)__nv_bfloat16(5ll) + (float)__ull2bfloat16_rn(256); /* 258 */
    out[k++] = (float)htanh(CUDART_ZERO_BF16) + (float)CUDART_MAX_NORMAL_BF16 / 0x1p127f; /* nearly 2 */
}
int main()
{
    float *out = on_device<float>(nullptr, 16), h[16];
    const __half2 pair = __floats2half2_rn(1, 2);
    __half2 *there = on_device(&pair, 1);
    __half *to = on_device<__half>(nullptr, 1), five;
    const float same[] = { 1, 3, 7, 3, 1, 3, 71, 9 };
    half_names<<<1, 1>>>(out, there, to);
    LAUNCHED();
    to_host(h, out, 16);
    for (int i = 0; i < 8; i++)
        CHECK(h[i] == same[i]);
    CHECK(h[8] == 2 && h[9] == -125 && h[10] == 65504 && h[11] == 3);
    to_host(&five, to, 1);
    CHECK((float)five == 5);
    bf16_names<<<1, 1>>>(out);
    LAUNCHED();
    to_host(h, out, 16);
    for (int i = 0; i < 8; i++)
        CHECK(h[i] == same[i]);
    CHECK(h[8] == 0x1p-7f && h[9] == -0x1p-7f && h[10] == 4 && h[11] == 258 && h[12] == 2 - 0x1p-7f);
    CHECK((float)__float2bfloat16_ru(1.001f) > 1.001f && (float)__nv_bfloat16(1ull << 40) == 0x1p40f);
    return done();
}
