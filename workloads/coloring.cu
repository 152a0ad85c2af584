// coloring - colours for the nodes of a mesh, so that neighbours differ (Pannotia's form): in each round the nodes whose random number is above those of
// all neighbours without a colour get the round's. Two launches a round, a node a thread, neighbours' colours and numbers gathered.
#include "common/graph.h"

enum { THREADS = 256, NO_COLOUR = -1 };

__global__ void color_largest(const int *start, const int *edge, const int *value, const int *colour, int *largest, int *again, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || colour[v] != NO_COLOUR)
        return;
    int most = -1;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (colour[edge[e]] == NO_COLOUR) {
            *again = 1;
            if (value[edge[e]] > most)
                most = value[edge[e]];
        }
    largest[v] = most;
}

__global__ void color_assign(const int *value, int *colour, const int *largest, int now, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes && colour[v] == NO_COLOUR && value[v] >= largest[v])
        colour[v] = now;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "coloring");
    const int side = workload::pick(run, 32, 160, 768, 1000), nodes = side * side;
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_map(rng, side, side, 100);
    std::vector<int> value(nodes), by_value(nodes), want(nodes, 0);
    for (int v = 0; v < nodes; v++)
        by_value[v] = v;
    for (int v = nodes - 1; v > 0; v--)
        std::swap(by_value[v], by_value[rng.below(static_cast<uint32_t>(v + 1))]);
    for (int k = nodes - 1; k >= 0; k--) { // one round after the last of the neighbours with larger numbers
        const int v = by_value[k];
        value[v] = k;
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            if (value[g.edge[e]] > k)
                want[v] = std::max(want[v], want[g.edge[e]] + 1);
    }
    workload::Buffer<int> start(g.start), edge(g.edge), dv(value), colour(std::vector<int>(nodes, NO_COLOUR)), largest(nodes), again(1);
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    int now = 0;
    do {
        again.zero();
        color_largest<<<blocks, THREADS>>>(start.get(), edge.get(), dv.get(), colour.get(), largest.get(), again.get(), nodes);
        color_assign<<<blocks, THREADS>>>(dv.get(), colour.get(), largest.get(), now++, nodes);
        workload::finish_kernels("coloring");
    } while (again.download()[0]);
    return workload::verdict(run, colour.download() == want, "colours");
}
