// tpacf - two-point angular correlation of galaxies: all pairs of one set against another, the angle's bin found by binary search, counted
// in shared memory per warp. All arithmetic and shared memory.
#include "common/workload.h"

enum { BINS = 20, THREADS = 256, WARPS = THREADS / 32 };
__constant__ float edges[BINS + 1]; // cosines, falling

__host__ __device__ static int bin_of(const float *edge, float dot)
{
    int low = 0, high = BINS;
    while (high > low + 1) {
        const int middle = (low + high) / 2;
        if (dot >= edge[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

__global__ void correlate(const float3 *galaxies, int n, unsigned *histogram)
{
    __shared__ float3 tile[THREADS];
    __shared__ unsigned counts[WARPS][BINS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    for (int k = threadIdx.x; k < WARPS * BINS; k += THREADS)
        counts[k / BINS][k % BINS] = 0;
    const float3 mine = i < n ? galaxies[i] : float3{0, 0, 0};
    for (int base = 0; base < n; base += THREADS) {
        __syncthreads();
        if (base + threadIdx.x < n)
            tile[threadIdx.x] = galaxies[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < THREADS && base + k < n; k++)
            if (i < n && base + k > i) {
                const float dot = mine.x * tile[k].x + mine.y * tile[k].y + mine.z * tile[k].z;
                atomicAdd(&counts[threadIdx.x / 32][bin_of(edges, dot)], 1u);
            }
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += counts[w][threadIdx.x];
        atomicAdd(&histogram[threadIdx.x], sum);
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "tpacf");
    const int n = workload::pick(run, 200, 1024, 4096, 10391);
    workload::Rng rng(run.seed);
    std::vector<float3> galaxies(n);
    for (float3 &g : galaxies) {
        const float z = rng.uniform(-1, 1), angle = rng.uniform(0, 6.2831853f), r = std::sqrt(1 - z * z);
        g = {r * std::cos(angle), r * std::sin(angle), z};
    }
    float edge[BINS + 1];
    for (int k = 0; k <= BINS; k++)
        edge[k] = std::cos(3.14159265f * static_cast<float>(k) / BINS);
    workload::must(cudaMemcpyToSymbol(edges, edge, sizeof edge), "copy of the edges");
    workload::Buffer<float3> dg(galaxies);
    workload::Buffer<unsigned> dh(BINS);
    dh.zero();
    correlate<<<workload::blocks_for(n, THREADS), THREADS>>>(dg.get(), n, dh.get());
    workload::finish_kernels("correlate");
    std::vector<long> want(BINS, 0);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            want[bin_of(edge, galaxies[i].x * galaxies[j].x + galaxies[i].y * galaxies[j].y + galaxies[i].z * galaxies[j].z)]++;
    long off = 0, total = 0;
    const std::vector<unsigned> got = dh.download();
    for (int k = 0; k < BINS; k++) {
        off += std::labs(static_cast<long>(got[k]) - want[k]);
        total += got[k];
    }
    // A pair on a bin's edge may round either way; every pair is counted once all the same.
    return workload::verdict(run, total == static_cast<long>(n) * (n - 1) / 2 && off <= 2 + total / 100000, "pair counts");
}
