/* The calls of cuBLAS that host code links with, once for both sides: CALL(name, suffix, parameters, arguments) becomes a declaration in files that the
 * host's compiler reads (cublas_api.h) and a function of libcublas.a (cublas_library.cu); the suffix is that of the real library's symbol. OLD(type, name, parameters, arguments) likewise,
 * of the cuBLAS without handles (cublas.h). COPY stands for those that both have. Read several times, so it has
 * no guard. */
#define WARPLINE_COPIES(verb)                                                                                                               \
    COPY(verb##Vector, (int n, int size, const void *x, int xs, void *y, int ys), (n, size, x, xs, y, ys))                                  \
    COPY(verb##Matrix, (int rows, int columns, int size, const void *a, int lda, void *b, int ldb), (rows, columns, size, a, lda, b, ldb))
WARPLINE_COPIES(Set)
WARPLINE_COPIES(Get)
#undef WARPLINE_COPIES
#if defined(CALL)
#define WARPLINE_VECTORS(S, T)                                                                                                              \
    CALL(S##axpy, "_v2", (cublasHandle_t h, int n, const T *alpha, const T *x, int xs, T *y, int ys), (h, n, alpha, x, xs, y, ys))                 \
    CALL(S##scal, "_v2", (cublasHandle_t h, int n, const T *alpha, T *x, int xs), (h, n, alpha, x, xs))                                            \
    CALL(S##copy, "_v2", (cublasHandle_t h, int n, const T *x, int xs, T *y, int ys), (h, n, x, xs, y, ys))                                        \
    CALL(S##swap, "_v2", (cublasHandle_t h, int n, T *x, int xs, T *y, int ys), (h, n, x, xs, y, ys))
#define WARPLINE_SIZES(N, I, T, R)                                                                                                          \
    CALL(N##asum, "_v2", (cublasHandle_t h, int n, const T *x, int xs, R *result), (h, n, x, xs, result))                                          \
    CALL(N##nrm2, "_v2", (cublasHandle_t h, int n, const T *x, int xs, R *result), (h, n, x, xs, result))                                          \
    CALL(I##amax, "_v2", (cublasHandle_t h, int n, const T *x, int xs, int *result), (h, n, x, xs, result))                                        \
    CALL(I##amin, "_v2", (cublasHandle_t h, int n, const T *x, int xs, int *result), (h, n, x, xs, result))
#define WARPLINE_DOT(name, T)                                                                                                               \
    CALL(name, "_v2", (cublasHandle_t h, int n, const T *x, int xs, const T *y, int ys, T *result), (h, n, x, xs, y, ys, result))
#define WARPLINE_MATRICES(S, T)                                                                                                             \
    CALL(S##gemv, "_v2", (cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, const T *x, int xs,           \
                   const T *beta, T *y, int ys), (h, op, m, n, alpha, a, lda, x, xs, beta, y, ys))                                          \
    CALL(S##gemm, "_v2", (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a, int lda,  \
                   const T *b, int ldb, const T *beta, T *c, int ldc), (h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))           \
    CALL(S##gemmStridedBatched, "", (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,         \
                   const T *a, int lda, long long sa, const T *b, int ldb, long long sb, const T *beta, T *c, int ldc, long long sc,        \
                   int batch), (h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, batch))                                \
    CALL(S##gemmBatched, "", (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,                \
                   const T *const a[], int lda, const T *const b[], int ldb, const T *beta, T *const c[], int ldc, int batch),              \
                   (h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch))                                                        \
    CALL(S##trsm, "_v2", (cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diag, int m,      \
                   int n, const T *alpha, const T *a, int lda, T *b, int ldb), (h, side, fill, op, diag, m, n, alpha, a, lda, b, ldb))
CALL(Create, "_v2", (cublasHandle_t *h), (h))
CALL(Destroy, "_v2", (cublasHandle_t h), (h))
CALL(GetVersion, "_v2", (cublasHandle_t h, int *version), (h, version))
CALL(SetStream, "_v2", (cublasHandle_t h, cudaStream_t s), (h, s))
CALL(GetStream, "_v2", (cublasHandle_t h, cudaStream_t *s), (h, s))
CALL(SetPointerMode, "_v2", (cublasHandle_t h, cublasPointerMode_t m), (h, m))
CALL(GetPointerMode, "_v2", (cublasHandle_t h, cublasPointerMode_t *m), (h, m))
CALL(SetMathMode, "", (cublasHandle_t h, cublasMath_t m), (h, m))
WARPLINE_VECTORS(S, float)
WARPLINE_VECTORS(D, double)
WARPLINE_VECTORS(C, cuComplex)
WARPLINE_VECTORS(Z, cuDoubleComplex)
WARPLINE_SIZES(S, Is, float, float)
WARPLINE_SIZES(D, Id, double, double)
WARPLINE_SIZES(Sc, Ic, cuComplex, float)
WARPLINE_SIZES(Dz, Iz, cuDoubleComplex, double)
WARPLINE_DOT(Sdot, float)
WARPLINE_DOT(Ddot, double)
WARPLINE_DOT(Cdotu, cuComplex)
WARPLINE_DOT(Cdotc, cuComplex)
WARPLINE_DOT(Zdotu, cuDoubleComplex)
WARPLINE_DOT(Zdotc, cuDoubleComplex)
#define WARPLINE_LU(S, T)                                                                                                                   \
    CALL(S##getrfBatched, "", (cublasHandle_t h, int n, T *const a[], int lda, int *pivots, int *info, int batch),                          \
                   (h, n, a, lda, pivots, info, batch))                                                                                     \
    CALL(S##getrsBatched, "", (cublasHandle_t h, cublasOperation_t op, int n, int columns, const T *const a[], int lda, const int *pivots,  \
                   T *const b[], int ldb, int *info, int batch), (h, op, n, columns, a, lda, pivots, b, ldb, info, batch))
WARPLINE_LU(S, float)
WARPLINE_LU(D, double)
#undef WARPLINE_LU
WARPLINE_MATRICES(S, float)
WARPLINE_MATRICES(D, double)
WARPLINE_MATRICES(C, cuComplex)
WARPLINE_MATRICES(Z, cuDoubleComplex)
#undef WARPLINE_VECTORS
#undef WARPLINE_SIZES
#undef WARPLINE_DOT
#undef WARPLINE_MATRICES
#endif
#if defined(OLD)
#define WARPLINE_OLD_CALLS(S, I, T)                                                                                                         \
    OLD(void, S##gemm, (char ta, char tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc),   \
        (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))                                                                             \
    OLD(void, S##gemv, (char t, int m, int n, T alpha, const T *a, int lda, const T *x, int xs, T beta, T *y, int ys),                      \
        (t, m, n, alpha, a, lda, x, xs, beta, y, ys))                                                                                       \
    OLD(void, S##axpy, (int n, T alpha, const T *x, int xs, T *y, int ys), (n, alpha, x, xs, y, ys))                                        \
    OLD(void, S##scal, (int n, T alpha, T *x, int xs), (n, alpha, x, xs))                                                                   \
    OLD(void, S##copy, (int n, const T *x, int xs, T *y, int ys), (n, x, xs, y, ys))                                                        \
    OLD(T, S##dot, (int n, const T *x, int xs, const T *y, int ys), (n, x, xs, y, ys))                                                      \
    OLD(T, S##asum, (int n, const T *x, int xs), (n, x, xs))                                                                                \
    OLD(T, S##nrm2, (int n, const T *x, int xs), (n, x, xs))                                                                                \
    OLD(int, I##amax, (int n, const T *x, int xs), (n, x, xs))                                                                              \
    OLD(int, I##amin, (int n, const T *x, int xs), (n, x, xs))
OLD(cublasStatus_t, Init, (void), ())
OLD(cublasStatus_t, Shutdown, (void), ())
OLD(cublasStatus_t, GetError, (void), ())
OLD(cublasStatus_t, Alloc, (int n, int bytes, void **pointer), (n, bytes, pointer))
OLD(cublasStatus_t, Free, (void *pointer), (pointer))
OLD(cublasStatus_t, SetKernelStream, (cudaStream_t stream), (stream))
WARPLINE_OLD_CALLS(S, Is, float)
WARPLINE_OLD_CALLS(D, Id, double)
#undef WARPLINE_OLD_CALLS
#endif
