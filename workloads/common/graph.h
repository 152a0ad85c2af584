// graph.h - graphs with a power-law degree distribution and some locality, in CSR form, from a seed.
#pragma once
#include <algorithm>

#include "workload.h"

namespace workload {

struct Graph {
    int nodes;
    std::vector<int> start, edge; // edges of node v: edge[start[v]] .. edge[start[v + 1] - 1]
};

// Preferential targets (squaring a uniform draw favours low numbers, which become hubs) mixed with near neighbours; every node
// is reachable from node 0 through a random earlier node.
inline Graph make_graph(Rng &rng, int nodes, int mean_degree)
{
    std::vector<std::vector<int>> to(static_cast<size_t>(nodes));
    for (int v = 1; v < nodes; v++) {
        const int parent = static_cast<int>(rng.below(static_cast<uint32_t>(v)));
        to[static_cast<size_t>(parent)].push_back(v);
        to[static_cast<size_t>(v)].push_back(parent);
    }
    for (long k = 0; k < static_cast<long>(nodes) * std::max(0, mean_degree - 2); k++) {
        const int from = static_cast<int>(rng.below(static_cast<uint32_t>(nodes)));
        const float u = rng.uniform();
        const int hub = static_cast<int>(u * u * static_cast<float>(nodes - 1));
        const int near = std::min(nodes - 1, from + 1 + static_cast<int>(rng.below(32)));
        to[static_cast<size_t>(from)].push_back(rng.below(3) ? hub : near);
    }
    Graph g;
    g.nodes = nodes;
    g.start.push_back(0);
    for (std::vector<int> &list : to) {
        g.edge.insert(g.edge.end(), list.begin(), list.end());
        g.start.push_back(static_cast<int>(g.edge.size()));
    }
    return g;
}

// Distance from node 0, breadth first.
inline std::vector<int> distances(const Graph &g)
{
    std::vector<int> distance(static_cast<size_t>(g.nodes), -1), queue(1, 0);
    distance[0] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        const int v = queue[head];
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            if (distance[g.edge[e]] < 0) {
                distance[g.edge[e]] = distance[v] + 1;
                queue.push_back(g.edge[e]);
            }
    }
    return distance;
}

} // namespace workload
