/* The part of cuBLAS that programs use most, under its names: dense matrices and vectors in float, double, complex and half, by simple
 * kernels of our own. The results are right to rounding (sums of halves are kept in float); the time is not NVIDIA's. */
#ifndef WARPLINE_CUBLAS_H
#define WARPLINE_CUBLAS_H
#include "bits/names_hidden.h"
#define CUBLAS_V2_H_
#include <cublas_api.h>
#if defined(__CUDACC__)
#include <cmath>
#include <stdio.h>
#include <warpline_gemm.h>

namespace warpline_blas {
template <class T> inline void answer(cublasHandle_t h, T *to, T value)
{
    if (h->mode == CUBLAS_POINTER_MODE_HOST)
        *to = value;
    else
        (void)::cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyHostToDevice, h->stream);
}
template <class F> inline cublasStatus_t each(cublasHandle_t h, long long n, F f)
{
    wp::for_n(wp::on_device{h->stream}, (size_t)(n > 0 ? n : 0), f);
    return ended();
}
template <class T, class Get> inline T sum(cublasHandle_t h, int n, Get get)
{
    if (n <= 0)
        return as<T>::of(0);
    const wp::on_device at{h->stream};
    wp::room<T> total(at, 1);
    wp::reduce_n<T>(at, (size_t)n, get, [] __device__(T a, T b) { return plus(a, b); }, total.data);
    return wp::fetch(at, total.data);
}
/* A sum to where the program wants it. In a graph one block makes it, which needs no memory of ours. */
template <class T, class Get> inline cublasStatus_t sum_to(cublasHandle_t h, int n, Get get, T *result)
{
    cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE && n > 0)
        (void)cudaStreamIsCapturing(h->stream, &state);
    if (state == cudaStreamCaptureStatusNone)
        answer(h, result, sum<T>(h, n, get));
    else
        wp::reduce_kernel<T><<<1, wp::threads, 0, h->stream>>>((size_t)n, get, [] __device__(T a, T b) { return plus(a, b); }, result);
    return ended();
}
template <class T> __device__ inline T size_of(T x) { return fabs(x); }
__device__ inline float size_of(float2 x) { return fabsf(x.x) + fabsf(x.y); }
__device__ inline double size_of(double2 x) { return fabs(x.x) + fabs(x.y); }
template <class T> __device__ inline T square_of(T x) { return x * x; }
__device__ inline float square_of(float2 x) { return x.x * x.x + x.y * x.y; }
__device__ inline double square_of(double2 x) { return x.x * x.x + x.y * x.y; }
/* 1 + the place of the first element of the largest (or smallest) size. */
template <class T> inline int extreme(cublasHandle_t h, int n, const T *x, int step, bool least)
{
    if (n <= 0)
        return 0;
    const wp::on_device at{h->stream};
    wp::room<int> place(at, 1);
    wp::reduce_n<int>(at, (size_t)n, [] __device__(size_t i) { return (int)i; },
                      [=] __device__(int i, int j) {
                          const auto a = size_of(x[(size_t)i * step]), b = size_of(x[(size_t)j * step]);
                          return a == b ? (i < j ? i : j) : (a < b) == least ? i : j;
                      },
                      place.data);
    return wp::fetch(at, place.data) + 1;
}
/* The element of op(a), where a lies column after column. */
template <class T> __device__ inline T element(const T *a, int ld, cublasOperation_t op, long long row, long long column)
{
    const T v = op == CUBLAS_OP_N ? a[row + column * ld] : a[column + row * ld];
    return op == CUBLAS_OP_C ? conjugate(v) : v;
}
template <class T>
inline cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, const T *x, int x_step, const T *beta, T *y,
                           int y_step)
{
    const T al = scalar(h, alpha), be = scalar(h, beta);
    const int rows = op == CUBLAS_OP_N ? m : n, across = op == CUBLAS_OP_N ? n : m;
    return each(h, rows, [=] __device__(size_t i) {
        T sum = as<T>::of(0);
        for (int j = 0; j < across; j++)
            sum = plus(sum, times(element(a, lda, op, (long long)i, j), x[(size_t)j * x_step]));
        T *const out = y + i * y_step;
        *out = is_zero(be) ? times(al, sum) : plus(times(al, sum), times(be, *out));
    });
}
/* c = alpha op(a) + beta op(b) */
template <class T>
inline cublasStatus_t geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, const T *alpha, const T *a, int lda, const T *beta, const T *b,
                           int ldb, T *c, int ldc)
{
    const T al = scalar(h, alpha), be = scalar(h, beta);
    return each(h, (long long)m * n, [=] __device__(size_t i) {
        const long long row = (long long)i % m, column = (long long)i / m;
        T v = as<T>::of(0);
        if (!is_zero(al))
            v = times(al, element(a, lda, ta, row, column));
        if (!is_zero(be))
            v = plus(v, times(be, element(b, ldb, tb, row, column)));
        c[row + column * ldc] = v;
    });
}
/* c = a with its columns, or rows, multiplied by the elements of x. */
template <class T>
inline cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, int x_step, T *c, int ldc)
{
    const long long first = x_step < 0 ? -(long long)((side == CUBLAS_SIDE_RIGHT ? n : m) - 1) : 0, step = x_step < 0 ? -x_step : x_step;
    return each(h, (long long)m * n, [=] __device__(size_t i) {
        const long long row = (long long)i % m, column = (long long)i / m;
        c[row + column * ldc] = times(a[row + column * lda], x[(first + (side == CUBLAS_SIDE_RIGHT ? column : row)) * step]);
    });
}
/* c = alpha op(a) op(a)^T + beta c, the half that `fill` names. */
template <class T>
inline cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc)
{
    const T al = scalar(h, alpha), be = scalar(h, beta);
    return each(h, (long long)n * n, [=] __device__(size_t i) {
        const long long row = (long long)i % n, column = (long long)i / n;
        if (fill == CUBLAS_FILL_MODE_LOWER ? row < column : row > column)
            return;
        T sum = as<T>::of(0);
        for (int x = 0; x < k; x++)
            sum = plus(sum, times(element(a, lda, op, row, x), element(a, lda, op, column, x)));
        T *const out = c + row + column * ldc;
        *out = is_zero(be) ? times(al, sum) : plus(times(al, sum), times(be, *out));
    });
}
/* op(a) x = alpha b, or x op(a) = alpha b; x takes b's place. One thread for each column (or row) of b. */
template <class T>
inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const T *alpha, const T *a, int lda, T *b, int ldb)
{
    const T al = scalar(h, alpha);
    const bool left = side == CUBLAS_SIDE_LEFT, turned = op != CUBLAS_OP_N;
    const int order = left ? m : n;
    const bool forward = ((fill == CUBLAS_FILL_MODE_LOWER) != turned) == left;
    return each(h, left ? n : m, [=] __device__(size_t i) {
        T *const line = left ? b + i * ldb : b + i;
        const long long step = left ? 1 : ldb;
        for (int s = 0; s < order; s++) {
            const int r = forward ? s : order - 1 - s;
            T sum = times(al, line[r * step]);
            for (int t = 0; t < s; t++) {
                const int q = forward ? t : order - 1 - t;
                sum = plus(sum, negative(times(left ? element(a, lda, op, r, q) : element(a, lda, op, q, r), line[q * step])));
            }
            line[r * step] = diagonal == CUBLAS_DIAG_UNIT ? sum : over(sum, element(a, lda, op, r, r));
        }
    });
}
/* a = p l u, one matrix for each thread. `pivots` may be absent: then rows stay where they are. */
template <class T> inline cublasStatus_t getrf(cublasHandle_t h, int n, T *const matrices[], int lda, int *pivots, int *info, int batch)
{
    return each(h, batch, [=] __device__(size_t which) {
        T *const a = matrices[which];
        info[which] = 0;
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k + 1; pivots && i < n; i++)
                if (size_of(a[i + (size_t)k * lda]) > size_of(a[best + (size_t)k * lda]))
                    best = i;
            if (pivots)
                pivots[which * n + k] = best + 1;
            for (int j = 0; best != k && j < n; j++) {
                const T t = a[k + (size_t)j * lda];
                a[k + (size_t)j * lda] = a[best + (size_t)j * lda];
                a[best + (size_t)j * lda] = t;
            }
            if (is_zero(a[k + (size_t)k * lda])) {
                info[which] = info[which] ? info[which] : k + 1;
                continue;
            }
            for (int i = k + 1; i < n; i++)
                a[i + (size_t)k * lda] = over(a[i + (size_t)k * lda], a[k + (size_t)k * lda]);
            for (int j = k + 1; j < n; j++)
                for (int i = k + 1; i < n; i++)
                    a[i + (size_t)j * lda] = plus(a[i + (size_t)j * lda], negative(times(a[i + (size_t)k * lda], a[k + (size_t)j * lda])));
        }
    });
}
/* x such that p l u x = b, in b's place; b is n by columns. */
template <class T>
inline cublasStatus_t getrs(cublasHandle_t h, int n, int columns, const T *const matrices[], int lda, const int *pivots, T *const sides[], int ldb, int batch)
{
    return each(h, (long long)batch * columns, [=] __device__(size_t i) {
        const T *const a = matrices[i / (size_t)columns];
        T *const b = sides[i / (size_t)columns] + (i % (size_t)columns) * ldb;
        for (int k = 0; pivots && k < n; k++) {
            const int other = pivots[i / (size_t)columns * n + k] - 1;
            const T t = b[k];
            b[k] = b[other];
            b[other] = t;
        }
        for (int r = 0; r < n; r++)
            for (int q = 0; q < r; q++)
                b[r] = plus(b[r], negative(times(a[r + (size_t)q * lda], b[q])));
        for (int r = n - 1; r >= 0; r--) {
            for (int q = r + 1; q < n; q++)
                b[r] = plus(b[r], negative(times(a[r + (size_t)q * lda], b[q])));
            b[r] = over(b[r], a[r + (size_t)r * lda]);
        }
    });
}
/* The x that makes the square of |a x - c| least, in c's place; a is m by n, m >= n, of full rank. Each matrix is made triangular by
 * reflections, whose vectors stay below the diagonal. */
