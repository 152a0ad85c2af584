#include "cudamin.h"
extern "C" __global__ void fill(int *a, int n)
{
    int i = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    i = i * blockDim.x * blockDim.y * blockDim.z + t;
    if (i < n)
        a[i] = a[i] * 3 + threadIdx.y - blockIdx.y;
}
extern "C" __global__ void gather(const int *a, int *b, int n)
{
    int i = GLOBAL_ID;
    if (i < n)
        b[i] = a[(a[i] * 31u + i) % (unsigned)n] + threadIdx.x;
}
extern "C" __global__ void rows(int *a, const int *b, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * w + x] += b[x * 64 + y];
}
