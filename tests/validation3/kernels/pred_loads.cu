#include "cudamin.h"
extern "C" __global__ void pred_loads(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i], s = 0;
    __shared__ int sh[128];
    sh[threadIdx.x] = v;
    for (int k = 0; k < n; k++) {
        int x = k, y = 1;
        const int *p = in + ((v * 7 + k * 97) & 4095);
        asm volatile("{ .reg .pred p; .reg .u64 a; setp.gt.s32 p, %1, 500; @p ld.global.u32 %0, [%2]; @!p ld.global.cg.u32 %0, [%2+4]; }" : "+r"(x) : "r"(v), "l"(p));
        asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 200; @p st.global.u32 [%2], %0; }" ::"r"(x), "r"(v), "l"(out + ((i + k * 32) & 2047)) : "memory");
        asm volatile("{ .reg .pred p; .reg .u32 a; setp.ne.s32 p, %1, 0; mov.u32 a, %2; @p ld.volatile.u32 %0, [%3]; }" : "+r"(y) : "r"(x & 3), "r"(0), "l"(sh + ((x + k) & 127)));
        s += x + y;
        v = (v * 13 + x) & 1023;
    }
    out[i] = s;
}
