// mm2 - E = (A B) D, two matrix multiplications straight from global memory (PolyBench's 2MM): the row operand is the same
// for a warp, the column operand is coalesced and is used again by every other row.
#include "common/workload.h"

__global__ void multiply_first(const float *a, const float *b, float *c, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

__global__ void multiply_second(const float *c, const float *d, float *e, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    e[i * n + j] = 0;
    for (int k = 0; k < n; k++)
        e[i * n + j] += c[i * n + k] * d[k * n + j];
}

static std::vector<float> multiply_on_cpu(const std::vector<float> &a, const std::vector<float> &b, int n)
{
    std::vector<float> c(a.size(), 0.0f);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const float factor = a[static_cast<size_t>(i) * n + k];
            for (int j = 0; j < n; j++)
                c[static_cast<size_t>(i) * n + j] += factor * b[static_cast<size_t>(k) * n + j];
        }
    return c;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mm2");
    const int n = workload::pick(run, 32, 128, 256, 2048);
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    const std::vector<float> a = workload::random_floats(rng, cells, 0, 1), b = workload::random_floats(rng, cells, 0, 1), d = workload::random_floats(rng, cells, 0, 1);
    workload::Buffer<float> da(a), db(b), dc(cells), dd(d), de(cells);
    const dim3 grid(workload::blocks_for(n, 32), workload::blocks_for(n, 8)), block(32, 8);
    multiply_first<<<grid, block>>>(da.get(), db.get(), dc.get(), n);
    multiply_second<<<grid, block>>>(dc.get(), dd.get(), de.get(), n);
    workload::finish_kernels("2mm");
    return workload::verdict(run, de.download(), multiply_on_cpu(multiply_on_cpu(a, b, n), d, n), 1e-3f, "matrix product");
}
