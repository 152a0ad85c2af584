#include "cudamin.h"
extern "C" __global__ void odd_ops(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i & 1023], s = i;
    for (int k = 0; k < n; k++) {
        int a, b, c, d;
        asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(a) : "r"(v), "r"(s), "r"(v - 500));
        asm("sad.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(v), "r"(s), "r"(a));
        asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(c) : "r"(v), "r"(7), "r"(b & 1023));
        asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(c), "r"(3), "r"(9));
        asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(b) : "r"(c), "r"(d), "r"(5), "r"(8));
        asm("set.gt.u32.s32 %0, %1, %2;" : "=r"(c) : "r"(b), "r"(d));
        asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(d), "r"(a));
        asm("mul.hi.u32 %0, %1, %2;" : "=r"(b) : "r"(b), "r"(0x9e3779b9));
        s = a + (b & 1023) + c + d;
        v = in[s & 1023];
    }
    out[i] = s;
}
