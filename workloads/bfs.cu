// bfs - breadth-first search over masks, one thread per node, two kernels per level (Rodinia's form): most threads find their
// node not in the frontier; those that do walk an edge list each.
#include "common/graph.h"

enum { THREADS = 512 };
struct Node {
    int start, edges;
};

__global__ void bfs_visit(const Node *node, const int *edge, char *in_frontier, char *updating, const char *visited, int *distance, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || !in_frontier[v])
        return;
    in_frontier[v] = 0;
    for (int e = node[v].start; e < node[v].start + node[v].edges; e++) {
        const int to = edge[e];
        if (!visited[to]) {
            distance[to] = distance[v] + 1;
            updating[to] = 1;
        }
    }
}

__global__ void bfs_advance(char *in_frontier, char *updating, char *visited, int *again, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || !updating[v])
        return;
    in_frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
    updating[v] = 0;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "bfs");
    const int nodes = workload::pick(run, "nodes", 1024, 32768, 262144, 1000000);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, nodes, workload::pick(run, "degree", 8, 8, 8, 6));
    std::vector<char> first(nodes, 0);
    first[0] = 1;
    std::vector<int> distance(nodes, -1);
    distance[0] = 0;
    std::vector<Node> node(nodes);
    for (int v = 0; v < nodes; v++)
        node[v] = {g.start[v], g.start[v + 1] - g.start[v]};
    workload::Buffer<Node> dn(node);
    workload::Buffer<int> de(g.edge), dd(distance), again(1);
    workload::Buffer<char> frontier(first), updating(nodes), visited(first);
    updating.zero();
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    do {
        again.zero();
        bfs_visit<<<blocks, THREADS>>>(dn.get(), de.get(), frontier.get(), updating.get(), visited.get(), dd.get(), nodes);
        bfs_advance<<<blocks, THREADS>>>(frontier.get(), updating.get(), visited.get(), again.get(), nodes);
        workload::finish_kernels("bfs");
    } while (again.download()[0]);
    return workload::verdict(run, dd.download() == workload::distances(g), "distances");
}
