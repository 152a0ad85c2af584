#include "cudamin.h"
extern "C" __global__ void full_cta(const int *in, int *out)
{
    __shared__ int s[12000];
    int t = threadIdx.x, g = GLOBAL_ID;
    for (int k = 0; k < 11; k++)
        s[t + k * 1024] = in[(g + k * 1024) & 4095] + k;
    __syncthreads();
    int v = 0;
    for (int k = 0; k < 11; k++)
        v += s[(t * 11 + k) % 11264];
    __syncthreads();
    s[1023 - t] = v;
    __syncthreads();
    out[g] = s[t] + v;
}
