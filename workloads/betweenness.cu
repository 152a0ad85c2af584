// betweenness - how often a node lies on shortest paths, by Brandes' algorithm (Pannotia's BC): for each source a search by levels that counts paths with
// atomic additions, then the levels backwards over the reversed graph, again with atomic additions. A node a thread, most of them idle in a launch.
#include "common/graph.h"

enum { THREADS = 128 };

__global__ void bc_clean(int source, int *depth, float *sigma, float *rho, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    sigma[v] = 0;
    rho[v] = v == source ? 1.0f : 0.0f;
    depth[v] = v == source ? 0 : -1;
}

__global__ void bc_forward(const int *start, const int *edge, int *depth, float *rho, int *again, int nodes, int level)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || depth[v] != level)
        return;
    for (int e = start[v]; e < start[v + 1]; e++) {
        const int to = edge[e];
        if (depth[to] < 0) {
            *again = 1;
            depth[to] = level + 1;
        }
        if (depth[to] == level + 1)
            atomicAdd(&rho[to], rho[v]);
    }
}

__global__ void bc_backward(const int *start, const int *edge, const int *depth, const float *rho, float *sigma, float *bc, int nodes, int level, int source)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || depth[v] != level)
        return;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (depth[edge[e]] == level - 1)
            atomicAdd(&sigma[edge[e]], rho[edge[e]] / rho[v] * (1 + sigma[v]));
    if (v != source)
        bc[v] += sigma[v];
}

static void add_source_on_cpu(const workload::Graph &g, int source, std::vector<double> &bc)
{
    std::vector<int> depth(g.nodes, -1), order(1, source);
    std::vector<double> rho(g.nodes), sigma(g.nodes);
    depth[source] = 0;
    rho[source] = 1;
    for (size_t head = 0; head < order.size(); head++) {
        const int v = order[head];
        for (int e = g.start[v]; e < g.start[v + 1]; e++) {
            const int to = g.edge[e];
            if (depth[to] < 0) {
                depth[to] = depth[v] + 1;
                order.push_back(to);
            }
            if (depth[to] == depth[v] + 1)
                rho[to] += rho[v];
        }
    }
    for (size_t k = order.size(); k-- > 0;) {
        const int v = order[k];
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            if (depth[g.edge[e]] == depth[v] + 1)
                sigma[v] += rho[v] / rho[g.edge[e]] * (1 + sigma[g.edge[e]]);
        if (v != source)
            bc[v] += sigma[v];
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "betweenness");
    const int nodes = workload::pick(run, 256, 1024, 1024, 1024), degree = workload::pick(run, 16, 128, 128, 128), sources = workload::pick(run, 4, 5, 96, 1024);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, nodes, degree);
    std::vector<std::vector<int>> into(nodes);
    for (int v = 0; v < nodes; v++)
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            into[g.edge[e]].push_back(v);
    const workload::Graph reversed = workload::from_lists(into);
    workload::Buffer<int> start(g.start), edge(g.edge), back_start(reversed.start), back_edge(reversed.edge), depth(nodes), again(1);
    workload::Buffer<float> rho(nodes), sigma(nodes), bc(nodes);
    bc.zero();
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    std::vector<double> want(nodes, 0.0);
    for (int source = 0; source < sources; source++) {
        bc_clean<<<blocks, THREADS>>>(source, depth.get(), sigma.get(), rho.get(), nodes);
        int level = 0;
        do {
            again.zero();
            bc_forward<<<blocks, THREADS>>>(start.get(), edge.get(), depth.get(), rho.get(), again.get(), nodes, level++);
            workload::finish_kernels("bc_forward");
        } while (again.download()[0]);
        while (--level > 0)
            bc_backward<<<blocks, THREADS>>>(back_start.get(), back_edge.get(), depth.get(), rho.get(), sigma.get(), bc.get(), nodes, level, source);
        workload::finish_kernels("bc_backward");
        add_source_on_cpu(g, source, want);
    }
    return workload::verdict(run, bc.download(), std::vector<float>(want.begin(), want.end()), 1e-3f, "centralities");
}
