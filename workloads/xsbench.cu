// xsbench - cross sections for the transport of neutrons, in the manner of XSBench: a lookup a thread. It draws an energy and a material, searches the energy in the
// union of all nuclides' grids, and adds up interpolated cross sections of the material's nuclides, each from two rows at a place that the grid tells: long gathers without reuse.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 256, KINDS = 5, MATERIALS = 12 };

struct GridPoint {
    float energy, section[KINDS];
};
struct Problem {
    int nuclides, points, most; // points of each nuclide; most nuclides in a material
};

__host__ __device__ static unsigned long long scramble(unsigned long long z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// Neutrons meet fuel more often than anything else.
__host__ __device__ static void draw(unsigned long long i, float &energy, int &material)
{
    const unsigned long long a = scramble(i * 2 + 1), b = scramble(i * 2 + 2);
    energy = static_cast<float>(a >> 40) * (1.0f / 16777216.0f);
    const unsigned share = static_cast<unsigned>(b % 100);
    material = share < 14 ? 0 : share < 50 ? 1 : 2 + static_cast<int>((b >> 32) % (MATERIALS - 2));
}

__host__ __device__ static void look_up(const Problem &p, const float *all, const int *index, const GridPoint *grid, const int *count, const int *nuclide, const float *density, int lookup, float *total)
{
    float energy;
    int material;
    draw(static_cast<unsigned long long>(lookup), energy, material);
    int low = 0, high = p.nuclides * p.points - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (all[middle] > energy)
            high = middle;
        else
            low = middle;
    }
    for (int k = 0; k < KINDS; k++)
        total[k] = 0;
    for (int n = 0; n < count[material]; n++) {
        const int which = nuclide[material * p.most + n];
        const int at = index[low * p.nuclides + which];
        const GridPoint &left = grid[which * p.points + at], &right = grid[which * p.points + at + 1];
        const float share = (right.energy - energy) / (right.energy - left.energy);
        for (int k = 0; k < KINDS; k++)
            total[k] += density[material * p.most + n] * (right.section[k] - share * (right.section[k] - left.section[k]));
    }
}

__global__ void xs_lookup(Problem p, const float *all, const int *index, const GridPoint *grid, const int *count, const int *nuclide, const float *density, float *result, int lookups)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups)
        return;
    float total[KINDS];
    look_up(p, all, index, grid, count, nuclide, density, i, total);
    for (int k = 0; k < KINDS; k++)
        result[k * lookups + i] = total[k];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "xsbench");
    const Problem p = {workload::pick(run, 12, 34, 68, 68), workload::pick(run, 32, 128, 512, 2048), workload::pick(run, 6, 17, 34, 34)};
    const int lookups = workload::pick(run, 512, 16384, 131072, 262144);
    workload::Rng rng(run.seed);
    std::vector<GridPoint> grid(static_cast<size_t>(p.nuclides) * p.points);
    std::vector<float> all, energy(p.points);
    for (int n = 0; n < p.nuclides; n++) {
        for (float &e : energy)
            e = rng.uniform(0.001f, 0.999f);
        std::sort(energy.begin(), energy.end());
        energy.front() = 0;
        energy.back() = 1;
        for (int i = 0; i < p.points; i++) {
            GridPoint &g = grid[static_cast<size_t>(n) * p.points + i];
            g.energy = energy[i] + static_cast<float>(i) * 1e-6f; // no two alike
            for (float &s : g.section)
                s = rng.uniform();
            all.push_back(g.energy);
        }
    }
    std::sort(all.begin(), all.end());
    std::vector<int> index(all.size() * p.nuclides), count(MATERIALS), nuclide(MATERIALS * p.most);
    for (int n = 0; n < p.nuclides; n++)
        for (size_t i = 0, at = 0; i < all.size(); i++) { // the last point of this nuclide at or below each point of the union
            while (static_cast<int>(at) < p.points - 2 && grid[static_cast<size_t>(n) * p.points + at + 1].energy <= all[i])
                at++;
            index[i * p.nuclides + n] = static_cast<int>(at);
        }
    for (int m = 0; m < MATERIALS; m++) {
        count[m] = m == 0 ? p.most : std::max(2, p.most * (2 + static_cast<int>(rng.below(6))) / 14);
        for (int n = 0; n < p.most; n++)
            nuclide[m * p.most + n] = static_cast<int>(rng.below(static_cast<uint32_t>(p.nuclides)));
    }
    const std::vector<float> density = workload::random_floats(rng, MATERIALS * p.most, 0, 1);
    workload::Buffer<float> da(all), dd(density), dr(static_cast<size_t>(lookups) * KINDS);
    workload::Buffer<int> di(index), dc(count), dn(nuclide);
    workload::Buffer<GridPoint> dg(grid);
    xs_lookup<<<workload::blocks_for(lookups, THREADS), THREADS>>>(p, da.get(), di.get(), dg.get(), dc.get(), dn.get(), dd.get(), dr.get(), lookups);
    workload::finish_kernels("xs_lookup");
    std::vector<float> want(static_cast<size_t>(lookups) * KINDS);
    for (int i = 0; i < lookups; i++) {
        float total[KINDS];
        look_up(p, all.data(), index.data(), grid.data(), count.data(), nuclide.data(), density.data(), i, total);
        for (int k = 0; k < KINDS; k++)
            want[static_cast<size_t>(k) * lookups + i] = total[k];
    }
    return workload::verdict(run, dr.download(), want, 1e-3f, "cross sections");
}
