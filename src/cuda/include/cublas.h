/* The cuBLAS of before CUDA 4, which has no handles, over the later one's calls (cublas_v2.h): by kernels of our own. */
#ifndef WARPLINE_OLD_CUBLAS_H
#define WARPLINE_OLD_CUBLAS_H
#define CUBLAS_H_
#include "cublas_v2.h"
typedef cublasStatus_t cublasStatus;
#if !defined(__CUDACC__) /* see cublas_api.h */
#if defined(__cplusplus)
extern "C" {
#endif
#define COPY(name, parameters, arguments)
#define OLD(type, name, parameters, arguments) type cublas##name parameters;
#include "bits/cublas_calls.h"
#undef COPY
#undef OLD
#if defined(__cplusplus)
}
#endif
#else
#define CUBLAS_OLD static inline __attribute__((unused))
/* One for the program; its last status is kept, as the old calls return nothing. */
struct warpline_old_blas { cublasContext context; cublasStatus_t status; };
CUBLAS_OLD struct warpline_old_blas *warpline_old_blas_state() { static struct warpline_old_blas state; return &state; }
CUBLAS_OLD cublasStatus_t cublasInit() { return CUBLAS_STATUS_SUCCESS; }
CUBLAS_OLD cublasStatus_t cublasShutdown() { return CUBLAS_STATUS_SUCCESS; }
CUBLAS_OLD cublasStatus_t cublasGetError()
{
    struct warpline_old_blas *b = warpline_old_blas_state();
    const cublasStatus_t s = b->status;
    b->status = CUBLAS_STATUS_SUCCESS;
    return s;
}
CUBLAS_OLD cublasStatus_t cublasSetKernelStream(cudaStream_t stream) { warpline_old_blas_state()->context.stream = stream; return CUBLAS_STATUS_SUCCESS; }
CUBLAS_OLD cublasStatus_t cublasAlloc(int n, int bytes, void **pointer)
{ return cudaMalloc(pointer, (size_t)n * (size_t)bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED; }
CUBLAS_OLD cublasStatus_t cublasFree(void *pointer) { return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR; }
CUBLAS_OLD cublasOperation_t warpline_old_operation(char c) { return c == 'n' || c == 'N' ? CUBLAS_OP_N : c == 'c' || c == 'C' ? CUBLAS_OP_C : CUBLAS_OP_T; }
#define CUBLAS_OLD_CALL(call) (warpline_old_blas_state()->status = (call))
#define CUBLAS_OLD_HANDLE (&warpline_old_blas_state()->context)
#define CUBLAS_OLD_CALLS(S, I, T)                                                                                                           \
    CUBLAS_OLD void cublas##S##gemm(char ta, char tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, \
                                    int ldc)                                                                                                \
    { CUBLAS_OLD_CALL(cublas##S##gemm(CUBLAS_OLD_HANDLE, warpline_old_operation(ta), warpline_old_operation(tb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)); } \
    CUBLAS_OLD void cublas##S##gemv(char t, int m, int n, T alpha, const T *a, int lda, const T *x, int xs, T beta, T *y, int ys)           \
    { CUBLAS_OLD_CALL(cublas##S##gemv(CUBLAS_OLD_HANDLE, warpline_old_operation(t), m, n, &alpha, a, lda, x, xs, &beta, y, ys)); }         \
    CUBLAS_OLD void cublas##S##axpy(int n, T alpha, const T *x, int xs, T *y, int ys)                                                       \
    { CUBLAS_OLD_CALL(cublas##S##axpy(CUBLAS_OLD_HANDLE, n, &alpha, x, xs, y, ys)); }                                                       \
    CUBLAS_OLD void cublas##S##scal(int n, T alpha, T *x, int xs) { CUBLAS_OLD_CALL(cublas##S##scal(CUBLAS_OLD_HANDLE, n, &alpha, x, xs)); } \
    CUBLAS_OLD void cublas##S##copy(int n, const T *x, int xs, T *y, int ys) { CUBLAS_OLD_CALL(cublas##S##copy(CUBLAS_OLD_HANDLE, n, x, xs, y, ys)); } \
    CUBLAS_OLD T cublas##S##dot(int n, const T *x, int xs, const T *y, int ys)                                                              \
    { T r = 0; CUBLAS_OLD_CALL(cublas##S##dot(CUBLAS_OLD_HANDLE, n, x, xs, y, ys, &r)); return r; }                                         \
    CUBLAS_OLD T cublas##S##asum(int n, const T *x, int xs) { T r = 0; CUBLAS_OLD_CALL(cublas##S##asum(CUBLAS_OLD_HANDLE, n, x, xs, &r)); return r; } \
    CUBLAS_OLD T cublas##S##nrm2(int n, const T *x, int xs) { T r = 0; CUBLAS_OLD_CALL(cublas##S##nrm2(CUBLAS_OLD_HANDLE, n, x, xs, &r)); return r; } \
    CUBLAS_OLD int cublas##I##amax(int n, const T *x, int xs) { int r = 0; CUBLAS_OLD_CALL(cublas##I##amax(CUBLAS_OLD_HANDLE, n, x, xs, &r)); return r; } \
    CUBLAS_OLD int cublas##I##amin(int n, const T *x, int xs) { int r = 0; CUBLAS_OLD_CALL(cublas##I##amin(CUBLAS_OLD_HANDLE, n, x, xs, &r)); return r; }
CUBLAS_OLD_CALLS(S, Is, float)
CUBLAS_OLD_CALLS(D, Id, double)
#undef CUBLAS_OLD_CALLS
#undef CUBLAS_OLD_CALL
#undef CUBLAS_OLD_HANDLE
#undef CUBLAS_OLD
#endif
#endif
