#include "cudamin.h"
__device__ __noinline__ int tree(const int *in, int n, int d)
{
    if (d == 0)
        return in[n & 255];
    int l = tree(in, n * 2 + 1, d - 1);
    if (l & 1)
        return l;
    return l + tree(in, n * 2 + 2, d - 1);
}
extern "C" __global__ void recursion(const int *in, int *out, int d)
{
    int i = GLOBAL_ID;
    out[i] = tree(in, i, d - (i & 1));
}
