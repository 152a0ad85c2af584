#include "cudamin.h"
extern "C" __global__ void persistent_queue(const int *work, int *out, int *next, int n)
{
    __shared__ int base;
    for (;;) {
        if (threadIdx.x == 0) {
            int r;
            asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(next), "r"(64) : "memory");
            base = r;
        }
        __syncthreads();
        int b = base;
        __syncthreads();
        if (b >= n)
            return;
        int i = b + threadIdx.x, w = work[i] & 15, v = i;
        for (int k = 0; k < w; k++)
            v = v * 3 + work[(v & 1023)];
        out[i] = v;
    }
}
