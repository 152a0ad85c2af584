// Numbers of eight bits: every conversion of cuda_fp8.h from and to float and half, on the device and on the host, against the nearest of
// all 256. nvcc makes cvt.e4m3x2 and cvt.e5m2x2 of the device's.
// nvcc-arch: 89
#include "check.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <cuda_fp8.h>
enum { COUNT = 4096 };
__global__ void narrow(const float *in, unsigned char *e4m3, unsigned char *e5m2, unsigned char *by_half, unsigned short *pairs)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    e4m3[i] = __nv_fp8_e4m3(in[i]).__x;
    e5m2[i] = __nv_fp8_e5m2(in[i]).__x;
    by_half[i] = __nv_fp8_e5m2(__float2half(in[i])).__x;
    pairs[i] = __nv_fp8x2_e4m3(make_float2(in[i], in[COUNT - 1 - i])).__x;
}
__global__ void widen(float *e4m3, float *e5m2, float4 *fours)
{
    const int i = (int)threadIdx.x;
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    __nv_fp8x4_e4m3 c;
    a.__x = b.__x = (unsigned char)i;
    c.__x = (unsigned)i | (unsigned)(i ^ 1) << 8 | (unsigned)(i ^ 2) << 16 | (unsigned)(255 - i) << 24;
    e4m3[i] = (float)a;
    e5m2[i] = (float)b;
    fours[i] = (float4)c;
}
static double value(int bits, bool e5m2)
{
    const int m = bits & 0x7f, n = e5m2 ? 2 : 3, exponent = m >> n, fraction = m & ((1 << n) - 1), bias = e5m2 ? 15 : 7;
    double r = exponent ? std::ldexp((1 << n) + fraction, exponent - bias - n) : std::ldexp(fraction, 1 - bias - n);
    if (e5m2 ? m > 0x7c : m == 0x7f)
        r = NAN;
    else if (e5m2 && m == 0x7c)
        r = INFINITY;
    return bits & 0x80 ? -r : r;
}
static int nearest(double x, bool e5m2)
{
    const int most = e5m2 ? 0x7b : 0x7e;
    int best = 0;
    if (x != x)
        return 0x7f;
    for (int m = 0; m <= most; m++) {
        const double here = std::fabs(value(m, e5m2) - std::fabs(x)), least = std::fabs(value(best, e5m2) - std::fabs(x));
        if (here < least || (here == least && !(m & 1)))
            best = m;
    }
    return (std::fabs(x) > value(most, e5m2) ? most : best) | (std::signbit(x) ? 0x80 : 0);
}
static bool same(float a, double b) { return b != b ? a != a : (double)a == b && std::signbit(a) == std::signbit(b); }
int main()
{
    static float in[COUNT], back[256], back5[256];
    static float4 fours[256];
    static unsigned char e4m3[COUNT], e5m2[COUNT], by_half[COUNT];
    static unsigned short pairs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const int m = i / 8 % 254;
        const double middle = i & 1 ? (value(m % 0x7e, false) + value(m % 0x7e + 1, false)) / 2 : (value(m % 0x7b, true) + value(m % 0x7b + 1, true)) / 2;
        in[i] = (float)(i & 2 ? middle : middle * (1 + (i % 61 - 30) * 0.004)) * (i & 4 ? -1.0f : 1.0f);
    }
    in[0] = NAN, in[1] = INFINITY, in[2] = -INFINITY, in[3] = 1e30f, in[4] = -1e-30f, in[5] = 464.0f, in[6] = 465.0f, in[7] = 1e-45f;
    float *d = on_device(in, COUNT), *w = on_device(back, 256), *w5 = on_device(back5, 256);
    float4 *w4 = on_device(fours, 256);
    unsigned char *a = on_device(e4m3, COUNT), *b = on_device(e5m2, COUNT), *h = on_device(by_half, COUNT);
    unsigned short *p = on_device(pairs, COUNT);
    narrow<<<COUNT / 128, 128>>>(d, a, b, h, p);
    LAUNCHED();
    widen<<<1, 256>>>(w, w5, w4);
    LAUNCHED();
    to_host(e4m3, a, COUNT), to_host(e5m2, b, COUNT), to_host(by_half, h, COUNT), to_host(pairs, p, COUNT);
    to_host(back, w, 256), to_host(back5, w5, 256), to_host(fours, w4, 256);
    for (int i = 0; i < COUNT; i++) {
        CHECK(e4m3[i] == nearest(in[i], false));
        CHECK(e5m2[i] == nearest(in[i], true));
        CHECK(by_half[i] == nearest(__half2float(__float2half(in[i])), true));
        CHECK(pairs[i] == (e4m3[i] | e4m3[COUNT - 1 - i] << 8));
        CHECK(__nv_fp8_e4m3(in[i]).__x == e4m3[i]); // the host's
        CHECK(__nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E5M2) == e5m2[i]);
    }
    for (int i = 0; i < 256; i++) {
        CHECK(same(back[i], value(i, false)) && same(back5[i], value(i, true)));
        CHECK(same(fours[i].y, value(i ^ 1, false)) && same(fours[i].w, value(255 - i, false)));
    }
    CHECK(__nv_cvt_float_to_fp8(1000.0f, __NV_NOSAT, __NV_E4M3) == 0x7f && __nv_cvt_float_to_fp8(-1e6f, __NV_NOSAT, __NV_E5M2) == 0xfc);
    const unsigned four = __nv_fp8x4_e4m3(make_float4(1.5f, -2, 0, 448)).__x;
    CHECK(__nv_fp8x4_e4m3(__floats2half2_rn(1.5f, -2), __floats2half2_rn(0, 448)).__x == four);
    CHECK(__nv_fp8x4_e4m3(__floats2bfloat162_rn(1.5f, -2), __floats2bfloat162_rn(0, 448)).__x == four);
    return done();
}
