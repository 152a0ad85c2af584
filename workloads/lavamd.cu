// lavamd - particle potentials in boxes: a block owns a box, loads each of its up to 26 neighbours into shared memory and lets every
// particle meet every particle of it, in double precision.
#include "common/workload.h"

enum { PARTICLES = 100, THREADS = 128 };
struct Vector {
    double x, y, z, w;
};

__host__ __device__ static Vector force(const Vector &a, const Vector &b, double charge, double alpha2)
{
    const double r2 = a.w + b.w - (a.x * b.x + a.y * b.y + a.z * b.z), u2 = alpha2 * r2, potential = exp(-u2), strength = 2.0 * potential;
    return {charge * potential, charge * strength * (a.x - b.x), charge * strength * (a.y - b.y), charge * strength * (a.z - b.z)};
}

__global__ void box_forces(const Vector *position, const double *charge, Vector *out, int side, double alpha2)
{
    __shared__ Vector own[PARTICLES], other[PARTICLES];
    __shared__ double other_charge[PARTICLES];
    const int home = blockIdx.x, hx = home % side, hy = home / side % side, hz = home / side / side;
    for (int i = threadIdx.x; i < PARTICLES; i += THREADS)
        own[i] = position[home * PARTICLES + i];
    Vector sum = {0, 0, 0, 0};
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
                const Vector f = force(own[threadIdx.x], other[j], other_charge[j], alpha2);
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
    const int side = workload::pick(run, 1, 2, 4, 10), boxes = side * side * side;
    const double alpha2 = 0.5;
    workload::Rng rng(run.seed);
    std::vector<Vector> position(static_cast<size_t>(boxes) * PARTICLES);
    for (Vector &p : position) {
        p = {rng.uniform(0.1f, 1), rng.uniform(0.1f, 1), rng.uniform(0.1f, 1), 0};
        p.w = 0.5 * (p.x * p.x + p.y * p.y + p.z * p.z); // so that a.w + b.w - a.b is half the squared distance
    }
    std::vector<double> charge(position.size());
    for (double &q : charge)
        q = rng.uniform(0.1f, 1);
    workload::Buffer<Vector> dp(position), df(position.size());
    workload::Buffer<double> dq(charge);
    box_forces<<<boxes, THREADS>>>(dp.get(), dq.get(), df.get(), side, alpha2);
    workload::finish_kernels("box_forces");
    std::vector<float> got, want;
    const std::vector<Vector> all = df.download();
    for (int s = 0; s < 64; s++) { // a sample: all pairs of it on the CPU
        const int home = static_cast<int>(rng.below(boxes)), i = static_cast<int>(rng.below(PARTICLES));
        const int hx = home % side, hy = home / side % side, hz = home / side / side;
        double v[4] = {0, 0, 0, 0};
        for (int box = 0; box < boxes; box++) {
            if (std::abs(box % side - hx) > 1 || std::abs(box / side % side - hy) > 1 || std::abs(box / side / side - hz) > 1)
                continue;
            for (int j = 0; j < PARTICLES; j++) {
                const Vector f = force(position[static_cast<size_t>(home) * PARTICLES + i], position[static_cast<size_t>(box) * PARTICLES + j], charge[static_cast<size_t>(box) * PARTICLES + j], alpha2);
                v[0] += f.x;
                v[1] += f.y;
                v[2] += f.z;
                v[3] += f.w;
            }
        }
        const Vector &g = all[static_cast<size_t>(home) * PARTICLES + i];
        for (double x : {g.x, g.y, g.z, g.w})
            got.push_back(static_cast<float>(x));
        for (double x : v)
            want.push_back(static_cast<float>(x));
    }
    return workload::verdict(run, got, want, 5e-3f, "forces");
}
