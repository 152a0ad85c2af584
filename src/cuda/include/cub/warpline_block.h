/* The parts of CUB that a warp or a block works with, under its names; written anew over shuffles and shared memory. */
#ifndef WARPLINE_CUB_BLOCK_H
#define WARPLINE_CUB_BLOCK_H
#include <cuda_runtime.h>
#include <limits>
#include <type_traits>
#include <warpline_parallel.h>
#define CUB_VERSION 200200
#define CUB_PTX_ARCH 700
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CubDebugExit(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
#define CubDebug(call) (call)

namespace cub {
struct Sum { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
struct Difference { template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a - b; } };
struct Equality { template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const { return a == b; } };
struct Inequality { template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const { return a != b; } };
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
};
struct ArgMax {
    template <class K, class V> __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class K, class V> __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };

namespace warpline {
using warpline_parallel::set;
template <class T, int n> struct cells { /* n values without constructors, as shared memory wants */
    alignas(alignof(T) > 4 ? alignof(T) : 4) unsigned char bytes[n * sizeof(T)];
    __device__ T *data() { return (T *)bytes; }
};
/* The value of the lane d up (from < 0) or down, word by word. */
template <bool up, int width, class T> __device__ inline T neighbour(unsigned mask, const T &value, unsigned d)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    __builtin_memcpy(word, &value, sizeof(T));
    for (int i = 0; i < words; i++)
        word[i] = up ? __shfl_up_sync(mask, word[i], d, width) : __shfl_down_sync(mask, word[i], d, width);
    alignas(T) unsigned char bytes[sizeof(T)];
    __builtin_memcpy(bytes, word, sizeof(T));
    return *(T *)bytes;
}
template <int width> __device__ inline unsigned lane() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) & (width - 1); }
__device__ inline int rank() { return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)); }
template <int width> __device__ inline unsigned members()
{
    return width == 32 ? ~0u : ((1u << (width & 31)) - 1) << (rank() & 31 & ~(width - 1));
}
template <int width, class T, class Op> __device__ inline T warp_reduce(T x, Op op, int valid)
{
    for (int d = width / 2; d; d /= 2) {
        const T other = neighbour<false, width>(members<width>(), x, (unsigned)d);
        if ((int)lane<width>() + d < valid)
            set(&x, (T)op(x, other));
    }
    return x;
}
template <int width, class T, class Op> __device__ inline T warp_scan(T x, Op op)
{
    for (unsigned d = 1; d < width; d *= 2) {
        const T other = neighbour<true, width>(members<width>(), x, d);
        if (lane<width>() >= d)
            set(&x, (T)op(other, x));
    }
    return x;
}
template <class T, int n, class Op> __device__ inline T join(const T (&items)[n], Op op)
{
    T sum = items[0];
    for (int i = 1; i < n; i++)
        set(&sum, (T)op(sum, items[i]));
    return sum;
}
}

template <class T, int width = 32, int arch = 0> class WarpReduce {
public:
    struct TempStorage { int unused; };
    __device__ WarpReduce(TempStorage &) {}
    __device__ T Sum(T x) { return warpline::warp_reduce<width>(x, cub::Sum(), width); }
    __device__ T Sum(T x, int valid) { return warpline::warp_reduce<width>(x, cub::Sum(), valid); }
    template <class Op> __device__ T Reduce(T x, Op op) { return warpline::warp_reduce<width>(x, op, width); }
    template <class Op> __device__ T Reduce(T x, Op op, int valid) { return warpline::warp_reduce<width>(x, op, valid); }
};

