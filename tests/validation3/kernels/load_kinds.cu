#include "cudamin.h"
extern "C" __global__ void load_kinds(int *in, int *out, int n)
{
    int i = GLOBAL_ID, a = 0, b = 0, c = 0, d = 0, s = 0;
    for (int k = 0; k < n; k++) {
        int *p = in + ((i * 2 + s + k * 256) & 4095);
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(p));
        asm volatile("ld.global.ca.u32 %0, [%1+64];" : "=r"(b) : "l"(p));
        asm volatile("ld.global.cs.u32 %0, [%1+128];" : "=r"(c) : "l"(p));
        asm volatile("ld.volatile.global.u32 %0, [%1+4];" : "=r"(d) : "l"(p));
        asm volatile("st.global.cg.u32 [%1], %0;" ::"r"(a + 1), "l"(p) : "memory");
        asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(a) : "l"(p));
        if (k & 1)
            asm volatile("membar.gl;" ::: "memory");
        asm volatile("st.volatile.global.u32 [%1+32], %0;" ::"r"(c), "l"(p) : "memory");
        s += (a ^ b) & 15;
        s += d & 3;
    }
    out[i] = s;
}
