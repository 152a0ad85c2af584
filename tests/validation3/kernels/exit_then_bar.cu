#include "cudamin.h"
extern "C" __global__ void exit_then_bar(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = GLOBAL_ID;
    if (t >= 200 + (int)blockIdx.x * 4)
        return;
    s[t] = in[i];
    __syncthreads();
    int v = s[(t * 7) % 200];
    if (i >= n)
        return;
    __syncthreads();
    s[t] = v + 1;
    if ((t >> 5) == 2)
        return;
    __syncthreads();
    out[i] = s[(t + 3) % 60] + v;
}
