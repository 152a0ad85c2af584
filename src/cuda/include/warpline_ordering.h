/* Orders of a sparse matrix's rows and columns, for cuSOLVER's sparse part (cusolverSp.h): what lies close together, and what fills in little.
 * They are permutations that do the work; they are not NVIDIA's numbers. Host code only. */
#ifndef WARPLINE_ORDERING_H
#define WARPLINE_ORDERING_H
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>
#include "bits/names_hidden.h"
namespace warpline_solver {
/* Who touches whom in the pattern of A + A', without the diagonal. */
typedef std::vector<std::vector<int>> neighbours;
inline neighbours neighbours_of(int n, int base, const int *starts, const int *columns)
{
    neighbours near((size_t)n);
    for (int i = 0; i < n; i++)
        for (int t = starts[i] - base; t < starts[i + 1] - base; t++) {
            const int j = columns[t] - base;
            if (i != j) {
                near[(size_t)i].push_back(j);
                near[(size_t)j].push_back(i);
            }
        }
    for (std::vector<int> &row : near) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return near;
}
/* Appends what can be reached from start, nearest first, and of equals those with few neighbours. Tells how many steps the last is away. */
inline int spread(const neighbours &near, int start, std::vector<int> &mark, int stamp, std::vector<int> &order)
{
    std::vector<int> steps(1, 0);
    size_t head = order.size();
    order.push_back(start);
    mark[(size_t)start] = stamp;
    for (size_t t = 0; head < order.size(); head++, t++) {
        const size_t before = order.size();
        for (const int j : near[(size_t)order[head]])
            if (mark[(size_t)j] != stamp) {
                mark[(size_t)j] = stamp;
                order.push_back(j);
                steps.push_back(steps[t] + 1);
            }
        std::stable_sort(order.begin() + (long)before, order.end(),
                         [&near](int p, int q) { return near[(size_t)p].size() < near[(size_t)q].size(); });
    }
    return steps.back();
}
/* Reverse Cuthill-McKee: each part is spread from a row at its rim, which is found by going to the far end while that is farther. */
inline std::vector<int> narrow_order(const neighbours &near)
{
    const int n = (int)near.size();
    std::vector<int> order, mark((size_t)n, 0), placed((size_t)n, 0);
    int stamp = 0;
    for (int first = 0; first < n; first++) {
        if (placed[(size_t)first])
            continue;
        std::vector<int> part;
        int far = spread(near, first, mark, ++stamp, part);
        for (;;) {
            std::vector<int> other;
            const int farther = spread(near, part.back(), mark, ++stamp, other);
            if (farther <= far)
                break;
            far = farther;
            part.swap(other);
        }
        for (const int i : part)
            placed[(size_t)i] = 1;
        order.insert(order.end(), part.begin(), part.end());
    }
    std::reverse(order.begin(), order.end());
    return order;
}
/* Minimum degree: always the row with the fewest neighbours left, which then all touch each other. */
inline std::vector<int> sparse_order(neighbours near)
{
    std::set<std::pair<size_t, int>> waiting;
    std::vector<int> order, joined;
    for (size_t i = 0; i < near.size(); i++)
        waiting.insert(std::make_pair(near[i].size(), (int)i));
    while (!waiting.empty()) {
        const int next = waiting.begin()->second;
        waiting.erase(waiting.begin());
        order.push_back(next);
        std::vector<int> around;
        around.swap(near[(size_t)next]);
        for (const int i : around) {
            std::vector<int> &row = near[(size_t)i];
            waiting.erase(std::make_pair(row.size(), i));
            joined.clear();
            std::set_union(row.begin(), row.end(), around.begin(), around.end(), std::back_inserter(joined));
            joined.erase(std::remove_if(joined.begin(), joined.end(), [i, next](int j) { return j == i || j == next; }), joined.end());
            row = joined;
            waiting.insert(std::make_pair(row.size(), i));
        }
    }
    return order;
}
inline std::vector<int> inverse_of(const std::vector<int> &order)
{
    std::vector<int> place(order.size());
    for (size_t k = 0; k < order.size(); k++)
        place[(size_t)order[k]] = (int)k;
    return place;
}
}
#include "bits/names_shown.h"
#endif
