/* cuSOLVER's factoring again: L and U of one matrix give the pattern, and others with the same pattern are factored and solved on the device, by
 * kernels of our own (warpline_refactor.h). Matrices are in CSR with indices from 0, and L has the diagonal of ones. */
#ifndef WARPLINE_CUSOLVER_RF_H
#define WARPLINE_CUSOLVER_RF_H
#include <cuda_runtime.h>
#include <cusolver_common.h>
#if defined(__CUDACC__)
#include <warpline_refactor.h>
#endif
#include "bits/names_hidden.h"

typedef enum { CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON } cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_MATRIX_FORMAT_CSC } cusolverRfMatrixFormat_t;
typedef enum { CUSOLVERRF_UNIT_DIAGONAL_STORED_L, CUSOLVERRF_UNIT_DIAGONAL_STORED_U, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U } cusolverRfUnitDiagonal_t;
typedef enum { CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_FACTORIZATION_ALG1, CUSOLVERRF_FACTORIZATION_ALG2 } cusolverRfFactorization_t;
typedef enum { CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1, CUSOLVERRF_TRIANGULAR_SOLVE_ALG2, CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 } cusolverRfTriangularSolve_t;
typedef struct cusolverRfCommon *cusolverRfHandle_t;
#if !defined(__CUDACC__) || defined(WARPLINE_SOLVER_LIBRARY)
WARPLINE_SOLVER_SYMBOL cusolverRfCreate(cusolverRfHandle_t *h);
WARPLINE_SOLVER_SYMBOL cusolverRfDestroy(cusolverRfHandle_t h);
WARPLINE_SOLVER_SYMBOL cusolverRfSetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t format, cusolverRfUnitDiagonal_t diagonal);
WARPLINE_SOLVER_SYMBOL cusolverRfSetNumericProperties(cusolverRfHandle_t h, double zero, double boost);
WARPLINE_SOLVER_SYMBOL cusolverRfSetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t how, cusolverRfTriangularSolve_t solve);
WARPLINE_SOLVER_SYMBOL cusolverRfSetResetValuesFastMode(cusolverRfHandle_t h, cusolverRfResetValuesFastMode_t mode);
WARPLINE_SOLVER_SYMBOL cusolverRfSetupHost(int n, int count, int *starts, int *columns, double *values, int count_l, int *starts_l, int *columns_l,
                                           double *values_l, int count_u, int *starts_u, int *columns_u, double *values_u, int *p, int *q,
                                           cusolverRfHandle_t h);
