// bfs_queue - breadth-first search with an explicit frontier queue: one thread per frontier node, targets claimed by
// compare-and-swap and appended by an atomic counter (Parboil's form).
#include "common/graph.h"

__global__ void bfs_expand(const int *start, const int *edge, const int *frontier, int frontier_size, int *next, int *next_size, int *distance, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size)
        return;
    const int v = frontier[i];
    for (int e = start[v]; e < start[v + 1]; e++)
        if (atomicCAS(&distance[edge[e]], -1, level) == -1)
            next[atomicAdd(next_size, 1)] = edge[e];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "bfs_queue");
    const int nodes = workload::pick(run, "nodes", 1024, 49152, 786432, 1000000);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, nodes, 8);
    std::vector<int> distance(nodes, -1);
    distance[0] = 0;
    workload::Buffer<int> ds(g.start), de(g.edge), dd(distance), a(nodes), b(nodes), size(1);
    a.zero();
    int *from = a.get(), *to = b.get(), count = 1;
    for (int level = 1; count > 0; level++) {
        size.zero();
        bfs_expand<<<workload::blocks_for(count, 256), 256>>>(ds.get(), de.get(), from, count, to, size.get(), dd.get(), level);
        workload::finish_kernels("bfs_expand");
        count = size.download()[0];
        std::swap(from, to);
    }
    return workload::verdict(run, dd.download() == workload::distances(g), "distances");
}