template <class T>
inline cublasStatus_t gels(cublasHandle_t h, int m, int n, int columns, T *const matrices[], int lda, T *const sides[], int ldc, int *zero_at, int batch)
{
    typedef typename is_complex<T>::real R;
    return each(h, batch, [=] __device__(size_t b) {
        T *const a = matrices[b], *const c = sides[b];
        if (zero_at)
            zero_at[b] = 0;
        for (int k = 0; k < n; k++) {
            T *const v = a + (size_t)k * lda;
            R below = 0;
            for (int i = k; i < m; i++)
                below += square_of(v[i]);
            const R length = sqrt(below), size = sqrt(square_of(v[k]));
            if (length == 0) {
                if (zero_at && zero_at[b] == 0)
                    zero_at[b] = k + 1;
                continue;
            }
            /* the first element goes to `to`, away from itself so that nothing cancels; v is then scaled to begin with 1 */
            const T to = size == 0 ? as<T>::of(-length) : times(v[k], as<T>::of(-length / size)), first = plus(v[k], negative(to));
            const R factor = (square_of(first)) / (length * (length + size));
            for (int i = k + 1; i < m; i++)
                v[i] = over(v[i], first);
            v[k] = to;
            for (int j = k + 1; j < n + columns; j++) {
                T *const x = j < n ? a + (size_t)j * lda : c + (size_t)(j - n) * ldc;
                T sum = x[k];
                for (int i = k + 1; i < m; i++)
                    sum = plus(sum, times(conjugate(v[i]), x[i]));
                sum = times(as<T>::of(factor), sum);
                x[k] = plus(x[k], negative(sum));
                for (int i = k + 1; i < m; i++)
                    x[i] = plus(x[i], negative(times(v[i], sum)));
            }
        }
        for (int j = 0; j < columns; j++) {
            T *const x = c + (size_t)j * ldc;
            for (int r = n - 1; r >= 0; r--) {
                for (int q = r + 1; q < n; q++)
                    x[r] = plus(x[r], negative(times(a[r + (size_t)q * lda], x[q])));
                x[r] = over(x[r], a[r + (size_t)r * lda]);
            }
        }
    });
}
/* GemmEx and its batches. */
template <class P> inline cublasStatus_t gemm_of_types(cublasHandle_t h, const char *call, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
    const void *alpha, P a, cudaDataType a_type, int lda, long long as_, P b, cudaDataType b_type, int ldb, long long bs, const void *beta, void *c, void *const *cs_each,
    cudaDataType c_type, int ldc, long long cs, int batch, cudaDataType scale, const void *const *a_each, const void *const *b_each)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (wrong_sizes(ta, tb, m, n, k, lda, ldb, ldc, batch))
        return CUBLAS_STATUS_INVALID_VALUE;
    return by_types(a_type, b_type, c_type, scale, call, [=](auto *pa, auto *pb, auto *pc, auto *ps) {
        typedef typename std::remove_pointer<decltype(pa)>::type A;
        typedef typename std::remove_pointer<decltype(pb)>::type B;
        typedef typename std::remove_pointer<decltype(pc)>::type C;
        typedef typename std::remove_pointer<decltype(ps)>::type S;
        typedef typename sums_in<S>::type W;
        return launch<A, B, C, W>(h->stream, m, n, k, as<W>::of(scalar(h, (const S *)alpha)), columns<const A>((const A *)a, (const A *const *)a_each, as_, lda, ta),
                                  columns<const B>((const B *)b, (const B *const *)b_each, bs, ldb, tb), as<W>::of(scalar(h, (const S *)beta)),
                                  columns<const C>((const C *)c, (const C *const *)cs_each, cs, ldc), columns<C>((C *)c, (C *const *)cs_each, cs, ldc), batch);
    });
}
}

