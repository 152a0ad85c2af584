// mvt - x1 += A y1 and x2 += A^T y2 (PolyBench's form), sums kept in global memory: first a row a thread, where a warp walks 32 rows side by side,
// then a column a thread.
#include "common/matvec.h"

__global__ void mvt_rows(const float *a, float *x, const float *y, int rows, int columns, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    for (int j = 0; j < depth; j++)
        x[i] += a[i * columns + j] * y[j];
}

__global__ void mvt_columns(const float *a, float *x, const float *y, int columns, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns)
        return;
    for (int j = 0; j < depth; j++)
        x[i] += a[j * columns + i] * y[j];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mvt");
    workload::Rng rng(run.seed);
    const workload::Dense m(run, rng);
    const std::vector<float> x1 = workload::random_floats(rng, m.rows, 0, 1), x2 = workload::random_floats(rng, m.columns, 0, 1);
    const std::vector<float> y1 = workload::random_floats(rng, m.columns, 0, 1), y2 = workload::random_floats(rng, m.rows, 0, 1);
    workload::Buffer<float> da(m.a), d1(x1), d2(x2), e1(y1), e2(y2);
    mvt_rows<<<workload::blocks_for(m.rows, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), d1.get(), e1.get(), m.rows, m.columns, m.depth);
    mvt_columns<<<workload::blocks_for(m.columns, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), d2.get(), e2.get(), m.columns, m.depth);
    workload::finish_kernels("mvt");
    std::vector<float> want = workload::joined(m.times(y1), m.turned_times(y2)), before = workload::joined(x1, x2);
    for (size_t i = 0; i < want.size(); i++)
        want[i] += before[i];
    return workload::verdict(run, workload::joined(d1.download(), d2.download()), want, 1e-3f, "two products");
}
