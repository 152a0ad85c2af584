// Sorting, scanning and reducing with Thrust: radix sort, decoupled look-back, occupancy queries, temporary allocations.
#include "check.h"
#include <algorithm>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
int main()
{
    const int n = 5000;
    thrust::host_vector<int> h(n), back;
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        h[i] = (int)(x >> 8) % 1000;
    }
    thrust::device_vector<int> d = h;
    int sum = 0;
    for (int v : h)
        sum += v;
    CHECK(thrust::reduce(d.begin(), d.end()) == sum);
    thrust::sort(d.begin(), d.end());
    std::sort(h.begin(), h.end());
    back = d;
    CHECK(back == h);
    thrust::inclusive_scan(d.begin(), d.end(), d.begin());
    back = d;
    CHECK(back[n - 1] == sum && back[0] == h[0]);
    d = h;
    const auto end = thrust::unique(d.begin(), d.end());
    CHECK(end - d.begin() == std::unique(h.begin(), h.end()) - h.begin());
    thrust::device_vector<int> list{ 3, 1, 2 };
    thrust::sort(list.begin(), list.end());
    const thrust::host_vector<int> in_order{ 1, 2, 3 };
    back = list;
    CHECK(back == in_order);
    list = { 7, 8 };
    CHECK(list.size() == 2 && list[1] == 8);
    return done();
}
