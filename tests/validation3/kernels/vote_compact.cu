#include "cudamin.h"
extern "C" __global__ void vote_compact(const int *in, int *out, int *count, int n)
{
    int lane = threadIdx.x & 31;
    for (int i = GLOBAL_ID; i < n; i += blockDim.x * gridDim.x) {
        int v = in[i];
        unsigned m;
        int any;
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %2, 500; vote.ballot.b32 %0, p; vote.any.pred q, p; selp.s32 %1, 1, 0, q; }"
                     : "=r"(m), "=r"(any)
                     : "r"(v));
        if (!any)
            continue;
        int c;
        asm("popc.b32 %0, %1;" : "=r"(c) : "r"(m));
        int base = 0;
        if (lane == 0)
            asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(base) : "l"(count), "r"(c) : "memory");
        __shared__ volatile int sb[8];
        if (lane == 0)
            sb[threadIdx.x >> 5] = base;
        base = sb[threadIdx.x >> 5];
        if (v > 500) {
            int p;
            asm("popc.b32 %0, %1;" : "=r"(p) : "r"(m & ((1u << lane) - 1)));
            out[base + p] = v;
        }
    }
}
