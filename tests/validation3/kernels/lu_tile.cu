#include "cudamin.h"
// elimination in a tile of 16 x 16: two barriers per step, fewer and fewer threads at work
extern "C" __global__ void lu_tile(const float *in, float *out)
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
    s[y][x] = in[at];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (x == k && y > k)
            s[y][k] /= s[k][k] + 2.0f;
        __syncthreads();
        if (y > k && x > k)
            s[y][x] -= s[y][k] * s[k][x];
        __syncthreads();
    }
    out[at] = s[y][x];
}
