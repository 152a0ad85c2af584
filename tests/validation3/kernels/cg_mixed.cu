#include "cudamin.h"
extern "C" __global__ void cg_mixed(int *a, int *out, int n)
{
    int i = GLOBAL_ID, s = 0;
    for (int k = 0; k < n; k++) {
        int v;
        s += a[(i + k * 64) & 2047];
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(a + ((i * 2 + k * 32) & 2047)) : "memory");
        s += v;
        if (k & 1)
            a[(i + k * 64) & 2047] = s;
        asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(v) : "l"(a + ((i + k * 32) & 2047)) : "memory");
        s ^= v;
        asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(out + ((i * 3 + k) & 2047)), "r"(s) : "memory");
        asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(v) : "l"(a + ((i ^ 16) & 2047)) : "memory");
        s += v;
    }
    out[i] = s;
}
