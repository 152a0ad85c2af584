// mcpi - Monte-Carlo estimate of pi: a kernel makes the points (a generator per thread), another counts those inside the circle
// with a shared-memory reduction. The points are written once and read once.
#include "common/workload.h"

enum { THREADS = 128 };

__host__ __device__ static unsigned next_random(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

__host__ __device__ static unsigned first_state(unsigned i, unsigned seed) { return (i + 1u) * 2654435761u ^ (seed * 40503u + 977u) | 1u; }

__global__ void make_points(float *points, int per_thread, int stride, unsigned seed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = first_state(i, seed);
    for (int k = 0; k < per_thread; k++)
        points[k * stride + i] = static_cast<float>(next_random(state) >> 8) * (1.0f / 16777216.0f);
}

__global__ void count_inside(const float *points, int *per_block, int pairs, int half)
{
    __shared__ int sums[THREADS];
    int inside = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        const float x = points[i], y = points[half + i];
        inside += x * x + y * y < 1.0f;
    }
    sums[threadIdx.x] = inside;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        per_block[blockIdx.x] = sums[0];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mcpi");
    const int blocks = workload::pick(run, 4, 120, 240, 240), per_thread = workload::pick(run, 8, 48, 320, 512);
    const int threads = blocks * THREADS, total = threads * per_thread, pairs = total / 2;
    const unsigned seed = static_cast<unsigned>(run.seed);
    workload::Buffer<float> points(total);
    workload::Buffer<int> counts(blocks);
    make_points<<<blocks, THREADS>>>(points.get(), per_thread, threads, seed);
    count_inside<<<blocks, THREADS>>>(points.get(), counts.get(), pairs, pairs);
    workload::finish_kernels("mcpi");
    long got = 0, want = 0;
    for (int c : counts.download())
        got += c;
    std::vector<float> all(total);
    for (int i = 0; i < threads; i++) {
        unsigned state = first_state(i, seed);
        for (int k = 0; k < per_thread; k++)
            all[static_cast<size_t>(k) * threads + i] = static_cast<float>(next_random(state) >> 8) * (1.0f / 16777216.0f);
    }
    for (int i = 0; i < pairs; i++)
        want += std::fma(all[i], all[i], all[static_cast<size_t>(pairs) + i] * all[static_cast<size_t>(pairs) + i]) < 1.0f;
    const double pi = 4.0 * static_cast<double>(got) / pairs;
    std::printf("pi is about %.4f\n", pi);
    // A point on the circle may round either way: a few of them are allowed.
    return workload::verdict(run, std::labs(got - want) <= 2 && std::fabs(pi - 3.14159265) < 0.1, "estimate of pi");
}
