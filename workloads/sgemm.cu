// sgemm - C = alpha A B^T-tile product with register tiling (Parboil's form): A column-major, a tile of B in shared memory, 16 results
// per thread.
#include "common/workload.h"

enum { TILE_M = 128, TILE_N = 16, TILE_K = 8 };

// A: m x k, column-major; B: n x k, column-major (so that B^T is used); C: m x n, column-major.
__global__ void sgemm_nt(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta)
{
    __shared__ float tile[TILE_K][TILE_N];
    const int row = blockIdx.x * TILE_M + threadIdx.x, first = blockIdx.y * TILE_N;
    float sum[TILE_N] = {0};
    for (int base = 0; base < k; base += TILE_K) {
        tile[threadIdx.x / TILE_N][threadIdx.x % TILE_N] = b[(base + threadIdx.x / TILE_N) * n + first + threadIdx.x % TILE_N];
        __syncthreads();
        for (int t = 0; t < TILE_K; t++) {
            const float factor = a[(base + t) * m + row];
#pragma unroll
            for (int j = 0; j < TILE_N; j++)
                sum[j] += factor * tile[t][j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < TILE_N; j++) {
        const int at = (first + j) * m + row;
        c[at] = alpha * sum[j] + beta * c[at];
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "sgemm");
    const int m = workload::pick(run, "m", 128, 512, 512, 1024), n = workload::pick(run, 32, 480, 496, 1056), k = workload::pick(run, 32, 48, 496, 992);
    const float alpha = 1.5f, beta = 0.5f;
    workload::Rng rng(run.seed);
    const std::vector<float> a = workload::random_floats(rng, static_cast<size_t>(m) * k, -1, 1), b = workload::random_floats(rng, static_cast<size_t>(n) * k, -1, 1);
    std::vector<float> c = workload::random_floats(rng, static_cast<size_t>(m) * n, -1, 1);
    workload::Buffer<float> da(a), db(b), dc(c);
    sgemm_nt<<<dim3(m / TILE_M, n / TILE_N), TILE_M>>>(da.get(), db.get(), dc.get(), m, n, k, alpha, beta);
    workload::finish_kernels("sgemm_nt");
    std::vector<float> sum(c.size(), 0.0f);
    for (int t = 0; t < k; t++)
        for (int j = 0; j < n; j++) {
            const float factor = b[static_cast<size_t>(t) * n + j];
            for (int i = 0; i < m; i++)
                sum[static_cast<size_t>(j) * m + i] += factor * a[static_cast<size_t>(t) * m + i];
        }
    for (size_t i = 0; i < c.size(); i++)
        c[i] = alpha * sum[i] + beta * c[i];
    return workload::verdict(run, dc.download(), c, 1e-3f, "matrix product");
}
