// gaussian - Gaussian elimination of a system of equations (Rodinia's form): two launches a column. The first divides a column by its pivot, a row
// of the matrix a thread; the second subtracts, in blocks of 4 x 4 whose first index is the row: the lanes of a warp are in four rows.
#include "common/workload.h"

enum { THREADS = 512, SIDE = 4 };

__global__ void gauss_factors(float *factor, const float *a, int n, int t)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1 - t)
        return;
    factor[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

__global__ void gauss_subtract(const float *factor, float *a, float *b, int n, int t)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n - 1 - t || y >= n - t)
        return;
    a[n * (x + 1 + t) + y + t] -= factor[n * (x + 1 + t) + t] * a[n * t + y + t];
    if (y == 0)
        b[x + 1 + t] -= factor[n * (x + 1 + t) + t] * b[t];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "gaussian");
    const int n = workload::pick(run, "n", 16, 96, 256, 208);
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    std::vector<float> a = workload::random_floats(rng, cells, -1, 1), b = workload::random_floats(rng, n, -1, 1);
    for (int i = 0; i < n; i++)
        a[static_cast<size_t>(i) * n + i] += static_cast<float>(n);
    workload::Buffer<float> da(a), db(b), factor(cells);
    factor.zero();
    const unsigned tiles = workload::blocks_for(n, SIDE);
    for (int t = 0; t < n - 1; t++) {
        gauss_factors<<<workload::blocks_for(n, THREADS), THREADS>>>(factor.get(), da.get(), n, t);
        gauss_subtract<<<dim3(tiles, tiles), dim3(SIDE, SIDE)>>>(factor.get(), da.get(), db.get(), n, t);
    }
    workload::finish_kernels("gaussian");
    // The solution is in the triangle that is left: from the last row up.
    std::vector<float> x = db.download();
    const std::vector<float> triangle = da.download();
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= triangle[static_cast<size_t>(i) * n + j] * x[j];
        x[i] /= triangle[static_cast<size_t>(i) * n + i];
    }
    std::vector<float> product(n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += static_cast<double>(a[static_cast<size_t>(i) * n + j]) * x[j];
        product[i] = static_cast<float>(sum);
    }
    return workload::verdict(run, product, b, 1e-3f, "solution put back into the equations");
}
