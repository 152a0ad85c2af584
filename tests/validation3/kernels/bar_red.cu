#include "cudamin.h"
extern "C" __global__ void bar_red(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i], s = 0;
    for (int k = 0; k < n; k++) {
        int a = 0, b = 0;
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, %2; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }" : "=r"(a) : "r"(v), "r"(k * 2));
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, %2; bar.red.or.pred q, 1, p; selp.s32 %0, 1, 0, q; }" : "=r"(b) : "r"(v), "r"(990 - k));
        s += in[(i + k * 64) & 2047];
        out[i + 1440] = a + b;
        v = (v * 7 + s) & 1023;
    }
    out[i] = s;
}
