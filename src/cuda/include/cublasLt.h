/* cuBLASLt's types, for the many programs that include this file for others' sake. Its products are not here: a call says its name and
 * fails, as calls of the runtime that are not there do. */
#ifndef WARPLINE_CUBLASLT_H
#define WARPLINE_CUBLASLT_H
#include "cublas_v2.h"
#include <stdio.h>
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct { unsigned long long data[8]; } cublasLtMatmulAlgo_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
typedef struct { cublasLtMatmulAlgo_t algo; size_t workspaceSize; cublasStatus_t state; float wavesCount; int reserved[4]; } cublasLtMatmulHeuristicResult_t;
typedef enum { CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4, CUBLASLT_EPILOGUE_GELU = 32 } cublasLtEpilogue_t;
#define WARPLINE_NO_LT(name)                                                                                     \
    template <class... A> static inline cublasStatus_t name(A...)                                               \
    {                                                                                                            \
        (void)fprintf(stderr, "warpline: " #name " is not part of warpline: cublasSgemm and its kin are\n");    \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                                                      \
    }
WARPLINE_NO_LT(cublasLtCreate)
WARPLINE_NO_LT(cublasLtDestroy)
WARPLINE_NO_LT(cublasLtMatmul)
WARPLINE_NO_LT(cublasLtMatmulDescCreate)
WARPLINE_NO_LT(cublasLtMatmulDescDestroy)
WARPLINE_NO_LT(cublasLtMatmulDescSetAttribute)
WARPLINE_NO_LT(cublasLtMatrixLayoutCreate)
WARPLINE_NO_LT(cublasLtMatrixLayoutDestroy)
WARPLINE_NO_LT(cublasLtMatrixLayoutSetAttribute)
WARPLINE_NO_LT(cublasLtMatmulPreferenceCreate)
WARPLINE_NO_LT(cublasLtMatmulPreferenceDestroy)
WARPLINE_NO_LT(cublasLtMatmulPreferenceSetAttribute)
WARPLINE_NO_LT(cublasLtMatmulAlgoGetHeuristic)
#undef WARPLINE_NO_LT
#endif
