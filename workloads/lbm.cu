// lbm - lattice Boltzmann flow in a box with obstacles, 19 velocities in three dimensions, one thread per cell (Parboil's form): 19 streams read,
// 19 written to the neighbours' cells, nothing used twice. The velocities are constants of the unrolled code.
#include <utility>

#include "common/workload.h"

enum { VELOCITIES = 19 };
struct Velocity {
    int x, y, z;
    float weight;
};
struct Lattice {
    int nx, ny, nz, pitch; // rows of nx cells lie `pitch` cells apart
    float omega;
};

// Moves every population of the cell one step (the box is periodic) and relaxes it; an obstacle sends it back where it came from.
__host__ __device__ static void collide_and_stream(const Lattice &l, const unsigned *obstacle, const float *from, float *to, int x, int y, int z)
{
    const Velocity v[VELOCITIES] = {
        {0, 0, 0, 1.0f / 3}, {1, 0, 0, 1.0f / 18}, {-1, 0, 0, 1.0f / 18}, {0, 1, 0, 1.0f / 18}, {0, -1, 0, 1.0f / 18}, {0, 0, 1, 1.0f / 18}, {0, 0, -1, 1.0f / 18},
        {1, 1, 0, 1.0f / 36}, {-1, -1, 0, 1.0f / 36}, {1, -1, 0, 1.0f / 36}, {-1, 1, 0, 1.0f / 36}, {1, 0, 1, 1.0f / 36}, {-1, 0, -1, 1.0f / 36},
        {1, 0, -1, 1.0f / 36}, {-1, 0, 1, 1.0f / 36}, {0, 1, 1, 1.0f / 36}, {0, -1, -1, 1.0f / 36}, {0, 1, -1, 1.0f / 36}, {0, -1, 1, 1.0f / 36}};
    const int row = l.pitch, plane = row * l.ny, cells = plane * l.nz, at = z * plane + y * row + x;
    const int east = x + 1 < l.nx ? 1 : 1 - l.nx, west = x > 0 ? -1 : l.nx - 1;
    const int north = y + 1 < l.ny ? row : row - plane, south = y > 0 ? -row : plane - row;
    const int up = z + 1 < l.nz ? plane : plane - cells, down = z > 0 ? -plane : cells - plane;
    float f[VELOCITIES], density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < VELOCITIES; k++) // all loads before the first sum: they are in flight together
        f[k] = from[k * cells + at];
    const bool solid = obstacle[at];
#pragma unroll
    for (int k = 0; k < VELOCITIES; k++) {
        density += f[k];
        ux += f[k] * static_cast<float>(v[k].x);
        uy += f[k] * static_cast<float>(v[k].y);
        uz += f[k] * static_cast<float>(v[k].z);
    }
    ux /= density;
    uy /= density;
    uz /= density;
    const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < VELOCITIES; k++) {
        const int opposite = k == 0 ? 0 : k % 2 ? k + 1 : k - 1;
        const float along = static_cast<float>(v[k].x) * ux + static_cast<float>(v[k].y) * uy + static_cast<float>(v[k].z) * uz;
        const float rest = v[k].weight * density * (1.0f + 3.0f * along + 4.5f * along * along - square);
        const int target = at + (v[k].x > 0 ? east : v[k].x < 0 ? west : 0) + (v[k].y > 0 ? north : v[k].y < 0 ? south : 0) + (v[k].z > 0 ? up : v[k].z < 0 ? down : 0);
        to[k * cells + target] = solid ? f[opposite] : f[k] * (1.0f - l.omega) + rest * l.omega;
    }
}

__global__ void lbm_step(Lattice lattice, const unsigned *obstacle, const float *from, float *to)
{
    collide_and_stream(lattice, obstacle, from, to, threadIdx.x, blockIdx.x, blockIdx.y);
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lbm");
    const int nx = workload::pick(run, 32, 120, 120, 120), ny = workload::pick(run, 4, 30, 60, 120), nz = workload::pick(run, 2, 8, 30, 150), steps = workload::pick(run, 1, 3, 6, 10);
    const int pitch = (nx + 31) / 32 * 32;
    const Lattice lattice = {nx, ny, nz, pitch, 1.95f};
    const float weights[] = {1.0f / 3, 1.0f / 18, 1.0f / 36};
    workload::Rng rng(run.seed);
    const size_t cells = static_cast<size_t>(pitch) * ny * nz;
    std::vector<float> grid(cells * VELOCITIES), next(grid.size());
    for (int k = 0; k < VELOCITIES; k++)
        for (size_t i = 0; i < cells; i++)
            grid[k * cells + i] = weights[(k > 0) + (k > 6)] * rng.uniform(0.97f, 1.03f);
    std::vector<unsigned> obstacle(cells, 0); // walls below and above, and posts between them
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int z = 0; z < nz; z++)
                obstacle[(static_cast<size_t>(z) * ny + y) * pitch + x] = y == 0 || y == ny - 1 || (x / 4 % 8 == 3 && z / 4 % 8 == 1);
    workload::Buffer<unsigned> dobstacle(obstacle);
    workload::Buffer<float> da(grid), db(grid.size());
    float *from = da.get(), *to = db.get();
    for (int s = 0; s < steps; s++) {
        lbm_step<<<dim3(ny, nz), nx>>>(lattice, dobstacle.get(), from, to);
        std::swap(from, to);
    }
    workload::finish_kernels("lbm_step");
    for (int s = 0; s < steps; s++) {
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++)
                for (int x = 0; x < nx; x++)
                    collide_and_stream(lattice, obstacle.data(), grid.data(), next.data(), x, y, z);
        grid.swap(next);
    }
    return workload::verdict(run, steps % 2 ? db.download() : da.download(), grid, 1e-4f, "populations");
}
