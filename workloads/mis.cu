// mis - a maximal independent set of a mesh, by Luby's algorithm (Pannotia's form): in each round nodes whose random number is below those of all neighbours
// that are left join the set, and their neighbours leave. Three launches a round, a node a thread, neighbours' state and numbers gathered.
#include "common/graph.h"

enum { THREADS = 128, LEFT_OVER = -1, DECIDED = -2, LARGE = 2147483647 };

__global__ void mis_initialize(int *in_set, int *state, int *next_state, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    state[v] = next_state[v] = LEFT_OVER;
    in_set[v] = 0;
}

__global__ void mis_least(const int *start, const int *edge, const int *value, const int *state, int *least, int *again, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || state[v] != LEFT_OVER)
        return;
    *again = 1;
    int smallest = LARGE;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (state[edge[e]] == LEFT_OVER && value[edge[e]] < smallest)
            smallest = value[edge[e]];
    least[v] = smallest;
}

__global__ void mis_join(const int *start, const int *edge, const int *value, int *in_set, int *state, int *next_state, const int *least, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || state[v] != LEFT_OVER || value[v] > least[v])
        return;
    in_set[v] = 1;
    state[v] = DECIDED;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (state[edge[e]] == LEFT_OVER)
            next_state[edge[e]] = DECIDED;
}

__global__ void mis_leave(const int *next_state, int *state, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes && next_state[v] == DECIDED)
        state[v] = DECIDED;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mis");
    const int side = workload::pick(run, 32, 160, 768, 1000), nodes = side * side;
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_map(rng, side, side, 100);
    std::vector<int> value(nodes), by_value(nodes), want(nodes, 0);
    for (int v = 0; v < nodes; v++)
        by_value[v] = v;
    for (int v = nodes - 1; v > 0; v--)
        std::swap(by_value[v], by_value[rng.below(static_cast<uint32_t>(v + 1))]);
    for (int k = 0; k < nodes; k++) // the smallest that has no neighbour in the set yet, again and again, is the same set
    {
        const int v = by_value[k];
        value[v] = k;
        bool is_free = true;
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            is_free = is_free && !want[g.edge[e]];
        want[v] = is_free;
    }
    workload::Buffer<int> start(g.start), edge(g.edge), dv(value), in_set(nodes), state(nodes), next_state(nodes), least(nodes), again(1);
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    mis_initialize<<<blocks, THREADS>>>(in_set.get(), state.get(), next_state.get(), nodes);
    do {
        again.zero();
        mis_least<<<blocks, THREADS>>>(start.get(), edge.get(), dv.get(), state.get(), least.get(), again.get(), nodes);
        mis_join<<<blocks, THREADS>>>(start.get(), edge.get(), dv.get(), in_set.get(), state.get(), next_state.get(), least.get(), nodes);
        mis_leave<<<blocks, THREADS>>>(next_state.get(), state.get(), nodes);
        workload::finish_kernels("mis");
    } while (again.download()[0]);
    return workload::verdict(run, in_set.download() == want, "independent set");
}
