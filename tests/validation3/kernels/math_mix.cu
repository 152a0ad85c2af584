#include "cudamin.h"
extern "C" __global__ void math_mix(const float *in, const int *ii, float *out, int n)
{
    int i = GLOBAL_ID;
    float x = in[i], y = x;
    int v = ii[i];
    for (int k = 0; k < 3; k++) {
        float a, b, c;
        asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(a) : "f"(y + 1.0f));
        asm volatile("ex2.approx.f32 %0, %1;" : "=f"(b) : "f"(-a));
        asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(c) : "f"(b), "f"(a + 0.5f));
        int q = (int)(c * 1000.0f) + v;
        unsigned short us = (unsigned short)q;
        signed char sc = (signed char)(q >> 3);
        long long w = (long long)q * 12345;
        y += (float)us * 0.001f + (float)sc + (float)(unsigned)(w >> 7) * 1e-6f;
        v = v / 7 + v % 13;
        double d = y;
        d = d * 1.25;
        y = (float)d;
        asm volatile("rcp.rn.f32 %0, %1;" : "=f"(a) : "f"(y + 3.0f));
        y += a;
        asm volatile("sin.approx.f32 %0, %1;" : "=f"(a) : "f"(y));
        y += a;
    }
    out[i] = y;
}
