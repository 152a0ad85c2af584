/* cuBLAS: its types and names, and the calls that compute nothing. The rest is cublas_v2.h. */
#ifndef WARPLINE_CUBLAS_API_H
#define WARPLINE_CUBLAS_API_H
#include "bits/names_hidden.h"
#define CUBLAS_API_H_ /* programs ask for this name */
#include <cuda_runtime.h>
#include <cuComplex.h>
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#include <library_types.h>
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120000

#define WARPLINE_BLAS_STATES(X)                                                                                                           \
    X(SUCCESS, 0) X(NOT_INITIALIZED, 1) X(ALLOC_FAILED, 3) X(INVALID_VALUE, 7) X(ARCH_MISMATCH, 8) X(MAPPING_ERROR, 11)                   \
    X(EXECUTION_FAILED, 13) X(INTERNAL_ERROR, 14) X(NOT_SUPPORTED, 15) X(LICENSE_ERROR, 16)
#define WARPLINE_STATE(name, number) CUBLAS_STATUS_##name = number,
typedef enum { WARPLINE_BLAS_STATES(WARPLINE_STATE) } cublasStatus_t;
#undef WARPLINE_STATE
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
/* There is one way to multiply here: the numbers of algorithms are taken and not looked at. */
typedef enum { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1, CUBLAS_GEMM_ALGO2, CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4, CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO6, CUBLAS_GEMM_ALGO7, CUBLAS_GEMM_ALGO23 = 23, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115 } cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext { cudaStream_t stream; cublasPointerMode_t mode; cublasMath_t math; cublasAtomicsMode_t atomics; } *cublasHandle_t;

#if !defined(__CUDACC__)
/* Of another compiler's file no kernels can be made: its calls are those of libcublas.a, which `warpline cc --toolkit` makes. */
#if defined(__cplusplus)
extern "C" {
#endif
#if !defined(WARPLINE_OLD_CUBLAS_H)
#define CALL(name, suffix, parameters, arguments) cublasStatus_t cublas##name parameters __asm__("cublas" #name suffix);
#endif
#define COPY(name, parameters, arguments) cublasStatus_t cublas##name parameters;
#include "bits/cublas_calls.h"
#undef CALL
#undef COPY
#if defined(__cplusplus)
}
#endif
#else
/* Calls are templates, so that a program has the kernels of those that it uses alone. */
#define WARPLINE_BLAS_CALL template <int warpline_unused = 0> static inline cublasStatus_t
WARPLINE_BLAS_CALL cublasCreate(cublasHandle_t *h) { return *h = new cublasContext(), CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasDestroy(cublasHandle_t h) { return delete h, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasSetStream(cublasHandle_t h, cudaStream_t s) { return h->stream = s, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasGetStream(cublasHandle_t h, cudaStream_t *s) { return *s = h->stream, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t m) { return h->mode = m, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasGetPointerMode(cublasHandle_t h, cublasPointerMode_t *m) { return *m = h->mode, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasSetMathMode(cublasHandle_t h, cublasMath_t m) { return h->math = m, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasGetMathMode(cublasHandle_t h, cublasMath_t *m) { return *m = h->math, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasSetAtomicsMode(cublasHandle_t h, cublasAtomicsMode_t m) { return h->atomics = m, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasGetAtomicsMode(cublasHandle_t h, cublasAtomicsMode_t *m) { return *m = h->atomics, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasGetVersion(cublasHandle_t, int *version) { return *version = CUBLAS_VERSION, CUBLAS_STATUS_SUCCESS; }
template <int = 0> static inline size_t cublasGetCudartVersion() { return CUDART_VERSION; }
WARPLINE_BLAS_CALL cublasGetProperty(libraryPropertyType which, int *value)
{
    const int parts[] = { CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH };
    return value && (unsigned)which < 3 ? (*value = parts[which], CUBLAS_STATUS_SUCCESS) : CUBLAS_STATUS_INVALID_VALUE;
}
template <int = 0> static inline const char *cublasGetStatusName(cublasStatus_t s)
{
#define WARPLINE_STATE(name, number) if (s == CUBLAS_STATUS_##name) return "CUBLAS_STATUS_" #name;
    WARPLINE_BLAS_STATES(WARPLINE_STATE)
#undef WARPLINE_STATE
    return "unknown cuBLAS status";
}
template <int = 0> static inline const char *cublasGetStatusString(cublasStatus_t s)
{
    return s == CUBLAS_STATUS_SUCCESS ? "success" : cublasGetStatusName(s);
}
namespace warpline_blas {
inline cublasStatus_t copy(size_t bytes, size_t count, const void *from, size_t from_step, void *to, size_t to_step, cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, to_step, from, from_step, bytes, count, kind, stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
}
#define WARPLINE_BLAS_COPIES(verb, kind)                                                                                                      \
    WARPLINE_BLAS_CALL cublas##verb##VectorAsync(int n, int size, const void *x, int x_step, void *y, int y_step, cudaStream_t stream)        \
    { return warpline_blas::copy((size_t)size, (size_t)n, x, (size_t)(size * x_step), y, (size_t)(size * y_step), kind, stream); }            \
    WARPLINE_BLAS_CALL cublas##verb##Vector(int n, int size, const void *x, int x_step, void *y, int y_step)                                  \
    { return cublas##verb##VectorAsync(n, size, x, x_step, y, y_step, 0); }                                                                   \
    WARPLINE_BLAS_CALL cublas##verb##MatrixAsync(int rows, int columns, int size, const void *a, int lda, void *b, int ldb, cudaStream_t stream) \
    { return warpline_blas::copy((size_t)rows * (size_t)size, (size_t)columns, a, (size_t)lda * (size_t)size, b, (size_t)ldb * (size_t)size, kind, stream); } \
    WARPLINE_BLAS_CALL cublas##verb##Matrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb)                        \
    { return cublas##verb##MatrixAsync(rows, columns, size, a, lda, b, ldb, 0); }
WARPLINE_BLAS_COPIES(Set, cudaMemcpyHostToDevice)
WARPLINE_BLAS_COPIES(Get, cudaMemcpyDeviceToHost)
#undef WARPLINE_BLAS_COPIES
#endif
#if !defined(WARPLINE_OLD_CUBLAS_H)
#include "bits/cublas_names.h"
#endif
#include "bits/names_shown.h"
#endif
