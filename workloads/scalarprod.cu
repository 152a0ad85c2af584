// scalarprod - dot products of many vector pairs; a block strides over its pair, then a tree reduction in shared memory.
#include "common/workload.h"

enum { THREADS = 256, ACCUMULATORS = 1024 };

__global__ void scalar_products(float *result, const float *a, const float *b, int vectors, int elements)
{
    __shared__ float accumulator[ACCUMULATORS];
    for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
        const int first = v * elements, last = first + elements;
        for (int slot = threadIdx.x; slot < ACCUMULATORS; slot += blockDim.x) {
            float sum = 0;
            for (int i = first + slot; i < last; i += ACCUMULATORS)
                sum += a[i] * b[i];
            accumulator[slot] = sum;
        }
        for (int stride = ACCUMULATORS / 2; stride > 0; stride /= 2) {
            __syncthreads();
            for (int slot = threadIdx.x; slot < stride; slot += blockDim.x)
                accumulator[slot] += accumulator[slot + stride];
        }
        __syncthreads();
        if (threadIdx.x == 0)
            result[v] = accumulator[0];
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "scalarprod");
    const int vectors = workload::pick(run, 8, 256, 2048, 256), elements = workload::pick(run, 512, 4096, 16384, 4096);
    workload::Rng rng(run.seed);
    const size_t total = static_cast<size_t>(vectors) * elements;
    const std::vector<float> a = workload::random_floats(rng, total, 0, 1), b = workload::random_floats(rng, total, 0, 1);
    workload::Buffer<float> da(a), db(b), dr(vectors);
    scalar_products<<<128, THREADS>>>(dr.get(), da.get(), db.get(), vectors, elements);
    workload::finish_kernels("scalar_products");
    std::vector<float> want(vectors);
    for (int v = 0; v < vectors; v++) {
        double sum = 0;
        for (int i = 0; i < elements; i++)
            sum += static_cast<double>(a[static_cast<size_t>(v) * elements + i]) * b[static_cast<size_t>(v) * elements + i];
        want[v] = static_cast<float>(sum);
    }
    return workload::verdict(run, dr.download(), want, 1e-4f, "scalar products");
}
