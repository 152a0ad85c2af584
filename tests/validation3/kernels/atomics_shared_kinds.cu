#include "cudamin.h"
extern "C" __global__ void atomics_shared_kinds(const int *in, int *out, int n)
{
    __shared__ unsigned a[64];
    int i = GLOBAL_ID, t = threadIdx.x;
    unsigned r, s = 0;
    a[t & 63] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        unsigned v = in[(i + k * 77) & 2047];
        unsigned long long p = (v & 15) * 4, q = (t & 7) * 4 + 128;
        asm volatile("atom.shared.inc.u32 %0, [%1], 9;" : "=r"(r) : "l"(p) : "memory");
        s += r;
        asm volatile("atom.shared.max.u32 %0, [%1], %2;" : "=r"(r) : "l"(q), "r"(v) : "memory");
        s ^= r;
        if (s & 1)
            asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(q), "r"(s & 255) : "memory");
        else
            a[(v + t) & 63] = s & 127;
        s += a[(s + k) & 63];
        if (r == 200)
            break;
    }
    out[i] = s;
}
