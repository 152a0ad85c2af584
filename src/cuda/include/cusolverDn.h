/* The part of cuSOLVER for dense matrices that programs use most, in float and double: factors of Cholesky, LU with row exchanges and QR, and
 * what solves with them; singular values and eigenvalues also of complex matrices. One block of threads works through the columns: the results are right to rounding, the time is not NVIDIA's. */
#ifndef WARPLINE_CUSOLVER_DN_H
#define WARPLINE_CUSOLVER_DN_H
#define CUSOLVERDN_H_
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cusolver_common.h>
#if defined(__CUDACC__)
#include <warpline_svd.h>
#endif
#include "bits/names_hidden.h"

typedef struct cusolverDnContext { cudaStream_t stream; } *cusolverDnHandle_t;
#if !defined(__CUDACC__) || defined(WARPLINE_SOLVER_LIBRARY)
/* As cuSPARSE's (cusparse.h): host code of another compiler links with libcusolver.a. */
#define CALL WARPLINE_SOLVER_SYMBOL
#include "bits/cusolver_calls.h"
#undef CALL
#endif
#if defined(__CUDACC__)
WARPLINE_SOLVER_CALL cusolverDnCreate(cusolverDnHandle_t *h) { return *h = new cusolverDnContext(), CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverDnDestroy(cusolverDnHandle_t h) { return delete h, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t s) { return h->stream = s, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverDnGetStream(cusolverDnHandle_t h, cudaStream_t *s) { return *s = h->stream, CUSOLVER_STATUS_SUCCESS; }

namespace warpline_solver {
enum { threads = 256 };
inline cusolverStatus_t ended() { return cudaGetLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED; }
/* Element (row, column) of a lower triangle, or of an upper one seen from its other side. */
template <class T> struct triangle {
    T *at;
    int ld;
    bool upper;
    __device__ T &operator()(int row, int column) const { return upper ? at[column + (size_t)row * ld] : at[row + (size_t)column * ld]; }
};
template <class T> __global__ void cholesky(triangle<T> a, int n, int *info)
{
    __shared__ bool stop;
    if (threadIdx.x == 0) {
        stop = false;
        *info = 0;
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) {
            stop = !(a(k, k) > 0);
            if (stop)
                *info = k + 1;
            else
                a(k, k) = sqrt(a(k, k));
        }
        __syncthreads();
        if (stop)
            return;
        for (int i = k + 1 + threadIdx.x; i < n; i += threads)
            a(i, k) /= a(k, k);
        __syncthreads();
        const int left = n - k - 1;
        for (long long t = threadIdx.x; t < (long long)left * left; t += threads) {
            const int i = k + 1 + (int)(t % left), j = k + 1 + (int)(t / left);
            if (j <= i)
                a(i, j) -= a(i, k) * a(j, k);
        }
        __syncthreads();
    }
}
/* x = inv(l) x, or inv(l') x; a block for each column of x. */
template <class T> __device__ inline void solve_lower(triangle<const T> l, int n, T *x, bool turned, bool unit)
{
    for (int step = 0; step < n; step++) {
        const int k = turned ? n - 1 - step : step;
        if (threadIdx.x == 0 && !unit)
            x[k] /= l(k, k);
        __syncthreads();
        for (int i = (turned ? 0 : k + 1) + threadIdx.x; i < (turned ? k : n); i += threads)
            x[i] -= (turned ? l(k, i) : l(i, k)) * x[k];
        __syncthreads();
    }
}
template <class T> __global__ void solve_cholesky(triangle<const T> a, int n, T *b, int ldb, int *info)
{
    T *const x = b + (size_t)blockIdx.x * ldb;
    *info = 0;
    solve_lower<T>(a, n, x, false, false);
    solve_lower<T>(a, n, x, true, false);
}
template <class T> __global__ void lower_upper(T *a, int m, int n, int lda, int *pivots, int *info)
{
    __shared__ int pivot;
    if (threadIdx.x == 0)
        *info = 0;
    for (int k = 0; k < (m < n ? m : n); k++) {
        if (threadIdx.x == 0) {
            pivot = k;
            for (int i = k + 1; pivots && i < m; i++)
                if (fabs(a[i + (size_t)k * lda]) > fabs(a[pivot + (size_t)k * lda]))
                    pivot = i;
            if (pivots)
                pivots[k] = pivot + 1;
            if (a[pivot + (size_t)k * lda] == 0 && *info == 0)
                *info = k + 1;
        }
        __syncthreads();
        for (int j = threadIdx.x; pivot != k && j < n; j += threads) {
            const T t = a[k + (size_t)j * lda];
            a[k + (size_t)j * lda] = a[pivot + (size_t)j * lda];
            a[pivot + (size_t)j * lda] = t;
        }
        __syncthreads();
        const T d = a[k + (size_t)k * lda];
        for (int i = k + 1 + threadIdx.x; d != 0 && i < m; i += threads)
            a[i + (size_t)k * lda] /= d;
        __syncthreads();
        for (long long t = threadIdx.x; t < (long long)(m - k - 1) * (n - k - 1); t += threads) {
            const int i = k + 1 + (int)(t % (m - k - 1)), j = k + 1 + (int)(t / (m - k - 1));
            a[i + (size_t)j * lda] -= a[i + (size_t)k * lda] * a[k + (size_t)j * lda];
        }
        __syncthreads();
    }
}
template <class T> __device__ inline void exchange(T *x, int n, const int *pivots, bool back)
{
    if (threadIdx.x == 0)
        for (int s = 0; pivots && s < n; s++) {
            const int k = back ? n - 1 - s : s, other = pivots[k] - 1;
            const T t = x[k];
            x[k] = x[other];
            x[other] = t;
        }
    __syncthreads();
}
template <class T> __global__ void solve_lower_upper(const T *a, int lda, int n, const int *pivots, T *b, int ldb, bool turned, int *info)
{
    T *const x = b + (size_t)blockIdx.x * ldb;
    *info = 0;
    const triangle<const T> lower = {a, lda, false}, upper = {a, lda, true}; /* the upper one is the other's transpose */
    if (!turned)
        exchange(x, n, pivots, false);
    solve_lower<T>(turned ? upper : lower, n, x, false, !turned);
    solve_lower<T>(turned ? lower : upper, n, x, true, turned);
    if (turned)
        exchange(x, n, pivots, true);
}
/* Sums over the block; all threads get it. */
template <class T> __device__ inline T block_sum(T v)
{
    __shared__ T parts[threads];
    parts[threadIdx.x] = v;
    __syncthreads();
    for (int d = threads / 2; d; d /= 2) {
        if ((int)threadIdx.x < d)
            parts[threadIdx.x] += parts[threadIdx.x + d];
        __syncthreads();
    }
    const T sum = parts[0];
    __syncthreads();
    return sum;
}
/* c = (1 - tau v v') c for columns [first, last); v is 1 and what lies below the diagonal of column k. */
template <class T> __device__ inline void reflect(const T *v, int k, int m, T tau, T *c, int ldc, int first, int last)
{
    for (int j = first; j < last; j++) {
        T *const x = c + (size_t)j * ldc;
        T part = 0;
        for (int i = k + threadIdx.x; i < m; i += threads)
            part += (i == k ? T(1) : v[i]) * x[i];
        const T w = tau * block_sum(part);
        for (int i = k + threadIdx.x; i < m; i += threads)
            x[i] -= (i == k ? T(1) : v[i]) * w;
        __syncthreads();
    }
}
template <class T> __global__ void reflections(T *a, int m, int n, int lda, T *taus, int *info)
{
    if (threadIdx.x == 0)
        *info = 0;
    for (int k = 0; k < (m < n ? m : n); k++) {
        T *const v = a + (size_t)k * lda;
        T part = 0;
        for (int i = k + 1 + threadIdx.x; i < m; i += threads)
            part += v[i] * v[i];
        const T below = block_sum(part), head = v[k], length = sqrt(head * head + below), beta = head > 0 ? -length : length;
        const T tau = below == 0 ? T(0) : (beta - head) / beta;
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; tau != 0 && i < m; i += threads)
            v[i] /= head - beta;
        if (threadIdx.x == 0) {
            taus[k] = tau;
            if (tau != 0)
                v[k] = beta;
        }
        __syncthreads();
        reflect(v, k, m, tau, a, lda, k + 1, n);
    }
}
/* c = q c or q' c, where q is the product of k reflections; a block for each column. */
template <class T> __global__ void apply_reflections(const T *a, int lda, const T *taus, int k, int m, T *c, int ldc, bool turned, int *info)
{
    *info = 0;
    for (int s = 0; s < k; s++) {
        const int r = turned ? s : k - 1 - s;
        reflect(a + (size_t)r * lda, r, m, taus[r], c, ldc, (int)blockIdx.x, (int)blockIdx.x + 1);
    }
}
}

