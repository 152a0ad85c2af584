/* cuBLASLt's product of matrices with what may follow it (bias, ReLU, GELU), over the kernel of cuBLAS (warpline_gemm.h) or, for numbers of
 * eight bits with their factors, that of warpline_gemm8.h. What is not there says its name and fails. */
#ifndef WARPLINE_CUBLASLT_H
#define WARPLINE_CUBLASLT_H
#include "cublas_v2.h"
#include <stdint.h>
#include <string.h>
#include <warpline_gemm8.h>
typedef struct warpline_lt { int unused; } *cublasLtHandle_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4, CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36, CUBLASLT_EPILOGUE_RELU_AUX = 130, CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134, CUBLASLT_EPILOGUE_DRELU = 136,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 152, CUBLASLT_EPILOGUE_GELU_AUX = 160, CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = 208, CUBLASLT_EPILOGUE_BGRADA = 256, CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1, CUBLASLT_ORDER_COL32 = 2, CUBLASLT_ORDER_COL4_4R2_8C = 3, CUBLASLT_ORDER_COL32_2R_4R4 = 4 } cublasLtOrder_t;
typedef enum { CUBLASLT_POINTER_MODE_HOST = 0, CUBLASLT_POINTER_MODE_DEVICE = 1 } cublasLtPointerMode_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0, CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1, CUBLASLT_MATMUL_DESC_POINTER_MODE = 2, CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLASLT_MATMUL_DESC_TRANSC = 5, CUBLASLT_MATMUL_DESC_FILL_MODE = 6, CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
    CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
    CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26, CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
    CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32, CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33, CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37
} cublasLtMatmulDescAttributes_t;
typedef enum {
    CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0, CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1, CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
    CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5
} cublasLtMatmulMatrixScale_t;
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0, CUBLASLT_MATRIX_LAYOUT_ORDER = 1, CUBLASLT_MATRIX_LAYOUT_ROWS = 2, CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum { CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 } cublasLtMatmulPreferenceAttributes_t;

struct cublasLtMatmulDescOpaque_t {
    cublasComputeType_t compute;
    cudaDataType scale;
    int32_t mode, turn_a, turn_b;
    uint32_t epilogue;
    const void *bias;
    void *aux;
    int64_t aux_ld;
    int32_t bias_type; /* -1: not said, so the result's */
    warpline_blas::scales by;
};
struct cublasLtMatrixLayoutOpaque_t { cudaDataType type; uint64_t rows, columns; int64_t ld, offset; int32_t order, batch; };
struct cublasLtMatmulPreferenceOpaque_t { uint64_t workspace; };
typedef struct cublasLtMatmulDescOpaque_t cublasLtMatmulDescOpaque_t;
typedef struct cublasLtMatrixLayoutOpaque_t cublasLtMatrixLayoutOpaque_t;
typedef struct cublasLtMatmulPreferenceOpaque_t cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef struct { cublasLtMatmulAlgo_t algo; size_t workspaceSize; cublasStatus_t state; float wavesCount; int reserved[4]; } cublasLtMatmulHeuristicResult_t;

