// mst - the spanning tree of least weight, by Boruvka's algorithm (as Lonestar's): in each round every component looks for its lightest edge to another, components
// join along these, and pointer jumping finds the new ones. A node a thread, components of neighbours gathered, atomic minima.
#include "common/graph.h"

enum { THREADS = 384 };
typedef unsigned long long Edge; // weight above, number below: the smaller is the lighter, and no two are equal
static const Edge NO_EDGE = ~0ull;

__global__ void mst_clear(Edge *lightest, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes)
        lightest[v] = NO_EDGE;
}

__global__ void mst_lightest(const int *start, const int *edge, const int *name, const int *weight, const int *component, Edge *lightest, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes)
        return;
    const int mine = component[v];
    Edge best = NO_EDGE;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (component[edge[e]] != mine) {
            const Edge candidate = static_cast<Edge>(weight[e]) << 32 | static_cast<Edge>(name[e]);
            best = candidate < best ? candidate : best;
        }
    if (best != NO_EDGE)
        atomicMin(&lightest[mine], best);
}

// A component hangs itself below the one at the other end of its edge; of two that chose the same edge, the one with the smaller number stays.
__global__ void mst_join(const int *ends, const int *component, const Edge *lightest, int *parent, unsigned long long *total, int *joined, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || component[v] != v)
        return;
    parent[v] = v;
    const Edge mine = lightest[v];
    if (mine == NO_EDGE)
        return;
    const int name = static_cast<int>(mine & 0xffffffffu), a = component[ends[2 * name]], b = component[ends[2 * name + 1]], other = a == v ? b : a;
    if (lightest[other] == mine && v < other)
        return;
    parent[v] = other;
    atomicAdd(total, mine >> 32);
    *joined = 1;
}

__global__ void mst_jump(int *parent, const int *component, int *again, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || component[v] != v)
        return;
    const int above = parent[v], further = ((volatile int *)parent)[above];
    if (above != further) {
        parent[v] = further;
        *again = 1;
    }
}

__global__ void mst_rename(const int *parent, int *component, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes)
        component[v] = parent[component[v]];
}

static int root_of(std::vector<int> &parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "mst");
    const int side = workload::pick(run, 24, 96, 512, 1024), nodes = side * side;
    workload::Rng rng(run.seed);
    const workload::Graph g = workload::make_map(rng, side, side, 60);
    std::vector<int> name(g.edge.size()), weight(g.edge.size()), ends, by_weight, of_name;
    for (int v = 0; v < nodes; v++)
        for (int e = g.start[v]; e < g.start[v + 1]; e++)
            if (v < g.edge[e]) { // both directions of an edge have its name and weight
                name[e] = static_cast<int>(of_name.size());
                weight[e] = 1 + static_cast<int>(rng.below(1000));
                for (int back = g.start[g.edge[e]]; back < g.start[g.edge[e] + 1]; back++)
                    if (g.edge[back] == v) {
                        name[back] = name[e];
                        weight[back] = weight[e];
                    }
                of_name.push_back(weight[e]);
                ends.push_back(v);
                ends.push_back(g.edge[e]);
            }
    std::vector<int> alone(nodes);
    for (int v = 0; v < nodes; v++)
        alone[v] = v;
    workload::Buffer<int> start(g.start), edge(g.edge), names(name), weights(weight), both(ends), component(alone), parent(nodes), flag(1);
    workload::Buffer<Edge> lightest(nodes), total(1);
    total.zero();
    const unsigned blocks = workload::blocks_for(nodes, THREADS);
    for (int joined = 1; joined;) {
        mst_clear<<<blocks, THREADS>>>(lightest.get(), nodes);
        mst_lightest<<<blocks, THREADS>>>(start.get(), edge.get(), names.get(), weights.get(), component.get(), lightest.get(), nodes);
        flag.zero();
        mst_join<<<blocks, THREADS>>>(both.get(), component.get(), lightest.get(), parent.get(), total.get(), flag.get(), nodes);
        workload::finish_kernels("mst_join");
        joined = flag.download()[0];
        for (int again = joined; again; again = flag.download()[0]) {
            flag.zero();
            mst_jump<<<blocks, THREADS>>>(parent.get(), component.get(), flag.get(), nodes);
            workload::finish_kernels("mst_jump");
        }
        mst_rename<<<blocks, THREADS>>>(parent.get(), component.get(), nodes);
    }
    workload::finish_kernels("mst_rename");
    for (size_t i = 0; i < of_name.size(); i++)
        by_weight.push_back(static_cast<int>(i));
    std::sort(by_weight.begin(), by_weight.end(), [&](int a, int b) { return of_name[a] != of_name[b] ? of_name[a] < of_name[b] : a < b; });
    Edge want = 0;
    for (int k : by_weight) { // Kruskal's algorithm
        const int a = root_of(alone, ends[2 * k]), b = root_of(alone, ends[2 * k + 1]);
        if (a != b) {
            alone[a] = b;
            want += static_cast<Edge>(of_name[k]);
        }
    }
    const std::vector<int> found = component.download();
    bool is_one = true;
    for (int v = 0; v < nodes; v++)
        is_one = is_one && found[v] == found[0];
    return workload::verdict(run, is_one && total.download()[0] == want, "weight of the tree");
}
