// btree - queries over a B+tree: one block per query, one thread per key of a node; the upper levels are shared by all queries.
// Two kernels, as in Rodinia: point lookups and range lookups.
#include <algorithm>

#include "common/workload.h"

enum { FANOUT = 256 }; // keys per node; a node of all-maximal keys is padding

struct Node {
    int keys[FANOUT];
    int children[FANOUT]; // inner: node index; leaf: value
};

struct Tree {
    std::vector<Node> nodes;
    int root, height; // levels below the root
};

// Level by level from sorted keys, every node full but the last.
static Tree build(const std::vector<int> &sorted)
{
    Tree tree;
    std::vector<int> low(sorted), child(sorted.size());
    for (size_t i = 0; i < sorted.size(); i++)
        child[i] = static_cast<int>(i) * 7 + 3; // the values
    tree.height = -1;
    do {
        std::vector<int> upper_low, upper_child;
        for (size_t i = 0; i < low.size(); i += FANOUT) {
            Node node;
            for (size_t k = 0; k < FANOUT; k++) {
                const bool there = i + k < low.size();
                node.keys[k] = there ? low[i + k] : INT32_MAX;
                node.children[k] = there ? child[i + k] : -1;
            }
            upper_low.push_back(low[i]);
            upper_child.push_back(static_cast<int>(tree.nodes.size()));
            tree.nodes.push_back(node);
        }
        low.swap(upper_low);
        child.swap(upper_child);
        tree.height++;
    } while (low.size() > 1);
    tree.root = child[0];
    return tree;
}

__device__ static int descend(const Node *nodes, int node, int height, int key, int *next)
{
    for (int level = 0; level < height; level++) {
        const int lower = nodes[node].keys[threadIdx.x];
        const int upper = threadIdx.x + 1 < FANOUT ? nodes[node].keys[threadIdx.x + 1] : INT32_MAX;
        if (lower <= key && key < upper)
            *next = nodes[node].children[threadIdx.x];
        __syncthreads();
        node = *next;
        __syncthreads();
    }
    return node;
}

__global__ void btree_find(const Node *nodes, int root, int height, const int *queries, int *answers)
{
    __shared__ int next;
    const int key = queries[blockIdx.x];
    if (threadIdx.x == 0)
        answers[blockIdx.x] = -1;
    const int leaf = descend(nodes, root, height, key, &next);
    if (nodes[leaf].keys[threadIdx.x] == key)
        answers[blockIdx.x] = nodes[leaf].children[threadIdx.x];
}

__global__ void btree_range(const Node *nodes, int root, int height, const int *from, const int *to, int *counts)
{
    __shared__ int next, count;
    const int low = from[blockIdx.x], high = to[blockIdx.x];
    if (threadIdx.x == 0)
        count = 0;
    const int first = descend(nodes, root, height, low, &next), last = descend(nodes, root, height, high, &next);
    __syncthreads();
    for (int leaf = first; leaf <= last; leaf++) { // leaves are neighbours in the array
        const int key = nodes[leaf].keys[threadIdx.x];
        if (key >= low && key <= high)
            atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "btree");
    const int count = workload::pick(run, 2000, 60000, 400000, 1000000), queries = workload::pick(run, 16, 900, 4000, 10000);
    workload::Rng rng(run.seed);
    std::vector<int> keys(1, 0);
    for (int i = 1; i < count; i++)
        keys.push_back(keys.back() + 1 + static_cast<int>(rng.below(5)));
    const Tree tree = build(keys);
    std::vector<int> ask(queries), low(queries), high(queries), want(queries), want_count(queries);
    for (int q = 0; q < queries; q++) {
        ask[q] = static_cast<int>(rng.below(static_cast<uint32_t>(keys.back() + 1)));
        low[q] = static_cast<int>(rng.below(static_cast<uint32_t>(keys.back() + 1)));
        high[q] = std::min(keys.back(), low[q] + static_cast<int>(rng.below(1000)));
        const auto at = std::lower_bound(keys.begin(), keys.end(), ask[q]);
        want[q] = *at == ask[q] ? static_cast<int>(at - keys.begin()) * 7 + 3 : -1;
        want_count[q] = static_cast<int>(std::upper_bound(keys.begin(), keys.end(), high[q]) - std::lower_bound(keys.begin(), keys.end(), low[q]));
    }
    workload::Buffer<Node> dn(tree.nodes);
    workload::Buffer<int> da(ask), dl(low), dh(high), found(queries), counts(queries);
    btree_find<<<queries, FANOUT>>>(dn.get(), tree.root, tree.height, da.get(), found.get());
    btree_range<<<queries, FANOUT>>>(dn.get(), tree.root, tree.height, dl.get(), dh.get(), counts.get());
    workload::finish_kernels("btree");
    return workload::verdict(run, found.download() == want && counts.download() == want_count, "lookups and ranges");
}
