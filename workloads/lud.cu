// lud - LU decomposition by blocks of 16 x 16 (Rodinia's form): in each step one block factors the tile on the diagonal, half-warps the
// tiles beside and below it, and a grid of blocks all others. The first two leave most of the machine idle.
#include "common/workload.h"

enum { TILE = 16 };

__global__ void lud_diagonal(float *m, int n, int offset)
{
    __shared__ float tile[TILE][TILE];
    const int t = threadIdx.x;
    for (int i = 0; i < TILE; i++)
        tile[i][t] = m[(offset + i) * n + offset + t];
    __syncthreads();
    for (int i = 0; i < TILE - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                tile[t][i] -= tile[t][j] * tile[j][i];
            tile[t][i] /= tile[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
        __syncthreads();
    }
    for (int i = 1; i < TILE; i++)
        m[(offset + i) * n + offset + t] = tile[i][t];
}

// Threads 0 to 15 have a tile to the right of the diagonal, 16 to 31 one below it.
__global__ void lud_perimeter(float *m, int n, int offset)
{
    __shared__ float diagonal[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
    const bool is_right = threadIdx.x < TILE;
    const int t = threadIdx.x % TILE, away = offset + (blockIdx.x + 1) * TILE;
    for (int i = 0; i < TILE / 2; i++) {
        const int row = is_right ? i : i + TILE / 2;
        diagonal[row][t] = m[(offset + row) * n + offset + t];
    }
    for (int i = 0; i < TILE; i++)
        if (is_right)
            right[i][t] = m[(offset + i) * n + away + t];
        else
            below[i][t] = m[(away + i) * n + offset + t];
    __syncthreads();
    if (is_right) {
        for (int i = 1; i < TILE; i++)
            for (int j = 0; j < i; j++)
                right[i][t] -= diagonal[i][j] * right[j][t];
    } else {
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < i; j++)
                below[t][i] -= below[t][j] * diagonal[j][i];
            below[t][i] /= diagonal[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++)
        if (is_right)
            m[(offset + i) * n + away + t] = right[i][t];
        else
            m[(away + i) * n + offset + t] = below[i][t];
}

__global__ void lud_internal(float *m, int n, int offset)
{
    __shared__ float right[TILE][TILE], below[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, row = offset + (blockIdx.y + 1) * TILE + ty, column = offset + (blockIdx.x + 1) * TILE + tx;
    right[ty][tx] = m[(offset + ty) * n + column];
    below[ty][tx] = m[row * n + offset + tx];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += below[ty][i] * right[i][tx];
    m[row * n + column] -= sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lud");
    const int n = workload::pick(run, 64, 256, 640, 256);
    workload::Rng rng(run.seed);
    std::vector<float> m = workload::random_floats(rng, static_cast<size_t>(n) * n, -1, 1);
    for (int i = 0; i < n; i++)
        m[static_cast<size_t>(i) * n + i] += static_cast<float>(n);
    workload::Buffer<float> dm(m);
    for (int offset = 0; offset < n; offset += TILE) {
        const unsigned rest = static_cast<unsigned>((n - offset) / TILE - 1);
        lud_diagonal<<<1, TILE>>>(dm.get(), n, offset);
        if (rest > 0) {
            lud_perimeter<<<rest, 2 * TILE>>>(dm.get(), n, offset);
            lud_internal<<<dim3(rest, rest), dim3(TILE, TILE)>>>(dm.get(), n, offset);
        }
    }
    workload::finish_kernels("lud");
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            float *row = &m[static_cast<size_t>(i) * n];
            const float *pivot = &m[static_cast<size_t>(k) * n];
            row[k] /= pivot[k];
            for (int j = k + 1; j < n; j++)
                row[j] -= row[k] * pivot[j];
        }
    return workload::verdict(run, dm.download(), m, 1e-3f, "factors");
}
