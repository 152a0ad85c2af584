// lavamd - particle potentials in boxes: a block owns a box, loads each of its up to 26 neighbours into shared memory and lets every
// particle meet every particle of it.
#include "common/workload.h"

enum { PARTICLES = 100, THREADS = 128 };

__host__ __device__ static float4 force(const float4 &a, const float4 &b, float charge, float alpha2)
{
    const float r2 = a.w + b.w - (a.x * b.x + a.y * b.y + a.z * b.z), u2 = alpha2 * r2, potential = expf(-u2), strength = 2.0f * potential;
    return {charge * potential, charge * strength * (a.x - b.x), charge * strength * (a.y - b.y), charge * strength * (a.z - b.z)};
}

__global__ void box_forces(const float4 *position, const float *charge, float4 *out, int side, float alpha2)
{
    __shared__ float4 own[PARTICLES], other[PARTICLES];
    __shared__ float other_charge[PARTICLES];
    const int home = blockIdx.x, hx = home % side, hy = home / side % side, hz = home / side / side;
    for (int i = threadIdx.x; i < PARTICLES; i += THREADS)
        own[i] = position[home * PARTICLES + i];
    float4 sum = {0, 0, 0, 0};
    for (int n = 0; n < 27; n++) {
        const int x = hx + n % 3 - 1, y = hy + n / 3 % 3 - 1, z = hz + n / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
            continue;
        const int box = (z * side + y) * side + x;
        __syncthreads();
        for (int i = threadIdx.x; i < PARTICLES; i += THREADS) {
            other[i] = position[box * PARTICLES + i];
            other_charge[i] = charge[box * PARTICLES + i];
        }
        __syncthreads();
        if (threadIdx.x < PARTICLES)
            for (int j = 0; j < PARTICLES; j++) {
                const float4 f = force(own[threadIdx.x], other[j], other_charge[j], alpha2);
                sum.x += f.x;
                sum.y += f.y;
                sum.z += f.z;
                sum.w += f.w;
            }
    }
    if (threadIdx.x < PARTICLES)
        out[home * PARTICLES + threadIdx.x] = sum;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "lavamd");
    const int side = workload::pick(run, 1, 2, 5, 10), boxes = side * side * side;
    const float alpha2 = 0.5f;
    workload::Rng rng(run.seed);
    std::vector<float4> position(static_cast<size_t>(boxes) * PARTICLES);
    for (float4 &p : position) {
        p = {rng.uniform(0.1f, 1), rng.uniform(0.1f, 1), rng.uniform(0.1f, 1), 0};
        p.w = 0.5f * (p.x * p.x + p.y * p.y + p.z * p.z); // so that a.w + b.w - a.b is half the squared distance
    }
    const std::vector<float> charge = workload::random_floats(rng, position.size(), 0.1f, 1);
    workload::Buffer<float4> dp(position), df(position.size());
    workload::Buffer<float> dq(charge);
    box_forces<<<boxes, THREADS>>>(dp.get(), dq.get(), df.get(), side, alpha2);
    workload::finish_kernels("box_forces");
    std::vector<float> got, want;
    const std::vector<float4> all = df.download();
    for (int s = 0; s < 64; s++) { // a sample: all pairs of it on the CPU
        const int home = static_cast<int>(rng.below(boxes)), i = static_cast<int>(rng.below(PARTICLES));
        const int hx = home % side, hy = home / side % side, hz = home / side / side;
        double v[4] = {0, 0, 0, 0};
        for (int box = 0; box < boxes; box++) {
            if (std::abs(box % side - hx) > 1 || std::abs(box / side % side - hy) > 1 || std::abs(box / side / side - hz) > 1)
                continue;
            for (int j = 0; j < PARTICLES; j++) {
                const float4 f = force(position[static_cast<size_t>(home) * PARTICLES + i], position[static_cast<size_t>(box) * PARTICLES + j], charge[static_cast<size_t>(box) * PARTICLES + j], alpha2);
                v[0] += f.x;
                v[1] += f.y;
                v[2] += f.z;
                v[3] += f.w;
            }
        }
        const float4 &g = all[static_cast<size_t>(home) * PARTICLES + i];
        got.insert(got.end(), {g.x, g.y, g.z, g.w});
        for (double x : v)
            want.push_back(static_cast<float>(x));
    }
    return workload::verdict(run, got, want, 5e-3f, "forces");
}
