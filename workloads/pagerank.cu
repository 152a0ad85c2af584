// pagerank - ranks of the authors in a graph of those who wrote together, as products of a sparse matrix and a vector (Pannotia's SpMV form): rows of
// very different length, a row a thread, and gathers from the vector.
#include "common/graph.h"

enum { THREADS = 128 };

__global__ void rank_buffers(float *rank, float *next, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    rank[v] = 1.0f / static_cast<float>(nodes);
    next[v] = 0;
}

__global__ void rank_matrix(const int *start, const int *column, float *value, const int *degree, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    for (int e = start[v]; e < start[v + 1]; e++)
        value[e] = 1.0f / static_cast<float>(degree[column[e]]);
}

__global__ void rank_product(const int *start, const int *column, const float *value, const float *x, float *y, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    float sum = 0;
    for (int e = start[v]; e < start[v + 1]; e++)
        sum += value[e] * x[column[e]];
    y[v] += sum;
}

__global__ void rank_damp(float *rank, float *next, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    rank[v] = 0.15f / static_cast<float>(nodes) + 0.85f * next[v];
    next[v] = 0;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "pagerank");
    const int nodes = workload::pick(run, 1024, 16384, 131072, 299067), iterations = workload::pick(run, 2, 6, 8, 20);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::symmetric(workload::make_graph(rng, nodes, 4));
    std::vector<int> degree(nodes);
    for (int v = 0; v < nodes; v++)
        degree[v] = g.start[v + 1] - g.start[v];
    workload::Buffer<int> start(g.start), column(g.edge), degrees(degree);
    workload::Buffer<float> value(g.edge.size()), rank(nodes), next(nodes);
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    rank_buffers<<<blocks, THREADS>>>(rank.get(), next.get(), nodes);
    rank_matrix<<<blocks, THREADS>>>(start.get(), column.get(), value.get(), degrees.get(), nodes);
    for (int k = 0; k < iterations; k++) {
        rank_product<<<blocks, THREADS>>>(start.get(), column.get(), value.get(), rank.get(), next.get(), nodes);
        rank_damp<<<blocks, THREADS>>>(rank.get(), next.get(), nodes);
    }
    workload::finish_kernels("pagerank");
    std::vector<double> now(nodes, 1.0 / nodes), then(nodes);
    for (int k = 0; k < iterations; k++, now.swap(then))
        for (int v = 0; v < nodes; v++) {
            double sum = 0;
            for (int e = g.start[v]; e < g.start[v + 1]; e++)
                sum += now[g.edge[e]] / degree[g.edge[e]];
            then[v] = 0.15 / nodes + 0.85 * sum;
        }
    std::vector<float> got = rank.download(), want(nodes); // as multiples of the mean rank
    for (int v = 0; v < nodes; v++) {
        got[v] *= static_cast<float>(nodes);
        want[v] = static_cast<float>(now[v] * nodes);
    }
    return workload::verdict(run, got, want, 1e-3f, "ranks");
}
