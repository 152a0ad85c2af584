// pathfinder - cheapest path down a grid of costs: several rows per launch in shared memory, with a halo that shrinks row by row.
#include <algorithm>

#include "common/workload.h"

enum { THREADS = 256 };

__global__ void cheapest_rows(const int *wall, const int *from, int *to, int columns, int first_row, int rows)
{
    __shared__ int previous[THREADS], result[THREADS];
    const int inner = THREADS - 2 * rows, tx = threadIdx.x, x = static_cast<int>(blockIdx.x) * inner - rows + tx;
    const bool inside = x >= 0 && x < columns;
    if (inside)
        previous[tx] = from[x];
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < rows; i++) {
        computed = inside && tx > i && tx < THREADS - 1 - i;
        if (computed) {
            const int left = x > 0 ? previous[tx - 1] : previous[tx], right = x < columns - 1 ? previous[tx + 1] : previous[tx];
            result[tx] = min(left, min(previous[tx], right)) + wall[(first_row + i) * columns + x];
        }
        __syncthreads();
        if (i == rows - 1)
            break;
        if (computed)
            previous[tx] = result[tx];
        __syncthreads();
    }
    if (computed)
        to[x] = result[tx];
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "pathfinder");
    const int columns = workload::pick(run, "columns", 1000, 30000, 100000, 100000), total = workload::pick(run, 8, 40, 100, 100), per_launch = workload::pick(run, 4, 20, 20, 20);
    workload::Rng rng(run.seed);
    std::vector<int> wall(static_cast<size_t>(columns) * total), cost(columns), next(columns);
    for (int &w : wall)
        w = static_cast<int>(rng.below(10));
    for (int &c : cost)
        c = static_cast<int>(rng.below(10));
    workload::Buffer<int> dw(wall), da(cost), db(columns);
    int *from = da.get(), *to = db.get();
    for (int row = 0; row < total; row += per_launch) {
        cheapest_rows<<<workload::blocks_for(columns, THREADS - 2 * per_launch), THREADS>>>(dw.get(), from, to, columns, row, per_launch);
        std::swap(from, to);
    }
    workload::finish_kernels("cheapest_rows");
    for (int row = 0; row < total; row++) {
        for (int x = 0; x < columns; x++)
            next[x] = std::min(cost[std::max(0, x - 1)], std::min(cost[x], cost[std::min(columns - 1, x + 1)])) + wall[static_cast<size_t>(row) * columns + x];
        cost.swap(next);
    }
    return workload::verdict(run, (total / per_launch % 2 ? db : da).download() == cost, "path costs");
}