WARPLINE_BLAS_CALL cublasLtCreate(cublasLtHandle_t *h) { return *h = new warpline_lt(), CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtDestroy(cublasLtHandle_t h) { return delete h, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute, cudaDataType scale)
{
    *d = cublasLtMatmulDescOpaque_t();
    d->compute = compute;
    d->scale = scale;
    d->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    d->bias_type = -1;
    return CUBLAS_STATUS_SUCCESS;
}
WARPLINE_BLAS_CALL cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute, cudaDataType scale)
{
    return *d = new cublasLtMatmulDescOpaque_t(), cublasLtMatmulDescInit(*d, compute, scale);
}
WARPLINE_BLAS_CALL cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return delete d, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t l, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld)
{
    return *l = cublasLtMatrixLayoutOpaque_t{type, rows, columns, ld, 0, CUBLASLT_ORDER_COL, 1}, CUBLAS_STATUS_SUCCESS;
}
WARPLINE_BLAS_CALL cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld)
{
    return *l = new cublasLtMatrixLayoutOpaque_t(), cublasLtMatrixLayoutInit(*l, type, rows, columns, ld);
}
WARPLINE_BLAS_CALL cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return delete l, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t p) { return p->workspace = 0, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p) { return *p = new cublasLtMatmulPreferenceOpaque_t(), CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return delete p, CUBLAS_STATUS_SUCCESS; }
WARPLINE_BLAS_CALL cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void *, size_t)
{
    return CUBLAS_STATUS_SUCCESS; /* there is one algorithm, and it needs no room */
}
namespace warpline_blas {
template <class T> inline cublasStatus_t take(T &field, const void *value, size_t bytes)
{
    if (bytes != sizeof field)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((void *)&field, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t not_there(const char *what, int number)
{
    (void)fprintf(stderr, "warpline: cuBLASLt: %s %d is not part of warpline\n", what, number);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
}
WARPLINE_BLAS_CALL cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which, const void *value, size_t bytes)
{
    using warpline_blas::take;
    switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return take(d->compute, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return take(d->scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return take(d->mode, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA: return take(d->turn_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB: return take(d->turn_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return take(d->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return take(d->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return take(d->aux, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return take(d->aux_ld, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return take(d->bias_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return take(d->by.a, value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return take(d->by.b, value, bytes);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return take(d->by.c, value, bytes);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return take(d->by.d, value, bytes);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return take(d->by.largest, value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_MODE: case CUBLASLT_MATMUL_DESC_B_SCALE_MODE: case CUBLASLT_MATMUL_DESC_C_SCALE_MODE: case CUBLASLT_MATMUL_DESC_D_SCALE_MODE:
        return *(const int32_t *)value == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F ? CUBLAS_STATUS_SUCCESS
                                                                                  : warpline_blas::not_there("mode of a scale", (int)*(const int32_t *)value);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return CUBLAS_STATUS_SUCCESS;
    default: return warpline_blas::not_there("attribute of a product", (int)which);
    }
}
WARPLINE_BLAS_CALL cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t which, const void *value, size_t bytes)
{
    using warpline_blas::take;
    switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return take(l->type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return take(l->order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return take(l->rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return take(l->columns, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD: return take(l->ld, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return take(l->batch, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return take(l->offset, value, bytes);
    default: return warpline_blas::not_there("attribute of a layout", (int)which);
    }
}
WARPLINE_BLAS_CALL cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                  cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int wanted, cublasLtMatmulHeuristicResult_t results[], int *found)
{
    *found = wanted > 0 ? 1 : 0;
    if (wanted > 0) {
        results[0] = cublasLtMatmulHeuristicResult_t();
        results[0].state = CUBLAS_STATUS_SUCCESS;
        results[0].wavesCount = 1;
    }
    return CUBLAS_STATUS_SUCCESS;
}
namespace warpline_blas {
template <class T> inline matrix<T> laid(T *base, const cublasLtMatrixLayoutOpaque_t *l, int turn)
{
    const bool rows = l->order == CUBLASLT_ORDER_ROW, turned = turn == CUBLAS_OP_T || turn == CUBLAS_OP_C;
    return matrix<T>{base, nullptr, l->batch > 1 ? l->offset : 0, rows != turned ? l->ld : 1, rows != turned ? 1 : l->ld, turn == CUBLAS_OP_C};
}
/* Which activation an epilogue is; false: one that is not here. */
inline bool read_epilogue(const cublasLtMatmulDescOpaque_t *d, activation *what, bool *bias, bool *aux)
{
    *bias = (d->epilogue & 4) != 0;
    *aux = (d->epilogue & 128) != 0;
    switch (d->epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT: case CUBLASLT_EPILOGUE_BIAS: return *what = NOTHING, true;
    case CUBLASLT_EPILOGUE_RELU: case CUBLASLT_EPILOGUE_RELU_BIAS: return *what = RELU, true;
    case CUBLASLT_EPILOGUE_GELU: case CUBLASLT_EPILOGUE_GELU_BIAS: case CUBLASLT_EPILOGUE_GELU_AUX: case CUBLASLT_EPILOGUE_GELU_AUX_BIAS: return *what = GELU, true;
    case CUBLASLT_EPILOGUE_DGELU: return *what = GELU_BACK, true;
    default: return false;
    }
}
inline told_matrix told(const void *base, const cublasLtMatrixLayoutOpaque_t *l, int turn)
{
    const matrix<const char> m = laid<const char>((const char *)base, l, turn);
    return told_matrix{(void *)base, l->type, m.stride, m.down, m.right};
}
/* A product of eight-bit floats. The other matrices are of such floats or of wider ones, the bias of the type of c if none was told. */
inline cublasStatus_t eight_bit_product(const cublasLtMatmulDescOpaque_t *d, int m, int n, int k, const void *alpha, const void *a, const cublasLtMatrixLayoutOpaque_t *la,
                                        const void *b, const cublasLtMatrixLayoutOpaque_t *lb, const void *beta, const void *c, const cublasLtMatrixLayoutOpaque_t *lc,
                                        void *out, const cublasLtMatrixLayoutOpaque_t *ld, activation what, bool bias, cudaStream_t stream)
{
    for (const cudaDataType type : {lc->type, ld->type})
        if (!is_eight_bits(type) && type != CUDA_R_16F && type != CUDA_R_16BF && type != CUDA_R_32F)
            return not_there("product of eight-bit floats into a matrix of type", (int)type);
    if (!is_eight_bits(la->type) || !is_eight_bits(lb->type) || d->scale != CUDA_R_32F)
        return not_there("product of eight-bit floats with others, type", (int)(is_eight_bits(la->type) ? lb->type : la->type));
    if (!is_eight_bits(ld->type) && (d->by.d || d->by.largest))
        return not_there("factor or largest value of a result of type", (int)ld->type);
    const cudaDataType bias_type = d->bias_type >= 0 ? (cudaDataType)d->bias_type : lc->type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
    const cublasPointerMode_t mode = d->mode == CUBLASLT_POINTER_MODE_HOST ? CUBLAS_POINTER_MODE_HOST : CUBLAS_POINTER_MODE_DEVICE;
    return launch_told(stream, m, n, k, scalar(mode, stream, (const float *)alpha), told(a, la, d->turn_a), told(b, lb, d->turn_b), scalar(mode, stream, (const float *)beta),
                       told(c, lc, CUBLAS_OP_N), told(out, ld, CUBLAS_OP_N), ld->batch, what, told_matrix{bias ? (void *)d->bias : nullptr, bias_type, 0, 1, 0}, d->by);
}
}
WARPLINE_BLAS_CALL cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a, cublasLtMatrixLayout_t la, const void *b,
                                  cublasLtMatrixLayout_t lb, const void *beta, const void *c, cublasLtMatrixLayout_t lc, void *out, cublasLtMatrixLayout_t ld,
                                  const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream)
{
    using namespace warpline_blas;
    activation what;
    bool bias, aux;
    if (!h || !d)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!read_epilogue(d, &what, &bias, &aux))
        return not_there("epilogue", (int)d->epilogue);
    const bool eight = is_eight_bits(la->type) || is_eight_bits(lb->type);
    if (bias && !eight && d->bias_type >= 0 && d->bias_type != (int)ld->type)
        return not_there("bias of another type than the result's,", d->bias_type);
    if (eight ? aux || what == GELU_BACK : d->by.a || d->by.b || d->by.c || d->by.d || d->by.largest)
        return eight ? not_there("for eight-bit floats, epilogue", (int)d->epilogue) : not_there("factor of a matrix of type", (int)la->type);
    for (const cublasLtMatrixLayoutOpaque_t *l : {la, lb, lc, ld})
        if (l->order != CUBLASLT_ORDER_COL && l->order != CUBLASLT_ORDER_ROW)
            return not_there("order", l->order);
    const int m = (int)ld->rows, n = (int)ld->columns, k = (int)(d->turn_a == CUBLAS_OP_N ? la->columns : la->rows);
    const bool turned_b = d->turn_b != CUBLAS_OP_N;
    if ((uint64_t)m != (d->turn_a == CUBLAS_OP_N ? la->rows : la->columns) || (uint64_t)k != (turned_b ? lb->columns : lb->rows) ||
        (uint64_t)n != (turned_b ? lb->rows : lb->columns) || (bias && !d->bias) || (aux && !d->aux) || (lc->type != ld->type && !eight))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (eight)
        return eight_bit_product(d, m, n, k, alpha, a, la, b, lb, beta, c, lc, out, ld, what, bias, stream);
    return by_types(la->type, lb->type, ld->type, d->scale, "cublasLtMatmul", [=](auto *pa, auto *pb, auto *pc, auto *ps) {
        typedef typename std::remove_pointer<decltype(pa)>::type A;
        typedef typename std::remove_pointer<decltype(pb)>::type B;
        typedef typename std::remove_pointer<decltype(pc)>::type C;
        typedef typename std::remove_pointer<decltype(ps)>::type S;
        typedef typename sums_in<S>::type W;
        if (is_complex<S>::value && d->epilogue != CUBLASLT_EPILOGUE_DEFAULT)
            return not_there("for complex numbers, epilogue", (int)d->epilogue);
        const cublasPointerMode_t mode = d->mode == CUBLASLT_POINTER_MODE_HOST ? CUBLAS_POINTER_MODE_HOST : CUBLAS_POINTER_MODE_DEVICE;
        const finish<C> f = {what, bias ? (const C *)d->bias : nullptr, aux ? (C *)d->aux : nullptr, d->aux_ld};
        return launch<A, B, C, W>(stream, m, n, k, as<W>::of(scalar(mode, stream, (const S *)alpha)), laid<const A>((const A *)a, la, d->turn_a),
                                  laid<const B>((const B *)b, lb, d->turn_b), as<W>::of(scalar(mode, stream, (const S *)beta)),
                                  laid<const C>((const C *)c, lc, CUBLAS_OP_N), laid<C>((C *)out, ld, CUBLAS_OP_N), ld->batch, f);
    });
}
#endif
