// syr2k - C = alpha (A B^T + B A^T) + beta C (PolyBench's form). As in syrk the lanes of a warp walk 32 rows side by side, of two matrices.
#include "common/workload.h"

__global__ void syr2k(const float *a, const float *b, float *c, int n, int m, int pitch, float alpha, float beta)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
        c[i * n + j] += alpha * a[i * pitch + k] * b[j * pitch + k] + alpha * b[i * pitch + k] * a[j * pitch + k];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "syr2k");
    // Rows lie 8 KiB apart as in the suite's matrices of 2048 x 2048. The sums run over the first columns only, so that there are threads enough to fill the machine.
    const int n = workload::pick(run, "n", 32, 160, 192, 1024), m = workload::pick(run, "m", 64, 128, 1024, 1024), pitch = std::max(m, workload::pick(run, "pitch", 64, 2048, 2048, 2048));
    const float alpha = 0.5f, beta = 0.75f;
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::random_floats(rng, static_cast<size_t>(n) * pitch, 0, 1), b = workload::random_floats(rng, static_cast<size_t>(n) * pitch, 0, 1);
    std::vector<float> c = workload::random_floats(rng, static_cast<size_t>(n) * n, 0, 1);
    workload::Buffer<float> da(a), db(b), dc(c);
    syr2k<<<dim3(workload::blocks_for(n, 32), workload::blocks_for(n, 8)), dim3(32, 8)>>>(da.get(), db.get(), dc.get(), n, m, pitch, alpha, beta);
    workload::finish_kernels("syr2k");
    const std::vector<float> got = dc.download();
    std::vector<float> sample, want;
    for (int i = 0; i < n; i += run.size == workload::PAPER ? 37 : 1)
        for (int j = 0; j < n; j++) {
            const float *ai = &a[static_cast<size_t>(i) * pitch], *aj = &a[static_cast<size_t>(j) * pitch], *bi = &b[static_cast<size_t>(i) * pitch], *bj = &b[static_cast<size_t>(j) * pitch];
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += static_cast<double>(ai[k]) * bj[k] + static_cast<double>(bi[k]) * aj[k];
            sample.push_back(got[static_cast<size_t>(i) * n + j]);
            want.push_back(static_cast<float>(beta * c[static_cast<size_t>(i) * n + j] + alpha * sum));
        }
    return workload::verdict(run, sample, want, 1e-3f, "symmetric rank-2k update");
}
