// hydro.h - shock hydrodynamics on hexahedra in the manner of Lulesh: elements of eight nodes, through lists, so that the order of nodes and elements is free. Each
// step: forces of elements on their corners, sums at the nodes and their motion, new volumes, energy and pressure, and the least time step. Doubles.
#pragma once
#include <algorithm>

#include "workload.h"

namespace workload {

enum { HYDRO_THREADS = 128, CORNERS = 8, HYDRO_FACES = 6 };

struct Hydro {
    int elements, nodes;
    double *at[3], *speed[3], *push[3];      // of nodes; push holds what elements do to their corners: corner * elements + element
    double *mass, *volume, *first_volume, *energy, *pressure, *damping, *sound;
    const int *node;                         // corner * elements + element
    const int *start, *corner;               // pushes of each node
    const unsigned char *is_held;            // bit d: the node stays in its plane of symmetry
};

// Corners of the six faces, outward.
__host__ __device__ inline int face_corner(int face, int k)
{
    const unsigned all[HYDRO_FACES] = {0x0321, 0x0154, 0x1265, 0x2376, 0x3047, 0x4567};
    return static_cast<int>(all[face] >> (12 - 4 * k) & 15);
}

__host__ __device__ inline void load_corners(const Hydro &h, double *const *from, int e, double (*x)[3])
{
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < 3; d++)
            x[c][d] = from[d][h.node[c * h.elements + e]];
}

// Area of a face as a vector that points outward.
__host__ __device__ inline void face_area(const double (*x)[3], int face, double *area)
{
    double u[3], v[3];
    for (int d = 0; d < 3; d++) {
        u[d] = x[face_corner(face, 2)][d] - x[face_corner(face, 0)][d];
        v[d] = x[face_corner(face, 3)][d] - x[face_corner(face, 1)][d];
    }
    area[0] = 0.5 * (u[1] * v[2] - u[2] * v[1]);
    area[1] = 0.5 * (u[2] * v[0] - u[0] * v[2]);
    area[2] = 0.5 * (u[0] * v[1] - u[1] * v[0]);
}

__host__ __device__ inline double volume_of(const double (*x)[3])
{
    double volume = 0, area[3];
    for (int f = 0; f < HYDRO_FACES; f++) {
        face_area(x, f, area);
        for (int d = 0; d < 3; d++)
            volume += area[d] * (x[face_corner(f, 0)][d] + x[face_corner(f, 1)][d] + x[face_corner(f, 2)][d] + x[face_corner(f, 3)][d]) / 12;
    }
    return volume;
}

// Pressure on the faces, a quarter to each corner, and a drag towards the element's mean speed.
__host__ __device__ inline void hydro_push(const Hydro &h, int e)
{
    double x[CORNERS][3], v[CORNERS][3], push[CORNERS][3] = {}, mean[3] = {}, area[3];
    load_corners(h, h.at, e, x);
    load_corners(h, h.speed, e, v);
    const double stress = h.pressure[e] + h.damping[e], drag = 0.01 * h.sound[e] * cbrt(h.volume[e]);
    for (int f = 0; f < HYDRO_FACES; f++) {
        face_area(x, f, area);
        for (int k = 0; k < 4; k++)
            for (int d = 0; d < 3; d++)
                push[face_corner(f, k)][d] += 0.25 * stress * area[d];
    }
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < 3; d++)
            mean[d] += v[c][d] / CORNERS;
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < 3; d++)
            h.push[d][c * h.elements + e] = push[c][d] - drag * (v[c][d] - mean[d]);
}

__host__ __device__ inline void hydro_move(const Hydro &h, int n, double step)
{
    for (int d = 0; d < 3; d++) {
        double force = 0;
        for (int k = h.start[n]; k < h.start[n + 1]; k++)
            force += h.push[d][h.corner[k]];
        if (h.is_held[n] >> d & 1)
            force = 0;
        h.speed[d][n] += step * force / h.mass[n];
        h.at[d][n] += step * h.speed[d][n];
    }
}

