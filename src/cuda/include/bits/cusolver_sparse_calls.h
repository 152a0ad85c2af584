/* The calls of cuSOLVER for sparse matrices that host code links with, as cusparse_calls.h has those of cuSPARSE. */
CALL cusolverSpCreate(cusolverSpHandle_t *h);
CALL cusolverSpDestroy(cusolverSpHandle_t h);
CALL cusolverSpSetStream(cusolverSpHandle_t h, cudaStream_t s);
CALL cusolverSpGetStream(cusolverSpHandle_t h, cudaStream_t *s);
CALL cusolverSpXcsrissymHost(cusolverSpHandle_t h, int m, int count, const cusparseMatDescr_t d, const int *starts, const int *ends, const int *columns,
                             int *symmetric);
CALL cusolverSpXcsrsymrcmHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p);
CALL cusolverSpXcsrsymmdqHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p);
CALL cusolverSpXcsrsymamdHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p);
CALL cusolverSpXcsrmetisndHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns,
                               const int64_t *options, int *p);
CALL cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns,
                                       const int *p, const int *q, size_t *size);
CALL cusolverSpXcsrpermHost(cusolverSpHandle_t h, int m, int n, int count, const cusparseMatDescr_t d, int *starts, int *columns, const int *p,
                            const int *q, int *map, void *buffer);
#define WARPLINE_SPARSE_SOLVE(name, T)                                                                                                         \
    CALL name(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values, const int *starts, const int *columns,      \
              const T *b, T tolerance, int reorder, T *x, int *singular);
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvluHost, float)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvluHost, double)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvcholHost, float)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvcholHost, double)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvqrHost, float)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvqrHost, double)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvchol, float)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvchol, double)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvqr, float)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvqr, double)
#undef WARPLINE_SPARSE_SOLVE
