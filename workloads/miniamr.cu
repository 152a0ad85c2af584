// miniamr - a stencil on a mesh that is refined around a moving sphere, in the manner of miniAMR: the mesh is blocks of 8^3 cells with a layer of ghost cells, of two
// sizes; faces are copied between neighbours by a list (coarser ones repeated, finer ones averaged), a thread block each; the stencil is a block each. When the sphere has moved, blocks
// are split and merged on the device.
#include <algorithm>
#include <map>

#include "common/workload.h"

enum { CELLS = 8, EDGE = CELLS + 2, VOLUME = EDGE * EDGE * EDGE };
enum Kind { SAME, FROM_COARSE, FROM_FINE };

struct Block {
    int level, at[3];
    bool operator<(const Block &o) const { return level != o.level ? level < o.level : std::lexicographical_compare(at, at + 3, o.at, o.at + 3); }
};
// One face of block `to`, or all of it: `part` has a bit for each axis in which the finer of the two lies in the upper half of the coarser.
struct Copy {
    int from, to, axis, is_upper, part;
    Kind kind;
};

__host__ __device__ static int cell_at(int block, int i, int j, int k) { return ((block * EDGE + k) * EDGE + j) * EDGE + i; }

// The cell of a block at (u, v) of the layer `depth` along an axis.
__host__ __device__ static int face_cell(int block, int axis, int depth, int u, int v)
{
    return axis == 0 ? cell_at(block, depth, u, v) : axis == 1 ? cell_at(block, u, depth, v) : cell_at(block, u, v, depth);
}

__host__ __device__ static void copy_face_cell(const Copy &c, float *cells, int u, int v)
{
    const int ghost = c.is_upper ? EDGE - 1 : 0, inner = c.is_upper ? 1 : CELLS, first = c.axis == 0 ? 1 : 0, second = c.axis == 2 ? 1 : 2;
    const int up = c.part >> first & 1, vp = c.part >> second & 1, half = CELLS / 2;
    float *to = &cells[face_cell(c.to, c.axis, ghost, u + 1, v + 1)];
    if (c.kind == SAME) {
        *to = cells[face_cell(c.from, c.axis, inner, u + 1, v + 1)];
    } else if (c.kind == FROM_COARSE) {
        *to = cells[face_cell(c.from, c.axis, inner, up * half + u / 2 + 1, vp * half + v / 2 + 1)];
    } else if (u / half == up && v / half == vp) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += cells[face_cell(c.from, c.axis, inner, 2 * (u % half) + k % 2 + 1, 2 * (v % half) + k / 2 + 1)];
        *to = 0.25f * sum;
    }
}

__host__ __device__ static void move_cell(const Copy &c, const float *before, float *after, int i, int j, int k)
{
    const int x = c.part & 1, y = c.part >> 1 & 1, z = c.part >> 2 & 1, half = CELLS / 2;
    float *to = &after[cell_at(c.to, i + 1, j + 1, k + 1)];
    if (c.kind == SAME) {
        *to = before[cell_at(c.from, i + 1, j + 1, k + 1)];
    } else if (c.kind == FROM_COARSE) {
        *to = before[cell_at(c.from, x * half + i / 2 + 1, y * half + j / 2 + 1, z * half + k / 2 + 1)];
    } else if (i / half == x && j / half == y && k / half == z) {
        float sum = 0;
        for (int q = 0; q < 8; q++)
            sum += before[cell_at(c.from, 2 * (i % half) + q % 2 + 1, 2 * (j % half) + q / 2 % 2 + 1, 2 * (k % half) + q / 4 + 1)];
        *to = 0.125f * sum;
    }
}

__host__ __device__ static float stencil_at(const float *cells, int block, int i, int j, int k)
{
    const int at = cell_at(block, i, j, k);
    return (cells[at] + cells[at - 1] + cells[at + 1] + cells[at - EDGE] + cells[at + EDGE] + cells[at - EDGE * EDGE] + cells[at + EDGE * EDGE]) / 7.0f;
}