template <class T, int width = 32, int arch = 0> class WarpScan {
    template <class Op> __device__ T before(T all, T init, Op op)
    {
        const T other = warpline::neighbour<true, width>(warpline::members<width>(), all, 1);
        return warpline::lane<width>() == 0 ? init : (T)op(init, other);
    }
    __device__ T last(T all) { return Broadcast(all, width - 1); }

public:
    struct TempStorage { int unused; };
    __device__ WarpScan(TempStorage &) {}
    __device__ void InclusiveSum(T x, T &out) { InclusiveScan(x, out, cub::Sum()); }
    __device__ void InclusiveSum(T x, T &out, T &sum) { InclusiveScan(x, out, cub::Sum(), sum); }
    __device__ void ExclusiveSum(T x, T &out) { ExclusiveScan(x, out, T(), cub::Sum()); }
    __device__ void ExclusiveSum(T x, T &out, T &sum) { ExclusiveScan(x, out, T(), cub::Sum(), sum); }
    template <class Op> __device__ void InclusiveScan(T x, T &out, Op op) { warpline::set(&out, warpline::warp_scan<width>(x, op)); }
    template <class Op> __device__ void InclusiveScan(T x, T &out, Op op, T &sum) { InclusiveScan(x, out, op), warpline::set(&sum, last(out)); }
    template <class Op> __device__ void ExclusiveScan(T x, T &out, T init, Op op)
    {
        warpline::set(&out, before(warpline::warp_scan<width>(x, op), init, op));
    }
    template <class Op> __device__ void ExclusiveScan(T x, T &out, T init, Op op, T &sum)
    {
        const T all = warpline::warp_scan<width>(x, op);
        warpline::set(&out, before(all, init, op));
        warpline::set(&sum, last(all));
    }
    __device__ T Broadcast(T x, unsigned from)
    {
        constexpr int words = (sizeof(T) + 3) / 4;
        unsigned word[words] = {};
        __builtin_memcpy(word, &x, sizeof(T));
        for (int i = 0; i < words; i++)
            word[i] = __shfl_sync(warpline::members<width>(), word[i], (int)from, width);
        __builtin_memcpy((void *)&x, word, sizeof(T));
        return x;
    }
};

template <class T, int bx, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int by = 1, int bz = 1, int arch = 0> class BlockReduce {
    enum { count = bx * by * bz, warps = (count + 31) / 32 };

public:
    typedef warpline::cells<T, warps> TempStorage;
    __device__ BlockReduce(TempStorage &temp) : part(temp.data()) {}
    __device__ T Sum(T x) { return Reduce(x, cub::Sum()); }
    __device__ T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    template <int n> __device__ T Sum(T (&items)[n]) { return Reduce(items, cub::Sum()); }
    template <int n, class Op> __device__ T Reduce(T (&items)[n], Op op) { return Reduce(warpline::join(items, op), op); }
    template <class Op> __device__ T Reduce(T x, Op op) { return Reduce(x, op, count); }
    template <class Op> __device__ T Reduce(T x, Op op, int valid)
    {
        const int rank = warpline::rank(), warp = rank / 32;
        T sum = warpline::warp_reduce<32>(x, op, valid - warp * 32 < 32 ? valid - warp * 32 : 32);
        if (rank % 32 == 0)
            warpline::set(&part[warp], sum);
        __syncthreads();
        if (rank == 0)
            for (int i = 1; i < warps && i * 32 < valid; i++)
                warpline::set(&sum, (T)op(sum, part[i]));
        return sum;
    }

private:
    T *part;
};

