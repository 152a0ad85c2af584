#include "cudamin.h"
extern "C" __global__ void votes_apart(const int *in, int *out, int n)
{
    int i = GLOBAL_ID, v = in[i], s = 0;
    for (int k = 0; k < n; k++) {
        unsigned b = 0;
        int any = 0;
        if ((v >> k) & 1) {
            asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 500; vote.ballot.b32 %0, p; }" : "=r"(b) : "r"(v));
            s += (b >> (threadIdx.x & 31)) & 1;
        } else {
            asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 300; vote.any.pred q, !p; selp.s32 %0, 1, 0, q; }" : "=r"(any) : "r"(v));
            if (any) {
                asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 10; vote.all.pred q, p; selp.s32 %0, 1, 0, q; }" : "=r"(any) : "r"(v));
                s += 3 + any;
            }
        }
        s ^= in[(i + s * 7 + b) & 2047];
    }
    out[i] = s;
}
