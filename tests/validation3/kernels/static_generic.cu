#include "cudamin.h"
__device__ int table[256] = { 5, 4, 3, 2, 1 };
__device__ int counter;
extern "C" __global__ void static_generic(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, v = in[GLOBAL_ID];
    s[t] = v;
    __syncthreads();
    int *p = (v & 1) ? (int *)(s + ((t + 1) & 127)) : (int *)(table + (v & 255));
    int q = *p;
    __syncthreads();
    *p = q + 1;
    int loc[4] = { v, q, t, 1 };
    int *z = (v & 2) ? loc + (v & 3) : s + (v & 127);
    q += *z;
    int r;
    asm volatile("atom.global.add.s32 %0, [%1], 1;" : "=r"(r) : "l"(&counter) : "memory");
    out[GLOBAL_ID] = q + (r > 0);
}
