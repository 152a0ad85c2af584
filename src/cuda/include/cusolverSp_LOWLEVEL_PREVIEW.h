/* cuSOLVER's sparse factors step by step: analyse, factor, look for pivots of zero, and solve, by Cholesky and QR on the host and on the
 * device, and by LU with exchanges of rows on the host (its threshold is not looked at: the largest pivot is taken). Matrices are square. What a program gives for working space is not used: the factors have their own memory (warpline_factors.h). */
#ifndef WARPLINE_CUSOLVER_SP_STEPS_H
#define WARPLINE_CUSOLVER_SP_STEPS_H
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_
#include <cusolverSp.h>
#if defined(__CUDACC__)
#include <warpline_refactor.h>
#endif
#include "bits/names_hidden.h"

typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrqrInfo *csrqrInfo_t;
typedef struct csrluInfoHost *csrluInfoHost_t;
#if !defined(__CUDACC__) || defined(WARPLINE_SOLVER_LIBRARY)
#define CALL WARPLINE_SOLVER_SYMBOL
#include "bits/cusolver_step_calls.h"
#undef CALL
#endif
#if defined(__CUDACC__)
#define WARPLINE_STEPS(Name, where, kind, device)                                                                                              \
    struct csr##Name##Info##where : warpline_solver::factors {                                                                                 \
        csr##Name##Info##where() : factors(warpline_solver::kind, device) {}                                                                   \
    };                                                                                                                                         \
    WARPLINE_SOLVER_CALL cusolverSpCreateCsr##Name##Info##where(csr##Name##Info##where##_t *f)                                                 \
    { return *f = new csr##Name##Info##where(), CUSOLVER_STATUS_SUCCESS; }                                                                     \
    WARPLINE_SOLVER_CALL cusolverSpDestroyCsr##Name##Info##where(csr##Name##Info##where##_t f) { return delete f, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_STEPS(chol, Host, band_cholesky, false)
WARPLINE_STEPS(chol, , band_cholesky, true)
WARPLINE_STEPS(qr, Host, band_qr, false)
WARPLINE_STEPS(qr, , band_qr, true)
WARPLINE_STEPS(lu, Host, band_lu, false)
#undef WARPLINE_STEPS

#define WARPLINE_CHOLESKY(where)                                                                                                               \
    WARPLINE_SOLVER_CALL cusolverSpXcsrcholAnalysis##where(cusolverSpHandle_t, int n, int count, const cusparseMatDescr_t d, const int *starts, \
                                                           const int *columns, csrcholInfo##where##_t f)                                       \
    { return f->analyse(n, count, (int)d->base, starts, columns); }
WARPLINE_CHOLESKY(Host)
WARPLINE_CHOLESKY()
#undef WARPLINE_CHOLESKY
#define WARPLINE_CHOLESKY(S, T, where)                                                                                                         \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrcholBufferInfo##where(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const T *,            \
                                                                 const int *, const int *, csrcholInfo##where##_t f, size_t *kept, size_t *work) \
    { return *kept = f->bytes<T>(), *work = 1, CUSOLVER_STATUS_SUCCESS; }                                                                      \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrcholFactor##where(cusolverSpHandle_t h, int, int, const cusparseMatDescr_t, const T *values,        \
                                                             const int *, const int *, csrcholInfo##where##_t f, void *)                       \
    {                                                                                                                                          \
        const cusolverStatus_t end = f->fill<T>(h->stream, values, T(0));                                                                      \
        return end == CUSOLVER_STATUS_SUCCESS ? f->factor<T>(h->stream) : end;                                                                 \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrcholZeroPivot##where(cusolverSpHandle_t, csrcholInfo##where##_t f, T tolerance, int *position)      \
    { return f->zero_pivot<T>(tolerance, position); }                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrcholSolve##where(cusolverSpHandle_t h, int, const T *b, T *x, csrcholInfo##where##_t f, void *)     \
    { return f->solve<T>(h->stream, b, x); }
WARPLINE_CHOLESKY(S, float, Host)
WARPLINE_CHOLESKY(D, double, Host)
WARPLINE_CHOLESKY(S, float, )
WARPLINE_CHOLESKY(D, double, )
#undef WARPLINE_CHOLESKY

#define WARPLINE_QR(where)                                                                                                                     \
    WARPLINE_SOLVER_CALL cusolverSpXcsrqrAnalysis##where(cusolverSpHandle_t, int m, int n, int count, const cusparseMatDescr_t d,              \
                                                         const int *starts, const int *columns, csrqrInfo##where##_t f)                        \
    { return m == n ? f->analyse(n, count, (int)d->base, starts, columns) : CUSOLVER_STATUS_NOT_SUPPORTED; }
WARPLINE_QR(Host)
WARPLINE_QR()
#undef WARPLINE_QR
#define WARPLINE_QR(S, T, where)                                                                                                               \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrqrBufferInfo##where(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const T *,         \
                                                               const int *, const int *, csrqrInfo##where##_t f, size_t *kept, size_t *work)   \
    { return *kept = f->bytes<T>(), *work = 1, CUSOLVER_STATUS_SUCCESS; }                                                                      \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrqrSetup##where(cusolverSpHandle_t h, int, int, int, const cusparseMatDescr_t, const T *values,      \
                                                          const int *, const int *, T mu, csrqrInfo##where##_t f)                              \
    { return f->fill<T>(h->stream, values, mu); }                                                                                              \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrqrFactor##where(cusolverSpHandle_t h, int, int, int, T *b, T *x, csrqrInfo##where##_t f, void *)    \
    {                                                                                                                                          \
        const cusolverStatus_t end = f->factor<T>(h->stream);                                                                                  \
        return end == CUSOLVER_STATUS_SUCCESS && b && x ? f->solve<T>(h->stream, b, x) : end;                                                  \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrqrZeroPivot##where(cusolverSpHandle_t, csrqrInfo##where##_t f, T tolerance, int *position)          \
    { return f->zero_pivot<T>(tolerance, position); }                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrqrSolve##where(cusolverSpHandle_t h, int, int, T *b, T *x, csrqrInfo##where##_t f, void *)          \
    { return f->solve<T>(h->stream, b, x); }
WARPLINE_QR(S, float, Host)
WARPLINE_QR(D, double, Host)
WARPLINE_QR(S, float, )
WARPLINE_QR(D, double, )
#undef WARPLINE_QR

WARPLINE_SOLVER_CALL cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns,
                                                  csrluInfoHost_t f)
{ return f->analyse(n, count, (int)d->base, starts, columns); }
WARPLINE_SOLVER_CALL cusolverSpXcsrluNnzHost(cusolverSpHandle_t, int *lower, int *upper, csrluInfoHost_t f)
{
    const warpline_solver::lu_parts parts(*f);
    return *lower = parts.count(parts.lower), *upper = parts.count(parts.upper), CUSOLVER_STATUS_SUCCESS;
}
#define WARPLINE_LU(S, T)                                                                                                                      \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const T *, const int *,    \
                                                            const int *, csrluInfoHost_t f, size_t *kept, size_t *work)                        \
    { return *kept = f->bytes<T>(), *work = 1, CUSOLVER_STATUS_SUCCESS; }                                                                      \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrluFactorHost(cusolverSpHandle_t h, int, int, const cusparseMatDescr_t, const T *values,             \
                                                        const int *, const int *, csrluInfoHost_t f, T, void *)                                \
    {                                                                                                                                          \
        const cusolverStatus_t end = f->fill<T>(h->stream, values, T(0));                                                                      \
        return end == CUSOLVER_STATUS_SUCCESS ? f->factor<T>(h->stream) : end;                                                                 \
    }                                                                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t f, T tolerance, int *position)                  \
    { return f->zero_pivot<T>(tolerance, position); }                                                                                          \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrluSolveHost(cusolverSpHandle_t h, int, const T *b, T *x, csrluInfoHost_t f, void *)                 \
    { return f->solve<T>(h->stream, b, x); }                                                                                                   \
    WARPLINE_SOLVER_CALL cusolverSp##S##csrluExtractHost(cusolverSpHandle_t, int *p, int *q, const cusparseMatDescr_t dl, T *values_l,         \
                                                         int *starts_l, int *columns_l, const cusparseMatDescr_t du, T *values_u,              \
                                                         int *starts_u, int *columns_u, csrluInfoHost_t f, void *)                             \
    {                                                                                                                                          \
        const warpline_solver::lu_parts parts(*f);                                                                                             \
        parts.give(parts.lower, (const T *)f->values.at, (int)dl->base, values_l, starts_l, columns_l);                                        \
        parts.give(parts.upper, (const T *)f->values.at, (int)du->base, values_u, starts_u, columns_u);                                        \
        for (int k = 0; k < f->n; k++) {                                                                                                       \
            p[k] = f->order[(size_t)parts.from[(size_t)k]];                                                                                    \
            q[k] = f->order[(size_t)k];                                                                                                        \
        }                                                                                                                                      \
        return CUSOLVER_STATUS_SUCCESS;                                                                                                        \
    }
WARPLINE_LU(S, float)
WARPLINE_LU(D, double)
#undef WARPLINE_LU
#endif
#include "bits/names_shown.h"
#endif
