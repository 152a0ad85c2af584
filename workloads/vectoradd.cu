// vectoradd - c = a + b. Three streams, each element touched once: nothing for a cache to keep.
#include "common/workload.h"

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "vectoradd");
    const int n = workload::pick(run, 1 << 12, 1 << 20, 1 << 23, 50000);
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::random_floats(rng, n, -1, 1), b = workload::random_floats(rng, n, -1, 1);
    workload::Buffer<float> da(a), db(b), dc(n);
    vector_add<<<workload::blocks_for(n, 256), 256>>>(da.get(), db.get(), dc.get(), n);
    workload::finish_kernels("vector_add");
    std::vector<float> want(n);
    for (int i = 0; i < n; i++)
        want[i] = a[i] + b[i];
    return workload::verdict(run, dc.download(), want, 0.0f, "sum of two vectors");
}
