/* cuBLAS over several GPUs, of which there is one here: products of matrices that lie in the host's memory (or anywhere), by way of copies. */
#ifndef WARPLINE_CUBLAS_XT_H
#define WARPLINE_CUBLAS_XT_H
#include <cublas_v2.h>
#include <stdlib.h>
#include "bits/names_hidden.h"
typedef struct cublasXtContext { cublasHandle_t blas; int block; } *cublasXtHandle_t;
#define WARPLINE_XT static inline __attribute__((unused)) cublasStatus_t
WARPLINE_XT cublasXtCreate(cublasXtHandle_t *h)
{
    *h = (cublasXtHandle_t)calloc(1, sizeof **h);
    if (!*h)
        return CUBLAS_STATUS_ALLOC_FAILED;
    (*h)->block = 2048;
    return cublasCreate(&(*h)->blas);
}
WARPLINE_XT cublasXtDestroy(cublasXtHandle_t h)
{
    const cublasStatus_t code = cublasDestroy(h->blas);
    free(h);
    return code;
}
WARPLINE_XT cublasXtDeviceSelect(cublasXtHandle_t h, int count, int devices[])
{
    (void)h;
    return count == 1 && devices[0] == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
/* The size of the pieces, which are not made here. */
WARPLINE_XT cublasXtSetBlockDim(cublasXtHandle_t h, int block) { return h->block = block, block > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }
WARPLINE_XT cublasXtGetBlockDim(cublasXtHandle_t h, int *block) { return *block = h->block, CUBLAS_STATUS_SUCCESS; }
WARPLINE_XT warpline_xt_take(void **to, const void *from, size_t bytes)
{
    if (cudaMalloc(to, bytes) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return cudaMemcpy(*to, from, bytes, cudaMemcpyDefault) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
#define WARPLINE_XT_GEMM(S, T)                                                                                                              \
    WARPLINE_XT cublasXt##S##gemm(cublasXtHandle_t h, cublasOperation_t ta, cublasOperation_t tb, size_t m, size_t n, size_t k,             \
                                  const T *alpha, const T *a, size_t lda, const T *b, size_t ldb, const T *beta, T *c, size_t ldc)          \
    {                                                                                                                                       \
        void *da = 0, *db = 0, *dc = 0;                                                                                                     \
        cublasStatus_t code = warpline_xt_take(&da, a, lda * (ta == CUBLAS_OP_N ? k : m) * sizeof(T));                                      \
        if (code == CUBLAS_STATUS_SUCCESS)                                                                                                  \
            code = warpline_xt_take(&db, b, ldb * (tb == CUBLAS_OP_N ? n : k) * sizeof(T));                                                 \
        if (code == CUBLAS_STATUS_SUCCESS)                                                                                                  \
            code = warpline_xt_take(&dc, c, ldc * n * sizeof(T));                                                                           \
        if (code == CUBLAS_STATUS_SUCCESS)                                                                                                  \
            code = cublas##S##gemm(h->blas, ta, tb, (int)m, (int)n, (int)k, alpha, (const T *)da, (int)lda, (const T *)db, (int)ldb, beta,  \
                                   (T *)dc, (int)ldc);                                                                                      \
        if (code == CUBLAS_STATUS_SUCCESS && cudaMemcpy(c, dc, ldc * n * sizeof(T), cudaMemcpyDefault) != cudaSuccess)                      \
            code = CUBLAS_STATUS_EXECUTION_FAILED;                                                                                          \
        (void)cudaFree(da), (void)cudaFree(db), (void)cudaFree(dc);                                                                         \
        return code;                                                                                                                        \
    }
WARPLINE_XT_GEMM(S, float)
WARPLINE_XT_GEMM(D, double)
WARPLINE_XT_GEMM(C, cuComplex)
WARPLINE_XT_GEMM(Z, cuDoubleComplex)
#undef WARPLINE_XT_GEMM
#undef WARPLINE_XT
#include "bits/names_shown.h"
#endif