__global__ void amr_exchange(const Copy *copies, float *cells) { copy_face_cell(copies[blockIdx.x], cells, threadIdx.x, threadIdx.y); }

__global__ void amr_stencil(const float *cells, float *next)
{
    for (int k = 1; k <= CELLS; k++)
        next[cell_at(blockIdx.x, threadIdx.x + 1, threadIdx.y + 1, k)] = stencil_at(cells, blockIdx.x, threadIdx.x + 1, threadIdx.y + 1, k);
}

__global__ void amr_move(const Copy *copies, const float *before, float *after)
{
    for (int k = 0; k < CELLS; k++)
        move_cell(copies[blockIdx.x], before, after, threadIdx.x, threadIdx.y, k);
}

typedef std::map<Block, int> Mesh;

// Coarse blocks that the sphere's surface is near are split into eight.
static Mesh make_mesh(int side, float centre, float radius)
{
    Mesh mesh;
    const auto add = [&](int level, int x, int y, int z) {
        const int number = static_cast<int>(mesh.size());
        mesh[{level, {x, y, z}}] = number;
    };
    for (int b = 0; b < side * side * side; b++) {
        const int x = b % side, y = b / side % side, z = b / side / side;
        const float dx = static_cast<float>(x) + 0.5f - centre, dy = static_cast<float>(y) + 0.5f - centre, dz = static_cast<float>(z) + 0.5f - centre;
        if (std::fabs(std::sqrt(dx * dx + dy * dy + dz * dz) - radius) > 0.8f)
            add(0, x, y, z);
        else
            for (int q = 0; q < 8; q++)
                add(1, 2 * x + q % 2, 2 * y + q / 2 % 2, 2 * z + q / 4);
    }
    return mesh;
}

static std::vector<Copy> faces_of(const Mesh &mesh)
{
    std::vector<Copy> faces;
    for (const auto &entry : mesh)
        for (int f = 0; f < 6; f++) {
            const Block &b = entry.first;
            const int axis = f / 2, up = f % 2;
            Block n = b;
            n.at[axis] += up ? 1 : -1;
            const Block coarse = {0, {n.at[0] / 2, n.at[1] / 2, n.at[2] / 2}};
            if (mesh.count(n)) {
                faces.push_back({mesh.at(n), entry.second, axis, up, 0, SAME});
            } else if (b.level == 1 && n.at[axis] >= 0 && mesh.count(coarse)) {
                faces.push_back({mesh.at(coarse), entry.second, axis, up, (b.at[0] & 1) | (b.at[1] & 1) << 1 | (b.at[2] & 1) << 2, FROM_COARSE});
            } else if (b.level == 0) {
                for (int q = 0; q < 8; q++) {
                    const Block fine = {1, {2 * n.at[0] + (q & 1), 2 * n.at[1] + (q >> 1 & 1), 2 * n.at[2] + (q >> 2 & 1)}};
                    if ((q >> axis & 1) == !up && mesh.count(fine))
                        faces.push_back({mesh.at(fine), entry.second, axis, up, q, FROM_FINE});
                }
            }
        }
    return faces;
}

static std::vector<Copy> moves_between(const Mesh &before, const Mesh &after)
{
    std::vector<Copy> moves;
    for (const auto &entry : after) {
        const Block &b = entry.first;
        if (before.count(b)) {
            moves.push_back({before.at(b), entry.second, 0, 0, 0, SAME});
        } else if (b.level == 1) {
            moves.push_back({before.at({0, {b.at[0] / 2, b.at[1] / 2, b.at[2] / 2}}), entry.second, 0, 0, (b.at[0] & 1) | (b.at[1] & 1) << 1 | (b.at[2] & 1) << 2, FROM_COARSE});
        } else {
            for (int q = 0; q < 8; q++)
                moves.push_back({before.at({1, {2 * b.at[0] + (q & 1), 2 * b.at[1] + (q >> 1 & 1), 2 * b.at[2] + (q >> 2 & 1)}}), entry.second, 0, 0, q, FROM_FINE});
        }
    }
    return moves;
}

