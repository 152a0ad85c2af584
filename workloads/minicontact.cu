// minicontact - contact between deforming bodies, in the manner of the miniContact proxy: surface nodes and faces are put into a grid of cells (count, then fill, with
// atomic additions), each node is compared with the faces in the 27 cells around, and where it is behind one, a force pushes both back, added atomically to the face's corners.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 128, AROUND = 27 };

struct Face {
    int corner[3];
};
struct Space {
    int cells; // along each edge
    float size;
};

__host__ __device__ static int cell_along(const Space &s, float x)
{
    const int c = static_cast<int>(floorf(x / s.size));
    return c < 0 ? 0 : c >= s.cells ? s.cells - 1 : c;
}

__host__ __device__ static int cell_of(const Space &s, float3 p) { return (cell_along(s, p.z) * s.cells + cell_along(s, p.y)) * s.cells + cell_along(s, p.x); }

__host__ __device__ static float3 middle_of(const float3 *node, Face f)
{
    const float3 a = node[f.corner[0]], b = node[f.corner[1]], c = node[f.corner[2]];
    return {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
}

// How deep a node lies behind a face, within `reach` of its middle; not positive: not at all. `normal` has length 1.
__host__ __device__ static float depth_behind(const float3 *node, Face f, float3 p, float reach, float3 &normal)
{
    const float3 a = node[f.corner[0]], b = node[f.corner[1]], c = node[f.corner[2]], m = middle_of(node, f);
    const float3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z}, d = {p.x - m.x, p.y - m.y, p.z - m.z};
    const float3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    normal = {n.x / length, n.y / length, n.z / length};
    if (d.x * d.x + d.y * d.y + d.z * d.z > reach * reach)
        return 0;
    return -(d.x * normal.x + d.y * normal.y + d.z * normal.z);
}

__global__ void contact_count(Space s, const float3 *node, const Face *face, int *cell, int *count, int faces)
{
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= faces)
        return;
    cell[f] = cell_of(s, middle_of(node, face[f]));
    atomicAdd(&count[cell[f]], 1);
}

__global__ void contact_fill(const int *cell, int *next, int *list, int faces)
{
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f < faces)
        list[atomicAdd(&next[cell[f]], 1)] = f;
}

__global__ void contact_forces(Space s, const float3 *node, const int *body, const Face *face, const int *start, const int *list, float *force, int *touching, int nodes, float reach)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes)
        return;
    const float3 p = node[i];
    const int cx = cell_along(s, p.x), cy = cell_along(s, p.y), cz = cell_along(s, p.z);
    float fx = 0, fy = 0, fz = 0;
    int found = 0;
    for (int k = 0; k < AROUND; k++) {
        const int x = cx + k % 3 - 1, y = cy + k / 3 % 3 - 1, z = cz + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= s.cells || y >= s.cells || z >= s.cells)
            continue;
        const int cell = (z * s.cells + y) * s.cells + x;
        for (int e = start[cell]; e < start[cell + 1]; e++) {
            const Face f = face[list[e]];
            if (body[f.corner[0]] == body[i])
                continue;
            float3 normal;
            const float depth = depth_behind(node, f, p, reach, normal);
            if (depth <= 0)
                continue;
            found++;
            fx += depth * normal.x;
            fy += depth * normal.y;
            fz += depth * normal.z;
            for (int c = 0; c < 3; c++) {
                atomicAdd(&force[3 * f.corner[c]], -depth * normal.x / 3);
                atomicAdd(&force[3 * f.corner[c] + 1], -depth * normal.y / 3);
                atomicAdd(&force[3 * f.corner[c] + 2], -depth * normal.z / 3);
            }
        }
    }
    touching[i] = found;
    if (found) {
        atomicAdd(&force[3 * i], fx);
        atomicAdd(&force[3 * i + 1], fy);
        atomicAdd(&force[3 * i + 2], fz);
    }
}

