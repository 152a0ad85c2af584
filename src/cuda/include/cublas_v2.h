/* The part of cuBLAS that programs compare themselves with, under its names: products of dense matrices and vectors in float and double,
 * by simple kernels of our own. The results are right to rounding; the time is not NVIDIA's. */
#ifndef WARPLINE_CUBLAS_H
#define WARPLINE_CUBLAS_H
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* programs ask for this name */
#include <cuda_runtime.h>
#if !defined(__CUDACC__)
#error "warpline's cuBLAS is made of kernels: include cublas_v2.h in files that are compiled as CUDA (.cu, or -x cu)"
#endif
#include <cmath>
#include <warpline_parallel.h>
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VERSION 120000

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH } cublasMath_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef struct cublasContext { cudaStream_t stream; cublasPointerMode_t mode; } *cublasHandle_t;

namespace warpline_blas {
namespace wp = warpline_parallel;
enum { tile = 16 };
inline cublasStatus_t ended() { return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED; }
template <class T> inline T scalar(cublasHandle_t h, const T *p) { return h->mode == CUBLAS_POINTER_MODE_HOST ? *p : wp::fetch(wp::on_device{h->stream}, p); }
template <class T> inline void answer(cublasHandle_t h, T *to, T value)
{
    if (h->mode == CUBLAS_POINTER_MODE_HOST)
        *to = value;
    else
        (void)::cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyHostToDevice, h->stream);
}
/* Matrices lie column after column; a batch is an array of pointers, or a stride. */
template <class T> struct operand {
    const T *base;
    const T *const *each;
    long long stride;
    int ld;
    bool turned;
    __device__ T at(int row, int column) const
    {
        const T *m = each ? each[blockIdx.z] : base + blockIdx.z * stride;
        return turned ? m[column + (size_t)row * ld] : m[row + (size_t)column * ld];
    }
};
template <class T>
__global__ void multiply(int m, int n, int k, T alpha, operand<T> a, operand<T> b, T beta, T *c, T *const *each, long long stride, int ld)
{
    __shared__ T left[tile][tile + 1], right[tile][tile + 1];
    const int row = (int)(blockIdx.x * tile + threadIdx.x), column = (int)(blockIdx.y * tile + threadIdx.y);
    T sum = 0;
    for (int first = 0; first < k; first += tile) {
        const int x = first + (int)threadIdx.x, y = first + (int)threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < m && y < k ? a.at(row, y) : T(0);
        right[threadIdx.y][threadIdx.x] = x < k && column < n ? b.at(x, column) : T(0);
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum += left[i][threadIdx.x] * right[threadIdx.y][i];
        __syncthreads();
    }
    T *out = each ? each[blockIdx.z] : c + blockIdx.z * stride;
    if (row < m && column < n)
        out[row + (size_t)column * ld] = alpha * sum + (beta == T(0) ? T(0) : beta * out[row + (size_t)column * ld]);
}
template <class T>
inline cublasStatus_t gemm(cublasHandle_t h, int m, int n, int k, const T *alpha, operand<T> a, operand<T> b, const T *beta, T *c, T *const *each,
                           long long stride, int ld, int batch)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const int a_rows = a.turned ? k : m, b_rows = b.turned ? n : k;
    if (m < 0 || n < 0 || k < 0 || batch < 0 || a.ld < (a_rows > 1 ? a_rows : 1) || b.ld < (b_rows > 1 ? b_rows : 1) || ld < (m > 1 ? m : 1))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m && n && batch)
        multiply<T><<<dim3((unsigned)(m + tile - 1) / tile, (unsigned)(n + tile - 1) / tile, (unsigned)batch), dim3(tile, tile), 0, h->stream>>>(
            m, n, k, scalar(h, alpha), a, b, scalar(h, beta), c, each, stride, ld);
    return ended();
}
template <class T, class Get> inline T sum(cublasHandle_t h, int n, Get get)
{
    if (n <= 0)
        return T(0);
    const wp::on_device at{h->stream};
    wp::room<T> total(at, 1);
    wp::reduce_n<T>(at, (size_t)n, get, [] __device__(T a, T b) { return a + b; }, total.data);
    return wp::fetch(at, total.data);
}
/* 1 + the place of the first element of the largest (or smallest) size. */
template <class T> inline int extreme(cublasHandle_t h, int n, const T *x, int step, bool least)
{
    if (n <= 0)
        return 0;
    const wp::on_device at{h->stream};
    wp::room<int> place(at, 1);
    wp::reduce_n<int>(at, (size_t)n, [] __device__(size_t i) { return (int)i; },
                      [=] __device__(int i, int j) {
                          const T a = fabs(x[(size_t)i * step]), b = fabs(x[(size_t)j * step]);
                          return a == b ? (i < j ? i : j) : (a < b) == least ? i : j;
                      },
                      place.data);
    return wp::fetch(at, place.data) + 1;
}
}

