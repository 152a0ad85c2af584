// sums - kernels in which threads meet: tree reductions in shared memory, a histogram, and one word that everybody adds to.
#include "measured.h"

using measured::Arguments;
using workload::Buffer;

static const int THREADS = 256, SLICE = 2 * THREADS; // a block of a reduction takes a slice

// The sum of what the threads of a block hold, halving the number of threads that add; thread 0 stores it.
static __device__ void reduce_block(float mine, float *block_sums)
{
    __shared__ float part[THREADS];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        block_sums[blockIdx.x] = part[0];
}

__global__ void reduce_sum_kernel(const float *__restrict__ x, float *__restrict__ block_sums, int n)
{
    const int i = blockIdx.x * SLICE + threadIdx.x;
    float mine = 0;
    if (i < n)
        mine += x[i];
    if (i + THREADS < n)
        mine += x[i + THREADS];
    reduce_block(mine, block_sums);
}

__global__ void dot_product_kernel(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ block_sums, int n)
{
    const int i = blockIdx.x * SLICE + threadIdx.x;
    float mine = 0;
    if (i < n)
        mine += x[i] * y[i];
    if (i + THREADS < n)
        mine += x[i + THREADS] * y[i + THREADS];
    reduce_block(mine, block_sums);
}

__global__ void histogram_kernel(const unsigned *__restrict__ values, unsigned *__restrict__ bins, int n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[values[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// One atomic for the lanes of a warp together: what nvcc makes of the plain loop below, and what clang does not.
__global__ void atomic_hotspot_kernel(unsigned *counter, int rounds)
{
    const unsigned lanes = __activemask();
    const bool first = threadIdx.x % 32 == static_cast<unsigned>(__ffs(lanes)) - 1;
    for (int i = 0; i < rounds; i++)
        if (first)
            atomicAdd(counter, __popc(lanes));
}

__global__ void atomic_by_lane_kernel(unsigned *counter, int rounds)
{
    for (int i = 0; i < rounds; i++)
        atomicAdd(counter, 1u);
}

// The CPU's sums of the slices.
static std::vector<float> slice_sums(const std::vector<float> &terms)
{
    std::vector<float> sums(terms.size() / SLICE, 0.0f);
    for (size_t i = 0; i < sums.size() * SLICE; i++)
        sums[i / SLICE] += terms[i];
    return sums;
}

bool measured::reduce_sum(const Arguments &a)
{
    const size_t n = static_cast<size_t>(a.size), blocks = n / SLICE;
    const std::vector<float> x = floats(a, n, 1);
    Buffer<float> dx(x), sums(blocks);
    spoil(sums, blocks);
    repeat(a, [&] { reduce_sum_kernel<<<static_cast<unsigned>(blocks), THREADS>>>(dx.get(), sums.get(), a.size); });
    return same(a, sums.download(), slice_sums(x), 1e-4f);
}

bool measured::dot_product(const Arguments &a)
{
    const size_t n = static_cast<size_t>(a.size), blocks = n / SLICE;
    std::vector<float> x = floats(a, n, 1), y = floats(a, n, 2);
    Buffer<float> dx(x), dy(y), sums(blocks);
    spoil(sums, blocks);
    repeat(a, [&] { dot_product_kernel<<<static_cast<unsigned>(blocks), THREADS>>>(dx.get(), dy.get(), sums.get(), a.size); });
    for (size_t i = 0; i < n; i++)
        x[i] *= y[i];
    return same(a, sums.download(), slice_sums(x), 1e-4f);
}

bool measured::histogram(const Arguments &a)
{
    const size_t n = static_cast<size_t>(a.size);
    const std::vector<int> values = integers(a, n, 1000);
    Buffer<unsigned> device_values(std::vector<unsigned>(values.begin(), values.end())), bins(256);
    bins.zero();
    repeat(a, [&] { histogram_kernel<<<workload::blocks_for(n, 256), 256>>>(device_values.get(), bins.get(), a.size); });
    std::vector<unsigned> want(256, 0);
    for (int value : values)
        want[static_cast<size_t>(value & 255)] += static_cast<unsigned>(a.launches);
    return bins.download() == want;
}

template <class Launch> static bool one_counter(const Arguments &a, Launch launch)
{
    Buffer<unsigned> counter(1);
    counter.zero();
    measured::repeat(a, [&] { launch(workload::blocks_for(static_cast<size_t>(a.size), 256), counter.get()); });
    return counter.download()[0] == static_cast<unsigned>(a.size) * static_cast<unsigned>(a.rounds) * static_cast<unsigned>(a.launches);
}

bool measured::atomic_hotspot(const Arguments &a)
{
    return one_counter(a, [&](unsigned blocks, unsigned *counter) { atomic_hotspot_kernel<<<blocks, 256>>>(counter, a.rounds); });
}

bool measured::atomic_hotspot_by_lane(const Arguments &a)
{
    return one_counter(a, [&](unsigned blocks, unsigned *counter) { atomic_by_lane_kernel<<<blocks, 256>>>(counter, a.rounds); });
}
