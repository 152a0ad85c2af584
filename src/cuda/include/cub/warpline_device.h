/* CUB's calls for whole arrays, under its names, by the kernels of warpline_parallel.h. They make their own memory: the temporary
 * storage that they ask for is one byte. */
#ifndef WARPLINE_CUB_DEVICE_H
#define WARPLINE_CUB_DEVICE_H
#include "warpline_block.h"
#include <iterator>

namespace cub {
/* Iterators that have no memory behind them, or change what they read. */
template <class T> struct computed_values {
    typedef T value_type;
    typedef ptrdiff_t difference_type;
    typedef T reference;
    typedef T *pointer;
    typedef std::random_access_iterator_tag iterator_category;
};
template <class T, class Offset = ptrdiff_t> class CountingInputIterator : public computed_values<T> {
    T first;

public:
    __host__ __device__ CountingInputIterator(T start) : first(start) {}
    __host__ __device__ T operator*() const { return first; }
    template <class I> __host__ __device__ T operator[](I i) const { return (T)(first + (T)i); }
    template <class I> __host__ __device__ CountingInputIterator operator+(I i) const { return CountingInputIterator((T)(first + (T)i)); }
};
template <class T, class Offset = ptrdiff_t> class ConstantInputIterator : public computed_values<T> {
    T value;

public:
    __host__ __device__ ConstantInputIterator(T v) : value(v) {}
    __host__ __device__ T operator*() const { return value; }
    template <class I> __host__ __device__ T operator[](I) const { return value; }
    template <class I> __host__ __device__ ConstantInputIterator operator+(I) const { return *this; }
};
template <class T, class Op, class It, class Offset = ptrdiff_t> class TransformInputIterator : public computed_values<T> {
    It from;
    Op op;

public:
    __host__ __device__ TransformInputIterator(It it, Op f) : from(it), op(f) {}
    __host__ __device__ T operator*() const { return (T)op(*from); }
    template <class I> __host__ __device__ T operator[](I i) const { return (T)op(from[i]); }
    template <class I> __host__ __device__ TransformInputIterator operator+(I i) const { return TransformInputIterator(from + i, op); }
};
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    __host__ __device__ DoubleBuffer(T *current, T *other) : d_buffers{current, other}, selector(0) {}
    __host__ __device__ T *Current() { return d_buffers[selector]; }
    __host__ __device__ T *Alternate() { return d_buffers[selector ^ 1]; }
};

namespace warpline {
namespace wp = warpline_parallel;
template <class It> using value_of = typename std::iterator_traits<It>::value_type;
inline bool asked(void *temp, size_t &bytes) { return temp ? false : (bytes = 1, true); }
inline cudaError_t ended() { return cudaGetLastError(); }
/* Elements of an array, for the kernels. */
template <class It> struct reads {
    It it;
    __host__ __device__ value_of<It> operator()(size_t i) const { return it[i]; }
};
template <class It> inline reads<It> of(It it) { return reads<It>{it}; }

/* Numbers whose order as unsigned ones is the keys' order. */
template <class K> struct digits {
    int first, end;
    typedef std::conditional_t<sizeof(K) == 1, unsigned char,
                               std::conditional_t<sizeof(K) == 2, unsigned short, std::conditional_t<sizeof(K) == 4, unsigned, unsigned long long>>> B;
    __host__ __device__ B operator()(const K &key) const
    {
        B b;
        __builtin_memcpy(&b, &key, sizeof b);
        const B sign = (B)((B)1 << (8 * sizeof(B) - 1));
        if (std::is_integral<K>::value)
            b = std::is_signed<K>::value ? (B)(b ^ sign) : b;
        else
            b = b & sign ? (B)~b : (B)(b ^ sign);
        b = (B)(end < (int)(8 * sizeof(B)) ? b & (((B)1 << end) - 1) : b);
        return (B)(b >> first);
    }
};
template <class K> struct before {
    digits<K> digit;
    bool down;
    __host__ __device__ bool operator()(const K &a, const K &b) const { return down ? digit(b) < digit(a) : digit(a) < digit(b); }
};
template <class K, class V> inline cudaError_t sort(const K *in, K *out, const V *values_in, V *values_out, size_t n, int first, int end, bool down,
                                                    cudaStream_t stream)
{
    if (in != out)
        (void)cudaMemcpyAsync(out, in, n * sizeof(K), cudaMemcpyDeviceToDevice, stream);
    if (values_in != values_out)
        (void)cudaMemcpyAsync(values_out, values_in, n * sizeof(V), cudaMemcpyDeviceToDevice, stream);
    wp::sort_n(wp::on_device{stream}, out, values_out, n, before<K>{{first, end}, down});
    return ended();
}
template <class In, class Out, class Op, class T> inline cudaError_t reduce(In in, Out out, size_t n, Op op, T init, bool with_init, cudaStream_t stream)
{
    const wp::on_device at{stream};
    wp::room<T> sums(at, 1);
    T *const sum = sums.data;
    if (n)
        wp::reduce_n<T>(at, n, of(in), op, sum);
    wp::for_n(at, 1, [=] __device__(size_t) { out[0] = n == 0 ? init : with_init ? (T)op(init, *sum) : *sum; });
    return ended();
}
template <class In, class Out, class Op, class T> inline cudaError_t scan(In in, Out out, size_t n, Op op, T init, bool inclusive, cudaStream_t stream)
{
    const wp::on_device at{stream};
    wp::room<T> sums(at, n);
    T *const sum = sums.data;
    wp::scan_n<T>(at, n, of(in), op, sum);
    wp::for_n(at, n, [=] __device__(size_t i) { out[i] = inclusive ? sum[i] : i ? (T)op(init, sum[i - 1]) : init; });
    return ended();
}
/* put(j, i) for the elements chosen, and their count to *count. */
template <class Flag, class Put, class Count> inline cudaError_t select(size_t n, Flag flag, Put put, Count count, cudaStream_t stream)
{
    const wp::on_device at{stream};
    wp::room<size_t> places(at, n + 1);
    size_t *const found = wp::select_n(at, places, n, flag, put);
    wp::for_n(at, 1, [=] __device__(size_t) { count[0] = (value_of<Count>)*found; });
    return ended();
}
/* Runs of equal keys: each one's first key, and what its elements sum up to. */
template <class Keys, class Unique, class Get, class Out, class Count, class Op>
inline cudaError_t runs(Keys keys, Unique unique, Get get, Out out, Count count, Op op, size_t n, cudaStream_t stream)
{
    const wp::on_device at{stream};
    wp::room<size_t> places(at, n + 1), starts(at, n + 1);
    size_t *const start = starts.data;
    size_t *const found = wp::select_n(at, places, n, [=] __device__(size_t i) { return i == 0 || !(keys[i] == keys[i - 1]); },
                                       [=] __device__(size_t j, size_t i) {
                                           start[j] = i;
                                           unique[j] = keys[i];
                                       });
    wp::for_n(at, n ? n : 1, [=] __device__(size_t j) {
        if (j == 0)
            count[0] = (value_of<Count>)*found;
        if (j >= *found)
            return;
        auto sum = get(start[j]);
        for (size_t i = start[j] + 1; i < (j + 1 < *found ? start[j + 1] : n); i++)
            sum = op(sum, get(i));
        out[j] = sum;
    });
    return ended();
}
template <class In> struct indexed {
    In in;
    typedef KeyValuePair<int, value_of<In>> value_type;
    __host__ __device__ value_type operator[](size_t i) const { return value_type{(int)i, in[i]}; }
};
}