#define WARPLINE_BLAS_GEMM(S, T, W)                                                                                                            \
    WARPLINE_BLAS_CALL cublas##S##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,      \
                                       const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc)                                 \
    { return warpline_blas::gemm<T, W>(h, ta, tb, m, n, k, alpha, a, nullptr, lda, 0, b, nullptr, ldb, 0, beta, c, nullptr, ldc, 0, 1); }      \
    WARPLINE_BLAS_CALL cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,        \
                                                     const T *alpha, const T *a, int lda, long long as, const T *b, int ldb, long long bs,     \
                                                     const T *beta, T *c, int ldc, long long cs, int batch)                                    \
    { return warpline_blas::gemm<T, W>(h, ta, tb, m, n, k, alpha, a, nullptr, lda, as, b, nullptr, ldb, bs, beta, c, nullptr, ldc, cs, batch); } \
    WARPLINE_BLAS_CALL cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, \
                                              const T *const a[], int lda, const T *const b[], int ldb, const T *beta, T *const c[], int ldc,  \
                                              int batch)                                                                                       \
    { return warpline_blas::gemm<T, W>(h, ta, tb, m, n, k, alpha, nullptr, a, lda, 0, nullptr, b, ldb, 0, beta, nullptr, c, ldc, 0, batch); }
