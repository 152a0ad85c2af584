// spmv - sparse matrix (CSR) times vector, one row per thread: lanes walk rows of different lengths at different places.
// The matrix has a power-law row length, a dense band and scattered far entries, as matrices from graphs and grids do.
#include <algorithm>

#include "common/workload.h"

struct Csr {
    std::vector<int> start, column;
    std::vector<float> value;
};

static Csr make_matrix(workload::Rng &rng, int rows, int mean)
{
    Csr m;
    m.start.push_back(0);
    for (int i = 0; i < rows; i++) {
        const float u = rng.uniform();
        const int length = std::min(rows, 1 + static_cast<int>(static_cast<float>(mean) * 0.5f / std::sqrt(u + 0.01f)));
        std::vector<int> columns;
        for (int k = 0; k < length; k++) {
            const int near = i + static_cast<int>(rng.below(64)) - 32, far = static_cast<int>(rng.below(static_cast<uint32_t>(rows)));
            columns.push_back(rng.below(3) ? std::min(std::max(near, 0), rows - 1) : far);
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (int c : columns) {
            m.column.push_back(c);
            m.value.push_back(rng.uniform(-1, 1));
        }
        m.start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

__global__ void spmv_csr_scalar(const float *value, const int *column, const int *start, const float *x, float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "spmv");
    const int rows = workload::pick(run, 512, 24576, 229376, 146689), mean = workload::pick(run, 8, 28, 40, 26);
    workload::Rng rng(run.seed);
    const Csr m = make_matrix(rng, rows, mean);
    const std::vector<float> x = workload::random_floats(rng, rows, -1, 1);
    workload::Buffer<float> dv(m.value), dx(x), dy(rows);
    workload::Buffer<int> dc(m.column), ds(m.start);
    spmv_csr_scalar<<<workload::blocks_for(rows, 128), 128>>>(dv.get(), dc.get(), ds.get(), dx.get(), dy.get(), rows);
    workload::finish_kernels("spmv");
    std::vector<float> want(rows);
    for (int i = 0; i < rows; i++)
        for (int k = m.start[i]; k < m.start[i + 1]; k++)
            want[i] += m.value[k] * x[m.column[k]];
    return workload::verdict(run, dy.download(), want, 1e-4f, "product");
}