#define WARPLINE_ASKED                    \
    if (warpline::asked(temp, bytes))     \
        return cudaSuccess;
struct DeviceReduce {
    template <class In, class Out, class N, class Op, class T>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, N n, Op op, T init, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::reduce(in, out, (size_t)n, op, init, true, stream);
    }
    template <class In, class Out, class N> static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::reduce(in, out, (size_t)n, cub::Sum(), warpline::value_of<In>(), true, stream);
    }
    template <class In, class Out, class N> static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::reduce(in, out, (size_t)n, cub::Min(), std::numeric_limits<warpline::value_of<In>>::max(), true, stream);
    }
    template <class In, class Out, class N> static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::reduce(in, out, (size_t)n, cub::Max(), std::numeric_limits<warpline::value_of<In>>::lowest(), true, stream);
    }
    template <class In, class Out, class N> static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return arg(in, out, (size_t)n, cub::ArgMin(), stream);
    }
    template <class In, class Out, class N> static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return arg(in, out, (size_t)n, cub::ArgMax(), stream);
    }
    template <class Keys, class Unique, class Values, class Out, class Count, class Op, class N>
    static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, Unique unique, Values values, Out out, Count count, Op op, N n,
                                   cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::runs(keys, unique, warpline::of(values), out, count, op, (size_t)n, stream);
    }

private:
    template <class In, class Out, class Op> static cudaError_t arg(In in, Out out, size_t n, Op op, cudaStream_t stream)
    {
        typedef typename warpline::indexed<In>::value_type P;
        const warpline_parallel::on_device at{stream};
        warpline_parallel::room<P> sums(at, 1);
        P *const sum = sums.data;
        warpline_parallel::reduce_n<P>(at, n, [in] __device__(size_t i) { return P{(int)i, in[i]}; }, op, sum);
        warpline_parallel::for_n(at, 1, [=] __device__(size_t) { out[0] = *sum; });
        return warpline::ended();
    }
};

struct DeviceScan {
    template <class In, class Out, class N> static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::scan(in, out, (size_t)n, cub::Sum(), warpline::value_of<In>(), true, stream);
    }
    template <class In, class Out, class N> static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::scan(in, out, (size_t)n, cub::Sum(), warpline::value_of<In>(), false, stream);
    }
    template <class In, class Out, class Op, class N>
    static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::scan(in, out, (size_t)n, op, warpline::value_of<In>(), true, stream);
    }
    template <class In, class Out, class Op, class T, class N>
    static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, T init, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::scan(in, out, (size_t)n, op, init, false, stream);
    }
};

