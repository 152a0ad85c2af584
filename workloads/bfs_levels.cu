// bfs_levels - breadth-first search as in GPGPU-Sim's collection (Harish and Narayanan's form): like bfs, but one launch a level, which marks the
// next frontier itself, in blocks of 256. A node that a thread marks may be visited in the same launch, by a block that starts later; the original lets
// distances race there, this takes an atomic minimum and visits a node again when it got nearer.
#include "common/graph.h"

enum { THREADS = 256, FAR_AWAY = 1000000000 };
struct Node {
    int start, edges;
};

__global__ void bfs_level(const Node *node, const int *edge, char *in_frontier, int *distance, char *again, int nodes)
{
    const int v = blockIdx.x * THREADS + threadIdx.x;
    if (v >= nodes || !in_frontier[v])
        return;
    in_frontier[v] = 0;
    const int next = ((volatile int *)distance)[v] + 1;
    for (int e = node[v].start; e < node[v].start + node[v].edges; e++) {
        const int to = edge[e];
        if (distance[to] > next && atomicMin(&distance[to], next) > next) {
            in_frontier[to] = 1;
            *again = 1;
        }
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "bfs_levels");
    const int nodes = workload::pick(run, "nodes", 1024, 32768, 262144, 65536);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, nodes, workload::pick(run, 8, 8, 8, 6));
    std::vector<char> first(nodes, 0);
    first[0] = 1;
    std::vector<int> distance(nodes, FAR_AWAY);
    distance[0] = 0;
    std::vector<Node> node(nodes);
    for (int v = 0; v < nodes; v++)
        node[v] = {g.start[v], g.start[v + 1] - g.start[v]};
    workload::Buffer<Node> dn(node);
    workload::Buffer<int> de(g.edge), dd(distance);
    workload::Buffer<char> frontier(first), again(1);
    do {
        again.zero();
        bfs_level<<<workload::blocks_for(nodes, THREADS), THREADS>>>(dn.get(), de.get(), frontier.get(), dd.get(), again.get(), nodes);
        workload::finish_kernels("bfs_level");
    } while (again.download()[0]);
    return workload::verdict(run, dd.download() == workload::distances(g), "distances");
}
