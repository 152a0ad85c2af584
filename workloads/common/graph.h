// graph.h - graphs from a seed, in CSR form: with hubs and some locality, or like a map; and what the CPU finds in them.
#pragma once
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "workload.h"

namespace workload {

struct Graph {
    int nodes;
    std::vector<int> start, edge; // edges of node v: edge[start[v]] .. edge[start[v + 1] - 1]
};

inline Graph from_lists(const std::vector<std::vector<int>> &to)
{
    Graph g;
    g.nodes = static_cast<int>(to.size());
    g.start.push_back(0);
    for (const std::vector<int> &list : to) {
        g.edge.insert(g.edge.end(), list.begin(), list.end());
        g.start.push_back(static_cast<int>(g.edge.size()));
    }
    return g;
}

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
    return from_lists(to);
}

// A map: places on a grid, row by row. Each is joined with its neighbour to the left or above, chosen at random, and with the other one in
// `percent` of the cases: 100 is a mesh (as that of an ecology model), 40 has the 2.8 arcs a node, and the long ways, of a road map.
inline Graph make_map(Rng &rng, int width, int height, uint32_t percent)
{
    std::vector<std::vector<int>> to(static_cast<size_t>(width) * height);
    const auto join = [&](int a, int b) {
        to[static_cast<size_t>(a)].push_back(b);
        to[static_cast<size_t>(b)].push_back(a);
    };
    for (int v = 1; v < width * height; v++) {
        const bool has_left = v % width > 0, has_above = v >= width, left_first = has_left && (!has_above || rng.below(2));
        if (left_first || (has_left && rng.below(100) < percent))
            join(v, v - 1);
        if (!left_first || (has_above && rng.below(100) < percent))
            join(v, v - width);
    }
    return from_lists(to);
}

// Every edge both ways, and once.
inline Graph symmetric(const Graph &g)
{
    std::vector<std::vector<int>> to(static_cast<size_t>(g.nodes));
    for (int v = 0; v < g.nodes; v++)
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            if (g.edge[e] != v) {
                to[static_cast<size_t>(v)].push_back(g.edge[e]);
                to[static_cast<size_t>(g.edge[e])].push_back(v);
            }
    for (std::vector<int> &list : to) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return from_lists(to);
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

// Lengths of edges, or weights of nodes.
inline std::vector<int> random_ints(Rng &rng, size_t count, uint32_t least, uint32_t most)
{
    std::vector<int> v(count);
    for (int &x : v)
        x = static_cast<int>(least + rng.below(most - least + 1));
    return v;
}

// Length of the shortest way from node 0, by Dijkstra's algorithm; `far` where there is none.
inline std::vector<int> shortest_ways(const Graph &g, const std::vector<int> &length, int far)
{
    typedef std::pair<int, int> Entry; // way so far, node
    std::vector<int> way(static_cast<size_t>(g.nodes), far);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
    way[0] = 0;
    open.push(Entry(0, 0));
    while (!open.empty()) {
        const Entry best = open.top();
        open.pop();
        if (best.first > way[static_cast<size_t>(best.second)])
            continue;
        for (int e = g.start[best.second]; e < g.start[best.second + 1]; e++) {
            const int longer = best.first + length[static_cast<size_t>(e)];
            if (longer < way[static_cast<size_t>(g.edge[e])]) {
                way[static_cast<size_t>(g.edge[e])] = longer;
                open.push(Entry(longer, g.edge[e]));
            }
        }
    }
    return way;
}

} // namespace workload
