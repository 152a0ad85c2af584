// Sizes given by the command line under everyday names, as PolyBench and others take theirs: no header of ours may trip over them.
// flags: -DN=64 -DM=8 -DA=3 -DD=4 -DF=5 -DP=6 -DR=7 -DV=9 -Dk=10 -Dj=11 -Dl=12
#include "check.h"
#if defined(__clang__) // nvcc's own headers of these trip over some
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#endif

__global__ void sum(int *out)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, max(M, A) + D + F + P + R + V + k + j + l);
    __syncthreads();
    out[threadIdx.x] = total;
}

int main()
{
    int host[N], *out = on_device<int>(nullptr, N);
    sum<<<1, N>>>(out);
    LAUNCHED();
    to_host(host, out, N);
    for (int at = 0; at < N; at++)
        CHECK(host[at] == 64 * (8 + 4 + 5 + 6 + 7 + 9 + 10 + 11 + 12));
    return done();
}