WARPLINE_BLAS_GEMM(S, float, float)
WARPLINE_BLAS_GEMM(D, double, double)
WARPLINE_BLAS_GEMM(H, __half, float)
WARPLINE_BLAS_GEMM(C, cuComplex, cuComplex)
WARPLINE_BLAS_GEMM(Z, cuDoubleComplex, cuDoubleComplex)
#undef WARPLINE_BLAS_GEMM

/* The calls of before CUDA 11 say a type where the later ones say how to compute. */
namespace warpline_blas {
inline cudaDataType scale_of(cudaDataType compute, cudaDataType) { return compute; }
}
#define WARPLINE_BLAS_EX(compute_type)                                                                                                         \
    WARPLINE_BLAS_CALL cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,      \
                                    const void *a, cudaDataType at, int lda, const void *b, cudaDataType bt, int ldb, const void *beta, void *c, \
                                    cudaDataType ct, int ldc, compute_type compute, cublasGemmAlgo_t)                                          \
    { return warpline_blas::gemm_of_types(h, "cublasGemmEx", ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, nullptr, ct, ldc, 0, 1, \
                                          warpline_blas::scale_of(compute, ct), nullptr, nullptr); }                                           \
    WARPLINE_BLAS_CALL cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,           \
                                                  const void *alpha, const void *a, cudaDataType at, int lda, long long as, const void *b,     \
                                                  cudaDataType bt, int ldb, long long bs, const void *beta, void *c, cudaDataType ct, int ldc, \
                                                  long long cs, int batch, compute_type compute, cublasGemmAlgo_t)                             \
    { return warpline_blas::gemm_of_types(h, "cublasGemmStridedBatchedEx", ta, tb, m, n, k, alpha, a, at, lda, as, b, bt, ldb, bs, beta, c,    \
                                          nullptr, ct, ldc, cs, batch, warpline_blas::scale_of(compute, ct), nullptr, nullptr); }              \
    WARPLINE_BLAS_CALL cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha, \
                                           const void *const a[], cudaDataType at, int lda, const void *const b[], cudaDataType bt, int ldb,   \
                                           const void *beta, void *const c[], cudaDataType ct, int ldc, int batch, compute_type compute,       \
                                           cublasGemmAlgo_t)                                                                                   \
    { return warpline_blas::gemm_of_types(h, "cublasGemmBatchedEx", ta, tb, m, n, k, alpha, (const void *)nullptr, at, lda, 0,                 \
                                          (const void *)nullptr, bt, ldb, 0, beta, nullptr, c, ct, ldc, 0, batch,                              \
                                          warpline_blas::scale_of(compute, ct), a, b); }
