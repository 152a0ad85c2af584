#include "cudamin.h"
typedef __attribute__((address_space(3))) int *sp;
typedef __attribute__((address_space(3))) unsigned long long *sq;
extern "C" __global__ void shared_cas(const int *in, int *out)
{
    __shared__ int lo[8], hi[8];
    __shared__ unsigned long long w[4];
    __shared__ float fs[2];
    int t = threadIdx.x, v = in[GLOBAL_ID], r;
    if (t < 8) {
        lo[t] = 1 << 30;
        hi[t] = 0;
    }
    if (t < 4)
        w[t] = 0;
    if (t < 2)
        fs[t] = 0;
    __syncthreads();
    asm volatile("atom.shared.min.s32 %0, [%1], %2;" : "=r"(r) : "l"((sp)(lo + (v & 7))), "r"(v) : "memory");
    int old = hi[v & 7], as;
    do {
        as = old;
        asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(old)
                     : "l"((sp)(hi + (t & 7))), "r"(as), "r"(as + 1)
                     : "memory");
    } while (old < 0);
    unsigned long long q;
    asm volatile("atom.shared.add.u64 %0, [%1], %2;" : "=l"(q) : "l"((sq)(w + (t & 3))), "l"((unsigned long long)v) : "memory");
    asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(as) : "l"((sp)(hi + (t & 3))), "r"(v) : "memory");
    __syncthreads();
    out[GLOBAL_ID] = lo[t & 7] + hi[t & 7] + (int)w[t & 3] + r + (int)q;
}
