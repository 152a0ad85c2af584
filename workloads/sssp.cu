// sssp - shortest paths from one node, driven by topology (Lonestar's form): every launch relaxes the edges of every node, with an atomic
// minimum where one gets shorter, until a launch changes nothing. A thread walks its node's edges: lists, lengths and distances at scattered places.
#include "common/graph.h"

enum { THREADS = 1024, FAR_AWAY = 1000000000 };

__global__ void sssp_relax(const int *first, const int *degree, const int *edge, const int *length, int *distance, char *changed, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    bool shorter = false;
    for (int k = 0; k < degree[v]; k++) {
        const int e = first[v] + k, to = edge[e], way = distance[v] + length[e];
        if (way < distance[to])
            shorter |= way < atomicMin(&distance[to], way);
    }
    if (shorter)
        *changed = 1;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "sssp");
    const int nodes = workload::pick(run, 1024, 16384, 131072, 1048576);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, nodes, 8);
    const std::vector<int> length = workload::random_ints(rng, g.edge.size(), 1, 100);
    std::vector<int> degree(nodes), distance(nodes, FAR_AWAY);
    for (int v = 0; v < nodes; v++)
        degree[v] = g.start[v + 1] - g.start[v];
    distance[0] = 0;
    workload::Buffer<int> first(g.start), degrees(degree), edge(g.edge), lengths(length), dd(distance);
    workload::Buffer<char> changed(1);
    do {
        changed.zero();
        sssp_relax<<<workload::blocks_for(nodes, THREADS), THREADS>>>(first.get(), degrees.get(), edge.get(), lengths.get(), dd.get(), changed.get(), nodes);
        workload::finish_kernels("sssp_relax");
    } while (changed.download()[0]);
    return workload::verdict(run, dd.download() == workload::shortest_ways(g, length, FAR_AWAY), "shortest paths");
}