static inline cublasStatus_t cublasCreate(cublasHandle_t *h) { return *h = new cublasContext(), CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasDestroy(cublasHandle_t h) { return delete h, CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s) { return h->stream = s, CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasGetStream(cublasHandle_t h, cudaStream_t *s) { return *s = h->stream, CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t m) { return h->mode = m, CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasGetPointerMode(cublasHandle_t h, cublasPointerMode_t *m) { return *m = h->mode, CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) { return *version = CUBLAS_VERSION, CUBLAS_STATUS_SUCCESS; }
static inline const char *cublasGetStatusString(cublasStatus_t s) { return s == CUBLAS_STATUS_SUCCESS ? "success" : "the call failed"; }
static inline const char *cublasGetStatusName(cublasStatus_t s) { return s == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS of an error"; }
static inline cublasStatus_t warpline_blas_copy(size_t bytes, size_t count, const void *from, size_t from_step, void *to, size_t to_step, cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, to_step, from, from_step, bytes, count, kind) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasSetVector(int n, int size, const void *x, int x_step, void *y, int y_step)
{
    return warpline_blas_copy((size_t)size, (size_t)n, x, (size_t)(size * x_step), y, (size_t)(size * y_step), cudaMemcpyHostToDevice);
}
static inline cublasStatus_t cublasGetVector(int n, int size, const void *x, int x_step, void *y, int y_step)
{
    return warpline_blas_copy((size_t)size, (size_t)n, x, (size_t)(size * x_step), y, (size_t)(size * y_step), cudaMemcpyDeviceToHost);
}
static inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb)
{
    return warpline_blas_copy((size_t)(rows * size), (size_t)columns, a, (size_t)(lda * size), b, (size_t)(ldb * size), cudaMemcpyHostToDevice);
}
static inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb)
{
    return warpline_blas_copy((size_t)(rows * size), (size_t)columns, a, (size_t)(lda * size), b, (size_t)(ldb * size), cudaMemcpyDeviceToHost);
}

#define WARPLINE_BLAS(S, I, T)                                                                                                                \
    static inline cublasStatus_t cublas##S##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, \
                                                 const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc)                      \
    {                                                                                                                                         \
        return warpline_blas::gemm<T>(h, m, n, k, alpha, {a, nullptr, 0, lda, ta != CUBLAS_OP_N}, {b, nullptr, 0, ldb, tb != CUBLAS_OP_N}, beta, c, \
                                      nullptr, 0, ldc, 1);                                                                                    \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, \
                                                               const T *alpha, const T *a, int lda, long long as, const T *b, int ldb,        \
                                                               long long bs, const T *beta, T *c, int ldc, long long cs, int batch)           \
    {                                                                                                                                         \
        return warpline_blas::gemm<T>(h, m, n, k, alpha, {a, nullptr, as, lda, ta != CUBLAS_OP_N}, {b, nullptr, bs, ldb, tb != CUBLAS_OP_N}, beta, c, \
                                      nullptr, cs, ldc, batch);                                                                               \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,    \
                                                        const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta, \
                                                        T *const c[], int ldc, int batch)                                                     \
    {                                                                                                                                         \
        return warpline_blas::gemm<T>(h, m, n, k, alpha, {nullptr, a, 0, lda, ta != CUBLAS_OP_N}, {nullptr, b, 0, ldb, tb != CUBLAS_OP_N}, beta, \
                                      nullptr, c, 0, ldc, batch);                                                                             \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t t, int m, int n, const T *alpha, const T *a, int lda,    \
                                                 const T *x, int x_step, const T *beta, T *y, int y_step)                                     \
    {                                                                                                                                         \
        const T al = warpline_blas::scalar(h, alpha), be = warpline_blas::scalar(h, beta);                                                    \
        const int rows = t == CUBLAS_OP_N ? m : n, columns = t == CUBLAS_OP_N ? n : m;                                                        \
        warpline_parallel::for_n(warpline_parallel::on_device{h->stream}, (size_t)rows, [=] __device__(size_t i) {                           \
            T sum = 0;                                                                                                                        \
            for (int j = 0; j < columns; j++)                                                                                                 \
                sum += (t == CUBLAS_OP_N ? a[i + (size_t)j * lda] : a[j + i * lda]) * x[(size_t)j * x_step];                                  \
            y[i * y_step] = al * sum + (be == T(0) ? T(0) : be * y[i * y_step]);                                                              \
        });                                                                                                                                   \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int x_step, T *y, int y_step)           \
    {                                                                                                                                         \
        const T al = warpline_blas::scalar(h, alpha);                                                                                         \
        warpline_parallel::for_n(warpline_parallel::on_device{h->stream}, (size_t)(n > 0 ? n : 0),                                            \
                                 [=] __device__(size_t i) { y[i * y_step] += al * x[i * x_step]; });                                          \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int x_step)                                   \
    {                                                                                                                                         \
        const T al = warpline_blas::scalar(h, alpha);                                                                                         \
        warpline_parallel::for_n(warpline_parallel::on_device{h->stream}, (size_t)(n > 0 ? n : 0), [=] __device__(size_t i) { x[i * x_step] *= al; }); \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x, int x_step, T *y, int y_step)                           \
    {                                                                                                                                         \
        warpline_parallel::for_n(warpline_parallel::on_device{h->stream}, (size_t)(n > 0 ? n : 0), [=] __device__(size_t i) { y[i * y_step] = x[i * x_step]; }); \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x, int x_step, const T *y, int y_step, T *result)           \
    {                                                                                                                                         \
        warpline_blas::answer(h, result, warpline_blas::sum<T>(h, n, [=] __device__(size_t i) { return x[i * x_step] * y[i * y_step]; }));    \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T *x, int x_step, T *result)                                  \
    {                                                                                                                                         \
        warpline_blas::answer(h, result, warpline_blas::sum<T>(h, n, [=] __device__(size_t i) { return fabs(x[i * x_step]); }));              \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T *x, int x_step, T *result)                                  \
    {                                                                                                                                         \
        warpline_blas::answer(h, result, (T)std::sqrt(warpline_blas::sum<T>(h, n, [=] __device__(size_t i) { return x[i * x_step] * x[i * x_step]; }))); \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##I##amax(cublasHandle_t h, int n, const T *x, int x_step, int *result)                                \
    {                                                                                                                                         \
        warpline_blas::answer(h, result, warpline_blas::extreme(h, n, x, x_step, false));                                                     \
        return warpline_blas::ended();                                                                                                        \
    }                                                                                                                                         \
    static inline cublasStatus_t cublas##I##amin(cublasHandle_t h, int n, const T *x, int x_step, int *result)                                \
    {                                                                                                                                         \
        warpline_blas::answer(h, result, warpline_blas::extreme(h, n, x, x_step, true));                                                      \
        return warpline_blas::ended();                                                                                                        \
    }
WARPLINE_BLAS(S, Is, float)
WARPLINE_BLAS(D, Id, double)
#undef WARPLINE_BLAS
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#endif
