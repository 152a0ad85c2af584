/* The calls of cuSOLVER for sparse factors step by step that host code links with, as cusparse_calls.h has those of cuSPARSE. */
#define WARPLINE_STEPS(where)                                                                                                                  \
    CALL cusolverSpCreateCsrcholInfo##where(csrcholInfo##where##_t *f);                                                                        \
    CALL cusolverSpDestroyCsrcholInfo##where(csrcholInfo##where##_t f);                                                                        \
    CALL cusolverSpCreateCsrqrInfo##where(csrqrInfo##where##_t *f);                                                                            \
    CALL cusolverSpDestroyCsrqrInfo##where(csrqrInfo##where##_t f);                                                                            \
    CALL cusolverSpXcsrcholAnalysis##where(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts,              \
                                           const int *columns, csrcholInfo##where##_t f);                                                      \
    CALL cusolverSpXcsrqrAnalysis##where(cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t d, const int *starts,         \
                                         const int *columns, csrqrInfo##where##_t f);
WARPLINE_STEPS(Host)
WARPLINE_STEPS()
#undef WARPLINE_STEPS
#define WARPLINE_STEPS(S, T, where)                                                                                                            \
    CALL cusolverSp##S##csrcholBufferInfo##where(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values,          \
                                                 const int *starts, const int *columns, csrcholInfo##where##_t f, size_t *kept, size_t *work); \
    CALL cusolverSp##S##csrcholFactor##where(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values,              \
                                             const int *starts, const int *columns, csrcholInfo##where##_t f, void *buffer);                   \
    CALL cusolverSp##S##csrcholZeroPivot##where(cusolverSpHandle_t h, csrcholInfo##where##_t f, T tolerance, int *position);                   \
    CALL cusolverSp##S##csrcholSolve##where(cusolverSpHandle_t h, int n, const T *b, T *x, csrcholInfo##where##_t f, void *buffer);            \
    CALL cusolverSp##S##csrqrBufferInfo##where(cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t d, const T *values,     \
                                               const int *starts, const int *columns, csrqrInfo##where##_t f, size_t *kept, size_t *work);     \
    CALL cusolverSp##S##csrqrSetup##where(cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t d, const T *values,          \
                                          const int *starts, const int *columns, T mu, csrqrInfo##where##_t f);                                \
    CALL cusolverSp##S##csrqrFactor##where(cusolverSpHandle_t h, int m, int n, int count, T *b, T *x, csrqrInfo##where##_t f, void *buffer);   \
    CALL cusolverSp##S##csrqrZeroPivot##where(cusolverSpHandle_t h, csrqrInfo##where##_t f, T tolerance, int *position);                       \
    CALL cusolverSp##S##csrqrSolve##where(cusolverSpHandle_t h, int m, int n, T *b, T *x, csrqrInfo##where##_t f, void *buffer);
WARPLINE_STEPS(S, float, Host)
WARPLINE_STEPS(D, double, Host)
WARPLINE_STEPS(S, float, )
WARPLINE_STEPS(D, double, )
#undef WARPLINE_STEPS
CALL cusolverSpCreateCsrluInfoHost(csrluInfoHost_t *f);
CALL cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t f);
CALL cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns, csrluInfoHost_t f);
CALL cusolverSpXcsrluNnzHost(cusolverSpHandle_t h, int *lower, int *upper, csrluInfoHost_t f);
#define WARPLINE_LU(S, T)                                                                                                                      \
    CALL cusolverSp##S##csrluBufferInfoHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values,               \
                                            const int *starts, const int *columns, csrluInfoHost_t f, size_t *kept, size_t *work);             \
    CALL cusolverSp##S##csrluFactorHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values,                   \
                                        const int *starts, const int *columns, csrluInfoHost_t f, T threshold, void *buffer);                  \
    CALL cusolverSp##S##csrluZeroPivotHost(cusolverSpHandle_t h, csrluInfoHost_t f, T tolerance, int *position);                               \
    CALL cusolverSp##S##csrluSolveHost(cusolverSpHandle_t h, int n, const T *b, T *x, csrluInfoHost_t f, void *buffer);                        \
    CALL cusolverSp##S##csrluExtractHost(cusolverSpHandle_t h, int *p, int *q, const cusparseMatDescr_t dl, T *values_l, int *starts_l,        \
                                         int *columns_l, const cusparseMatDescr_t du, T *values_u, int *starts_u, int *columns_u,              \
                                         csrluInfoHost_t f, void *buffer);
WARPLINE_LU(S, float)
WARPLINE_LU(D, double)
#undef WARPLINE_LU
