// histo - saturating two-dimensional histogram (Parboil's form): a prescan finds the range of the data, a second kernel turns values into the
// places of their counters, the main kernel counts in bytes of shared memory and merges with atomics, the last one saturates at 255.
#include <algorithm>

#include "common/workload.h"

enum { BINS = 4096, ALL_BINS = 256 * 8192, PART = 2048, THREADS = 512 };

__global__ void histo_prescan(const unsigned *data, int n, unsigned *range)
{
    __shared__ unsigned low[THREADS], high[THREADS];
    unsigned least = 0xffffffffu, most = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        least = min(least, data[i]);
        most = max(most, data[i]);
    }
    low[threadIdx.x] = least;
    high[threadIdx.x] = most;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            low[threadIdx.x] = min(low[threadIdx.x], low[threadIdx.x + half]);
            high[threadIdx.x] = max(high[threadIdx.x], high[threadIdx.x + half]);
        }
    }
    if (threadIdx.x == 0) {
        atomicMin(&range[0], low[0]);
        atomicMax(&range[1], high[0]);
    }
}

// Where a bin is counted: the part of the histogram that a block holds, the word in it (high and low byte), and the byte in the word.
__global__ void histo_intermediates(const unsigned *data, int n, const unsigned *range, uchar4 *places)
{
    const float scale = static_cast<float>(BINS - 1) / static_cast<float>(range[1] - range[0] + 1);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        const unsigned bin = static_cast<unsigned>(static_cast<float>(data[i] - range[0]) * scale), word = bin % PART / 4;
        places[i] = uchar4{static_cast<unsigned char>(bin / PART), static_cast<unsigned char>(word / 256), static_cast<unsigned char>(word % 256), static_cast<unsigned char>(bin % 4 * 8)};
    }
}

// Four counters of eight bits in a word; one that is full stays so.
__device__ static void count_one(unsigned *word, unsigned shift)
{
    unsigned seen = *word, assumed;
    do {
        if ((seen >> shift & 255u) == 255u)
            return;
        assumed = seen;
        seen = atomicCAS(word, assumed, assumed + (1u << shift));
    } while (seen != assumed);
}

__global__ void histo_main(const uchar4 *places, int n, unsigned *counts)
{
    __shared__ unsigned part[PART / 4];
    for (int k = threadIdx.x; k < PART / 4; k += THREADS)
        part[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        const uchar4 place = places[i];
        if (place.x == blockIdx.y)
            count_one(&part[place.y * 256 + place.z], place.w);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < PART; k += THREADS) {
        const unsigned count = part[k / 4] >> k % 4 * 8 & 255u;
        if (count)
            atomicAdd(&counts[blockIdx.y * PART + k], count);
    }
}

__global__ void histo_final(const unsigned *counts, unsigned char *out, int bins)
{
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < bins; i += gridDim.x * THREADS)
        out[i] = static_cast<unsigned char>(min(counts[i], 255u));
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "histo");
    const int n = workload::pick(run, "values", 1 << 12, 1 << 18, 1 << 21, 996 * 1040), blocks = workload::pick(run, 2, 64, 64, 64), main_blocks = workload::pick(run, 2, 14, 14, 14);
    // The suite's histogram has far more bins than the data fall into; only the last kernel looks at all of them, with 42 blocks.
    const int bins = std::max<int>(workload::pick(run, "bins", BINS, BINS, BINS, ALL_BINS), BINS), last_blocks = std::min(bins / THREADS, 42);
    workload::Rng rng(run.seed);
    std::vector<unsigned> data(n);
    for (unsigned &v : data) // a sum of draws: a bell, so that the middle bins saturate
        v = 1000 + rng.below(16384) + rng.below(16384) + rng.below(16384);
    workload::Buffer<unsigned> dd(data), range(std::vector<unsigned>{0xffffffffu, 0}), counts(bins);
    workload::Buffer<uchar4> places(n);
    workload::Buffer<unsigned char> out(bins);
    counts.zero();
    histo_prescan<<<blocks, THREADS>>>(dd.get(), n, range.get());
    histo_intermediates<<<blocks, THREADS>>>(dd.get(), n, range.get(), places.get());
    histo_main<<<dim3(main_blocks, BINS / PART), THREADS>>>(places.get(), n, counts.get());
    histo_final<<<last_blocks, THREADS>>>(counts.get(), out.get(), bins);
    workload::finish_kernels("histo");
    const unsigned low = *std::min_element(data.begin(), data.end()), high = *std::max_element(data.begin(), data.end());
    const float scale = static_cast<float>(BINS - 1) / static_cast<float>(high - low + 1);
    std::vector<unsigned> count(BINS, 0);
    for (unsigned v : data)
        count[static_cast<unsigned>(static_cast<float>(v - low) * scale)]++;
    std::vector<unsigned char> want(bins, 0);
    for (int i = 0; i < BINS; i++)
        want[i] = static_cast<unsigned char>(std::min(count[i], 255u));
    return workload::verdict(run, out.download() == want, "saturated counts");
}
