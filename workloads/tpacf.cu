// tpacf - two-point angular correlation of galaxies (Parboil's form): a block per pair of sets, all pairs of a set with itself or of the
// observed set with a random one; the angle's bin by binary search in constant memory, counted in shared memory, 16 histograms a warp.
#include "common/workload.h"

enum { BINS = 20, THREADS = 256, LANES_PER_HISTOGRAM = 2, HISTOGRAMS = THREADS / LANES_PER_HISTOGRAM };
__constant__ float edges[BINS + 1]; // cosines, falling

struct Sets {
    const float *x, *y, *z; // set after set
    int sets, n;            // random sets beside the observed one, which is the first; galaxies in each
};

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

// Blocks 0 to sets: a set with itself; blocks after that: the observed set with each random one.
__global__ void correlate(Sets all, unsigned *histogram)
{
    __shared__ float3 tile[THREADS];
    __shared__ unsigned counts[BINS][HISTOGRAMS];
    const bool with_itself = blockIdx.x <= all.sets;
    const int mine = (with_itself ? blockIdx.x : blockIdx.x - all.sets) * all.n, other = with_itself ? mine : 0, tid = threadIdx.x;
    for (int k = tid; k < BINS * HISTOGRAMS; k += THREADS)
        counts[k / HISTOGRAMS][k % HISTOGRAMS] = 0;
    for (int base = 0; base < all.n; base += THREADS) {
        __syncthreads();
        if (base + tid < all.n)
            tile[tid] = {all.x[other + base + tid], all.y[other + base + tid], all.z[other + base + tid]};
        __syncthreads();
        for (int j = (with_itself ? base + 1 : 0) + tid; j - tid < all.n; j += THREADS) {
            const bool inside = j < all.n;
            const float3 here = inside ? float3{all.x[mine + j], all.y[mine + j], all.z[mine + j]} : float3{0, 0, 0};
            for (int k = 0; k < THREADS && base + k < all.n; k++) {
                const int bin = bin_of(edges, here.x * tile[k].x + here.y * tile[k].y + here.z * tile[k].z);
                if (inside && (!with_itself || j > base + k))
                    atomicAdd(&counts[bin][tid / LANES_PER_HISTOGRAM], 1u);
            }
        }
    }
    for (int half = HISTOGRAMS / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int k = tid; k < BINS * half; k += THREADS)
            counts[k / half][k % half] += counts[k / half][k % half + half];
    }
    __syncthreads();
    if (tid < BINS)
        histogram[blockIdx.x * BINS + tid] = counts[tid][0];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "tpacf");
    const int n = workload::pick(run, 32, 128, 512, 487), sets = workload::pick(run, "sets", 1, 8, 32, 100), blocks = 2 * sets + 1;
    workload::Rng rng(run.seed);
    std::vector<float> x(static_cast<size_t>(n) * (sets + 1)), y(x.size()), z(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        z[i] = rng.uniform(-1, 1);
        const float angle = rng.uniform(0, 6.2831853f), r = std::sqrt(1 - z[i] * z[i]);
        x[i] = r * std::cos(angle);
        y[i] = r * std::sin(angle);
    }
    float edge[BINS + 1];
    for (int k = 0; k <= BINS; k++)
        edge[k] = std::cos(3.14159265f * static_cast<float>(k) / BINS);
    workload::must(cudaMemcpyToSymbol(edges, edge, sizeof edge), "copy of the edges");
    workload::Buffer<float> dx(x), dy(y), dz(z);
    workload::Buffer<unsigned> dh(static_cast<size_t>(blocks) * BINS);
    correlate<<<blocks, THREADS>>>(Sets{dx.get(), dy.get(), dz.get(), sets, n}, dh.get());
    workload::finish_kernels("correlate");
    const std::vector<unsigned> got = dh.download();
    bool right = true;
    for (int b = 0; b < blocks; b++) {
        const bool with_itself = b <= sets;
        const size_t mine = static_cast<size_t>(with_itself ? b : b - sets) * n, other = with_itself ? mine : 0;
        std::vector<long> want(BINS, 0);
        for (int i = 0; i < n; i++)
            for (int j = with_itself ? i + 1 : 0; j < n; j++)
                want[bin_of(edge, x[mine + j] * x[other + i] + y[mine + j] * y[other + i] + z[mine + j] * z[other + i])]++;
        long off = 0, total = 0;
        for (int k = 0; k < BINS; k++) {
            off += std::labs(static_cast<long>(got[static_cast<size_t>(b) * BINS + k]) - want[k]);
            total += got[static_cast<size_t>(b) * BINS + k];
        }
        // A pair on a bin's edge may round either way; every pair is counted once all the same.
        right = right && total == (with_itself ? static_cast<long>(n) * (n - 1) / 2 : static_cast<long>(n) * n) && off <= 2 + total / 50000;
    }
    return workload::verdict(run, right, "pair counts");
}
