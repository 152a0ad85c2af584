#include "cudamin.h"
extern "C" __global__ void transpose_odd(const int *in, int *out, int w, int h)
{
    int x = blockIdx.x * 24 + threadIdx.x, y = blockIdx.y * 10 + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x] + 1;
}
