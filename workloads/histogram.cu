// histogram - 256 bins of bytes: every warp counts into its own sub-histogram in shared memory, a second kernel merges the blocks'.
#include "common/workload.h"

enum { BINS = 256, WARPS = 6, THREADS = WARPS * 32, MERGE = 128 };

__global__ void histogram_blocks(const unsigned *data, int words, unsigned *partial)
{
    __shared__ unsigned counts[WARPS * BINS];
    unsigned *const mine = counts + threadIdx.x / 32 * BINS;
    for (int k = threadIdx.x; k < WARPS * BINS; k += THREADS)
        counts[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < words; i += gridDim.x * THREADS) {
        const unsigned four = data[i];
        atomicAdd(&mine[four & 255], 1u);
        atomicAdd(&mine[four >> 8 & 255], 1u);
        atomicAdd(&mine[four >> 16 & 255], 1u);
        atomicAdd(&mine[four >> 24], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += counts[w * BINS + bin];
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

__global__ void histogram_merge(const unsigned *partial, int blocks, unsigned *total)
{
    __shared__ unsigned sums[MERGE];
    unsigned sum = 0;
    for (int b = threadIdx.x; b < blocks; b += MERGE)
        sum += partial[b * BINS + blockIdx.x];
    sums[threadIdx.x] = sum;
    for (int half = MERGE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        total[blockIdx.x] = sums[0];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "histogram");
    const int words = workload::pick(run, "words", 1 << 11, 1 << 18, 3 << 21, 1 << 24), blocks = workload::pick(run, "blocks", 4, 120, 240, 240);
    workload::Rng rng(run.seed);
    std::vector<unsigned> data(words), want(BINS, 0);
    for (unsigned &w : data) {
        w = 0;
        for (int k = 0; k < 4; k++) {
            const uint32_t byte = (rng.below(256) + rng.below(256)) / 2; // a triangle over the bins
            w |= byte << 8 * k;
            want[byte]++;
        }
    }
    workload::Buffer<unsigned> dd(data), partial(static_cast<size_t>(blocks) * BINS), total(BINS);
    histogram_blocks<<<blocks, THREADS>>>(dd.get(), words, partial.get());
    histogram_merge<<<BINS, MERGE>>>(partial.get(), blocks, total.get());
    workload::finish_kernels("histogram");
    return workload::verdict(run, total.download() == want, "counts");
}
