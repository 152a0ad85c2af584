#include "cudamin.h"
__device__ __noinline__ int mix(int v, int k)
{
    return (v ^ (v >> 7)) * 31 + k;
}
extern "C" __global__ void simple_call(const int *in, int *out, int n)
{
    int v = in[GLOBAL_ID];
    for (int k = 0; k < n; k++)
        v = mix(v, k) + in[v & 511];
    out[GLOBAL_ID] = v;
}
