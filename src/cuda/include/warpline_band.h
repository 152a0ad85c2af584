/* Factors of a sparse matrix for cuSOLVER's sparse part (cusolverSp.h). The rows and columns are brought close to the diagonal (reverse
 * Cuthill-McKee), and the band is factored as if it were full. The host goes through it alone, a block of threads together, by the same code. */
#ifndef WARPLINE_BAND_H
#define WARPLINE_BAND_H
#include <cuda_runtime.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include "warpline_ordering.h"
#include "bits/names_hidden.h"
namespace warpline_solver {
enum band_kind { band_cholesky, band_lu, band_qr };
enum { band_threads = 256 };
/* Which of the workers this is: of all, and as one of a row of 32. */
struct worker { int self, all, lane, lanes, group, groups; };
__host__ __device__ inline worker who()
{
#if defined(__CUDA_ARCH__)
    return {(int)threadIdx.x, band_threads, (int)threadIdx.x % 32, 32, (int)threadIdx.x / 32, band_threads / 32};
#else
    return {0, 1, 0, 1, 0, 1};
#endif
}
__host__ __device__ inline void meet()
{
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
}
/* Columns of a matrix that is zero further than `below` and `above` the diagonal. */
template <class T> struct band {
    T *values, *taus;
    int *pivots;
    int n, below, above;
    __host__ __device__ T &operator()(int i, int j) const { return values[(size_t)j * (size_t)(below + above + 1) + (size_t)(i - j + above)]; }
    __host__ __device__ int last(int k) const { return k + below < n ? k + below : n - 1; }
    __host__ __device__ int right(int k) const { return k + above < n ? k + above : n - 1; }
    __host__ __device__ int top(int k, int reach) const { return k > reach ? k - reach : 0; }
};
/* Tells the column that had no positive pivot, or -1. */
template <class T> __host__ __device__ int factor_cholesky(const band<T> &a)
{
    const worker w = who();
    for (int k = 0; k < a.n; k++) {
        const T pivot = a(k, k);
        if (!(pivot > 0))
            return k;
        const T root = sqrt(pivot);
        const int last = a.last(k);
        meet();
        if (w.self == 0)
            a(k, k) = root;
        for (int i = k + 1 + w.self; i <= last; i += w.all)
            a(i, k) /= root;
        meet();
        for (int j = k + 1 + w.group; j <= last; j += w.groups) {
            const T factor = a(j, k);
            for (int i = j + w.lane; i <= last; i += w.lanes)
                a(i, j) -= a(i, k) * factor;
        }
        meet();
    }
    return -1;
}
/* A reflection per column: 1 and what lies below the diagonal, and its tau. */
template <class T> __host__ __device__ void factor_qr(const band<T> &a)
{
    const worker w = who();
    for (int k = 0; k < a.n; k++) {
        const int last = a.last(k), right = a.right(k);
        T below = 0;
        for (int i = k + 1; i <= last; i++)
            below += a(i, k) * a(i, k);
        const T head = a(k, k), length = sqrt(head * head + below), beta = head > 0 ? -length : length;
        const T tau = below == 0 ? T(0) : (beta - head) / beta;
        meet();
        if (w.self == 0) {
            a.taus[k] = tau;
            a(k, k) = tau == 0 ? head : beta;
        }
        for (int i = k + 1 + w.self; tau != 0 && i <= last; i += w.all)
            a(i, k) /= head - beta;
        meet();
        for (int j = k + 1 + w.self; tau != 0 && j <= right; j += w.all) {
            T sum = a(k, j);
            for (int i = k + 1; i <= last; i++)
                sum += a(i, k) * a(i, j);
            sum *= tau;
            a(k, j) -= sum;
            for (int i = k + 1; i <= last; i++)
                a(i, j) -= a(i, k) * sum;
        }
        meet();
    }
}
/* With exchanges of rows; cuSOLVER has it on the host only. */
template <class T> inline void factor_lu(const band<T> &a)
{
    for (int k = 0; k < a.n; k++) {
        const int last = a.last(k), right = a.right(k);
        int pivot = k;
        for (int i = k + 1; i <= last; i++)
            if (std::fabs(a(i, k)) > std::fabs(a(pivot, k)))
                pivot = i;
        a.pivots[k] = pivot;
        for (int j = k; pivot != k && j <= right; j++)
            std::swap(a(k, j), a(pivot, j));
        for (int i = k + 1; a(k, k) != 0 && i <= last; i++)
            a(i, k) /= a(k, k);
        for (int j = k + 1; j <= right; j++)
            for (int i = k + 1; i <= last; i++)
                a(i, j) -= a(i, k) * a(k, j);
    }
}
template <class T> __host__ __device__ void solve_down(const band<T> &a, T *x, bool unit)
{
    const worker w = who();
    for (int k = 0; k < a.n; k++) {
        if (w.self == 0 && a.pivots && a.pivots[k] != k) {
            const T kept = x[k];
            x[k] = x[a.pivots[k]];
            x[a.pivots[k]] = kept;
        }
        if (w.self == 0 && !unit)
            x[k] /= a(k, k);
        meet();
        for (int i = k + 1 + w.self; i <= a.last(k); i += w.all)
            x[i] -= a(i, k) * x[k];
        meet();
    }
}
/* By the upper triangle, or by the lower one's transpose. */
template <class T> __host__ __device__ void solve_up(const band<T> &a, T *x, bool turned)
{
    const worker w = who();
    for (int k = a.n - 1; k >= 0; k--) {
        if (w.self == 0)
            x[k] /= a(k, k);
        meet();
        for (int i = a.top(k, turned ? a.below : a.above) + w.self; i < k; i += w.all)
            x[i] -= (turned ? a(k, i) : a(i, k)) * x[k];
        meet();
    }
}
template <class T> __host__ __device__ void reflect_all(const band<T> &a, T *x)
{
    const worker w = who();
    for (int k = 0; k < a.n; k++) {
        T sum = x[k];
        for (int i = k + 1; i <= a.last(k); i++)
            sum += a(i, k) * x[i];
        sum *= a.taus[k];
        meet();
        for (int i = k + w.self; i <= a.last(k); i += w.all)
            x[i] -= (i == k ? T(1) : a(i, k)) * sum;
        meet();
    }
}
template <class T> __host__ __device__ void solve_band(const band<T> &a, band_kind kind, T *x)
{
    if (kind == band_qr)
        reflect_all(a, x);
    else
        solve_down(a, x, kind == band_lu);
    solve_up(a, x, kind == band_cholesky);
}
/* The band's values from the matrix's: where each goes (or -1), and mu taken off the diagonal. */
template <class T> __host__ __device__ void fill_band(const band<T> &a, const T *values, const long long *where, int count, T mu)
{
    const worker w = who();
    for (int t = w.self; t < count; t += w.all)
        if (where[t] >= 0)
            a.values[where[t]] = values[t];
    meet();
    for (int i = w.self; i < a.n; i += w.all)
        a(i, i) -= mu;
}
template <class T> __host__ __device__ void gather(const T *from, T *to, const int *order, int n, bool back)
{
    const worker w = who();
    for (int k = w.self; k < n; k += w.all)
        to[back ? order[k] : k] = from[back ? k : order[k]];
    meet();
}
template <class T> __global__ void band_fill(band<T> a, const T *values, const long long *where, int count, T mu) { fill_band(a, values, where, count, mu); }
template <class T> __global__ void band_factor(band<T> a, band_kind kind, int *stopped)
{
    int at = -1;
    if (kind == band_cholesky)
        at = factor_cholesky(a);
    else
        factor_qr(a);
    if (threadIdx.x == 0)
        *stopped = at;
}
template <class T> __global__ void band_solve(band<T> a, band_kind kind, const T *b, T *room, T *x, const int *order)
{
    gather(b, room, order, a.n, false);
    solve_band(a, kind, room);
    gather(room, x, order, a.n, true);
}
}
#include "bits/names_shown.h"
#endif