// Two uneven sheets, one pressed a little into the other; faces look at each other.
static void make_sheets(workload::Rng &rng, int side, std::vector<float3> &node, std::vector<int> &body, std::vector<Face> &face)
{
    for (int b = 0; b < 2; b++) {
        const int first = static_cast<int>(node.size());
        for (int i = 0; i < side * side; i++) {
            const float x = static_cast<float>(i % side) + rng.uniform(-0.2f, 0.2f), y = static_cast<float>(i / side) + rng.uniform(-0.2f, 0.2f);
            node.push_back({x, y, static_cast<float>(side) / 2 + (b ? -0.1f : 0.1f) + rng.uniform(-0.2f, 0.2f)});
            body.push_back(b);
        }
        for (int y = 0; y + 1 < side; y++)
            for (int x = 0; x + 1 < side; x++) {
                const int a = first + y * side + x, r = a + 1, d = a + side, o = d + 1;
                face.push_back(b ? Face{{a, d, r}} : Face{{a, r, d}}); // the lower sheet (second) faces down, so that what is above it is behind it
                face.push_back(b ? Face{{r, d, o}} : Face{{r, o, d}});
            }
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "minicontact");
    const int side = workload::pick(run, 12, 40, 160, 512), steps = workload::pick(run, 1, 1, 1, 2);
    workload::Rng rng(run.seed);
    std::vector<float3> node;
    std::vector<int> body;
    std::vector<Face> face;
    make_sheets(rng, side, node, body, face);
    const Space s = {std::min(side, 96), static_cast<float>(side) / static_cast<float>(std::min(side, 96))};
    const int nodes = static_cast<int>(node.size()), faces = static_cast<int>(face.size()), cells = s.cells * s.cells * s.cells;
    const float reach = 0.9f;
    workload::Buffer<float3> dn(node);
    workload::Buffer<Face> df(face);
    workload::Buffer<int> db(body), cell(faces), count(cells), start(cells + 1), next(cells + 1), list(faces), touching(nodes);
    workload::Buffer<float> force(static_cast<size_t>(nodes) * 3);
    for (int k = 0; k < steps; k++) {
        count.zero();
        force.zero();
        contact_count<<<workload::blocks_for(faces, THREADS), THREADS>>>(s, dn.get(), df.get(), cell.get(), count.get(), faces);
        workload::finish_kernels("contact_count");
        std::vector<int> starts(1, 0);
        for (int c : count.download())
            starts.push_back(starts.back() + c);
        start.upload(starts);
        next.upload(starts);
        contact_fill<<<workload::blocks_for(faces, THREADS), THREADS>>>(cell.get(), next.get(), list.get(), faces);
        contact_forces<<<workload::blocks_for(nodes, THREADS), THREADS>>>(s, dn.get(), db.get(), df.get(), start.get(), list.get(), force.get(), touching.get(), nodes, reach);
        workload::finish_kernels("contact_forces");
    }
    std::vector<std::vector<int>> in_cell(static_cast<size_t>(cells));
    for (int f = 0; f < faces; f++)
        in_cell[static_cast<size_t>(cell_of(s, middle_of(node.data(), face[f])))].push_back(f);
    std::vector<float> want(static_cast<size_t>(nodes) * 3);
    std::vector<int> want_touching(nodes);
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < AROUND; k++) {
            const int x = cell_along(s, node[i].x) + k % 3 - 1, y = cell_along(s, node[i].y) + k / 3 % 3 - 1, z = cell_along(s, node[i].z) + k / 9 - 1;
            if (x < 0 || y < 0 || z < 0 || x >= s.cells || y >= s.cells || z >= s.cells)
                continue;
            for (int f : in_cell[static_cast<size_t>((z * s.cells + y) * s.cells + x)]) {
                float3 n;
                const float depth = body[face[f].corner[0]] == body[i] ? 0 : depth_behind(node.data(), face[f], node[i], reach, n);
                if (depth <= 0)
                    continue;
                want_touching[i]++;
                const float push[3] = {depth * n.x, depth * n.y, depth * n.z};
                for (int d = 0; d < 3; d++) {
                    want[static_cast<size_t>(3 * i + d)] += push[d];
                    for (int c = 0; c < 3; c++)
                        want[static_cast<size_t>(3 * face[f].corner[c] + d)] -= push[d] / 3;
                }
            }
        }
    const std::vector<int> got_touching = touching.download();
    int off = 0, all = 0; // a node at the very edge of the reach may be rounded either way
    for (int i = 0; i < nodes; i++) {
        off += std::abs(got_touching[i] - want_touching[i]);
        all += want_touching[i];
    }
    const std::vector<float> got = force.download();
    int different = 0; // such a contact has a part in the three forces of a node and the nine of a face's corners
    for (size_t i = 0; i < want.size(); i++)
        different += !(std::fabs(got[i] - want[i]) <= 1e-3f * std::fmax(1.0f, std::fabs(want[i])));
    return workload::verdict(run, all > 0 && off <= all / 1000 && different <= 12 * off, "contacts and forces");
}