template <class T, int bx, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int by = 1, int bz = 1, int arch = 0> class BlockScan {
    enum { count = bx * by * bz, warps = (count + 31) / 32 };
    /* The sum up to here; *before: up to the thread before (not of thread 0), *all: of the block. */
    template <class Op> __device__ T scan(T x, Op op, T *before, T *all)
    {
        const int rank = warpline::rank(), warp = rank / 32;
        T sum = warpline::warp_scan<32>(x, op);
        T previous = warpline::neighbour<true, 32>(~0u, sum, 1);
        __syncthreads(); /* what an earlier scan left may still be read */
        if (rank % 32 == 31 || rank == count - 1)
            warpline::set(&part[warp], sum);
        __syncthreads();
        T prefix = part[0];
        for (int i = 1; i < warp; i++)
            warpline::set(&prefix, (T)op(prefix, part[i]));
        if (warp > 0) {
            warpline::set(&sum, (T)op(prefix, sum));
            warpline::set(&previous, rank % 32 ? (T)op(prefix, previous) : prefix);
        }
        T total = part[0];
        for (int i = 1; i < warps; i++)
            warpline::set(&total, (T)op(total, part[i]));
        warpline::set(before, previous);
        warpline::set(all, total);
        return sum;
    }
    /* What comes before the block, which the first warp's call decides. */
    template <class Callback> __device__ T prefix_of(Callback &callback, const T &all)
    {
        if (warpline::rank() < 32) {
            const T given = callback(all);
            if (warpline::rank() == 0)
                warpline::set(&part[warps], given);
        }
        __syncthreads();
        return part[warps];
    }

public:
    typedef warpline::cells<T, warps + 1> TempStorage;
    __device__ BlockScan(TempStorage &temp) : part(temp.data()) {}
    template <class Op> __device__ void InclusiveScan(T x, T &out, Op op) { T sum; InclusiveScan(x, out, op, sum); }
    template <class Op> __device__ void InclusiveScan(T x, T &out, Op op, T &all) { T before; warpline::set(&out, scan(x, op, &before, &all)); }
    template <class Op> __device__ void ExclusiveScan(T x, T &out, T init, Op op) { T sum; ExclusiveScan(x, out, init, op, sum); }
    template <class Op> __device__ void ExclusiveScan(T x, T &out, T init, Op op, T &all)
    {
        T before;
        (void)scan(x, op, &before, &all);
        warpline::set(&out, warpline::rank() == 0 ? init : (T)op(init, before));
    }
    __device__ void InclusiveSum(T x, T &out) { InclusiveScan(x, out, cub::Sum()); }
    __device__ void InclusiveSum(T x, T &out, T &all) { InclusiveScan(x, out, cub::Sum(), all); }
    __device__ void ExclusiveSum(T x, T &out) { ExclusiveScan(x, out, T(), cub::Sum()); }
    __device__ void ExclusiveSum(T x, T &out, T &all) { ExclusiveScan(x, out, T(), cub::Sum(), all); }
    template <class Callback, class = decltype(std::declval<Callback &>()(std::declval<T>()))> __device__ void ExclusiveSum(T x, T &out, Callback &callback)
    {
        T all;
        ExclusiveSum(x, out, all);
        warpline::set(&out, (T)(prefix_of(callback, all) + out));
    }
    template <class Callback, class = decltype(std::declval<Callback &>()(std::declval<T>()))> __device__ void InclusiveSum(T x, T &out, Callback &callback)
    {
        T all;
        InclusiveSum(x, out, all);
        warpline::set(&out, (T)(prefix_of(callback, all) + out));
    }
    /* Several items of each thread, in their order. */
    template <int n, class Op> __device__ void InclusiveScan(T (&x)[n], T (&out)[n], Op op, T &all)
    {
        T before;
        (void)scan(warpline::join(x, op), op, &before, &all);
        T sum = warpline::rank() == 0 ? x[0] : (T)op(before, x[0]);
        for (int i = 0; i < n; i++) {
            if (i)
                warpline::set(&sum, (T)op(sum, x[i]));
            warpline::set(&out[i], sum);
        }
    }
    template <int n, class Op> __device__ void InclusiveScan(T (&x)[n], T (&out)[n], Op op) { T all; InclusiveScan(x, out, op, all); }
    template <int n, class Op> __device__ void ExclusiveScan(T (&x)[n], T (&out)[n], T init, Op op, T &all)
    {
        T before;
        (void)scan(warpline::join(x, op), op, &before, &all);
        T sum = warpline::rank() == 0 ? init : (T)op(init, before);
        for (int i = 0; i < n; i++) {
            const T item = x[i];
            warpline::set(&out[i], sum);
            warpline::set(&sum, (T)op(sum, item));
        }
    }
    template <int n, class Op> __device__ void ExclusiveScan(T (&x)[n], T (&out)[n], T init, Op op) { T all; ExclusiveScan(x, out, init, op, all); }
    template <int n> __device__ void InclusiveSum(T (&x)[n], T (&out)[n]) { InclusiveScan(x, out, cub::Sum()); }
    template <int n> __device__ void InclusiveSum(T (&x)[n], T (&out)[n], T &all) { InclusiveScan(x, out, cub::Sum(), all); }
    template <int n> __device__ void ExclusiveSum(T (&x)[n], T (&out)[n]) { ExclusiveScan(x, out, T(), cub::Sum()); }
    template <int n> __device__ void ExclusiveSum(T (&x)[n], T (&out)[n], T &all) { ExclusiveScan(x, out, T(), cub::Sum(), all); }

private:
    T *part;
};

/* Item k of a thread: with striped orders every block-th, else k-th of its own. */
template <class T, int bx, int n, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int by = 1, int bz = 1, int arch = 0> class BlockLoad {
    __device__ static int at(int k) { return algorithm == BLOCK_LOAD_STRIPED ? warpline::rank() + k * bx * by * bz : warpline::rank() * n + k; }

public:
    struct TempStorage { int unused; };
    __device__ BlockLoad() {}
    __device__ BlockLoad(TempStorage &) {}
    template <class It> __device__ void Load(It from, T (&items)[n]) { Load(from, items, bx * by * bz * n); }
    template <class It> __device__ void Load(It from, T (&items)[n], int valid)
    {
        for (int k = 0; k < n; k++)
            if (at(k) < valid)
                warpline::set(&items[k], (T)from[at(k)]);
    }
    template <class It, class D> __device__ void Load(It from, T (&items)[n], int valid, D other)
    {
        for (int k = 0; k < n; k++)
            warpline::set(&items[k], at(k) < valid ? (T)from[at(k)] : (T)other);
    }
};
template <class T, int bx, int n, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int by = 1, int bz = 1, int arch = 0> class BlockStore {
    __device__ static int at(int k) { return algorithm == BLOCK_STORE_STRIPED ? warpline::rank() + k * bx * by * bz : warpline::rank() * n + k; }

public:
    struct TempStorage { int unused; };
    __device__ BlockStore() {}
    __device__ BlockStore(TempStorage &) {}
    template <class It> __device__ void Store(It to, T (&items)[n]) { Store(to, items, bx * by * bz * n); }
    template <class It> __device__ void Store(It to, T (&items)[n], int valid)
    {
        for (int k = 0; k < n; k++)
            if (at(k) < valid)
                to[at(k)] = items[k];
    }
};

