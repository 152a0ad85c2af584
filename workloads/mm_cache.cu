// mm_cache - matrix multiplication tiled for the cache: a block walks tiles of both operands that fit the L1 and are loaded from global memory
// again and again, without shared memory. Each thread has four results, so that an element of the right operand serves four rows.
#include "common/workload.h"

enum { TILE = 32, ROWS = 8, EACH = TILE / ROWS };

__global__ void multiply_tiles(const float *a, const float *b, float *c, int n)
{
    const int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum[EACH] = {};
    for (int tile = 0; tile < n; tile += TILE)
        for (int k = tile; k < tile + TILE; k++) {
            const float right = b[k * n + column];
            for (int r = 0; r < EACH; r++)
                sum[r] += a[(row + r * ROWS) * n + k] * right;
        }
    for (int r = 0; r < EACH; r++)
        c[(row + r * ROWS) * n + column] = sum[r];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mm_cache");
    const int n = workload::pick(run, 64, 192, 512, 1024);
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(n) * n;
    const std::vector<float> a = workload::random_floats(rng, cells, -1, 1), b = workload::random_floats(rng, cells, -1, 1);
    workload::Buffer<float> da(a), db(b), dc(cells);
    multiply_tiles<<<dim3(n / TILE, n / TILE), dim3(TILE, ROWS)>>>(da.get(), db.get(), dc.get(), n);
    workload::finish_kernels("multiply_tiles");
    std::vector<float> want(cells, 0.0f);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[static_cast<size_t>(i) * n + j] += a[static_cast<size_t>(i) * n + k] * b[static_cast<size_t>(k) * n + j];
    return workload::verdict(run, dc.download(), want, 1e-3f, "product");
}
