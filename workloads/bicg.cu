// bicg - the two products of a step of the biconjugate gradient method, s = A^T r and q = A p (PolyBench's form), sums kept in global memory: first
// a column a thread, then a row a thread, where a warp walks 32 rows side by side.
#include "common/matvec.h"

__global__ void bicg_columns(const float *a, const float *r, float *s, int columns, int depth)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    s[j] = 0;
    for (int i = 0; i < depth; i++)
        s[j] += a[i * columns + j] * r[i];
}

__global__ void bicg_rows(const float *a, const float *p, float *q, int rows, int columns, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    q[i] = 0;
    for (int j = 0; j < depth; j++)
        q[i] += a[i * columns + j] * p[j];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "bicg");
    workload::Rng rng(run.seed);
    const workload::Dense m(run, rng);
    const std::vector<float> r = workload::random_floats(rng, m.rows, 0, 1), p = workload::random_floats(rng, m.columns, 0, 1);
    workload::Buffer<float> da(m.a), dr(r), dp(p), ds(m.columns), dq(m.rows);
    bicg_columns<<<workload::blocks_for(m.columns, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), dr.get(), ds.get(), m.columns, m.depth);
    bicg_rows<<<workload::blocks_for(m.rows, workload::MATVEC_THREADS), workload::MATVEC_THREADS>>>(da.get(), dp.get(), dq.get(), m.rows, m.columns, m.depth);
    workload::finish_kernels("bicg");
    return workload::verdict(run, workload::joined(ds.download(), dq.download()), workload::joined(m.turned_times(r), m.times(p)), 1e-3f, "two products");
}
