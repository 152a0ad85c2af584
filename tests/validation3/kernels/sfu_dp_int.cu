#include "cudamin.h"
extern "C" __global__ void sfu_dp_int(const float *in, float *out)
{
    int i = GLOBAL_ID;
    float v = in[i], r = 0, t;
    double d = v;
    int m = i + 3;
    for (int k = 0; k < 3; k++) {
        asm("sin.approx.f32 %0, %1;" : "=f"(t) : "f"(v));
        r += t;
        d = d * 1.5 + 0.25;
        asm("ex2.approx.f32 %0, %1;" : "=f"(t) : "f"(r));
        r += t;
        m = m / (k + 3) + m % 7;
        asm("rsqrt.approx.f32 %0, %1;" : "=f"(t) : "f"(v + k));
        r *= t;
        d = d / (k + 1.25);
        asm("lg2.approx.f32 %0, %1;" : "=f"(t) : "f"(v));
        v += t * t + 0.5f;
        asm("rcp.approx.f32 %0, %1;" : "=f"(t) : "f"(v));
        r += t;
    }
    out[i] = r + (float)d + m;
}
