// nvcc: takes minutes to compile NVIDIA's own
// CUB as programs use it: reductions, scans and sorts of warps and blocks, and calls for whole arrays, against the host's own.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <vector>

enum { block = 96, items = 3 };
struct Largest {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct carry {
    int total;
    __device__ int operator()(int sum)
    {
        const int before = total;
        total += sum;
        return before;
    }
};

__global__ void of_warps(const int *in, int *out)
{
    using Reduce = cub::WarpReduce<int>;
    using Eight = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<int>;
    __shared__ typename Reduce::TempStorage a[block / 32];
    __shared__ typename Eight::TempStorage b[block / 8];
    __shared__ typename Scan::TempStorage c[block / 32];
    const int t = threadIdx.x, w = t / 32, sum = Reduce(a[w]).Sum(in[t]), most = Eight(b[t / 8]).Reduce(in[t], Largest());
    int before, all, upto;
    Scan(c[w]).ExclusiveSum(in[t], before, all);
    __syncwarp();
    Scan(c[w]).InclusiveScan(in[t], upto, Largest());
    if (t % 32 == 0)
        out[w] = sum;
    if (t % 8 == 0)
        out[10 + t / 8] = most;
    out[100 + t] = before;
    out[200 + t] = all;
    out[300 + t] = upto;
}

__global__ void of_blocks(const int *in, int *out, int valid)
{
    using Reduce = cub::BlockReduce<int, block>;
    using Scan = cub::BlockScan<int, block>;
    using Load = cub::BlockLoad<int, block, items, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, block, items, cub::BLOCK_STORE_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, block, items, int>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
    } room;
    const int t = threadIdx.x;
    int mine[items], sums[items], all, before;
    Load(room.load).Load(in, mine);
    __syncthreads();
    const int sum = Reduce(room.reduce).Sum(mine);
    __syncthreads();
    const int most = Reduce(room.reduce).Reduce(in[t], Largest(), valid);
    if (t == 0) {
        out[0] = sum;
        out[1] = most;
    }
    __syncthreads();
    Scan(room.scan).ExclusiveSum(mine, sums, all);
    __syncthreads();
    Store(room.store).Store(out + 10, sums);
    out[400 + t] = all;
    carry running = {1000};
    for (int round = 0; round < 2; round++) {
        __syncthreads();
        Scan(room.scan).ExclusiveSum(in[t], before, running);
        out[600 + round * block + t] = before;
    }
    __syncthreads();
    int tags[items];
    for (int k = 0; k < items; k++)
        tags[k] = t * items + k;
    Sort(room.sort).SortDescending(mine, tags);
    for (int k = 0; k < items; k++) {
        out[1000 + t * items + k] = mine[k];
        out[1400 + t * items + k] = tags[k];
    }
}

struct odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
template <class Call> static void twice(Call call)
{
    size_t bytes = 0;
    void *temp = nullptr;
    CALL(call(temp, bytes));
    CALL(cudaMalloc(&temp, bytes));
    CALL(call(temp, bytes));
    CALL(cudaFree(temp));
}

static void whole_arrays(int n)
{
    std::vector<int> h(n), order(n), got(n), tags(n);
    std::vector<float> f(n), sorted(n);
    for (int i = 0; i < n; i++) {
        h[i] = (int)((unsigned)i * 2654435761u >> 20) % 1000 - 300;
        f[i] = (float)h[i] * 0.25f;
        order[i] = i;
    }
    int *in = on_device(h.data(), n), *out = on_device<int>(nullptr, n + 1), *more = on_device(order.data(), n), *count = on_device<int>(nullptr, 4);
    int *unique = on_device<int>(nullptr, n);
    long long squares, *wide = on_device<long long>(nullptr, 1);
    int number;
    auto squared = thrust::make_transform_iterator(in, square());
    twice([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, squared, wide, n); });
    to_host(&squares, wide, 1);
    long long expected = 0;
    for (int x : h)
        expected += (long long)x * x;
    CHECK(squares == expected);
    twice([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, in, count, n); });
    to_host(&number, count, 1);
    CHECK(number == *std::max_element(h.begin(), h.end()));
    twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
    to_host(got.data(), out, n);
    for (int i = 0, sum = 0; i < n; sum += h[i++])
        CHECK(got[i] == sum);
    twice([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, in, out, Largest(), n); });
    to_host(got.data(), out, n);
    for (int i = 0, most = -1000; i < n; i++)
        CHECK(got[i] == (most = std::max(most, h[i])));
    twice([&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, in, out, count, n, odd()); });
    to_host(&number, count, 1);
    to_host(got.data(), out, n);
    int k = 0;
    for (int x : h)
        if (x & 1)
            CHECK(got[k++] == x);
    CHECK(k == number);
    float *keys = on_device(f.data(), n), *keys_out = on_device<float>(nullptr, n);
    twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, keys, keys_out, more, out, n); });
    to_host(sorted.data(), keys_out, n);
    to_host(tags.data(), out, n);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return f[a] < f[b]; });
    for (int i = 0; i < n; i++)
        CHECK(tags[i] == order[i] && sorted[i] == f[order[i]]);
    twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, in, out, n); });
    twice([&](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, out, unique, more, count, n); });
    to_host(&number, count, 1);
    to_host(got.data(), unique, n);
    to_host(tags.data(), more, n);
    std::sort(h.begin(), h.end(), [](int a, int b) { return b < a; });
    for (int i = 0, at = 0; i < number; at += tags[i++])
        CHECK(got[i] == h[at] && std::count(h.begin(), h.end(), got[i]) == tags[i]);
    CHECK((size_t)number == (size_t)(std::unique(h.begin(), h.end()) - h.begin()));
}

int main()
{
    const int n = block * items;
    int h[n], got[2000];
    for (int i = 0; i < n; i++)
        h[i] = (i * 37) % 101 - 20;
    int *in = on_device(h, n), *out = on_device<int>(nullptr, 2000);
    of_warps<<<1, block>>>(in, out);
    LAUNCHED();
    to_host(got, out, 2000);
    for (int t = 0, sum = 0, most = 0; t < block; t++) {
        if (t % 32 == 0)
            sum = 0, most = h[t];
        CHECK(got[100 + t] == sum);
        sum += h[t];
        most = std::max(most, h[t]);
        CHECK(got[300 + t] == most);
        if (t % 32 == 31)
            CHECK(got[t / 32] == sum && got[200 + t] == sum);
        if (t % 8 == 0)
            CHECK(got[10 + t / 8] == *std::max_element(h + t, h + t + 8));
    }
    of_blocks<<<1, block>>>(in, out, 50);
    LAUNCHED();
    to_host(got, out, 2000);
    int sum = 0, first = 0;
    for (int i = 0; i < n; i++) {
        CHECK(got[10 + i] == sum);
        sum += h[i];
    }
    CHECK(got[0] == sum && got[400] == sum && got[400 + block - 1] == sum && got[1] == *std::max_element(h, h + 50));
    for (int t = 0; t < block; t++) {
        CHECK(got[600 + t] == 1000 + first);
        first += h[t];
    }
    CHECK(got[600 + block] == 1000 + first);
    std::vector<int> order(n);
    for (int i = 0; i < n; i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[b] < h[a]; });
    for (int i = 0; i < n; i++)
        CHECK(got[1000 + i] == h[order[i]] && got[1400 + i] == order[i]);
    whole_arrays(7);
    whole_arrays(1500);
    return done();
}
