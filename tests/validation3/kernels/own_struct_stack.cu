#include "cudamin.h"
extern "C" __global__ void own_struct_stack(const int *in, int *out, int n)
{
    int stack[24], top = 0, s = 0;
    int i = GLOBAL_ID;
    stack[top++] = i & 511;
    while (top > 0 && s < n * 100) {
        int node = stack[--top];
        int v = in[node];
        s += v & 31;
        if (node < 300 && (v & 3) && top < 22) {
            stack[top++] = (node * 2 + 1) & 511;
            if (v & 4)
                stack[top++] = (node * 2 + 2) & 511;
        }
    }
    out[i] = s;
}