// A few steps on both sides; `cells` is the CPU's, `a` and `b` the GPU's.
static void step(const std::vector<Copy> &faces, size_t blocks, int steps, std::vector<float> &cells, workload::Buffer<float> *&a, workload::Buffer<float> *&b)
{
    workload::Buffer<Copy> list(faces);
    std::vector<float> next(cells.size());
    for (int s = 0; s < steps; s++) {
        amr_exchange<<<static_cast<unsigned>(faces.size()), dim3(CELLS, CELLS)>>>(list.get(), a->get());
        amr_stencil<<<static_cast<unsigned>(blocks), dim3(CELLS, CELLS)>>>(a->get(), b->get());
        std::swap(a, b);
        for (const Copy &f : faces)
            for (int i = 0; i < CELLS * CELLS; i++)
                copy_face_cell(f, cells.data(), i % CELLS, i / CELLS);
        for (size_t i = 0; i < blocks * CELLS * CELLS * CELLS; i++) {
            const int block = static_cast<int>(i / (CELLS * CELLS * CELLS)), x = static_cast<int>(i % CELLS) + 1, y = static_cast<int>(i / CELLS % CELLS) + 1, z = static_cast<int>(i / CELLS / CELLS % CELLS) + 1;
            next[static_cast<size_t>(cell_at(block, x, y, z))] = stencil_at(cells.data(), block, x, y, z);
        }
        cells.swap(next);
    }
    workload::finish_kernels("amr_stencil");
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "miniamr");
    const int side = workload::pick(run, 3, 4, 10, 20), steps = workload::pick(run, 1, 2, 6, 6), epochs = workload::pick(run, 1, 2, 2, 3);
    const float radius = static_cast<float>(side) * 0.3f;
    workload::Rng rng(run.seed);
    Mesh mesh = make_mesh(side, static_cast<float>(side) * 0.45f, radius);
    const size_t room = static_cast<size_t>(side) * side * side * 8 * VOLUME; // as if all were split
    std::vector<float> cells(room); // ghost cells at the edge of the world are zero and stay so
    for (size_t i = 0; i < mesh.size() * CELLS * CELLS * CELLS; i++)
        cells[static_cast<size_t>(cell_at(static_cast<int>(i / (CELLS * CELLS * CELLS)), static_cast<int>(i % CELLS) + 1, static_cast<int>(i / CELLS % CELLS) + 1, static_cast<int>(i / CELLS / CELLS % CELLS) + 1))] = rng.uniform();
    workload::Buffer<float> first(cells), second(room), *a = &first, *b = &second;
    second.zero();
    for (int epoch = 0; epoch < epochs; epoch++) {
        step(faces_of(mesh), mesh.size(), steps, cells, a, b);
        const Mesh moved = make_mesh(side, static_cast<float>(side) * (0.45f + 0.05f * static_cast<float>(epoch + 1)), radius);
        const std::vector<Copy> moves = moves_between(mesh, moved);
        workload::Buffer<Copy> list(moves);
        b->zero();
        amr_move<<<static_cast<unsigned>(moves.size()), dim3(CELLS, CELLS)>>>(list.get(), a->get(), b->get());
        workload::finish_kernels("amr_move");
        std::swap(a, b);
        b->zero();
        std::vector<float> after(room);
        for (const Copy &m : moves)
            for (int i = 0; i < CELLS * CELLS * CELLS; i++)
                move_cell(m, cells.data(), after.data(), i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS);
        cells.swap(after);
        mesh = moved;
    }
    return workload::verdict(run, a->download(), cells, 1e-4f, "cells");
}
