#include "cudamin.h"
__device__ __noinline__ int collatz(int v, int lim)
{
    int s = 0;
    while (v != 1 && s < lim) {
        v = (v & 1) ? 3 * v + 1 : v >> 1;
        s++;
    }
    return s;
}
__device__ __noinline__ float poly(float x, const float *c, int n)
{
    float a = 0;
    for (int k = 0; k < n; k++)
        a = a * x + c[k];
    return a;
}
extern "C" __global__ void call_diverge(const int *in, const float *c, float *out)
{
    int v = in[GLOBAL_ID];
    float r = 0;
    if (v & 1)
        r = (float)collatz(v, 20);
    else
        r = poly((float)v * 0.001f, c, 3 + (v & 7));
    if (v % 3 == 0)
        r += poly(r, c, 4);
    out[GLOBAL_ID] = r;
}
