// alignas behind CUDA's attributes, where nvcc takes it.
// flags: -w
#include "aligned_shared.h"
#include "check.h"

__device__ alignas(64) int table[3] = { 4, 5, 6 };

__global__ void k(int *out)
{
    __shared__ char odd[3];
    __shared__ alignas(128) int wide[32];
    odd[0] = 1;
    wide[threadIdx.x] = (int)threadIdx.x + odd[0];
    __syncthreads();
    out[threadIdx.x] = wide[31 - threadIdx.x] * 1000 + (int)turned((int)threadIdx.x) + table[threadIdx.x % 3] * 0;
    out[32 + threadIdx.x] = (int)((size_t)wide % 128 + (size_t)table % 64);
}

int main()
{
    int h[64], *d = on_device<int>(nullptr, 64);
    k<<<1, 32>>>(d);
    LAUNCHED();
    to_host(h, d, 64);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == (32 - i) * 1000 + 31 - i && h[32 + i] == 0);
    return done();
}