WARPLINE_BLAS_EX(cublasComputeType_t)
WARPLINE_BLAS_EX(cudaDataType)
#undef WARPLINE_BLAS_EX
WARPLINE_BLAS_CALL cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *alpha, const void *a,
                                 cudaDataType at, int lda, const void *b, cudaDataType bt, int ldb, const float *beta, void *c, cudaDataType ct, int ldc)
{
    return warpline_blas::gemm_of_types(h, "cublasSgemmEx", ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, nullptr, ct, ldc, 0, 1, CUDA_R_32F,
                                        nullptr, nullptr);
}

/* Vectors, and matrices that are not multiplied; R is the type of sizes. */
#define WARPLINE_BLAS(S, I, N, T, R)                                                                                                           \
    WARPLINE_BLAS_CALL cublas##S##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, const T *x,  \
                                       int x_step, const T *beta, T *y, int y_step)                                                            \
    { return warpline_blas::gemv<T>(h, op, m, n, alpha, a, lda, x, x_step, beta, y, y_step); }                                                 \
    WARPLINE_BLAS_CALL cublas##S##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int x_step, T *y, int y_step)                      \
    {                                                                                                                                          \
        const warpline_blas::factor<T> al = warpline_blas::factor_of(h->mode, alpha);                                                          \
        return warpline_blas::each(h, n, [=] __device__(size_t i) {                                                                            \
            y[i * y_step] = warpline_blas::plus(warpline_blas::times(al.get(), x[i * x_step]), y[i * y_step]); });                             \
    }                                                                                                                                          \
    WARPLINE_BLAS_CALL cublas##S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int x_step)                                              \
    {                                                                                                                                          \
        const warpline_blas::factor<T> al = warpline_blas::factor_of(h->mode, alpha);                                                          \
        return warpline_blas::each(h, n, [=] __device__(size_t i) { x[i * x_step] = warpline_blas::times(al.get(), x[i * x_step]); });         \
    }                                                                                                                                          \
    WARPLINE_BLAS_CALL cublas##S##copy(cublasHandle_t h, int n, const T *x, int x_step, T *y, int y_step)                                      \
    { return warpline_blas::each(h, n, [=] __device__(size_t i) { y[i * y_step] = x[i * x_step]; }); }                                         \
    WARPLINE_BLAS_CALL cublas##S##swap(cublasHandle_t h, int n, T *x, int x_step, T *y, int y_step)                                            \
    {                                                                                                                                          \
        return warpline_blas::each(h, n, [=] __device__(size_t i) {                                                                            \
            const T t = x[i * x_step]; x[i * x_step] = y[i * y_step]; y[i * y_step] = t; });                                                   \
    }                                                                                                                                          \
    WARPLINE_BLAS_CALL cublas##N##asum(cublasHandle_t h, int n, const T *x, int x_step, R *result)                                             \
    {                                                                                                                                          \
        return warpline_blas::sum_to<R>(h, n, [=] __device__(size_t i) { return warpline_blas::size_of(x[i * x_step]); }, result);             \
    }                                                                                                                                          \
    WARPLINE_BLAS_CALL cublas##N##nrm2(cublasHandle_t h, int n, const T *x, int x_step, R *result)                                             \
    {                                                                                                                                          \
        warpline_blas::answer(h, result, (R)std::sqrt(warpline_blas::sum<R>(h, n, [=] __device__(size_t i) {                                   \
            return warpline_blas::square_of(x[i * x_step]); })));                                                                              \
        return warpline_blas::ended();                                                                                                         \
    }                                                                                                                                          \
    WARPLINE_BLAS_CALL cublas##I##amax(cublasHandle_t h, int n, const T *x, int x_step, int *result)                                           \
    { return warpline_blas::answer(h, result, warpline_blas::extreme(h, n, x, x_step, false)), warpline_blas::ended(); }                       \
    WARPLINE_BLAS_CALL cublas##I##amin(cublasHandle_t h, int n, const T *x, int x_step, int *result)                                           \
    { return warpline_blas::answer(h, result, warpline_blas::extreme(h, n, x, x_step, true)), warpline_blas::ended(); }                        \
    WARPLINE_BLAS_CALL cublas##S##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, const T *alpha, const T *a, \
                                       int lda, const T *beta, const T *b, int ldb, T *c, int ldc)                                             \
    { return warpline_blas::geam<T>(h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc); }                                                   \
    WARPLINE_BLAS_CALL cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, int x_step, T *c, \
                                       int ldc)                                                                                                \
    { return warpline_blas::dgmm<T>(h, side, m, n, a, lda, x, x_step, c, ldc); }                                                               \
    WARPLINE_BLAS_CALL cublas##S##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, const T *alpha, const T *a, \
                                       int lda, const T *beta, T *c, int ldc)                                                                  \
    { return warpline_blas::syrk<T>(h, fill, op, n, k, alpha, a, lda, beta, c, ldc); }                                                         \
    WARPLINE_BLAS_CALL cublas##S##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,                   \
                                       cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *a, int lda, T *b, int ldb)            \
    { return warpline_blas::trsm<T>(h, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb); }                                               \
    WARPLINE_BLAS_CALL cublas##S##getrfBatched(cublasHandle_t h, int n, T *const a[], int lda, int *pivots, int *info, int batch)              \
    { return warpline_blas::getrf<T>(h, n, a, lda, pivots, info, batch); }                                                                     \
    WARPLINE_BLAS_CALL cublas##S##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int columns, const T *const a[], int lda,        \
                                               const int *pivots, T *const b[], int ldb, int *info, int batch)                                 \
    { *info = 0; return op == CUBLAS_OP_N ? warpline_blas::getrs<T>(h, n, columns, a, lda, pivots, b, ldb, batch) : CUBLAS_STATUS_NOT_SUPPORTED; } \
    WARPLINE_BLAS_CALL cublas##S##gelsBatched(cublasHandle_t h, cublasOperation_t op, int m, int n, int columns, T *const a[], int lda,        \
                                              T *const c[], int ldc, int *info, int *zero_at, int batch)                                       \
    {                                                                                                                                          \
        *info = op != CUBLAS_OP_N ? -2 : m < n ? -3 : lda < m ? -7 : ldc < m ? -9 : 0;                                                          \
        return *info == 0 ? warpline_blas::gels<T>(h, m, n, columns, a, lda, c, ldc, zero_at, batch)                                           \
                          : op != CUBLAS_OP_N || m < n ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_INVALID_VALUE;                            \
    }
