/* What our CUB and Thrust are made of: loops, reductions, scans and sorts over n elements, on the device by simple kernels of our own
 * or on the host. Values are what the libraries give; the kernels, and so the time, are not NVIDIA's.
 *
 * `get(i)` gives an element, `put(i, value)` takes one. Reductions may take elements in any order, scans and sorts keep it. */
#ifndef WARPLINE_PARALLEL_H
#define WARPLINE_PARALLEL_H
#include <algorithm>
#include <cuda_runtime.h>
#include <iterator>
#include <new>
#include <stddef.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline_parallel {
struct on_device { cudaStream_t stream; };
struct on_host {};
enum { threads = 256 };

/* Also types whose assignment the device does not have, such as tuples. */
template <class T> __host__ __device__ inline void set(T *to, const T &value) { ::new ((void *)to) T(value); }

/* Memory for results on the way, in the kernels' order since launches do not overlap. */
template <class T> struct room {
    T *data;
    bool on_host_side;
    room(on_device, size_t n) : data(nullptr), on_host_side(false) { (void)::cudaMalloc((void **)&data, (n ? n : 1) * sizeof(T)); }
    room(on_host, size_t n) : data((T *)malloc((n ? n : 1) * sizeof(T))), on_host_side(true) {}
    room(const room &) = delete;
    ~room()
    {
        if (on_host_side)
            free((void *)data);
        else
            (void)::cudaFree((void *)data);
    }
};
template <class T> inline T fetch(on_device at, const T *p)
{
    alignas(T) unsigned char bytes[sizeof(T)];
    (void)::cudaMemcpyAsync(bytes, p, sizeof(T), cudaMemcpyDeviceToHost, at.stream);
    (void)::cudaStreamSynchronize(at.stream);
    return *(const T *)bytes;
}
template <class T> inline T fetch(on_host, const T *p) { return *p; }

template <class T> struct reads_memory {
    const T *p;
    __host__ __device__ T operator()(size_t i) const { return p[i]; }
};

template <class F> __global__ void each_kernel(size_t n, F f)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <class F> inline void for_n(on_device at, size_t n, F f)
{
    if (n)
        each_kernel<<<(unsigned)((n + threads - 1) / threads), threads, 0, at.stream>>>(n, f);
}
template <class F> inline void for_n(on_host, size_t n, F f)
{
    for (size_t i = 0; i < n; i++)
        f(i);
}

/* Each block's threads stride over the elements; those that have one are the first `m` of the block. */
template <class T, class Get, class Op> __global__ void reduce_kernel(size_t n, Get get, Op op, T *out)
{
    __shared__ __align__(16) unsigned char bytes[threads * sizeof(T)];
    T *part = (T *)bytes;
    const size_t first = blockIdx.x * (size_t)threads, i = first + threadIdx.x, m = n - first < threads ? n - first : threads;
    if (i < n) {
        T sum = get(i);
        for (size_t k = i + gridDim.x * (size_t)threads; k < n; k += gridDim.x * (size_t)threads)
            set(&sum, (T)op(sum, (T)get(k)));
        set(&part[threadIdx.x], sum);
    }
    __syncthreads();
    for (unsigned s = threads / 2; s; s /= 2) {
        if (threadIdx.x < s && threadIdx.x + s < m)
            set(&part[threadIdx.x], (T)op(part[threadIdx.x], part[threadIdx.x + s]));
        __syncthreads();
    }
    if (threadIdx.x == 0)
        set(&out[blockIdx.x], part[0]);
}
/* The sum of n > 0 elements to *out, in the memory of that side. */
template <class T, class Get, class Op> inline void reduce_n(on_device at, size_t n, Get get, Op op, T *out)
{
    const size_t most = 240, needed = (n + threads - 1) / threads, blocks = needed < most ? needed : most;
    room<T> parts(at, blocks);
    T *const part = parts.data;
    reduce_kernel<T><<<(unsigned)blocks, threads, 0, at.stream>>>(n, get, op, part);
    reduce_kernel<T><<<1, threads, 0, at.stream>>>(blocks, reads_memory<T>{part}, op, out);
}
template <class T, class Get, class Op> inline void reduce_n(on_host, size_t n, Get get, Op op, T *out)
{
    T sum = get(0);
    for (size_t i = 1; i < n; i++)
        set(&sum, (T)op(sum, (T)get(i)));
    set(out, sum);
}

/* A tile's sums of its first elements, and its sum. */
template <class T, class Get, class Op> __global__ void scan_kernel(size_t n, Get get, Op op, T *out, T *totals)
{
    __shared__ __align__(16) unsigned char bytes[2 * threads * sizeof(T)];
    T *from = (T *)bytes, *to = from + threads;
    const size_t first = blockIdx.x * (size_t)threads, i = first + threadIdx.x, m = n - first < threads ? n - first : threads;
    if (i < n)
        set(&from[threadIdx.x], (T)get(i));
    __syncthreads();
    for (unsigned d = 1; d < threads; d *= 2) {
        if (threadIdx.x < m)
            set(&to[threadIdx.x], threadIdx.x >= d ? (T)op(from[threadIdx.x - d], from[threadIdx.x]) : from[threadIdx.x]);
        T *const other = from;
        from = to;
        to = other;
        __syncthreads();
    }
    if (i < n)
        set(&out[i], from[threadIdx.x]);
    if (threadIdx.x == m - 1)
        set(&totals[blockIdx.x], from[threadIdx.x]);
}
/* out[i] = get(0) op ... op get(i). `out` may be where get() reads. */
template <class T, class Get, class Op> inline void scan_n(on_device at, size_t n, Get get, Op op, T *out)
{
    if (n == 0)
        return;
    const size_t tiles = (n + threads - 1) / threads;
    room<T> totals(at, tiles);
    T *const total = totals.data;
    scan_kernel<T><<<(unsigned)tiles, threads, 0, at.stream>>>(n, get, op, out, total);
    if (tiles == 1)
        return;
    scan_n<T>(at, tiles, reads_memory<T>{total}, op, total);
    for_n(at, n - threads, [total, out, op] __host__ __device__(size_t i) mutable { set(&out[i + threads], (T)op(total[i / threads], out[i + threads])); });
}
template <class T, class Get, class Op> inline void scan_n(on_host, size_t n, Get get, Op op, T *out)
{
    for (size_t i = 0; i < n; i++)
        set(&out[i], i ? (T)op(out[i - 1], (T)get(i)) : (T)get(i));
}

