#include "cudamin.h"
extern "C" __global__ void pred_store(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i];
    for (int k = 0; k < n; k++) {
        asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %0, %2; setp.gt.s32 q, %0, 300; @p st.global.u32 [%1], %0; @q "
                     "st.global.u16 [%1+4], %0; @!p st.global.u8 [%1+1], %0; @!q st.global.v2.u32 [%1+8], {%0, %2}; }" ::"r"(v),
                     "l"(out + ((i * 4 + k * 64) & 4092)), "r"(k * 200)
                     : "memory");
        v = (v * 5 + 1) & 511;
    }
}