#define WARPLINE_SOLVER(S, T)                                                                                                                  \
    WARPLINE_SOLVER_CALL cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, int *size)                       \
    { return *size = 1, CUSOLVER_STATUS_SUCCESS; }                                                                                             \
    WARPLINE_SOLVER_CALL cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T *a, int lda, T *, int, int *info)          \
    {                                                                                                                                          \
        if (n < 0 || lda < n)                                                                                                                  \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                                                              \
        warpline_solver::cholesky<T><<<1, warpline_solver::threads, 0, h->stream>>>({a, lda, fill == CUBLAS_FILL_MODE_UPPER}, n, info);        \
        return warpline_solver::ended();                                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const T *a, int lda, T *b,      \
                                              int ldb, int *info)                                                                              \
    {                                                                                                                                          \
        warpline_solver::solve_cholesky<T><<<(unsigned)columns, warpline_solver::threads, 0, h->stream>>>({a, lda, fill == CUBLAS_FILL_MODE_UPPER}, n, b, ldb, info); \
        return warpline_solver::ended();                                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t, int, int, T *, int, int *size) { return *size = 1, CUSOLVER_STATUS_SUCCESS; } \
    WARPLINE_SOLVER_CALL cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *, int *pivots, int *info)                  \
    {                                                                                                                                          \
        if (m < 0 || n < 0 || lda < m)                                                                                                         \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                                                              \
        warpline_solver::lower_upper<T><<<1, warpline_solver::threads, 0, h->stream>>>(a, m, n, lda, pivots, info);                            \
        return warpline_solver::ended();                                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const T *a, int lda,             \
                                              const int *pivots, T *b, int ldb, int *info)                                                     \
    {                                                                                                                                          \
        warpline_solver::solve_lower_upper<T><<<(unsigned)columns, warpline_solver::threads, 0, h->stream>>>(a, lda, n, pivots, b, ldb, op != CUBLAS_OP_N, info); \
        return warpline_solver::ended();                                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t, int, int, T *, int, int *size) { return *size = 1, CUSOLVER_STATUS_SUCCESS; } \
    WARPLINE_SOLVER_CALL cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T *a, int lda, T *taus, T *, int, int *info)                 \
    {                                                                                                                                          \
        if (m < 0 || n < 0 || lda < m)                                                                                                         \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                                                              \
        warpline_solver::reflections<T><<<1, warpline_solver::threads, 0, h->stream>>>(a, m, n, lda, taus, info);                              \
        return warpline_solver::ended();                                                                                                       \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverDn##S##ormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const T *,    \
                                                         int, const T *, const T *, int, int *size)                                            \
    { return *size = 1, CUSOLVER_STATUS_SUCCESS; }                                                                                             \
    WARPLINE_SOLVER_CALL cusolverDn##S##ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k,          \
                                              const T *a, int lda, const T *taus, T *c, int ldc, T *, int, int *info)                          \
    {                                                                                                                                          \
        if (side != CUBLAS_SIDE_LEFT)                                                                                                          \
            return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                                              \
        warpline_solver::apply_reflections<T><<<(unsigned)n, warpline_solver::threads, 0, h->stream>>>(a, lda, taus, k, m, c, ldc, op != CUBLAS_OP_N, info); \
        return warpline_solver::ended();                                                                                                       \
    }