// New volume, then the work done, pressure, and the speed of sound.
__host__ __device__ inline void hydro_state(const Hydro &h, int e, double step)
{
    double x[CORNERS][3];
    load_corners(h, h.at, e, x);
    const double before = h.volume[e], now = volume_of(x), change = now - before, rate = change / (step * now);
    const double half = h.energy[e] - 0.5 * (h.pressure[e] + h.damping[e]) * change;
    const double thickness = cbrt(now);
    h.damping[e] = rate < 0 ? 2.0 * rate * rate * thickness * thickness - 0.3 * rate * thickness * h.sound[e] : 0;
    double pressure = (2.0 / 3) * half / now;
    double energy = half - 0.5 * (pressure + h.damping[e]) * change;
    energy = energy > 1e-9 ? energy : 1e-9;
    pressure = (2.0 / 3) * energy / now;
    h.volume[e] = now;
    h.energy[e] = energy;
    h.pressure[e] = pressure;
    h.sound[e] = sqrt((5.0 / 3) * pressure * now / h.first_volume[e] + 1e-9);
}

__host__ __device__ inline double step_allowed(const Hydro &h, int e) { return 0.2 * cbrt(h.volume[e]) / h.sound[e]; }

__global__ void hydro_forces(Hydro h)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < h.elements)
        hydro_push(h, e);
}

__global__ void hydro_nodes(Hydro h, double step)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < h.nodes)
        hydro_move(h, n, step);
}

__global__ void hydro_elements(Hydro h, double step)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < h.elements)
        hydro_state(h, e, step);
}