/* Where an element goes when its run of `width` is merged with the neighbour: its place in its own run, and how many of the other's go
 * before it. Equal ones of the left run go first, so that the order stays. */
template <class K, class Less> __host__ __device__ inline size_t merged_place(const K *keys, size_t n, size_t i, size_t width, Less less)
{
    const size_t left = i / (2 * width) * (2 * width), right = left + width < n ? left + width : n;
    const bool in_left = i < right;
    size_t low = in_left ? right : left, high = in_left ? (left + 2 * width < n ? left + 2 * width : n) : right;
    const size_t start = low;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (in_left ? (bool)less(keys[middle], keys[i]) : !(bool)less(keys[i], keys[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return left + (i - (in_left ? left : right)) + (low - start);
}
struct nothing {};
/* Sorts a tile in shared memory; ends in `keys` and `values`. */
template <class K, class V, class Less> __global__ void sort_kernel(K *keys, V *values, size_t n, Less less)
{
    __shared__ __align__(16) unsigned char key_bytes[2 * threads * sizeof(K)];
    __shared__ __align__(16) unsigned char value_bytes[2 * threads * sizeof(V)];
    K *from = (K *)key_bytes, *to = from + threads;
    V *value_from = (V *)value_bytes, *value_to = value_from + threads;
    const size_t first = blockIdx.x * (size_t)threads, m = n - first < threads ? n - first : threads, t = threadIdx.x;
    if (t < m) {
        set(&from[t], keys[first + t]);
        if (!std::is_same<V, nothing>::value)
            set(&value_from[t], values[first + t]);
    }
    __syncthreads();
    for (size_t width = 1; width < threads; width *= 2) {
        if (t < m) {
            const size_t place = merged_place(from, m, t, width, less);
            set(&to[place], from[t]);
            set(&value_to[place], value_from[t]);
        }
        __syncthreads();
        K *const other = from;
        V *const value_other = value_from;
        from = to, to = other;
        value_from = value_to, value_to = value_other;
    }
    if (t < m) {
        set(&keys[first + t], from[t]);
        if (!std::is_same<V, nothing>::value)
            set(&values[first + t], value_from[t]);
    }
}
/* Sorts keys, and values with them (V nothing: none), keeping the order of equal keys. */
template <class K, class V, class Less> inline void sort_n(on_device at, K *keys, V *values, size_t n, Less less)
{
    const bool with = !std::is_same<V, nothing>::value;
    if (n < 2)
        return;
    sort_kernel<<<(unsigned)((n + threads - 1) / threads), threads, 0, at.stream>>>(keys, values, n, less);
    room<K> other_keys(at, n);
    room<V> other_values(at, with ? n : 1);
    K *from = keys, *to = other_keys.data;
    V *value_from = values, *value_to = other_values.data;
    for (size_t width = threads; width < n; width *= 2) {
        for_n(at, n, [=] __host__ __device__(size_t i) {
            const size_t place = merged_place(from, n, i, width, less);
            set(&to[place], from[i]);
            if (with)
                set(&value_to[place], value_from[i]);
        });
        std::swap(from, to);
        std::swap(value_from, value_to);
    }
    if (from == keys)
        return;
    (void)::cudaMemcpyAsync((void *)keys, (const void *)from, n * sizeof(K), cudaMemcpyDeviceToDevice, at.stream);
    if (with)
        (void)::cudaMemcpyAsync((void *)values, (const void *)value_from, n * sizeof(V), cudaMemcpyDeviceToDevice, at.stream);
}
template <class K, class V, class Less> inline void sort_n(on_host, K *keys, V *values, size_t n, Less less)
{
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(keys[a], keys[b]); });
    const std::vector<K> kept(keys, keys + n);
    std::vector<V> kept_values;
    if (!std::is_same<V, nothing>::value)
        kept_values.assign(values, values + n);
    for (size_t i = 0; i < n; i++) {
        set(&keys[i], kept[order[i]]);
        if (!std::is_same<V, nothing>::value)
            set(&values[i], kept_values[order[i]]);
    }
}

/* Elements of which flag(i) holds go to put(j, i) in their order; how many there are, at the returned place. */
template <class At, class Flag, class Put> inline size_t *select_n(At at, room<size_t> &places, size_t n, Flag flag, Put put)
{
    size_t *const place = places.data; /* n + 1 of them, the last one the count */
    scan_n<size_t>(at, n, [flag] __host__ __device__(size_t i) mutable { return (size_t)(flag(i) ? 1 : 0); },
                   [] __host__ __device__(size_t a, size_t b) { return a + b; }, place);
    for_n(at, n ? n : 1, [=] __host__ __device__(size_t i) mutable {
        if (i < n && place[i] != (i ? place[i - 1] : 0))
            put(place[i] - 1, i);
        if (i + 1 >= n)
            place[n] = n ? place[n - 1] : 0;
    });
    return &place[n];
}
}
#endif