struct NullType {};
/* Not by digits: runs are merged by rank, which gives the same order. */
template <class K, int bx, int n, class V = NullType, int bits = 4, bool memoize = true, BlockScanAlgorithm algorithm = BLOCK_SCAN_WARP_SCANS>
class BlockRadixSort {
    enum { count = bx * n };
    template <class Less> __device__ void sort(K (&keys)[n], V *values, Less less, bool striped)
    {
        K *from = key, *to = key + count;
        V *value_from = value, *value_to = value + count;
        __syncthreads();
        for (int k = 0; k < n; k++) {
            warpline::set(&from[warpline::rank() * n + k], keys[k]);
            if (values)
                warpline::set(&value_from[warpline::rank() * n + k], values[k]);
        }
        __syncthreads();
        for (size_t width = 1; width < count; width *= 2) {
            for (int k = warpline::rank(); k < count; k += bx) {
                const size_t place = warpline_parallel::merged_place(from, count, (size_t)k, width, less);
                warpline::set(&to[place], from[k]);
                if (values)
                    warpline::set(&value_to[place], value_from[k]);
            }
            __syncthreads();
            K *const other = from;
            V *const value_other = value_from;
            from = to, to = other;
            value_from = value_to, value_to = value_other;
        }
        for (int k = 0; k < n; k++) {
            const int at = striped ? warpline::rank() + k * bx : warpline::rank() * n + k;
            warpline::set(&keys[k], from[at]);
            if (values)
                warpline::set(&values[k], value_from[at]);
        }
    }
    struct up { __device__ bool operator()(const K &a, const K &b) const { return a < b; } };
    struct down { __device__ bool operator()(const K &a, const K &b) const { return b < a; } };

public:
    struct TempStorage { warpline::cells<K, 2 * count> keys; warpline::cells<V, 2 * count> values; };
    __device__ BlockRadixSort(TempStorage &temp) : key(temp.keys.data()), value(temp.values.data()) {}
    __device__ void Sort(K (&keys)[n]) { sort(keys, nullptr, up(), false); }
    __device__ void Sort(K (&keys)[n], V (&values)[n]) { sort(keys, values, up(), false); }
    __device__ void SortDescending(K (&keys)[n]) { sort(keys, nullptr, down(), false); }
    __device__ void SortDescending(K (&keys)[n], V (&values)[n]) { sort(keys, values, down(), false); }
    __device__ void SortBlockedToStriped(K (&keys)[n]) { sort(keys, nullptr, up(), true); }
    __device__ void SortBlockedToStriped(K (&keys)[n], V (&values)[n]) { sort(keys, values, up(), true); }

private:
    K *key;
    V *value;
};

template <class T, int bx, int n, bool slices = false, int by = 1, int bz = 1> class BlockExchange {
    enum { count = bx * by * bz };

public:
    typedef warpline::cells<T, count * n> TempStorage;
    __device__ BlockExchange(TempStorage &temp) : cell(temp.data()) {}
    __device__ void StripedToBlocked(T (&in)[n], T (&out)[n]) { move(in, out, true); }
    __device__ void BlockedToStriped(T (&in)[n], T (&out)[n]) { move(in, out, false); }
    __device__ void StripedToBlocked(T (&items)[n]) { move(items, items, true); }
    __device__ void BlockedToStriped(T (&items)[n]) { move(items, items, false); }

private:
    __device__ void move(T (&in)[n], T (&out)[n], bool from_striped)
    {
        __syncthreads();
        for (int k = 0; k < n; k++)
            warpline::set(&cell[from_striped ? warpline::rank() + k * count : warpline::rank() * n + k], in[k]);
        __syncthreads();
        for (int k = 0; k < n; k++)
            warpline::set(&out[k], cell[from_striped ? warpline::rank() * n + k : warpline::rank() + k * count]);
    }
    T *cell;
};
}
#endif