struct DeviceRadixSort {
#define WARPLINE_SORT(name, pairs, down)                                                                                                          \
    template <class K, class N>                                                                                                                   \
    static cudaError_t name(void *temp, size_t &bytes, const K *in, K *out, N n, int first = 0, int end = 8 * sizeof(K), cudaStream_t s = 0, bool = false) \
    {                                                                                                                                             \
        WARPLINE_ASKED                                                                                                                            \
        return warpline::sort(in, out, (const warpline_parallel::nothing *)nullptr, (warpline_parallel::nothing *)nullptr, (size_t)n, first, end, down, s); \
    }                                                                                                                                             \
    template <class K, class N>                                                                                                                   \
    static cudaError_t name(void *temp, size_t &bytes, DoubleBuffer<K> &keys, N n, int first = 0, int end = 8 * sizeof(K), cudaStream_t s = 0, bool = false) \
    {                                                                                                                                             \
        return name(temp, bytes, (const K *)keys.Current(), keys.Current(), n, first, end, s);                                                    \
    }                                                                                                                                             \
    template <class K, class V, class N>                                                                                                          \
    static cudaError_t pairs(void *temp, size_t &bytes, const K *in, K *out, const V *values_in, V *values_out, N n, int first = 0,                \
                             int end = 8 * sizeof(K), cudaStream_t s = 0, bool = false)                                                           \
    {                                                                                                                                             \
        WARPLINE_ASKED                                                                                                                            \
        return warpline::sort(in, out, values_in, values_out, (size_t)n, first, end, down, s);                                                    \
    }                                                                                                                                             \
    template <class K, class V, class N>                                                                                                          \
    static cudaError_t pairs(void *temp, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n, int first = 0, int end = 8 * sizeof(K), \
                             cudaStream_t s = 0, bool = false)                                                                                    \
    {                                                                                                                                             \
        return pairs(temp, bytes, (const K *)keys.Current(), keys.Current(), (const V *)values.Current(), values.Current(), n, first, end, s);     \
    }
    WARPLINE_SORT(SortKeys, SortPairs, false)
    WARPLINE_SORT(SortKeysDescending, SortPairsDescending, true)
#undef WARPLINE_SORT
};

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::select((size_t)n, [=] __device__(size_t i) { return (bool)flags[i]; },
                                [=] __device__(size_t j, size_t i) { out[j] = in[i]; }, count, stream);
    }
    template <class In, class Out, class Count, class N, class Op>
    static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n, Op op, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::select((size_t)n, [=] __device__(size_t i) { return (bool)op(in[i]); },
                                [=] __device__(size_t j, size_t i) { out[j] = in[i]; }, count, stream);
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        return warpline::select((size_t)n, [=] __device__(size_t i) { return i == 0 || !(in[i] == in[i - 1]); },
                                [=] __device__(size_t j, size_t i) { out[j] = in[i]; }, count, stream);
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Counts, class Count, class N>
    static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Counts counts, Count count, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        typedef warpline::value_of<Counts> C;
        return warpline::runs(in, unique, [] __device__(size_t) { return (C)1; }, counts, count, cub::Sum(), (size_t)n, stream);
    }
};

struct DeviceHistogram {
    template <class In, class C, class L, class N>
    static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, C *counts, int levels, L low, L high, N n, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        (void)cudaMemsetAsync(counts, 0, (size_t)(levels - 1) * sizeof(C), stream);
        warpline_parallel::for_n(warpline_parallel::on_device{stream}, (size_t)n, [=] __device__(size_t i) {
            const L value = (L)in[i];
            if (value >= low && value < high)
                atomicAdd(&counts[(int)((value - low) * (L)(levels - 1) / (high - low))], (C)1);
        });
        return warpline::ended();
    }
};

/* A thread to a segment. */
struct DeviceSegmentedReduce {
    template <class In, class Out, class First, class End, class Op, class T>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, int segments, First first, End end, Op op, T init, cudaStream_t stream = 0, bool = false)
    {
        WARPLINE_ASKED
        warpline_parallel::for_n(warpline_parallel::on_device{stream}, (size_t)segments, [=] __device__(size_t s) {
            T sum = init;
            for (auto i = first[s]; i < end[s]; i++)
                sum = op(sum, (T)in[i]);
            out[s] = sum;
        });
        return warpline::ended();
    }
    template <class In, class Out, class First, class End>
    static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, int segments, First first, End end, cudaStream_t stream = 0, bool = false)
    {
        return Reduce(temp, bytes, in, out, segments, first, end, cub::Sum(), warpline::value_of<In>(), stream);
    }
    template <class In, class Out, class First, class End>
    static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, int segments, First first, End end, cudaStream_t stream = 0, bool = false)
    {
        return Reduce(temp, bytes, in, out, segments, first, end, cub::Max(), std::numeric_limits<warpline::value_of<In>>::lowest(), stream);
    }
    template <class In, class Out, class First, class End>
    static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, int segments, First first, End end, cudaStream_t stream = 0, bool = false)
    {
        return Reduce(temp, bytes, in, out, segments, first, end, cub::Min(), std::numeric_limits<warpline::value_of<In>>::max(), stream);
    }
};
#undef WARPLINE_ASKED
}
#endif
