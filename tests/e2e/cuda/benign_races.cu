// Programs with races that come out right on GPUs, since resident warps and blocks have issued their loads before the first stores:
// they must with the machine and without it.
#include "check.h"
enum { N = 64 };

// Only x counts: the eight warps of a block do the same, in step.
__global__ void only_x(float *sum, const float *in)
{
    const int x = threadIdx.x;
    for (int i = 0; i < N; i++)
        sum[x] += in[i * 32 + x];
}
// The same in shared memory.
__global__ void only_x_shared(float *out, const float *in)
{
    __shared__ float sum[32];
    const int x = threadIdx.x;
    sum[x] = 0;
    __syncthreads();
    for (int i = 0; i < N; i++)
        sum[x] += in[i * 32 + x];
    __syncthreads();
    out[x] = sum[x];
}
// One level of a breadth-first search on a line, without a second frontier: on a GPU a block reads its part before others mark it.
__global__ void level(int *cost, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, before = i > 0 ? cost[i - 1] : -1, own = cost[i];
    if (i < n && own < 0 && before >= 0)
        cost[i] = before + 1;
}
// Two sums over the block with one array and no barrier between reading the first and writing the second.
__device__ int block_sum(int value)
{
    __shared__ int part[32];
    for (int step = 16; step; step >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    if (threadIdx.x < 32)
        for (int step = 16; step; step >>= 1)
            value += __shfl_down_sync(0xffffffffu, value, step);
    return value;
}
__global__ void two_sums(int *out)
{
    const int a = block_sum(1), b = block_sum(2);
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = a;
        out[2 * blockIdx.x + 1] = b;
    }
}
int main()
{
    static float in[N * 32], sum[32];
    for (int i = 0; i < N * 32; i++)
        in[i] = 1;
    float *din = on_device(in, N * 32), *dsum = on_device<float>(nullptr, 32);
    only_x<<<1, dim3(32, 8)>>>(dsum, din);
    LAUNCHED();
    to_host(sum, dsum, 32);
    for (int i = 0; i < 32; i++)
        CHECK(sum[i] == N);
    only_x_shared<<<1, dim3(32, 8)>>>(dsum, din);
    LAUNCHED();
    to_host(sum, dsum, 32);
    for (int i = 0; i < 32; i++)
        CHECK(sum[i] == N);

    enum { NODES = 2048 };
    static int cost[NODES];
    for (int i = 0; i < NODES; i++)
        cost[i] = i ? -1 : 0;
    int *dcost = on_device(cost, NODES);
    for (int step = 1; step <= 3; step++) {
        level<<<NODES / 128, 128>>>(dcost, NODES);
        LAUNCHED();
        to_host(cost, dcost, NODES);
        for (int i = 0; i < NODES; i++)
            CHECK(cost[i] == (i <= step ? i : -1));
    }
    int sums[16], *dsums = on_device<int>(nullptr, 16);
    two_sums<<<8, 256>>>(dsums);
    LAUNCHED();
    to_host(sums, dsums, 16);
    for (int i = 0; i < 16; i++)
        CHECK(sums[i] == (i % 2 ? 512 : 256));
    return done();
}