WARPLINE_BLAS(S, Is, S, float, float)
WARPLINE_BLAS(D, Id, D, double, double)
WARPLINE_BLAS(C, Ic, Sc, cuComplex, float)
WARPLINE_BLAS(Z, Iz, Dz, cuDoubleComplex, double)
#undef WARPLINE_BLAS
#define WARPLINE_BLAS_DOT(name, T, turn)                                                                                                       \
    WARPLINE_BLAS_CALL cublas##name(cublasHandle_t h, int n, const T *x, int x_step, const T *y, int y_step, T *result)                        \
    {                                                                                                                                          \
        return warpline_blas::sum_to<T>(h, n, [=] __device__(size_t i) { return warpline_blas::times(turn(x[i * x_step]), y[i * y_step]); }, result); \
    }
#define WARPLINE_BLAS_GER(name, T, turn)                                                                                                       \
    WARPLINE_BLAS_CALL cublas##name(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int x_step, const T *y, int y_step, T *a, int lda) \
    {                                                                                                                                          \
        const T al = warpline_blas::scalar(h, alpha);                                                                                          \
        return warpline_blas::each(h, (long long)m * n, [=] __device__(size_t i) {                                                             \
            T *const out = a + i % (size_t)m + i / (size_t)m * lda;                                                                            \
            *out = warpline_blas::plus(*out, warpline_blas::times(al, warpline_blas::times(x[i % (size_t)m * x_step], turn(y[i / (size_t)m * y_step])))); }); \
    }
