// spmv - sparse matrix (CSR) times vector, one row per thread (SHOC's scalar form): lanes walk rows of different lengths at different
// places. The vector is read through a texture, as SHOC does.
#include "common/matrix.h"
#include "common/texture.h"

__global__ void spmv_csr_scalar(const float *value, const int *column, const int *start, cudaTextureObject_t x, float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * tex1Dfetch<float>(x, column[k]);
    y[row] = sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "spmv");
    const int rows = workload::pick(run, 512, 24576, 229376, 146689), mean = workload::pick(run, 8, 28, 40, 26);
    workload::Rng rng(run.seed);
    const workload::Csr m = workload::make_matrix(rng, rows, mean);
    const std::vector<float> x = workload::random_floats(rng, rows, -1, 1);
    workload::Buffer<float> dv(m.value), dx(x), dy(rows);
    workload::Buffer<int> dc(m.column), ds(m.start);
    const workload::Texture tx = workload::Texture::line(dx.get(), x.size());
    spmv_csr_scalar<<<workload::blocks_for(rows, 128), 128>>>(dv.get(), dc.get(), ds.get(), tx.get(), dy.get(), rows);
    workload::finish_kernels("spmv");
    return workload::verdict(run, dy.download(), workload::multiply_on_cpu(m, x), 1e-4f, "product");
}
