// dijkstra_csr - shortest ways over a road map (Pannotia's Dijkstra, as matrix products in CSR form): a row a thread, short rows one after the other, so
// that a warp's loads of one list are a few lines and its gathers from the vector as many as there are lanes.
#include "common/minplus.h"

__global__ void minplus_csr(const int *start, const int *column, const int *length, const int *x, int *y, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    int least = x[v];
    for (int e = start[v]; e < start[v + 1]; e++)
        least = min(least, length[e] + x[column[e]]);
    y[v] = least;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "dijkstra_csr");
    workload::Rng rng(run.seed);
    const workload::Roads roads(run, rng);
    workload::Buffer<int> start(roads.g.start), column(roads.g.edge), length(roads.length);
    return workload::find_ways(run, roads, [&](const int *x, int *y, unsigned blocks) {
        minplus_csr<<<blocks, workload::MINPLUS_THREADS>>>(start.get(), column.get(), length.get(), x, y, roads.g.nodes);
    });
}
