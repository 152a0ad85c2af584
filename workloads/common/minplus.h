// minplus.h - shortest ways over a road map as Pannotia has them: products of a matrix of road lengths with the vector of distances, with minimum for
// plus and plus for times, until the vector stays the same. How the matrix is stored is the caller's.
#pragma once
#include "graph.h"

namespace workload {

enum { MINPLUS_THREADS = 128, MINPLUS_FAR = 99999999 };

__global__ void vector_init(int *before, int *after, int source, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes)
        before[v] = after[v] = v == source ? 0 : MINPLUS_FAR;
}

__global__ void vector_assign(int *before, const int *after, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes)
        before[v] = after[v];
}

__global__ void vector_diff(const int *before, const int *after, int *again, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes && before[v] != after[v])
        *again = 1;
}

struct Roads {
    Graph g;
    std::vector<int> length;

    Roads(const Run &run, Rng &rng) : g(make_map(rng, pick(run, 16, 56, 128, 514), pick(run, 16, 56, 128, 514), 40)), length(g.edge.size())
    {
        for (int v = 0; v < g.nodes; v++) // a road is as long in both directions
            for (int e = g.start[v]; e < g.start[v + 1]; e++)
                length[static_cast<size_t>(e)] = 1 + static_cast<int>((static_cast<uint32_t>(std::min(v, g.edge[e])) * 2654435761u ^ static_cast<uint32_t>(std::max(v, g.edge[e])) * 40503u) % 997u);
    }
};

// `product(x, y, blocks)` launches y = min(x, matrix x).
template <class Product> int find_ways(const Run &run, const Roads &roads, Product product)
{
    const int nodes = roads.g.nodes;
    const unsigned blocks = blocks_for(static_cast<size_t>(nodes), MINPLUS_THREADS);
    Buffer<int> before(static_cast<size_t>(nodes)), after(static_cast<size_t>(nodes)), again(1);
    vector_init<<<blocks, MINPLUS_THREADS>>>(before.get(), after.get(), 0, nodes);
    do {
        again.zero();
        product(before.get(), after.get(), blocks);
        vector_diff<<<blocks, MINPLUS_THREADS>>>(before.get(), after.get(), again.get(), nodes);
        vector_assign<<<blocks, MINPLUS_THREADS>>>(before.get(), after.get(), nodes);
        finish_kernels("min-plus product");
    } while (again.download()[0]);
    return verdict(run, after.download() == shortest_ways(roads.g, roads.length, MINPLUS_FAR), "shortest ways");
}

} // namespace workload
