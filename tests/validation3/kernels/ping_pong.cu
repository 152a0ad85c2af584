#include "cudamin.h"
extern "C" __global__ void step_a(const int *in, int *out, int n)
{
    int i = GLOBAL_ID;
    if (i < n)
        out[i] = in[i] + in[(i + 1) % n] * 2;
}
extern "C" __global__ void step_b(int *x, int n, int s)
{
    int i = GLOBAL_ID;
    if (i * s < n)
        x[i * s] -= x[(i * s + s / 2) % n];
}
