// dijkstra_ell - shortest ways over a road map (Pannotia's Dijkstra, as matrix products in ELLPACK form): rows are filled up to the longest and stored
// column by column, so that matrix loads are coalesced and only the gathers from the vector are not.
#include "common/minplus.h"

__global__ void minplus_ell(int height, const int *column, const int *length, const int *x, int *y, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    int least = x[v];
    for (int k = 0; k < height; k++)
        least = min(least, length[k * nodes + v] + x[column[k * nodes + v]]);
    y[v] = least;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "dijkstra_ell");
    workload::Rng rng(run.seed);
    const workload::Roads roads(run, rng);
    const workload::Graph &g = roads.g;
    int height = 0;
    for (int v = 0; v < g.nodes; v++)
        height = std::max(height, g.start[v + 1] - g.start[v]);
    std::vector<int> column(static_cast<size_t>(height) * g.nodes), length(column.size());
    for (int v = 0; v < g.nodes; v++)
        for (int k = 0; k < height; k++) {
            const int e = g.start[v] + k;
            const size_t at = static_cast<size_t>(k) * g.nodes + v;
            column[at] = e < g.start[v + 1] ? g.edge[e] : v;
            length[at] = e < g.start[v + 1] ? roads.length[e] : static_cast<int>(workload::MINPLUS_FAR);
        }
    workload::Buffer<int> dc(column), dl(length);
    return workload::find_ways(run, roads, [&](const int *x, int *y, unsigned blocks) {
        minplus_ell<<<blocks, workload::MINPLUS_THREADS>>>(height, dc.get(), dl.get(), x, y, g.nodes);
    });
}
