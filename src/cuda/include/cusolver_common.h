/* What the parts of cuSOLVER share. */
#ifndef WARPLINE_CUSOLVER_COMMON_H
#define WARPLINE_CUSOLVER_COMMON_H
#define CUSOLVER_COMMON_H_ /* programs ask for this name */
typedef enum {
    CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_NOT_INITIALIZED, CUSOLVER_STATUS_ALLOC_FAILED, CUSOLVER_STATUS_INVALID_VALUE, CUSOLVER_STATUS_ARCH_MISMATCH,
    CUSOLVER_STATUS_MAPPING_ERROR, CUSOLVER_STATUS_EXECUTION_FAILED, CUSOLVER_STATUS_INTERNAL_ERROR, CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
    CUSOLVER_STATUS_NOT_SUPPORTED, CUSOLVER_STATUS_ZERO_PIVOT, CUSOLVER_STATUS_INVALID_LICENSE
} cusolverStatus_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR } cusolverEigMode_t;
typedef enum { CUSOLVER_EIG_TYPE_1 = 1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3 } cusolverEigType_t;
/* Functions of libcusolver.a, for host code of another compiler, or templates, so that a program has only the kernels that it uses. */
#if defined(__cplusplus)
#define WARPLINE_SOLVER_SYMBOL extern "C" cusolverStatus_t
#else
#define WARPLINE_SOLVER_SYMBOL cusolverStatus_t
#endif
#if defined(WARPLINE_SOLVER_LIBRARY)
#define WARPLINE_SOLVER_CALL WARPLINE_SOLVER_SYMBOL
#else
#define WARPLINE_SOLVER_CALL template <int warpline_unused = 0> static inline cusolverStatus_t
#endif
#endif
