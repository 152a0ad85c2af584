// syrk - C = alpha A A^T + beta C (PolyBench's form). Lane j reads row j of A: the 32 lanes of a warp walk 32 rows side by side,
// one line each, and with rows of a multiple of 4 KiB all of them fall into one set of a linearly indexed 32-set cache
// (paper 000, figure 6).
#include "common/workload.h"

__global__ void syrk(const float *a, float *c, int n, int m, int pitch, float alpha, float beta)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
        c[i * n + j] += alpha * a[i * pitch + k] * a[j * pitch + k];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "syrk");
    // Rows lie 4 KiB apart as in the suite's matrix. At small the sum runs over the first columns only, so that there are threads enough to fill the machine.
    const int n = workload::pick(run, "n", 32, 160, 192, 1024), m = workload::pick(run, "m", 64, 192, 1024, 1024), pitch = std::max(m, workload::pick(run, "pitch", 64, 1024, 1024, 1024));
    const float alpha = 0.5f, beta = 0.75f;
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::random_floats(rng, static_cast<size_t>(n) * pitch, 0, 1);
    std::vector<float> c = workload::random_floats(rng, static_cast<size_t>(n) * n, 0, 1);
    workload::Buffer<float> da(a), dc(c);
    syrk<<<dim3(workload::blocks_for(n, 32), workload::blocks_for(n, 8)), dim3(32, 8)>>>(da.get(), dc.get(), n, m, pitch, alpha, beta);
    workload::finish_kernels("syrk");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += static_cast<double>(a[static_cast<size_t>(i) * pitch + k]) * a[static_cast<size_t>(j) * pitch + k];
            float &out = c[static_cast<size_t>(i) * n + j];
            out = static_cast<float>(beta * out + alpha * sum);
        }
    return workload::verdict(run, dc.download(), c, 1e-3f, "symmetric rank-k update");
}