WARPLINE_SOLVER(S, float)
WARPLINE_SOLVER(D, double)
#undef WARPLINE_SOLVER
namespace warpline_solver {
template <class T>
inline cusolverStatus_t gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, real_of<T> *s, T *u, int ldu, T *vt, int ldvt, T *work,
                              int work_size, int *info)
{
    const bool all = jobu == 'A', some = jobu == 'S', over = jobu == 'O', all_vt = jobvt == 'A' || jobvt == 'S', over_vt = jobvt == 'O';
    if (n < 0 || m < n || lda < m || (long long)n * n > work_size || (!all && !some && !over && jobu != 'N') || (!all_vt && !over_vt && jobvt != 'N') || (over && over_vt) ||
        ((all || some) && ldu < m) || (all_vt && ldvt < n))
        return CUSOLVER_STATUS_INVALID_VALUE;
    singular_values<T><<<1, svd_threads, 0, h->stream>>>(a, m, n, lda, s, over ? a : u, over ? lda : ldu, all ? m : some || over ? n : 0, over_vt ? a : vt,
                                                         over_vt ? lda : ldvt, all_vt || over_vt ? n : 0, work, info);
    return ended();
}
template <class T>
inline cusolverStatus_t syevd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, T *a, int lda, real_of<T> *w, T *work, int work_size, int *info)
{
    if (n < 0 || lda < n || 2ll * n * n > work_size)
        return CUSOLVER_STATUS_INVALID_VALUE;
    eigenvalues<T><<<1, svd_threads, 0, h->stream>>>(a, n, lda, fill == CUBLAS_FILL_MODE_UPPER, w, job == CUSOLVER_EIG_MODE_VECTOR, work, work + (size_t)n * n, info);
    return ended();
}
}
#define WARPLINE_SOLVER(S, syevd_, T, R)                                                                                                       \
    WARPLINE_SOLVER_CALL cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t, int, int n, int *size) { return *size = n * n + 1, CUSOLVER_STATUS_SUCCESS; } \
    WARPLINE_SOLVER_CALL cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, R *s, T *u, \
                                              int ldu, T *vt, int ldvt, T *work, int size, R *, int *info)                                     \
    { return warpline_solver::gesvd<T>(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, info); }                                 \
    WARPLINE_SOLVER_CALL cusolverDn##syevd_##_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const T *, int, const R *, int *size) \
    { return *size = 2 * n * n + 1, CUSOLVER_STATUS_SUCCESS; }                                                                                 \
    WARPLINE_SOLVER_CALL cusolverDn##syevd_(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int n, T *a, int lda, R *w,    \
                                            T *work, int size, int *info)                                                                      \
    { return warpline_solver::syevd<T>(h, job, fill, n, a, lda, w, work, size, info); }
WARPLINE_SOLVER(S, Ssyevd, float, float)
WARPLINE_SOLVER(D, Dsyevd, double, double)
WARPLINE_SOLVER(C, Cheevd, cuComplex, float)
WARPLINE_SOLVER(Z, Zheevd, cuDoubleComplex, double)
#undef WARPLINE_SOLVER
#endif
#include "bits/names_shown.h"
#endif