__global__ void hydro_time(Hydro h, double *least)
{
    __shared__ double steps[HYDRO_THREADS];
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    steps[threadIdx.x] = e < h.elements ? step_allowed(h, e) : 1e30;
    for (int half = HYDRO_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < half)
            steps[threadIdx.x] = fmin(steps[threadIdx.x], steps[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        least[blockIdx.x] = steps[0];
}

// A cube of side^3 elements with a blow at one corner. Shuffling renumbers nodes and elements within neighbourhoods of `reach`.
struct Cube {
    typedef std::vector<double> Doubles;
    int elements, nodes;
    Doubles at[3], speed[3], push[3], mass, volume, energy, pressure, damping, sound;
    std::vector<int> node, start, corner;
    std::vector<unsigned char> is_held;

    static std::vector<int> numbers(Rng &rng, int n, int reach)
    {
        std::vector<int> v(static_cast<size_t>(n));
        for (int i = 0; i < n; i++)
            v[static_cast<size_t>(i)] = i;
        for (int i = 0; reach > 0 && i < n; i++)
            std::swap(v[static_cast<size_t>(i)], v[static_cast<size_t>(std::min(n - 1, i + static_cast<int>(rng.below(static_cast<uint32_t>(reach)))))]);
        return v;
    }

    Cube(Rng &rng, int side, int reach) : elements(side * side * side), nodes((side + 1) * (side + 1) * (side + 1))
    {
        const int line = side + 1;
        const size_t n = static_cast<size_t>(nodes), e = static_cast<size_t>(elements);
        const std::vector<int> of_node = numbers(rng, nodes, reach), of_element = numbers(rng, elements, reach);
        for (int d = 0; d < 3; d++) {
            at[d].resize(n);
            speed[d].resize(n);
            push[d].resize(e * CORNERS);
        }
        mass.resize(n);
        is_held.resize(n);
        for (int i = 0; i < nodes; i++) {
            const int place[3] = {i % line, i / line % line, i / line / line};
            const size_t me = static_cast<size_t>(of_node[static_cast<size_t>(i)]);
            for (int d = 0; d < 3; d++) {
                at[d][me] = static_cast<double>(place[d]) / side;
                is_held[me] = static_cast<unsigned char>(is_held[me] | (place[d] == 0) << d);
            }
        }
        node.resize(e * CORNERS);
        std::vector<std::vector<int>> pushes(n);
        for (int i = 0; i < elements; i++) {
            const int x = i % side, y = i / side % side, z = i / side / side, me = of_element[static_cast<size_t>(i)];
            for (int c = 0; c < CORNERS; c++) {
                const int dx = c == 1 || c == 2 || c == 5 || c == 6, dy = c == 2 || c == 3 || c == 6 || c == 7, dz = c >= 4;
                const int which = of_node[static_cast<size_t>(((z + dz) * line + y + dy) * line + x + dx)];
                node[static_cast<size_t>(c * elements + me)] = which;
                pushes[static_cast<size_t>(which)].push_back(c * elements + me);
                mass[static_cast<size_t>(which)] += 1.0 / CORNERS / elements;
            }
        }
        start.push_back(0);
        for (const std::vector<int> &list : pushes) {
            corner.insert(corner.end(), list.begin(), list.end());
            start.push_back(static_cast<int>(corner.size()));
        }
        volume.assign(e, 1.0 / elements);
        energy.assign(e, 1e-3 / elements);
        energy[static_cast<size_t>(of_element[0])] = 0.05;
        damping.assign(e, 0);
        for (size_t i = 0; i < e; i++) {
            pressure.push_back((2.0 / 3) * energy[i] / volume[i]);
            sound.push_back(std::sqrt((5.0 / 3) * pressure[i] + 1e-9));
        }
    }

    // Steps on the GPU and on the CPU; the GPU chooses their length for both.
    int compare(const Run &run, int steps)
    {
        Doubles first_volume = volume;
        Hydro here = {elements, nodes, {at[0].data(), at[1].data(), at[2].data()}, {speed[0].data(), speed[1].data(), speed[2].data()}, {push[0].data(), push[1].data(), push[2].data()},
                      mass.data(), volume.data(), first_volume.data(), energy.data(), pressure.data(), damping.data(), sound.data(), node.data(), start.data(), corner.data(), is_held.data()};
        Buffer<double> ax(at[0]), ay(at[1]), az(at[2]), sx(speed[0]), sy(speed[1]), sz(speed[2]), px(push[0]), py(push[1]), pz(push[2]);
        Buffer<double> dm(mass), dv(volume), df(first_volume), de(energy), dp(pressure), dd(damping), ds(sound);
        Buffer<int> dn(node), dstart(start), dcorner(corner);
        Buffer<unsigned char> dh(is_held);
        const Hydro there = {elements, nodes, {ax.get(), ay.get(), az.get()}, {sx.get(), sy.get(), sz.get()}, {px.get(), py.get(), pz.get()}, dm.get(), dv.get(), df.get(), de.get(), dp.get(), dd.get(), ds.get(),
                             dn.get(), dstart.get(), dcorner.get(), dh.get()};
        const unsigned blocks = blocks_for(static_cast<size_t>(elements), HYDRO_THREADS), node_blocks = blocks_for(static_cast<size_t>(nodes), HYDRO_THREADS);
        Buffer<double> least(blocks);
        bool right = true;
        for (int s = 0; s < steps; s++) {
            hydro_time<<<blocks, HYDRO_THREADS>>>(there, least.get());
            finish_kernels("hydro_time");
            double step = 1e30, want = 1e30;
            for (double v : least.download())
                step = std::fmin(step, v);
            for (int e = 0; e < elements; e++)
                want = std::fmin(want, step_allowed(here, e));
            right = right && std::fabs(step - want) <= 1e-6 * want;
            hydro_forces<<<blocks, HYDRO_THREADS>>>(there);
            hydro_nodes<<<node_blocks, HYDRO_THREADS>>>(there, step);
            hydro_elements<<<blocks, HYDRO_THREADS>>>(there, step);
            finish_kernels("hydro_elements");
            for (int e = 0; e < elements; e++)
                hydro_push(here, e);
            for (int n = 0; n < nodes; n++)
                hydro_move(here, n, step);
            for (int e = 0; e < elements; e++)
                hydro_state(here, e, step);
        }
        const Doubles got_energy = de.download(), got_at = ax.download();
        double sum = 0;
        for (int e = 0; e < elements; e++) {
            right = right && std::fabs(got_energy[static_cast<size_t>(e)] - energy[static_cast<size_t>(e)]) <= 1e-6 * (1e-6 + energy[static_cast<size_t>(e)]);
            sum += volume[static_cast<size_t>(e)];
        }
        for (int n = 0; n < nodes; n++)
            right = right && std::fabs(got_at[static_cast<size_t>(n)] - at[0][static_cast<size_t>(n)]) <= 1e-6;
        return verdict(run, right && sum > 0.99, "energies and places");
    }
};

} // namespace workload
