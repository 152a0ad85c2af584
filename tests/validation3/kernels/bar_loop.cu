#include "cudamin.h"
extern "C" __global__ void bar_loop(const int *in, int *out, int n)
{
    __shared__ int s[384];
    int t = threadIdx.x, v = in[GLOBAL_ID];
    s[t] = v;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        int a = s[(t + k * 5 + 1) % 384];
        if (((t >> 5) + k) % 3 == 0)
            for (int j = 0; j < 6; j++)
                a = a * 3 + (a >> 2);
        __syncthreads();
        s[t] += a;
        if ((t >> 5) == (k % 12)) {
            v += in[(t * 13 + k) & 1023];
            __syncthreads();
            v ^= s[(t + 1) % 384];
        } else
            __syncthreads();
    }
    out[GLOBAL_ID] = s[t] + v;
}
