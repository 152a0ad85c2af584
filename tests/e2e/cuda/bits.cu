// Integer intrinsics and conversions with all four rounding modes.
#include "check.h"
struct row { unsigned a, b; int c; unsigned out[24]; };
__global__ void ints(row *rows)
{
    row &r = rows[threadIdx.x];
    unsigned a = r.a, b = r.b;
    int c = r.c;
    unsigned *o = r.out;
    *o++ = __popc(a); *o++ = __clz(c); *o++ = __brev(a); *o++ = __ffs(c); *o++ = __byte_perm(a, b, 0x5140);
    *o++ = __umulhi(a, b); *o++ = (unsigned)__mulhi((int)a, c); *o++ = __funnelshift_l(a, b, 7); *o++ = __funnelshift_r(a, b, 40);
    *o++ = (unsigned)__popcll((unsigned long long)a << 20 | b); *o++ = (unsigned)__clzll((long long)b); *o++ = __usad(a, b, 5);
    *o++ = (unsigned)__sad(c, 10, 3u); *o++ = (unsigned)__mul24(c, 3); *o++ = (unsigned)__hadd(c, 5); *o++ = (unsigned)__dp4a((int)a, (int)b, c);
    *o++ = a / (b | 1); *o++ = a % (b | 1); *o++ = (unsigned)(c / 7); *o++ = (unsigned)(c % 7);
    *o++ = (unsigned)(((unsigned long long)a * b) >> 13); *o++ = (unsigned)((long long)c * c >> 5); *o++ = a >> (b & 31); *o++ = (unsigned)(c >> 3);
}
__global__ void rounding(float f, double d, int *o, float *fo)
{
    o[0] = __float2int_rn(f); o[1] = __float2int_rz(f); o[2] = __float2int_rd(f); o[3] = __float2int_ru(f);
    o[4] = __double2int_rn(d); o[5] = (int)__float2uint_rz(-f); o[6] = (int)__double2ll_rd(d);
    fo[0] = __fadd_rd(1.0f, 1e-9f); fo[1] = __fadd_ru(1.0f, 1e-9f); fo[2] = __fdiv_rz(2.0f, 3.0f); fo[3] = __fdiv_ru(2.0f, 3.0f);
    fo[4] = __fsqrt_rd(2.0f); fo[5] = __fsqrt_ru(2.0f); fo[6] = __double2float_rd(0.1); fo[7] = __double2float_ru(0.1);
    fo[8] = __fmaf_rn(3.0f, 0.1f, 1.0f); fo[9] = __int2float_rz(16777217); fo[10] = __int2float_ru(16777217);
    fo[11] = __saturatef(1.5f); fo[12] = __saturatef(-2.0f); fo[13] = __int_as_float(0x40490fdb);
}
static unsigned brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}
int main()
{
    const int n = 16;
    row h[n];
    unsigned x = 12345;
    for (int i = 0; i < n; i++) {
        h[i].a = x = x * 1664525u + 1013904223u;
        h[i].b = x = x * 1664525u + 1013904223u;
        h[i].c = (int)(x = x * 1664525u + 1013904223u) >> (i * 2);
        h[i].c |= 1;
    }
    row *d = on_device(h, n);
    ints<<<1, n>>>(d);
    LAUNCHED();
    to_host(h, d, n);
    for (int i = 0; i < n; i++) {
        const unsigned a = h[i].a, b = h[i].b, *o = h[i].out;
        const int c = h[i].c;
        CHECK(o[0] == (unsigned)__builtin_popcount(a) && o[1] == (unsigned)__builtin_clz((unsigned)c) && o[2] == brev(a) && o[3] == (unsigned)__builtin_ffs(c));
        CHECK(o[4] == ((a & 255) | (b & 255) << 8 | (a >> 8 & 255) << 16 | (b >> 8 & 255) << 24));
        CHECK(o[5] == (unsigned)((unsigned long long)a * b >> 32) && o[6] == (unsigned)((long long)(int)a * c >> 32));
        CHECK(o[7] == (b << 7 | a >> 25) && o[8] == (b << 24 | a >> 8));
        CHECK(o[9] == (unsigned)__builtin_popcountll((unsigned long long)a << 20 | b) && o[10] == (unsigned)__builtin_clzll((long long)b));
        CHECK(o[11] == (a > b ? a - b : b - a) + 5 && o[12] == (unsigned)(c > 10 ? (unsigned)c - 10u : 10u - (unsigned)c) + 3u);
        CHECK(o[13] == (unsigned)(((int)((unsigned)c << 8) >> 8) * 3) && o[14] == (unsigned)(((long long)c + 5) >> 1));
        int dot = c;
        for (int k = 0; k < 4; k++)
            dot += (signed char)(a >> 8 * k) * (signed char)(b >> 8 * k);
        CHECK(o[15] == (unsigned)dot && o[16] == a / (b | 1) && o[17] == a % (b | 1) && o[18] == (unsigned)(c / 7) && o[19] == (unsigned)(c % 7));
        CHECK(o[20] == (unsigned)((unsigned long long)a * b >> 13) && o[21] == (unsigned)((long long)c * c >> 5) && o[22] == a >> (b & 31) && o[23] == (unsigned)(c >> 3));
    }
    int oi[7], *doi = on_device<int>(nullptr, 7);
    float of[14], *dof = on_device<float>(nullptr, 14);
    rounding<<<1, 1>>>(-2.5f, 3.5, doi, dof);
    LAUNCHED();
    to_host(oi, doi, 7);
    to_host(of, dof, 14);
    CHECK(oi[0] == -2 && oi[1] == -2 && oi[2] == -3 && oi[3] == -2 && oi[4] == 4 && oi[5] == 2 && oi[6] == 3);
    CHECK(of[0] == 1.0f && of[1] == nextafterf(1.0f, 2.0f) && of[3] == nextafterf(of[2], 1.0f) && of[5] == nextafterf(of[4], 2.0f));
    CHECK(of[7] == nextafterf(of[6], 1.0f) && of[8] == fmaf(3.0f, 0.1f, 1.0f) && of[9] == 16777216.0f && of[10] == 16777218.0f);
    CHECK(of[11] == 1.0f && of[12] == 0.0f && of[13] == 3.14159274f);
    return done();
}
