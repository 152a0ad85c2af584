// cfd - the Euler equations on an unstructured mesh, by finite volumes (Rodinia's euler3d): an element a thread, four neighbours each, whose five
// variables are gathered from five arrays. One step factor and three Runge-Kutta steps of flux and update an iteration.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 192, FACES = 4, VARIABLES = 5, WING = -1, FAR_FIELD = -2, ORDER = 3 };

struct State {
    float density, energy;
    float3 momentum;
};
struct Flow {
    float pressure, speed, sound;
    float3 velocity;
};
__constant__ State far_state;

__host__ __device__ static State load(const float *variable, int i, int n)
{
    return {variable[i], variable[i + 4 * n], {variable[i + n], variable[i + 2 * n], variable[i + 3 * n]}};
}

__host__ __device__ static Flow flow_of(const State &s)
{
    Flow f;
    f.velocity = {s.momentum.x / s.density, s.momentum.y / s.density, s.momentum.z / s.density};
    const float squared = f.velocity.x * f.velocity.x + f.velocity.y * f.velocity.y + f.velocity.z * f.velocity.z;
    f.speed = sqrtf(squared);
    f.pressure = 0.4f * (s.energy - 0.5f * s.density * squared);
    f.sound = sqrtf(1.4f * f.pressure / s.density);
    return f;
}

// Adds what flows through a face of this normal, as far as it comes from one side.
__host__ __device__ static void add_side(State &flux, float3 normal, const State &s, const Flow &f)
{
    const float through = 0.5f * (normal.x * f.velocity.x + normal.y * f.velocity.y + normal.z * f.velocity.z);
    flux.density += through * s.density;
    flux.energy += through * (s.energy + f.pressure);
    flux.momentum.x += through * s.momentum.x + 0.5f * normal.x * f.pressure;
    flux.momentum.y += through * s.momentum.y + 0.5f * normal.y * f.pressure;
    flux.momentum.z += through * s.momentum.z + 0.5f * normal.z * f.pressure;
}

__host__ __device__ static void add_viscosity(State &flux, float factor, const State &a, const State &b)
{
    flux.density += factor * (a.density - b.density);
    flux.energy += factor * (a.energy - b.energy);
    flux.momentum.x += factor * (a.momentum.x - b.momentum.x);
    flux.momentum.y += factor * (a.momentum.y - b.momentum.y);
    flux.momentum.z += factor * (a.momentum.z - b.momentum.z);
}

__host__ __device__ static State flux_of(const int *neighbour, const float *normals, const float *variable, const State &far, int i, int n)
{
    const State mine = load(variable, i, n), outside = far;
    const Flow flow = flow_of(mine);
    State flux = {};
    for (int f = 0; f < FACES; f++) {
        const int other = neighbour[i + f * n];
        const float3 normal = {normals[i + f * n], normals[i + (f + FACES) * n], normals[i + (f + 2 * FACES) * n]};
        if (other >= 0) {
            const State theirs = load(variable, other, n);
            const Flow flow_there = flow_of(theirs);
            const float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
            add_viscosity(flux, -length * 0.2f * 0.5f * (flow.speed + flow_there.speed + flow.sound + flow_there.sound), mine, theirs);
            add_side(flux, normal, theirs, flow_there);
            add_side(flux, normal, mine, flow);
        } else if (other == WING) {
            flux.momentum.x += normal.x * flow.pressure;
            flux.momentum.y += normal.y * flow.pressure;
            flux.momentum.z += normal.z * flow.pressure;
        } else {
            add_side(flux, normal, outside, flow_of(outside));
            add_side(flux, normal, mine, flow);
        }
    }
    return flux;
}

__host__ __device__ static float step_of(const float *variable, const float *area, int i, int n)
{
    const Flow flow = flow_of(load(variable, i, n));
    return 0.5f / (sqrtf(area[i]) * (flow.speed + flow.sound));
}

__global__ void cfd_initialize(float *variable, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    variable[i] = far_state.density;
    variable[i + n] = far_state.momentum.x;
    variable[i + 2 * n] = far_state.momentum.y;
    variable[i + 3 * n] = far_state.momentum.z;
    variable[i + 4 * n] = far_state.energy;
}

__global__ void cfd_step_factor(const float *variable, const float *area, float *step, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    step[i] = step_of(variable, area, i, n);
}

__global__ void cfd_flux(const int *neighbour, const float *normals, const float *variable, float *fluxes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const State flux = flux_of(neighbour, normals, variable, far_state, i, n);
    fluxes[i] = flux.density;
    fluxes[i + n] = flux.momentum.x;
    fluxes[i + 2 * n] = flux.momentum.y;
    fluxes[i + 3 * n] = flux.momentum.z;
    fluxes[i + 4 * n] = flux.energy;
}

__global__ void cfd_time_step(int stage, const float *before, float *variable, const float *step, const float *fluxes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float factor = step[i] / static_cast<float>(ORDER + 1 - stage);
    for (int v = 0; v < VARIABLES; v++)
        variable[i + v * n] = before[i + v * n] + factor * fluxes[i + v * n];
}

