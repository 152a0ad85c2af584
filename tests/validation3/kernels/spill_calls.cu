#include "cudamin.h"
__device__ __noinline__ float mix(float a, float b, int n, float x)
{
    float t[8];
    for (int k = 0; k < 8; k++)
        t[(k * 3) & 7] = a * x + b * k;
    t[n & 7] += x;
    return t[(n >> 1) & 7] + t[(n * 5 + 1) & 7];
}
extern "C" __global__ void spill_calls(const float *in, float *out, int n)
{
    float a[16];
    int i = GLOBAL_ID;
    for (int k = 0; k < 16; k++)
        a[k] = in[(i * 3 + k * 100) & 4095];
    for (int k = 0; k < n; k++) {
        int v = (int)(a[(i + k) & 15] * 3) & 15;
        if (v > 4)
            a[v] = mix(a[k & 15], a[(v + 1) & 15], v, 0.5f);
        a[(k + i) & 15] += in[v * 64 + (i & 63)];
    }
    out[i] = a[i & 15];
}
