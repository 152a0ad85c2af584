#include "cudamin.h"
__device__ int bank[512];
extern "C" __global__ void generic_pick(int *in, int *out, int n)
{
    __shared__ int sh[256];
    int own[4];
    int i = GLOBAL_ID, t = threadIdx.x, s = 0;
    sh[t] = in[i];
    own[0] = t, own[1] = i, own[2] = 7, own[3] = in[(i * 3) & 2047];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int which = ((t >> 5) + k) & 3;
        int *p = which == 0 ? sh + ((t * 5 + k) & 255) : which == 1 ? in + ((s + k * 33) & 2047) : which == 2 ? bank + ((t + k * 17) & 511) : own + (k & 3);
        s += *p;
        *p = s & 1023;
        if (which == 0)
            s += sh[t];
    }
    out[i] = s;
}