// Elements on a lattice, with numbers that were shuffled among neighbours as a mesh generator leaves them: left, right, below, above.
struct Mesh {
    int n;
    std::vector<int> neighbour;
    std::vector<float> normals, area;

    Mesh(workload::Rng &rng, int width, int height) : n(width * height), neighbour(n * FACES), normals(n * FACES * 3), area(workload::random_floats(rng, n, 0.8f, 1.2f))
    {
        std::vector<int> number(n);
        for (int i = 0; i < n; i++)
            number[i] = i;
        for (int i = 0; i < n; i++)
            std::swap(number[i], number[std::min(n - 1, i + static_cast<int>(rng.below(256)))]);
        const std::vector<float> tilt = workload::random_floats(rng, static_cast<size_t>(n) * 4, -0.1f, 0.1f);
        for (int i = 0; i < n; i++) {
            const int x = i % width, y = i / width, me = number[i];
            const int next[FACES] = {x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, y > 0 ? i - width : -1, y < height - 1 ? i + width : -1};
            for (int f = 0; f < FACES; f++) {
                neighbour[me + f * n] = next[f] >= 0 ? number[next[f]] : f == 2 && x > width / 3 && x < width / 2 ? WING : FAR_FIELD;
                const float sign = f % 2 ? 1.0f : -1.0f;
                const int owner = f % 2 || next[f] < 0 ? i : next[f]; // both sides of a face have one normal
                const float off = tilt[owner * 4 + f / 2], deep = tilt[owner * 4 + 2 + f / 2];
                const float normal[3] = {f < 2 ? 1.0f : off, f < 2 ? off : 1.0f, deep};
                for (int d = 0; d < 3; d++)
                    normals[me + (f + d * FACES) * n] = sign * normal[d];
            }
        }
    }
};

static void cfd_on_cpu(const Mesh &m, const State &far, std::vector<float> &variable, int iterations)
{
    const int n = m.n;
    std::vector<float> step(n), fluxes(n * VARIABLES);
    for (int k = 0; k < iterations; k++) {
        const std::vector<float> before = variable;
        for (int i = 0; i < n; i++)
            step[i] = step_of(variable.data(), m.area.data(), i, n);
        for (int stage = 0; stage < ORDER; stage++) {
            for (int i = 0; i < n; i++) {
                const State f = flux_of(m.neighbour.data(), m.normals.data(), variable.data(), far, i, n);
                const float all[VARIABLES] = {f.density, f.momentum.x, f.momentum.y, f.momentum.z, f.energy};
                for (int v = 0; v < VARIABLES; v++)
                    fluxes[i + v * n] = all[v];
            }
            for (int i = 0; i < n * VARIABLES; i++)
                variable[i] = before[i] + step[i % n] / static_cast<float>(ORDER + 1 - stage) * fluxes[i];
        }
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "cfd");
    const int width = workload::pick(run, "width", 32, 192, 384, 384), height = workload::pick(run, "height", 24, 100, 253, 253), iterations = workload::pick(run, "iterations", 2, 1, 3, 100);
    workload::Rng rng(run.seed);
    const Mesh m(rng, width, height);
    const State far = {1.4f, 1.4f * (1.0f / 1.4f / 0.4f + 0.72f) + 0.5f, {1.4f * 1.2f, 0.0f, 0.0f}};
    workload::must(cudaMemcpyToSymbol(far_state, &far, sizeof far), "copy of the far field");
    workload::Buffer<int> neighbour(m.neighbour);
    workload::Buffer<float> normals(m.normals), area(m.area), variable(m.n * VARIABLES), before(m.n * VARIABLES), fluxes(m.n * VARIABLES), step(m.n);
    const unsigned blocks = static_cast<unsigned>(m.n / THREADS);
    cfd_initialize<<<blocks, THREADS>>>(variable.get(), m.n);
    for (int k = 0; k < iterations; k++) {
        workload::must(cudaMemcpy(before.get(), variable.get(), sizeof(float) * m.n * VARIABLES, cudaMemcpyDeviceToDevice), "copy on the device");
        cfd_step_factor<<<blocks, THREADS>>>(variable.get(), area.get(), step.get(), m.n);
        for (int stage = 0; stage < ORDER; stage++) {
            cfd_flux<<<blocks, THREADS>>>(neighbour.get(), normals.get(), variable.get(), fluxes.get(), m.n);
            cfd_time_step<<<blocks, THREADS>>>(stage, before.get(), variable.get(), step.get(), fluxes.get(), m.n);
        }
    }
    workload::finish_kernels("cfd");
    const float start[VARIABLES] = {far.density, far.momentum.x, far.momentum.y, far.momentum.z, far.energy};
    std::vector<float> want(m.n * VARIABLES);
    for (int i = 0; i < m.n * VARIABLES; i++)
        want[i] = start[i / m.n];
    cfd_on_cpu(m, far, want, iterations);
    return workload::verdict(run, variable.download(), want, 5e-3f, "flow");
}
