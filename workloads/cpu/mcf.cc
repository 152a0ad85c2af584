// mcf.cc - stands in for SPEC's mcf: minimum-cost flow by network simplex (LEMON) on a random graph with a ring for feasibility.
// mcf NODES ARCS
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <cstdio>
#include <cstdlib>

using namespace lemon;

int main(int argc, char **argv)
{
    const int nodes = argc > 1 ? atoi(argv[1]) : 60000, arcs = argc > 2 ? atoi(argv[2]) : 600000;
    SmartDigraph graph;
    graph.reserveNode(nodes);
    graph.reserveArc(arcs);
    for (int i = 0; i < nodes; i++)
        graph.addNode();
    SmartDigraph::ArcMap<int> capacity(graph), cost(graph);
    SmartDigraph::NodeMap<int> supply(graph, 0);
    unsigned state = 7;
    const auto below = [&](int bound) {
        state = state * 1664525u + 1013904223u;
        return (int)((unsigned long long)state * (unsigned)bound >> 32);
    };
    const auto add = [&](int from, int to, int room, int price) {
        const auto arc = graph.addArc(graph.nodeFromId(from), graph.nodeFromId(to));
        capacity[arc] = room;
        cost[arc] = price;
    };
    for (int i = 0; i < nodes; i++)
        add(i, (i + 1) % nodes, 1 << 28, 1000);
    for (int i = nodes; i < arcs; i++) {
        const int from = below(nodes);
        add(from, (from + 1 + below(nodes / 4)) % nodes, 1 + below(50), 1 + below(1000));
    }
    for (int i = 0; i < nodes / 10; i++) {
        const int source = below(nodes), sink = below(nodes), amount = 1 + below(40);
        supply[graph.nodeFromId(source)] += amount;
        supply[graph.nodeFromId(sink)] -= amount;
    }
    NetworkSimplex<SmartDigraph, int, long long> simplex(graph);
    simplex.upperMap(capacity).costMap(cost).supplyMap(supply);
    const int status = simplex.run();
    printf("%d %lld\n", status, (long long)simplex.totalCost());
    return 0;
}
