// atax - y = A^T (A x) (PolyBench's form), sums kept in global memory. In the first kernel a thread has a row, so that a warp walks 32 rows side
// by side; in the second a thread has a column, and the loads of a warp are one line.
#include "common/matvec.h"

__global__ void atax_rows(const float *a, const float *x, float *tmp, int rows, int columns, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    for (int j = 0; j < depth; j++)
        tmp[i] += a[i * columns + j] * x[j];
}

__global__ void atax_columns(const float *a, const float *tmp, float *y, int columns, int depth)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    for (int i = 0; i < depth; i++)
        y[j] += a[i * columns + j] * tmp[i];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "atax");
    workload::Rng rng(run.seed);
    const workload::Dense m(run, rng);
    const std::vector<float> x = workload::random_floats(rng, m.columns, 0, 1);
    workload::Buffer<float> da(m.a), dx(x), tmp(m.rows), dy(m.columns);
    tmp.zero();
    dy.zero();
    atax_rows<<<workload::blocks_for(m.rows, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), dx.get(), tmp.get(), m.rows, m.columns, m.depth);
    atax_columns<<<workload::blocks_for(m.columns, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), tmp.get(), dy.get(), m.columns, m.depth);
    workload::finish_kernels("atax");
    return workload::verdict(run, dy.download(), m.turned_times(m.times(x)), 1e-3f, "product with the matrix and its transpose");
}
