/* The part of cuSPARSE that programs use most: the generic calls for CSR, CSC and COO, and a few of the old ones, by kernels of our own
 * (warpline_sparse.h). What is not here does not compile. */
#ifndef WARPLINE_CUSPARSE_H
#define WARPLINE_CUSPARSE_H
#include "bits/names_hidden.h"
#define CUSPARSE_H_
#define CUSPARSEAPI /* programs ask for this name */
#include <cuda_runtime.h>
#include <library_types.h>
#include <stdint.h>
#include <string.h>
#if defined(__CUDACC__)
#include <warpline_sparse.h>
#endif
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12000

#define WARPLINE_SPARSE_STATES(X)                                                                                                              \
    X(SUCCESS, 0) X(NOT_INITIALIZED, 1) X(ALLOC_FAILED, 2) X(INVALID_VALUE, 3) X(ARCH_MISMATCH, 4) X(MAPPING_ERROR, 5) X(EXECUTION_FAILED, 6)  \
    X(INTERNAL_ERROR, 7) X(MATRIX_TYPE_NOT_SUPPORTED, 8) X(ZERO_PIVOT, 9) X(NOT_SUPPORTED, 10) X(INSUFFICIENT_RESOURCES, 11)
#define WARPLINE_STATE(name, number) CUSPARSE_STATUS_##name = number,
typedef enum { WARPLINE_SPARSE_STATES(WARPLINE_STATE) } cusparseStatus_t;
#undef WARPLINE_STATE
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN, CUSPARSE_MATRIX_TYPE_TRIANGULAR } cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE } cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
/* There is one algorithm for each: these are taken and not looked at. */
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_CSRMV_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_CSRMV_ALG2 = 3, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4 } cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12 } cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2 } cusparseCsr2CscAlg_t;

typedef struct cusparseContext { cudaStream_t stream; cusparsePointerMode_t mode; } *cusparseHandle_t;
typedef struct cusparseMatDescr { cusparseMatrixType_t type; cusparseFillMode_t fill; cusparseDiagType_t diag; cusparseIndexBase_t base; } *cusparseMatDescr_t;
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *starts, *across, *values; /* of COO: row indices, column indices; of CSC: column offsets, row indices */
    cusparseIndexType_t start_type, across_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    int batch;
    int64_t start_stride, value_stride;
};
struct cusparseDnMatDescr { int64_t rows, columns, ld; void *values; cudaDataType type; cusparseOrder_t order; int batch; int64_t stride; };
struct cusparseDnVecDescr { int64_t size; void *values; cudaDataType type; };
struct cusparseSpVecDescr { int64_t size, nnz; void *indices, *values; cusparseIndexType_t index_type; cusparseIndexBase_t base; cudaDataType type; };
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef struct cusparseSpSVDescr { int unused; } *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr { int unused; } *cusparseSpSMDescr_t;
typedef struct csrilu02Info { int *zero_pivot; } *csrilu02Info_t;

typedef enum { CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC, CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2,
               CUSPARSE_SPGEMM_ALG3 } cusparseSpGEMMAlg_t;
/* Row r of the product lies from room_at[r] on and has count_of[r] elements. */
typedef struct cusparseSpGEMMDescr { long long *room_at, *count_of, *columns; void *values; } *cusparseSpGEMMDescr_t;
static inline const char *cusparseGetErrorName(cusparseStatus_t s)
{
#define WARPLINE_STATE(name, number) if (s == CUSPARSE_STATUS_##name) return "CUSPARSE_STATUS_" #name;
    WARPLINE_SPARSE_STATES(WARPLINE_STATE)
#undef WARPLINE_STATE
    return "unknown cuSPARSE status";
}
static inline const char *cusparseGetErrorString(cusparseStatus_t s)
{
    return s == CUSPARSE_STATUS_SUCCESS ? "success" : cusparseGetErrorName(s);
}
static inline cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t d) { return d->type; }
static inline cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t d) { return d->base; }

