// cutcp - Coulomb potential with a cut-off on a 3D lattice: atoms are hashed into bins; a block owns a brick of lattice points and
// walks the bins around it, each loaded once into shared memory. Nearly all arithmetic.
#include "common/workload.h"

enum { BRICK = 8, BIN_SLOTS = 8, NEIGHBOURS = 27 };
// Spacing 1; bins are cubes with the brick's edge, so that the 27 bins around a brick cover a cut-off of up to 8.

__host__ __device__ static float contribution(float dx, float dy, float dz, float charge, float cut2)
{
    const float r2 = dx * dx + dy * dy + dz * dz, s = 1.0f - r2 / cut2;
    return r2 < cut2 ? charge * rsqrtf(r2) * s * s : 0.0f;
}

__global__ void cutoff_potential(const float4 *bins, float *lattice, int bricks, float cut2)
{
    __shared__ float4 atoms[BIN_SLOTS];
    const int bx = blockIdx.x % bricks, by = blockIdx.x / bricks, bz = blockIdx.y;
    const int side = bricks * BRICK, padded = bricks + 2;
    const int x = bx * BRICK + threadIdx.x, y = by * BRICK + threadIdx.y;
    float sum[BRICK] = {0};
    for (int n = 0; n < NEIGHBOURS; n++) {
        const int bin = ((bz + n / 9) * padded + by + n / 3 % 3) * padded + bx + n % 3, lane = threadIdx.y * BRICK + threadIdx.x;
        __syncthreads();
        if (lane < BIN_SLOTS)
            atoms[lane] = bins[bin * BIN_SLOTS + lane];
        __syncthreads();
        for (int i = 0; i < BIN_SLOTS; i++) {
            const float4 atom = atoms[i];
            if (atom.w == 0.0f)
                break;
#pragma unroll
            for (int k = 0; k < BRICK; k++)
                sum[k] += contribution(static_cast<float>(x) - atom.x, static_cast<float>(y) - atom.y, static_cast<float>(bz * BRICK + k) - atom.z, atom.w, cut2);
        }
    }
#pragma unroll
    for (int k = 0; k < BRICK; k++)
        lattice[((bz * BRICK + k) * side + y) * side + x] = sum[k];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "cutcp");
    const int bricks = workload::pick(run, "bricks", 2, 5, 12, 26), side = bricks * BRICK, padded = bricks + 2;
    const float cut2 = 36.0f;
    workload::Rng rng(run.seed);
    std::vector<float4> bins(static_cast<size_t>(padded) * padded * padded * BIN_SLOTS, float4{0, 0, 0, 0});
    std::vector<float4> atoms;
    for (int b = 0; b < bricks * bricks * bricks; b++) {
        const int x = b % bricks, y = b / bricks % bricks, z = b / bricks / bricks, filled = 3 + static_cast<int>(rng.below(BIN_SLOTS - 3));
        for (int k = 0; k < filled; k++) {
            const float4 atom = {static_cast<float>(x * BRICK) + rng.uniform(0, BRICK) + 0.013f, static_cast<float>(y * BRICK) + rng.uniform(0, BRICK) + 0.017f,
                                 static_cast<float>(z * BRICK) + rng.uniform(0, BRICK) + 0.011f, rng.uniform(0.1f, 1)};
            bins[((static_cast<size_t>(z + 1) * padded + y + 1) * padded + x + 1) * BIN_SLOTS + k] = atom;
            atoms.push_back(atom);
        }
    }
    workload::Buffer<float4> db(bins);
    workload::Buffer<float> dl(static_cast<size_t>(side) * side * side);
    cutoff_potential<<<dim3(bricks * bricks, bricks), dim3(BRICK, BRICK)>>>(db.get(), dl.get(), bricks, cut2);
    workload::finish_kernels("cutoff_potential");
    // The CPU checks a sample of the lattice from the plain list of atoms.
    const std::vector<float> lattice = dl.download();
    std::vector<float> got, want;
    for (int s = 0; s < 500; s++) {
        const uint32_t x = rng.below(side), y = rng.below(side), z = rng.below(side);
        double sum = 0;
        for (const float4 &a : atoms) {
            const double dx = x - static_cast<double>(a.x), dy = y - static_cast<double>(a.y), dz = z - static_cast<double>(a.z), r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < static_cast<double>(cut2))
                sum += a.w / std::sqrt(r2) * (1 - r2 / cut2) * (1 - r2 / cut2);
        }
        got.push_back(lattice[(static_cast<size_t>(z) * side + y) * side + x]);
        want.push_back(static_cast<float>(sum));
    }
    return workload::verdict(run, got, want, 2e-3f, "potentials");
}