WARPLINE_SOLVER_SYMBOL cusolverRfAnalyze(cusolverRfHandle_t h);
WARPLINE_SOLVER_SYMBOL cusolverRfResetValues(int n, int count, int *starts, int *columns, double *values, int *p, int *q, cusolverRfHandle_t h);
WARPLINE_SOLVER_SYMBOL cusolverRfRefactor(cusolverRfHandle_t h);
WARPLINE_SOLVER_SYMBOL cusolverRfSolve(cusolverRfHandle_t h, int *p, int *q, int sides, double *work, int ldt, double *x, int ldx);
#endif
#if defined(__CUDACC__)
struct cusolverRfCommon {
    double zero = 0, boost = 0;
    int n = 0, count = 0;
    warpline_solver::room starts, columns, diagonal, spot, values, flag;
    warpline_solver::joined_factors view() const
    {
        return {n, (int *)starts.at, (int *)columns.at, (int *)diagonal.at, (int *)spot.at, (double *)values.at};
    }
    static bool put(warpline_solver::room &to, const std::vector<int> &from)
    {
        return to.make(true, from.size() * sizeof(int)) && to.take(from.data(), from.size() * sizeof(int));
    }
    /* What the kernels left in the flag, as one of two answers. */
    cusolverStatus_t answer(cusolverStatus_t when_set) const
    {
        int set = 0;
        if (cudaGetLastError() != cudaSuccess || cudaMemcpy(&set, flag.at, sizeof set, cudaMemcpyDeviceToHost) != cudaSuccess)
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        return set ? when_set : CUSOLVER_STATUS_SUCCESS;
    }
    unsigned blocks() const { return (unsigned)(n + warpline_solver::refactor_threads - 1) / warpline_solver::refactor_threads; }
};
WARPLINE_SOLVER_CALL cusolverRfCreate(cusolverRfHandle_t *h) { return *h = new cusolverRfCommon(), CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverRfDestroy(cusolverRfHandle_t h) { return delete h, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverRfSetMatrixFormat(cusolverRfHandle_t, cusolverRfMatrixFormat_t format, cusolverRfUnitDiagonal_t diagonal)
{
    const bool lower = diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L || diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L;
    return format == CUSOLVERRF_MATRIX_FORMAT_CSR && lower ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
WARPLINE_SOLVER_CALL cusolverRfSetNumericProperties(cusolverRfHandle_t h, double zero, double boost)
{ return h->zero = zero, h->boost = boost, CUSOLVER_STATUS_SUCCESS; }
/* There is one way for each: these are taken and not looked at. */
WARPLINE_SOLVER_CALL cusolverRfSetAlgs(cusolverRfHandle_t, cusolverRfFactorization_t, cusolverRfTriangularSolve_t) { return CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverRfSetResetValuesFastMode(cusolverRfHandle_t, cusolverRfResetValuesFastMode_t) { return CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverRfAnalyze(cusolverRfHandle_t) { return CUSOLVER_STATUS_SUCCESS; }
/* Takes the pattern; cusolverRfResetValues() brings the values. */
WARPLINE_SOLVER_CALL cusolverRfSetupHost(int n, int, int *, int *, double *, int, int *starts_l, int *columns_l, double *, int, int *starts_u,
                                         int *columns_u, double *, int *, int *, cusolverRfHandle_t h)
{
    std::vector<int> starts(1, 0), columns, diagonal;
    for (int i = 0; i < n; i++) {
        std::vector<int> row(1, i);
        for (int t = starts_l[i]; t < starts_l[i + 1]; t++)
            row.push_back(columns_l[t]);
        for (int t = starts_u[i]; t < starts_u[i + 1]; t++)
            row.push_back(columns_u[t]);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        diagonal.push_back((int)columns.size() + (int)(std::lower_bound(row.begin(), row.end(), i) - row.begin()));
        columns.insert(columns.end(), row.begin(), row.end());
        starts.push_back((int)columns.size());
    }
    h->n = n;
    h->count = (int)columns.size();
    const bool ok = h->put(h->starts, starts) && h->put(h->columns, columns) && h->put(h->diagonal, diagonal) &&
                    h->spot.make(true, (size_t)n * sizeof(int)) && h->values.make(true, columns.size() * sizeof(double)) && h->flag.make(true, sizeof(int));
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
WARPLINE_SOLVER_CALL cusolverRfResetValues(int n, int, int *starts, int *columns, double *values, int *p, int *q, cusolverRfHandle_t h)
{
    warpline_solver::room place;
    if (n != h->n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (!place.make(true, (size_t)n * sizeof(int)) || cudaMemset(h->values.at, 0, (size_t)h->count * sizeof(double)) != cudaSuccess ||
        cudaMemset(h->flag.at, 0, sizeof(int)) != cudaSuccess)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    warpline_solver::invert_order<<<h->blocks(), warpline_solver::refactor_threads>>>(n, q, (int *)place.at);
    warpline_solver::scatter_rows<<<h->blocks(), warpline_solver::refactor_threads>>>(h->view(), starts, columns, values, p, (const int *)place.at, (int *)h->flag.at);
    return h->answer(CUSOLVER_STATUS_INVALID_VALUE);
}
WARPLINE_SOLVER_CALL cusolverRfRefactor(cusolverRfHandle_t h)
{
    if (cudaMemset(h->flag.at, 0, sizeof(int)) != cudaSuccess || cudaMemset(h->spot.at, 0xff, (size_t)h->n * sizeof(int)) != cudaSuccess)
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    warpline_solver::factor_again<<<1, warpline_solver::refactor_threads>>>(h->view(), h->zero, h->boost, (int *)h->flag.at);
    return h->answer(CUSOLVER_STATUS_ZERO_PIVOT);
}
WARPLINE_SOLVER_CALL cusolverRfSolve(cusolverRfHandle_t h, int *p, int *q, int sides, double *work, int ldt, double *x, int ldx)
{
    warpline_solver::solve_again<<<(unsigned)sides, 32>>>(h->view(), p, q, work, ldt, x, ldx);
    return cudaGetLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
#endif
#include "bits/names_shown.h"
#endif
