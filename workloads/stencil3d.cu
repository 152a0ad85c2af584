// stencil3d - 7-point Jacobi stencil over a 3D grid, one column of z per thread, all neighbours from global memory: the reuse
// between neighbouring rows and planes is left to the cache.
#include <utility>

#include "common/workload.h"

__global__ void stencil_step(const float *from, float *to, int nx, int ny, int nz, float centre_weight, float side_weight)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
        return;
    const int plane = nx * ny;
    for (int z = 1; z < nz - 1; z++) {
        const int at = z * plane + y * nx + x;
        to[at] = centre_weight * from[at] + side_weight * (from[at - 1] + from[at + 1] + from[at - nx] + from[at + nx] + from[at - plane] + from[at + plane]);
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "stencil3d");
    const int nx = workload::pick(run, 32, 128, 256, 512), ny = workload::pick(run, 32, 120, 240, 512), nz = workload::pick(run, 8, 32, 64, 64), steps = workload::pick(run, 1, 2, 3, 100);
    const float centre = 0.4f, side = 0.1f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(nx) * ny * nz;
    std::vector<float> grid = workload::random_floats(rng, cells, 0, 1), next = grid;
    workload::Buffer<float> da(grid), db(grid);
    float *from = da.get(), *to = db.get();
    for (int i = 0; i < steps; i++) {
        stencil_step<<<dim3(workload::blocks_for(nx, 32), workload::blocks_for(ny, 4)), dim3(32, 4)>>>(from, to, nx, ny, nz, centre, side);
        std::swap(from, to);
    }
    workload::finish_kernels("stencil_step");
    const size_t plane = static_cast<size_t>(nx) * ny;
    for (int i = 0; i < steps; i++) {
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    const size_t at = z * plane + static_cast<size_t>(y) * nx + x;
                    next[at] = centre * grid[at] + side * (grid[at - 1] + grid[at + 1] + grid[at - nx] + grid[at + nx] + grid[at - plane] + grid[at + plane]);
                }
        grid.swap(next);
    }
    return workload::verdict(run, steps % 2 ? db.download() : da.download(), grid, 1e-5f, "grid");
}
