// rsbench - cross sections from poles instead of tables, in the manner of RSBench: a lookup a thread draws an energy and a material, and for each nuclide evaluates the
// few poles of one window with complex arithmetic, exponentials and square roots. Little data, much arithmetic.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 256, MATERIALS = 12, KINDS = 3, TERMS = 3 };

struct Pole {
    float2 at, residue[KINDS];
};
struct Window {
    int first, last;
    float term[TERMS]; // the smooth part
};
struct Problem {
    int nuclides, windows, poles, most;
};

__host__ __device__ static unsigned long long scramble(unsigned long long z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

__host__ __device__ static float2 over(float2 a, float2 b)
{
    const float d = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d};
}

// The Doppler function near the real axis, by a short sum of simple fractions.
__host__ __device__ static float2 doppler(float2 z)
{
    float2 w = {0, 0};
    for (int n = 1; n <= 6; n++) {
        const float spread = static_cast<float>(n) * 0.5f, weight = expf(-spread * spread);
        const float2 part = over({2 * weight * z.y, 2 * weight * z.x}, {z.x * z.x - z.y * z.y - spread * spread, 2 * z.x * z.y + 0.05f});
        w.x += part.x;
        w.y += part.y;
    }
    return w;
}

__host__ __device__ static void look_up(const Problem &p, const Window *window, const Pole *pole, const int *count, const int *nuclide, const float *density, int lookup, float *total)
{
    const unsigned long long a = scramble(static_cast<unsigned long long>(lookup) * 2 + 1), b = scramble(static_cast<unsigned long long>(lookup) * 2 + 2);
    const float energy = 0.01f + 0.98f * static_cast<float>(a >> 40) * (1.0f / 16777216.0f), root = sqrtf(energy);
    const unsigned share = static_cast<unsigned>(b % 100);
    const int material = share < 14 ? 0 : share < 50 ? 1 : 2 + static_cast<int>((b >> 32) % (MATERIALS - 2));
    for (int k = 0; k < KINDS; k++)
        total[k] = 0;
    for (int n = 0; n < count[material]; n++) {
        const int which = nuclide[material * p.most + n];
        const Window &w = window[which * p.windows + static_cast<int>(energy * static_cast<float>(p.windows))];
        const float smooth = w.term[0] + w.term[1] * root + w.term[2] * energy;
        float sum[KINDS] = {smooth, 0.5f * smooth, 0.25f * smooth};
        for (int i = w.first; i < w.last; i++) {
            const Pole &q = pole[which * p.poles + i];
            const float2 d = doppler({(root - q.at.x) * 8.0f, q.at.y});
            for (int k = 0; k < KINDS; k++)
                sum[k] += q.residue[k].x * d.x - q.residue[k].y * d.y;
        }
        for (int k = 0; k < KINDS; k++)
            total[k] += density[material * p.most + n] * sum[k] / energy;
    }
}

__global__ void rs_lookup(Problem p, const Window *window, const Pole *pole, const int *count, const int *nuclide, const float *density, float *result, int lookups)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups)
        return;
    float total[KINDS];
    look_up(p, window, pole, count, nuclide, density, i, total);
    for (int k = 0; k < KINDS; k++)
        result[k * lookups + i] = total[k];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "rsbench");
    const Problem p = {workload::pick(run, 8, 16, 68, 68), workload::pick(run, 16, 50, 100, 100), workload::pick(run, 64, 200, 1000, 1000), workload::pick(run, 4, 8, 34, 34)};
    const int lookups = workload::pick(run, 256, 1024, 4096, 65536);
    workload::Rng rng(run.seed);
    std::vector<Window> window(static_cast<size_t>(p.nuclides) * p.windows);
    std::vector<Pole> pole(static_cast<size_t>(p.nuclides) * p.poles);
    for (size_t i = 0; i < pole.size(); i++) {
        pole[i].at = {static_cast<float>(i % p.poles) / static_cast<float>(p.poles), rng.uniform(0.5f, 2.0f)};
        for (float2 &r : pole[i].residue)
            r = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    }
    for (size_t i = 0; i < window.size(); i++) {
        const int middle = static_cast<int>(i % p.windows) * p.poles / p.windows, breadth = 2 + static_cast<int>(rng.below(4));
        window[i] = {std::max(0, middle - breadth), std::min(p.poles, middle + breadth), {rng.uniform(), rng.uniform(), rng.uniform()}};
    }
    std::vector<int> count(MATERIALS), nuclide(MATERIALS * p.most);
    for (int m = 0; m < MATERIALS; m++) {
        count[m] = m == 0 ? p.most : std::max(2, p.most * (2 + static_cast<int>(rng.below(6))) / 14);
        for (int n = 0; n < p.most; n++)
            nuclide[m * p.most + n] = static_cast<int>(rng.below(static_cast<uint32_t>(p.nuclides)));
    }
    const std::vector<float> density = workload::random_floats(rng, MATERIALS * p.most, 0, 1);
    workload::Buffer<Window> dw(window);
    workload::Buffer<Pole> dp(pole);
    workload::Buffer<int> dc(count), dn(nuclide);
    workload::Buffer<float> dd(density), dr(static_cast<size_t>(lookups) * KINDS);
    rs_lookup<<<workload::blocks_for(lookups, THREADS), THREADS>>>(p, dw.get(), dp.get(), dc.get(), dn.get(), dd.get(), dr.get(), lookups);
    workload::finish_kernels("rs_lookup");
    std::vector<float> want(static_cast<size_t>(lookups) * KINDS);
    for (int i = 0; i < lookups; i++) {
        float total[KINDS];
        look_up(p, window.data(), pole.data(), count.data(), nuclide.data(), density.data(), i, total);
        for (int k = 0; k < KINDS; k++)
            want[static_cast<size_t>(k) * lookups + i] = total[k];
    }
    return workload::verdict(run, dr.download(), want, 5e-3f, "cross sections");
}
