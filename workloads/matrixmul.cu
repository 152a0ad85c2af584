// matrixmul - product of two matrices as a map (Mars's form): a thread has one element of the result and walks a row of the first matrix and a column of
// the second, from global memory; the right one is stored by columns, so that the lanes of a warp walk 32 columns side by side, a line each.
#include "common/mapreduce.h"

__global__ void mm_map_count(int *count, int cells)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells)
        count[i] = 1;
}

__global__ void mm_map(const float *a, const float *b_columns, const int *start, float *c, int n, int depth, int cells)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    const float *row = a + i / n * n, *column = b_columns + i % n * n;
    float sum = 0;
    for (int k = 0; k < depth; k++)
        sum += row[k] * column[k];
    c[start[i]] = sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "matrixmul");
    // Below paper the first rows of the result only, and sums over the first part of rows and columns, which lie 4 KiB apart as in the suite's matrices.
    const int n = workload::pick(run, 64, 1024, 1024, 1024), rows = workload::pick(run, 16, 15, 128, 1024), depth = workload::pick(run, 64, 256, 1024, 1024), cells = rows * n;
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::mars_matrix(rng, static_cast<size_t>(n) * n), b = workload::mars_matrix(rng, static_cast<size_t>(n) * n);
    workload::Buffer<float> da(a), db(b), dc(cells);
    workload::Buffer<int> count(cells);
    const unsigned blocks = workload::blocks_for(cells, workload::MAP_THREADS);
    mm_map_count<<<blocks, workload::MAP_THREADS>>>(count.get(), cells);
    workload::finish_kernels("mm_map_count");
    workload::Buffer<int> start(workload::starts_of(count.download()));
    mm_map<<<blocks, workload::MAP_THREADS>>>(da.get(), db.get(), start.get(), dc.get(), n, depth, cells);
    workload::finish_kernels("mm_map");
    std::vector<float> want(cells);
    for (int i = 0; i < cells; i++)
        for (int k = 0; k < depth; k++)
            want[i] += a[static_cast<size_t>(i / n) * n + k] * b[static_cast<size_t>(i % n) * n + k];
    return workload::verdict(run, dc.download(), want, 1e-3f, "product");
}
