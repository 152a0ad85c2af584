#include "cudamin.h"
extern "C" __global__ void cache_ops(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, a, b, c, d, e;
    const int *p = in + i;
    volatile int *vo = out;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(p) : "memory");
    asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(b) : "l"(p + 32) : "memory");
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(c) : "l"(p + 64) : "memory");
    asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(d) : "l"(p + 96) : "memory");
    asm volatile("ldu.global.u32 %0, [%1];" : "=r"(e) : "l"(in + blockIdx.x) : "memory");
    asm volatile("st.global.wb.u32 [%0], %1;" ::"l"(out + i), "r"(a + b) : "memory");
    asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(out + n + i), "r"(c) : "memory");
    asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(out + 2 * n + i), "r"(d + e) : "memory");
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + 3 * n + i), "r"(e) : "memory");
    int s = vo[i ^ 3];
    vo[4 * n + i] = s;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(out + (i ^ 7)) : "memory");
    out[4 * n + (i ^ 1)] = a;
}
