/* cuBLAS' calls whose sizes and steps are of 64 bits: the plain ones, refused where a number does not fit into 32. Each is a template over its
 * arguments, so that it costs nothing where nobody calls it. */
#ifndef WARPLINE_CUBLAS_64_H
#define WARPLINE_CUBLAS_64_H
#include <limits.h>
#include <stdint.h>
namespace warpline_blas {
template <class T> inline bool fits_int(T) { return true; }
inline bool fits_int(int64_t x) { return x >= INT_MIN && x <= INT_MAX; }
inline bool fits_int(long long x) { return x >= INT_MIN && x <= INT_MAX; }
inline bool fits_int(size_t x) { return x <= INT_MAX; }
template <class T> inline T as_int(T x) { return x; }
inline int as_int(int64_t x) { return (int)x; }
inline int as_int(long long x) { return (int)x; }
inline int as_int(size_t x) { return (int)x; }
inline bool all_true() { return true; }
template <class... R> inline bool all_true(bool first, R... rest) { return first && all_true(rest...); }
/* An index comes back wider than the plain call writes it. */
template <class F> inline cublasStatus_t wide_index(cublasHandle_t h, int64_t *to, F call)
{
    if (h->mode == CUBLAS_POINTER_MODE_HOST) {
        int place = 0;
        const cublasStatus_t status = call(&place);
        return *to = place, status;
    }
    (void)cudaMemsetAsync(to, 0, sizeof *to, h->stream);
    return call((int *)to); /* the lower half */
}
}
#define WARPLINE_BLAS_64(name) template <class... P> static inline cublasStatus_t name##_64(P... p)                                              \
    { return warpline_blas::all_true(warpline_blas::fits_int(p)...) ? name(warpline_blas::as_int(p)...) : CUBLAS_STATUS_NOT_SUPPORTED; }
#define WARPLINE_BLAS_64_INDEX(name) template <class T> static inline cublasStatus_t name##_64(cublasHandle_t h, int64_t n, const T *x, int64_t x_step, int64_t *result) \
    {                                                                                                                                           \
        if (!warpline_blas::fits_int(n) || !warpline_blas::fits_int(x_step))                                                                    \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                                                                 \
        return warpline_blas::wide_index(h, result, [=](int *to) { return name(h, (int)n, x, (int)x_step, to); });                               \
    }
#define WARPLINE_BLAS_64_ALL(S, I, N)                                                                                                           \
    WARPLINE_BLAS_64(cublas##S##axpy) WARPLINE_BLAS_64(cublas##S##copy) WARPLINE_BLAS_64(cublas##S##scal) WARPLINE_BLAS_64(cublas##S##swap)     \
    WARPLINE_BLAS_64(cublas##N##asum) WARPLINE_BLAS_64(cublas##N##nrm2) WARPLINE_BLAS_64(cublas##S##gemv) WARPLINE_BLAS_64(cublas##S##gemm)     \
    WARPLINE_BLAS_64(cublas##S##gemmBatched) WARPLINE_BLAS_64(cublas##S##geam) WARPLINE_BLAS_64(cublas##S##dgmm)                                \
    WARPLINE_BLAS_64(cublas##S##syrk) WARPLINE_BLAS_64(cublas##S##trsm) WARPLINE_BLAS_64_INDEX(cublas##I##amax) WARPLINE_BLAS_64_INDEX(cublas##I##amin)
WARPLINE_BLAS_64_ALL(S, Is, S)
WARPLINE_BLAS_64_ALL(D, Id, D)
WARPLINE_BLAS_64_ALL(C, Ic, Sc)
WARPLINE_BLAS_64_ALL(Z, Iz, Dz)
WARPLINE_BLAS_64(cublasSdot)
WARPLINE_BLAS_64(cublasDdot)
WARPLINE_BLAS_64(cublasCdotu)
WARPLINE_BLAS_64(cublasCdotc)
WARPLINE_BLAS_64(cublasZdotu)
WARPLINE_BLAS_64(cublasZdotc)
WARPLINE_BLAS_64(cublasSger)
WARPLINE_BLAS_64(cublasDger)
WARPLINE_BLAS_64(cublasGemmEx)
#undef WARPLINE_BLAS_64
#undef WARPLINE_BLAS_64_INDEX
#undef WARPLINE_BLAS_64_ALL
#endif
