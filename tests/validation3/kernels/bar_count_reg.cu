#include "cudamin.h"
extern "C" __global__ void bar_count_reg(const int *in, int *out, int n)
{
    __shared__ int sh[192];
    int i = GLOBAL_ID, t = threadIdx.x, s = 0;
    int half = t / 96;
    for (int k = 0; k < n; k++) {
        sh[t] = in[(i * 3 + k * 99 + s) & 2047];
        asm volatile("bar.sync %0, %1;" ::"r"(half + 2), "r"(96) : "memory");
        s += sh[half * 96 + (t * 7 + k) % 96];
        asm volatile("bar.sync %0, %1;" ::"r"(half + 4), "r"(half ? 96 : 96) : "memory");
    }
    out[i] = s;
}
