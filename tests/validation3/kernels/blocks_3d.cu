#include "cudamin.h"
extern "C" __global__ void blocks_3d(const int *in, int *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= w || y >= h)
        return;
    int p = (z * h + y) * w + x;
    int s = in[p];
    if (x > 0)
        s += in[p - 1];
    if (y > 0)
        s += in[p - w];
    if (z > 0)
        s += in[p - w * h];
    out[p] = s;
}
