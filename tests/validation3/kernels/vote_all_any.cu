#include "cudamin.h"
extern "C" __global__ void vote_all_any(const int *in, int *out, int lim)
{
    int i = GLOBAL_ID, v = in[i], k = 0, all, any;
    do {
        v = v * 5 + 7 & 1023;
        k++;
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %2, %3; vote.all.pred q, p; selp.s32 %0, 1, 0, q; vote.any.pred q, p; "
                     "selp.s32 %1, 1, 0, q; }"
                     : "=r"(all), "=r"(any)
                     : "r"(v), "r"(lim));
        if (all)
            break;
    } while (any && k < 6);
    out[i] = k * 2 + all;
}
