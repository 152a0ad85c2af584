/* Sparse matrices for cuSPARSE, by simple kernels of our own: rows by groups of lanes, triangles row after row. The results are right to
 * rounding; the kernels, and so the time, are not NVIDIA's. */
#ifndef WARPLINE_SPARSE_H
#define WARPLINE_SPARSE_H
#include <warpline_gemm.h>

namespace warpline_sparse {
namespace wp = warpline_parallel;
using warpline_blas::as;
using warpline_blas::conjugate;
using warpline_blas::factor;
using warpline_blas::is_complex;
using warpline_blas::is_zero;
using warpline_blas::negative;
using warpline_blas::over;
using warpline_blas::plus;
using warpline_blas::times;

/* Indices of 32 or 64 bits. */
struct indices {
    const void *at;
    bool wide;
    __host__ __device__ long long operator[](long long i) const { return wide ? ((const long long *)at)[i] : ((const int *)at)[i]; }
    __host__ __device__ void set(long long i, long long value) const
    {
        if (wide)
            ((long long *)at)[i] = value;
        else
            ((int *)at)[i] = (int)value;
    }
};
/* The first of n sorted numbers that is at least `value`. */
__device__ inline long long first_at_least(indices list, long long n, long long value)
{
    long long low = 0;
    while (n > 0) {
        const long long half = n / 2;
        if (list[low + half] < value) {
            low += half + 1;
            n -= half + 1;
        } else
            n = half;
    }
    return low;
}
/* Elements line after line: by offsets (CSR; CSC, whose lines are columns) or by each element's line, sorted (COO). */
struct lines {
    indices starts, across;
    long long count, across_count, nnz, base;
    bool listed; /* COO */
    __device__ long long begin(long long line) const { return listed ? first_at_least(starts, nnz, line + base) : starts[line] - base; }
    __device__ long long end(long long line) const { return listed ? first_at_least(starts, nnz, line + 1 + base) : starts[line + 1] - base; }
    __device__ long long column(long long i) const { return across[i] - base; }
    /* The line of element i. */
    __device__ long long line_of(long long i) const
    {
        return listed ? starts[i] - base : first_at_least(indices{starts.wide ? (const void *)((const long long *)starts.at + 1) : (const void *)((const int *)starts.at + 1), starts.wide},
                                                          count, i + base + 1);
    }
};
/* A dense matrix; a vector is one with a column. */
template <class T> struct dense {
    T *at;
    long long down, right;
    __device__ T &operator()(long long row, long long column) const { return at[row * down + column * right]; }
};
template <class T> __device__ inline T moved(T v, int distance) { return __shfl_xor_sync(0xffffffffu, v, distance); }
__device__ inline float2 moved(float2 v, int d) { return make_float2(moved(v.x, d), moved(v.y, d)); }
__device__ inline double2 moved(double2 v, int d) { return make_double2(moved(v.x, d), moved(v.y, d)); }
template <class T> __device__ inline void add_to(T *to, T v) { atomicAdd(to, v); }
__device__ inline void add_to(float2 *to, float2 v) { atomicAdd(&to->x, v.x), atomicAdd(&to->y, v.y); }
__device__ inline void add_to(double2 *to, double2 v) { atomicAdd(&to->x, v.x), atomicAdd(&to->y, v.y); }

template <class F> inline bool each(cudaStream_t stream, long long n, F f)
{
    wp::for_n(wp::on_device{stream}, (size_t)(n > 0 ? n : 0), f);
    return cudaGetLastError() == cudaSuccess;
}
/* y = alpha a x + beta y; `lanes` (a power of two, up to 32) share a row. */
template <class A, class Y, class S>
__global__ void times_vector(lines m, const A *values, const A *x, Y *y, factor<S> known_alpha, factor<S> known_beta, int lanes)
{
    const S alpha = known_alpha.get(), beta = known_beta.get();
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, row = thread / lanes;
    S sum = as<S>::of(0);
    if (row < m.count)
        for (long long i = m.begin(row) + thread % lanes, end = m.end(row); i < end; i += lanes)
            sum = plus(sum, times(as<S>::of(values[i]), as<S>::of(x[m.column(i)])));
    for (int d = lanes / 2; d; d /= 2)
        sum = plus(sum, moved(sum, d));
    if (row < m.count && thread % lanes == 0)
        y[row] = as<Y>::of(is_zero(beta) ? times(alpha, sum) : plus(times(alpha, sum), times(beta, as<S>::of(y[row]))));
}
template <class A, class Y, class S>
inline bool by_vector(cudaStream_t stream, lines m, const A *values, const A *x, Y *y, factor<S> alpha, factor<S> beta)
{
    int lanes = 1;
    while (lanes < 32 && m.count && m.nnz / m.count > lanes)
        lanes *= 2;
    if (m.count)
        times_vector<A, Y, S><<<(unsigned)((m.count * lanes + 127) / 128), 128, 0, stream>>>(m, values, x, y, alpha, beta, lanes);
    return cudaGetLastError() == cudaSuccess;
}
/* c = alpha a b + beta c, one thread for each element of c. */
template <class A, class C, class S>
inline bool by_matrix(cudaStream_t stream, lines m, const A *values, dense<const A> b, bool conjugated_b, dense<C> c, long long columns, S alpha, S beta)
{
    return each(stream, m.count * columns, [=] __device__(size_t t) {
        const long long row = (long long)t / columns, column = (long long)t % columns;
        S sum = as<S>::of(0);
        for (long long i = m.begin(row), end = m.end(row); i < end; i++) {
            const S v = as<S>::of(b(m.column(i), column));
            sum = plus(sum, times(as<S>::of(values[i]), conjugated_b ? conjugate(v) : v));
        }
        c(row, column) = as<C>::of(is_zero(beta) ? times(alpha, sum) : plus(times(alpha, sum), times(beta, as<S>::of(c(row, column)))));
    });
}
/* c = alpha a^T b + beta c: each line is spread over c by atomics. */
template <class A, class S>
inline bool by_turned(cudaStream_t stream, lines m, const A *values, bool conjugated, dense<const A> b, bool conjugated_b, dense<S> c, long long columns, S alpha, S beta)
{
    const bool scaled = each(stream, m.across_count * columns, [=] __device__(size_t t) {
        S &v = c((long long)t / columns, (long long)t % columns);
        v = is_zero(beta) ? as<S>::of(0) : times(beta, v);
    });
    return scaled && each(stream, m.count * columns, [=] __device__(size_t t) {
        const long long row = (long long)t / columns, column = (long long)t % columns;
        const S from = as<S>::of(b(row, column)), v = times(alpha, conjugated_b ? conjugate(from) : from);
        for (long long i = m.begin(row), end = m.end(row); i < end; i++) {
            const S a = as<S>::of(values[i]);
            add_to(&c(m.column(i), column), times(conjugated ? conjugate(a) : a, v));
        }
    });
}
/* Which half of the matrix counts, and whether its diagonal is all ones. */
struct triangle { bool upper, unit; };
/* op(a) x = alpha b, a triangle. A warp solves one column of b, row after row; its lanes share a row. */
template <class T>
__global__ void solve_rows(lines m, const T *values, triangle t, dense<const T> b, dense<T> x, T alpha)
{
    const long long column = blockIdx.x;
    for (long long s = 0; s < m.count; s++) {
        const long long row = t.upper ? m.count - 1 - s : s;
        T sum = as<T>::of(0), diagonal = as<T>::of(t.unit ? 1 : 0);
        for (long long i = m.begin(row) + threadIdx.x, end = m.end(row); i < end; i += 32) {
            const long long other = m.column(i);
            if (other == row && !t.unit)
                diagonal = values[i];
            if (t.upper ? other > row : other < row)
                sum = plus(sum, times(values[i], x(other, column)));
        }
        for (int d = 16; d; d /= 2) {
            sum = plus(sum, moved(sum, d));
            if (!t.unit)
                diagonal = plus(diagonal, moved(diagonal, d)); /* one lane has it */
        }
        if (threadIdx.x == 0)
            x(row, column) = over(plus(times(alpha, b(row, column)), negative(sum)), diagonal);
        __syncwarp();
        __threadfence_block();
    }
}
/* The same for op(a) = a^T: once x(row) is known, its row of a is taken from those that are not. */
template <class T>
__global__ void solve_turned(lines m, const T *values, triangle t, bool conjugated, dense<const T> b, dense<T> x, T alpha)
{
    const long long column = blockIdx.x;
    for (long long row = threadIdx.x; row < m.count; row += 32)
        x(row, column) = times(alpha, b(row, column));
    __syncwarp();
    for (long long s = 0; s < m.count; s++) {
        const long long row = t.upper ? s : m.count - 1 - s; /* turned, an upper triangle is a lower one */
        const long long begin = m.begin(row), end = m.end(row);
        for (long long i = begin; !t.unit && i < end; i++)
            if (m.column(i) == row && threadIdx.x == 0)
                x(row, column) = over(x(row, column), conjugated ? conjugate(values[i]) : values[i]);
        __syncwarp();
        const T known = x(row, column);
        for (long long i = begin + threadIdx.x; i < end; i += 32) {
            const long long other = m.column(i);
            if (t.upper ? other > row : other < row)
                x(other, column) = plus(x(other, column), negative(times(conjugated ? conjugate(values[i]) : values[i], known)));
        }
        __syncwarp();
    }
}
/* The incomplete factors of a matrix in its own pattern (ILU(0)), by one warp: rows in turn, a row's later elements by lanes. */
template <class T> __global__ void factor_rows(lines m, T *values, int *zero_pivot)
{
    for (long long row = 0; row < m.count; row++) {
        const long long begin = m.begin(row), end = m.end(row);
        for (long long i = begin; i < end && m.column(i) < row; i++) {
            const long long k = m.column(i), k_end = m.end(k);
            long long diagonal = m.begin(k);
            while (diagonal < k_end && m.column(diagonal) != k)
                diagonal++;
            if (diagonal == k_end || is_zero(values[diagonal]))
                continue; /* told when row k was made */
            if (threadIdx.x == 0)
                values[i] = over(values[i], values[diagonal]);
            __syncwarp();
            const T factor = values[i];
            for (long long j = i + 1 + threadIdx.x; j < end; j += 32)
                for (long long q = diagonal + 1; q < k_end; q++)
                    if (m.column(q) == m.column(j))
                        values[j] = plus(values[j], negative(times(factor, values[q])));
            __syncwarp();
        }
        if (threadIdx.x == 0 && *zero_pivot < 0) { /* also one that no later row divides by */
            long long own = begin;
            while (own < end && m.column(own) != row)
                own++;
            if (own == end || is_zero(values[own]))
                *zero_pivot = (int)(row + m.base);
        }
        __syncwarp();
    }
}
/* From counts per line to where lines start. */
inline bool sum_up(cudaStream_t stream, indices counts, long long n, long long base, long long *total)
{
    long long *sum = nullptr;
    if (cudaMalloc((void **)&sum, sizeof *sum) != cudaSuccess)
        return false;
    const bool ok = each(stream, 1, [=] __device__(size_t) {
        long long before = base;
        for (long long i = 0; i < n; i++) {
            const long long here = counts[i];
            counts.set(i, before);
            before += here;
        }
        counts.set(n, before);
        *sum = before - base;
    });
    *total = ok ? wp::fetch(wp::on_device{stream}, sum) : 0;
    (void)cudaFree(sum);
    return ok;
}
}
#endif