WARPLINE_BLAS_DOT(Sdot, float, )
WARPLINE_BLAS_DOT(Ddot, double, )
WARPLINE_BLAS_DOT(Cdotu, cuComplex, )
WARPLINE_BLAS_DOT(Zdotu, cuDoubleComplex, )
WARPLINE_BLAS_DOT(Cdotc, cuComplex, cuConjf)
WARPLINE_BLAS_DOT(Zdotc, cuDoubleComplex, cuConj)
WARPLINE_BLAS_GER(Sger, float, )
WARPLINE_BLAS_GER(Dger, double, )
WARPLINE_BLAS_GER(Cgeru, cuComplex, )
WARPLINE_BLAS_GER(Zgeru, cuDoubleComplex, )
WARPLINE_BLAS_GER(Cgerc, cuComplex, cuConjf)
WARPLINE_BLAS_GER(Zgerc, cuDoubleComplex, cuConj)
#undef WARPLINE_BLAS_DOT
#undef WARPLINE_BLAS_GER
namespace warpline_blas {
template <class T, class W>
inline cublasStatus_t dot_of(cublasHandle_t h, int n, const void *x, int x_step, const void *y, int y_step, void *result)
{
    const T *const a = (const T *)x, *const b = (const T *)y;
    answer(h, (T *)result, as<T>::of(sum<W>(h, n, [=] __device__(size_t i) { return times(as<W>::of(a[i * x_step]), as<W>::of(b[i * y_step])); })));
    return ended();
}
}
WARPLINE_BLAS_CALL cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType xt, int x_step, const void *y, cudaDataType yt, int y_step, void *result,
                               cudaDataType rt, cudaDataType)
{
    if (xt == yt && xt == rt)
        switch (xt) {
        case CUDA_R_32F: return warpline_blas::dot_of<float, float>(h, n, x, x_step, y, y_step, result);
        case CUDA_R_64F: return warpline_blas::dot_of<double, double>(h, n, x, x_step, y, y_step, result);
        case CUDA_R_16F: return warpline_blas::dot_of<__half, float>(h, n, x, x_step, y, y_step, result);
        case CUDA_R_16BF: return warpline_blas::dot_of<__nv_bfloat16, float>(h, n, x, x_step, y, y_step, result);
        default: break;
        }
    (void)fprintf(stderr, "warpline: cublasDotEx: the types %d and %d to %d (cudaDataType) are not part of warpline's cuBLAS\n", (int)xt, (int)yt, (int)rt);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
#include "bits/cublas_more.h"
#include "bits/cublas_64.h"
#endif
#include "bits/names_shown.h"
#endif
