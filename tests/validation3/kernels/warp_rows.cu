#include "cudamin.h"
// a sparse matrix, a warp per row: a volatile reduction in shared memory without barriers
extern "C" __global__ void warp_rows(const int *in, const float *x, float *out)
{
    __shared__ volatile float part[128];
    int row = GLOBAL_ID / 32, lane = threadIdx.x & 31, t = threadIdx.x;
    int first = in[row] & 1023, end = first + (in[row + 1] & 127);
    float sum = 0;
    for (int j = first + lane; j < end; j += 32)
        sum += x[j] * x[in[j] & 4095];
    part[t] = sum;
    for (int d = 16; d > 0; d >>= 1)
        if (lane < d)
            part[t] = sum = sum + part[t + d];
    if (lane == 0)
        out[row] = sum;
}
