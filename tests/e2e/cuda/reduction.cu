// Sum in shared memory, then over a warp by shuffles, then over blocks by an atomic.
#include "check.h"
#include <vector>
__global__ void sum(const int *in, int n, int *out)
{
    __shared__ int part[256];
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    part[threadIdx.x] = v;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        v = part[threadIdx.x];
        for (int by = 16; by; by /= 2)
            v += __shfl_down_sync(0xffffffffu, v, by);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}
int main()
{
    const int n = 10007;
    std::vector<int> in(n);
    int wanted = 0, got;
    for (int i = 0; i < n; i++)
        wanted += in[i] = i % 31 - 7;
    int *din = on_device(in.data(), n), *out = on_device<int>(nullptr, 1);
    sum<<<5, 256>>>(din, n, out);
    LAUNCHED();
    to_host(&got, out, 1);
    CHECK(got == wanted);
    return done();
}
