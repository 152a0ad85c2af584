// floydwarshall - shortest ways between all pairs of nodes (Pannotia's form): a launch for each node that ways may lead through, blocks of 16 x 16 whose
// first index is the row, so that the lanes of a warp are in 16 rows and each load takes 16 lines.
#include "common/graph.h"

enum { SIDE = 16, FAR_AWAY = 99999999 };

__global__ void floydwarshall(int *way, int *next, int n, int k)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    if (way[i * n + k] + way[k * n + j] < way[i * n + j]) {
        way[i * n + j] = way[i * n + k] + way[k * n + j];
        next[i * n + j] = k;
    }
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "floydwarshall");
    const int n = workload::pick(run, 32, 96, 256, 256), degree = workload::pick(run, 8, 24, 64, 64);
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_graph(rng, n, degree);
    const std::vector<int> length = workload::random_ints(rng, g.edge.size(), 1, 1000);
    std::vector<int> way(static_cast<size_t>(n) * n, FAR_AWAY), next(way.size(), -1);
    for (int v = 0; v < n; v++) {
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            way[static_cast<size_t>(v) * n + g.edge[e]] = std::min(way[static_cast<size_t>(v) * n + g.edge[e]], length[e]);
        way[static_cast<size_t>(v) * n + v] = 0;
    }
    workload::Buffer<int> dw(way), dn(next);
    for (int k = 0; k < n; k++)
        floydwarshall<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(dw.get(), dn.get(), n, k);
    workload::finish_kernels("floydwarshall");
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const size_t at = static_cast<size_t>(i) * n + j;
                const int through = way[static_cast<size_t>(i) * n + k] + way[static_cast<size_t>(k) * n + j];
                if (through < way[at]) {
                    way[at] = through;
                    next[at] = k;
                }
            }
    return workload::verdict(run, dw.download() == way && dn.download() == next, "ways between all pairs");
}