#if !defined(__CUDACC__) || defined(WARPLINE_SPARSE_LIBRARY)
/* Of another compiler's file no kernels can be made: its calls are those of libcusparse.a, which `warpline cc --toolkit` makes. */
#if defined(__cplusplus)
#define CALL extern "C" cusparseStatus_t
#else
#define CALL cusparseStatus_t
#endif
#include "bits/cusparse_calls.h"
#undef CALL
#endif
#if defined(__CUDACC__)
#if defined(WARPLINE_SPARSE_LIBRARY)
#define WARPLINE_SPARSE_CALL extern "C" cusparseStatus_t
#else
#define WARPLINE_SPARSE_CALL template <int warpline_unused = 0> static inline cusparseStatus_t
#endif
WARPLINE_SPARSE_CALL cusparseCreate(cusparseHandle_t *h) { return *h = new cusparseContext(), CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDestroy(cusparseHandle_t h) { return delete h, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetStream(cusparseHandle_t h, cudaStream_t s) { return h->stream = s, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseGetStream(cusparseHandle_t h, cudaStream_t *s) { return *s = h->stream, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t m) { return h->mode = m, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t *m) { return *m = h->mode, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseGetVersion(cusparseHandle_t, int *version) { return *version = CUSPARSE_VERSION, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseCreateMatDescr(cusparseMatDescr_t *d) { return *d = new cusparseMatDescr(), CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDestroyMatDescr(cusparseMatDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t v) { return d->type = v, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetMatFillMode(cusparseMatDescr_t d, cusparseFillMode_t v) { return d->fill = v, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetMatDiagType(cusparseMatDescr_t d, cusparseDiagType_t v) { return d->diag = v, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t v) { return d->base = v, CUSPARSE_STATUS_SUCCESS; }

/* What matrices and vectors are. */
#define WARPLINE_SPARSE_MATRIX(name, kind, descriptor, qualifier)                                                                              \
    WARPLINE_SPARSE_CALL name(descriptor *d, int64_t rows, int64_t columns, int64_t nnz, qualifier void *starts, qualifier void *across,       \
                              qualifier void *values, cusparseIndexType_t start_type, cusparseIndexType_t across_type, cusparseIndexBase_t base, \
                              cudaDataType type)                                                                                               \
    {                                                                                                                                          \
        if (start_type == CUSPARSE_INDEX_16U || across_type == CUSPARSE_INDEX_16U)                                                             \
            return CUSPARSE_STATUS_NOT_SUPPORTED;                                                                                              \
        *d = new cusparseSpMatDescr{kind, rows, columns, nnz, (void *)starts, (void *)across, (void *)values, start_type, across_type, base,   \
                                    type, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0};                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                                                                        \
    }
WARPLINE_SPARSE_MATRIX(cusparseCreateCsr, CUSPARSE_FORMAT_CSR, cusparseSpMatDescr_t, )
WARPLINE_SPARSE_MATRIX(cusparseCreateCsc, CUSPARSE_FORMAT_CSC, cusparseSpMatDescr_t, )
WARPLINE_SPARSE_MATRIX(cusparseCreateConstCsr, CUSPARSE_FORMAT_CSR, cusparseConstSpMatDescr_t, const)
WARPLINE_SPARSE_MATRIX(cusparseCreateConstCsc, CUSPARSE_FORMAT_CSC, cusparseConstSpMatDescr_t, const)
#undef WARPLINE_SPARSE_MATRIX
WARPLINE_SPARSE_CALL cusparseCreateCoo(cusparseSpMatDescr_t *d, int64_t rows, int64_t columns, int64_t nnz, void *row_of, void *column_of, void *values,
                                       cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    const cusparseStatus_t s = cusparseCreateCsr(d, rows, columns, nnz, row_of, column_of, values, index_type, index_type, base, type);
    if (s == CUSPARSE_STATUS_SUCCESS)
        (*d)->format = CUSPARSE_FORMAT_COO;
    return s;
}
WARPLINE_SPARSE_CALL cusparseDestroySpMat(cusparseConstSpMatDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpMatGetSize(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *columns, int64_t *nnz)
{
    return *rows = d->rows, *columns = d->columns, *nnz = d->nnz, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpMatGetFormat(cusparseConstSpMatDescr_t d, cusparseFormat_t *f) { return *f = d->format, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t d, cusparseIndexBase_t *b) { return *b = d->base, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpMatGetValues(cusparseSpMatDescr_t d, void **values) { return *values = d->values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpMatSetValues(cusparseSpMatDescr_t d, void *values) { return d->values = values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseCsrSetPointers(cusparseSpMatDescr_t d, void *starts, void *across, void *values)
{
    return d->starts = starts, d->across = across, d->values = values, CUSPARSE_STATUS_SUCCESS;
}
#define cusparseCscSetPointers cusparseCsrSetPointers
#define cusparseCooSetPointers cusparseCsrSetPointers
WARPLINE_SPARSE_CALL cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d, int batch, int64_t start_stride, int64_t value_stride)
{
    return d->batch = batch, d->start_stride = start_stride, d->value_stride = value_stride, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseSpMatSetAttribute(cusparseSpMatDescr_t d, cusparseSpMatAttribute_t which, const void *value, size_t bytes)
{
    void *const to = which == CUSPARSE_SPMAT_FILL_MODE ? (void *)&d->fill : (void *)&d->diag;
    if (bytes != sizeof d->fill)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return memcpy(to, value, bytes), CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseCreateDnMat(cusparseDnMatDescr_t *d, int64_t rows, int64_t columns, int64_t ld, void *values, cudaDataType type, cusparseOrder_t order)
{
    return *d = new cusparseDnMatDescr{rows, columns, ld, values, type, order, 1, 0}, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseDestroyDnMat(cusparseConstDnMatDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDnMatGetValues(cusparseDnMatDescr_t d, void **values) { return *values = d->values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDnMatSetValues(cusparseDnMatDescr_t d, void *values) { return d->values = values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d, int batch, int64_t stride)
{
    return d->batch = batch, d->stride = stride, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseCreateDnVec(cusparseDnVecDescr_t *d, int64_t size, void *values, cudaDataType type)
{
    return *d = new cusparseDnVecDescr{size, values, type}, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *d, int64_t size, const void *values, cudaDataType type)
{
    return *d = new cusparseDnVecDescr{size, (void *)values, type}, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseDestroyDnVec(cusparseConstDnVecDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDnVecGetValues(cusparseDnVecDescr_t d, void **values) { return *values = d->values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseDnVecSetValues(cusparseDnVecDescr_t d, void *values) { return d->values = values, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseCreateSpVec(cusparseSpVecDescr_t *d, int64_t size, int64_t nnz, void *indices, void *values, cusparseIndexType_t index_type,
                                         cusparseIndexBase_t base, cudaDataType type)
{
    return *d = new cusparseSpVecDescr{size, nnz, indices, values, index_type, base, type}, CUSPARSE_STATUS_SUCCESS;
}
WARPLINE_SPARSE_CALL cusparseDestroySpVec(cusparseConstSpVecDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
WARPLINE_SPARSE_CALL cusparseSpVecGetValues(cusparseSpVecDescr_t d, void **values) { return *values = d->values, CUSPARSE_STATUS_SUCCESS; }

#include <warpline_sparse_calls.h>
#include <warpline_spgemm.h>
#endif
#include "bits/names_shown.h"
#endif
