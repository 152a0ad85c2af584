// lbm - lattice Boltzmann flow, 19 velocities in three dimensions, one thread per cell: 19 streams read, 19 written to the
// neighbours' cells, nothing used twice.
#include <utility>

#include "common/workload.h"

enum { VELOCITIES = 19 };
struct Velocity {
    int x, y, z;
    float weight;
};
static const Velocity VELOCITY_TABLE[VELOCITIES] = {
    {0, 0, 0, 1.0f / 3}, {1, 0, 0, 1.0f / 18}, {-1, 0, 0, 1.0f / 18}, {0, 1, 0, 1.0f / 18}, {0, -1, 0, 1.0f / 18}, {0, 0, 1, 1.0f / 18}, {0, 0, -1, 1.0f / 18},
    {1, 1, 0, 1.0f / 36}, {-1, 1, 0, 1.0f / 36}, {1, -1, 0, 1.0f / 36}, {-1, -1, 0, 1.0f / 36}, {1, 0, 1, 1.0f / 36}, {-1, 0, 1, 1.0f / 36},
    {1, 0, -1, 1.0f / 36}, {-1, 0, -1, 1.0f / 36}, {0, 1, 1, 1.0f / 36}, {0, -1, 1, 1.0f / 36}, {0, 1, -1, 1.0f / 36}, {0, -1, -1, 1.0f / 36}};
__constant__ Velocity velocities[VELOCITIES];

// Moves every population of the cell one step and relaxes it. `v` is the table: constant memory on the GPU, an array on the CPU.
__host__ __device__ static void collide_and_stream(const Velocity *v, const float *from, float *to, int x, int y, int z, int nx, int ny, int nz, float omega)
{
    const int cells = nx * ny * nz, at = (z * ny + y) * nx + x;
    float f[VELOCITIES], density = 0, ux = 0, uy = 0, uz = 0;
    for (int k = 0; k < VELOCITIES; k++) {
        f[k] = from[k * cells + at];
        density += f[k];
        ux += f[k] * static_cast<float>(v[k].x);
        uy += f[k] * static_cast<float>(v[k].y);
        uz += f[k] * static_cast<float>(v[k].z);
    }
    ux /= density;
    uy /= density;
    uz /= density;
    const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int k = 0; k < VELOCITIES; k++) {
        const float along = static_cast<float>(v[k].x) * ux + static_cast<float>(v[k].y) * uy + static_cast<float>(v[k].z) * uz;
        const float rest = v[k].weight * density * (1.0f + 3.0f * along + 4.5f * along * along - square);
        const int tx = (x + v[k].x + nx) % nx, ty = (y + v[k].y + ny) % ny, tz = (z + v[k].z + nz) % nz;
        to[k * cells + (tz * ny + ty) * nx + tx] = f[k] * (1.0f - omega) + rest * omega;
    }
}

__global__ void lbm_step(const float *from, float *to, int nx, int ny, int nz, float omega)
{
    collide_and_stream(velocities, from, to, threadIdx.x, blockIdx.x, blockIdx.y, nx, ny, nz, omega);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lbm");
    const int nx = workload::pick(run, 32, 96, 120, 120), ny = workload::pick(run, 4, 16, 60, 120), nz = workload::pick(run, 2, 8, 20, 150), steps = workload::pick(run, 1, 2, 4, 10);
    const float omega = 1.95f;
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(nx) * ny * nz;
    std::vector<float> grid(cells * VELOCITIES), next(grid.size());
    for (int k = 0; k < VELOCITIES; k++)
        for (size_t i = 0; i < cells; i++)
            grid[k * cells + i] = VELOCITY_TABLE[k].weight * rng.uniform(0.97f, 1.03f);
    workload::must(cudaMemcpyToSymbol(velocities, VELOCITY_TABLE, sizeof VELOCITY_TABLE), "copy of the velocities");
    workload::Buffer<float> da(grid), db(grid.size());
    float *from = da.get(), *to = db.get();
    for (int s = 0; s < steps; s++) {
        lbm_step<<<dim3(ny, nz), nx>>>(from, to, nx, ny, nz, omega);
        std::swap(from, to);
    }
    workload::finish_kernels("lbm_step");
    for (int s = 0; s < steps; s++) {
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++)
                for (int x = 0; x < nx; x++)
                    collide_and_stream(VELOCITY_TABLE, grid.data(), next.data(), x, y, z, nx, ny, nz, omega);
        grid.swap(next);
    }
    return workload::verdict(run, steps % 2 ? db.download() : da.download(), grid, 1e-4f, "populations");
}
