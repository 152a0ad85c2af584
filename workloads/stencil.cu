// stencil - 7-point Jacobi stencil (Parboil's form): a block sweeps along z with the current plane in shared memory and the planes below
// and above in registers; every thread has two columns, half a tile apart.
#include <utility>

#include "common/workload.h"

enum { TX = 32, TY = 4, COLUMNS = 2, WIDTH = COLUMNS * TX };

__global__ void stencil_blocked(const float *from, float *to, int nx, int ny, int nz, float c0, float c1)
{
    __shared__ float plane[TY][WIDTH];
    const int ty = threadIdx.y, y = blockIdx.y * TY + ty, layer = nx * ny;
    float below[COLUMNS], here[COLUMNS], above[COLUMNS];
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        const int x = blockIdx.x * WIDTH + k * TX + threadIdx.x, base = y * nx + x;
        const bool inside = x < nx && y < ny;
        below[k] = inside ? from[base] : 0.0f;
        here[k] = inside ? from[layer + base] : 0.0f;
    }
    for (int z = 1; z < nz - 1; z++) {
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            const int x = blockIdx.x * WIDTH + k * TX + threadIdx.x;
            plane[ty][k * TX + threadIdx.x] = here[k];
            above[k] = x < nx && y < ny ? from[(z + 1) * layer + y * nx + x] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            const int tx = k * TX + threadIdx.x, x = blockIdx.x * WIDTH + tx, at = z * layer + y * nx + x;
            if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
                const float left = tx > 0 ? plane[ty][tx - 1] : from[at - 1], right = tx < WIDTH - 1 ? plane[ty][tx + 1] : from[at + 1];
                const float up = ty > 0 ? plane[ty - 1][tx] : from[at - nx], down = ty < TY - 1 ? plane[ty + 1][tx] : from[at + nx];
                to[at] = c1 * (left + right + up + down + below[k] + above[k]) - c0 * here[k];
            }
            below[k] = here[k];
            here[k] = above[k];
        }
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "stencil");
    const int nx = workload::pick(run, 32, 256, 256, 512), ny = workload::pick(run, "ny", 32, 120, 240, 512), nz = workload::pick(run, 8, 18, 64, 64), steps = workload::pick(run, 1, 2, 3, 100);
    const float c0 = 1.0f / 6.0f, c1 = 1.0f / 36.0f;
    workload::Rng rng(run.seed);
    std::vector<float> grid = workload::random_floats(rng, static_cast<size_t>(nx) * ny * nz, 0, 1), next = grid;
    workload::Buffer<float> da(grid), db(grid);
    float *from = da.get(), *to = db.get();
    for (int s = 0; s < steps; s++) {
        stencil_blocked<<<dim3(workload::blocks_for(nx, WIDTH), workload::blocks_for(ny, TY)), dim3(TX, TY)>>>(from, to, nx, ny, nz, c0, c1);
        std::swap(from, to);
    }
    workload::finish_kernels("stencil_blocked");
    const size_t layer = static_cast<size_t>(nx) * ny;
    for (int s = 0; s < steps; s++) {
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    const size_t at = z * layer + static_cast<size_t>(y) * nx + x;
                    next[at] = c1 * (grid[at - 1] + grid[at + 1] + grid[at - nx] + grid[at + nx] + grid[at - layer] + grid[at + layer]) - c0 * grid[at];
                }
        grid.swap(next);
    }
    return workload::verdict(run, steps % 2 ? db.download() : da.download(), grid, 1e-5f, "grid");
}
