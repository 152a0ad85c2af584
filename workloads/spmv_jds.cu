// spmv_jds - sparse matrix times vector in jagged diagonal storage (Parboil's form): rows sorted by length and stored column by column, so
// that a warp reads its values and column numbers coalesced and only the vector is gathered; where the columns start and how long each
// warp's rows are is in constant memory.
#include <numeric>

#include "common/matrix.h"

enum { THREADS = 192, LONGEST = 32, WARPS = 16320 };
__constant__ int column_start[LONGEST], warp_length[WARPS];

__global__ void spmv_jds(const float *value, const int *column, const int *row_of, const float *x, float *y, int rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float sum = 0;
    const int length = warp_length[i / 32];
    for (int k = 0; k < length; k++) {
        const int at = column_start[k] + i;
        sum += value[at] * x[column[at]];
    }
    y[row_of[i]] = sum;
}

// Rows in falling order of length; each group of 32 is padded with zeros to its longest row.
struct Jds {
    std::vector<int> row_of, column, column_start, warp_length;
    std::vector<float> value;
};

static Jds sort_rows(const workload::Csr &m)
{
    const int rows = static_cast<int>(m.start.size()) - 1;
    Jds j;
    j.row_of.resize(rows);
    std::iota(j.row_of.begin(), j.row_of.end(), 0);
    const auto length = [&](int row) { return m.start[row + 1] - m.start[row]; };
    std::stable_sort(j.row_of.begin(), j.row_of.end(), [&](int a, int b) { return length(a) > length(b); });
    for (int i = 0; i < rows; i += 32)
        j.warp_length.push_back(length(j.row_of[i]));
    for (int k = 0; k < length(j.row_of[0]); k++) {
        j.column_start.push_back(static_cast<int>(j.value.size()));
        for (int i = 0; i < rows && j.warp_length[i / 32] > k; i++) {
            const int row = j.row_of[i];
            const bool there = length(row) > k;
            j.value.push_back(there ? m.value[m.start[row] + k] : 0.0f);
            j.column.push_back(there ? m.column[m.start[row] + k] : 0);
        }
    }
    return j;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "spmv_jds");
    const int width = workload::pick(run, "width", 32, 256, 1024, 383), height = workload::pick(run, "height", 16, 256, 448, 383), rows = width * height;
    workload::Rng rng(run.seed);
    const workload::Csr m = workload::make_mesh_matrix(rng, width, height);
    const Jds j = sort_rows(m);
    if (j.column_start.size() > LONGEST || j.warp_length.size() > WARPS)
        return workload::verdict(run, false, "matrix too large for constant memory");
    const std::vector<float> x = workload::random_floats(rng, rows, -1, 1);
    workload::must(cudaMemcpyToSymbol(column_start, j.column_start.data(), j.column_start.size() * sizeof(int)), "copy of the column starts");
    workload::must(cudaMemcpyToSymbol(warp_length, j.warp_length.data(), j.warp_length.size() * sizeof(int)), "copy of the lengths");
    workload::Buffer<float> dv(j.value), dx(x), dy(rows);
    workload::Buffer<int> dc(j.column), dr(j.row_of);
    spmv_jds<<<workload::blocks_for(rows, THREADS), THREADS>>>(dv.get(), dc.get(), dr.get(), dx.get(), dy.get(), rows);
    workload::finish_kernels("spmv_jds");
    return workload::verdict(run, dy.download(), workload::multiply_on_cpu(m, x), 1e-4f, "product");
}
