/* The part of cuSOLVER for sparse matrices that programs use most, in float and double: A x = b by Cholesky, LU and QR, orders, and
 * permutations. The factors are of a band, by our own code (warpline_band.h): the results are right to rounding, the time is not NVIDIA's.
 * Which order a program asks for inside a call that solves is not looked at: the band has its own. */
#ifndef WARPLINE_CUSOLVER_SP_H
#define WARPLINE_CUSOLVER_SP_H
#define CUSOLVERSP_H_
#include <cuda_runtime.h>
#include <cusolver_common.h>
#include <cusparse.h>
#include <stdint.h>
#if defined(__CUDACC__)
#include <warpline_factors.h>
#endif
#include "bits/names_hidden.h"

typedef struct cusolverSpContext { cudaStream_t stream; } *cusolverSpHandle_t;
#if !defined(__CUDACC__) || defined(WARPLINE_SOLVER_LIBRARY)
/* As in cusolverDn.h: host code of another compiler links with libcusolver.a. */
#define CALL WARPLINE_SOLVER_SYMBOL
#include "bits/cusolver_sparse_calls.h"
#undef CALL
#endif
#if defined(__CUDACC__)
WARPLINE_SOLVER_CALL cusolverSpCreate(cusolverSpHandle_t *h) { return *h = new cusolverSpContext(), CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverSpDestroy(cusolverSpHandle_t h) { return delete h, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverSpSetStream(cusolverSpHandle_t h, cudaStream_t s) { return h->stream = s, CUSOLVER_STATUS_SUCCESS; }
WARPLINE_SOLVER_CALL cusolverSpGetStream(cusolverSpHandle_t h, cudaStream_t *s) { return *s = h->stream, CUSOLVER_STATUS_SUCCESS; }
/* Of the pattern, not of the values. */
WARPLINE_SOLVER_CALL cusolverSpXcsrissymHost(cusolverSpHandle_t, int m, int, const cusparseMatDescr_t d, const int *starts, const int *ends,
                                             const int *columns, int *symmetric)
{
    const int base = (int)d->base;
    std::set<std::pair<int, int>> there;
    for (int i = 0; i < m; i++)
        for (int t = starts[i] - base; t < ends[i] - base; t++)
            there.insert(std::make_pair(i, columns[t] - base));
    *symmetric = 1;
    for (const std::pair<int, int> &p : there)
        if (!there.count(std::make_pair(p.second, p.first)))
            *symmetric = 0;
    return CUSOLVER_STATUS_SUCCESS;
}
WARPLINE_SOLVER_CALL cusolverSpXcsrsymrcmHost(cusolverSpHandle_t, int n, int, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p)
{
    const std::vector<int> order = warpline_solver::narrow_order(warpline_solver::neighbours_of(n, (int)d->base, starts, columns));
    return std::copy(order.begin(), order.end(), p), CUSOLVER_STATUS_SUCCESS;
}
/* The three below are one and the same: an exact minimum degree. */
WARPLINE_SOLVER_CALL cusolverSpXcsrsymmdqHost(cusolverSpHandle_t, int n, int, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p)
{
    const std::vector<int> order = warpline_solver::sparse_order(warpline_solver::neighbours_of(n, (int)d->base, starts, columns));
    return std::copy(order.begin(), order.end(), p), CUSOLVER_STATUS_SUCCESS;
}
WARPLINE_SOLVER_CALL cusolverSpXcsrsymamdHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns, int *p)
{ return cusolverSpXcsrsymmdqHost(h, n, count, d, starts, columns, p); }
WARPLINE_SOLVER_CALL cusolverSpXcsrmetisndHost(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const int *starts, const int *columns,
                                               const int64_t *, int *p)
{ return cusolverSpXcsrsymmdqHost(h, n, count, d, starts, columns, p); }
WARPLINE_SOLVER_CALL cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const int *, const int *, const int *,
                                                       const int *, size_t *size)
{ return *size = 1, CUSOLVER_STATUS_SUCCESS; }
/* A becomes A(p, q), its rows in the order of their columns; map goes along with the values. */
WARPLINE_SOLVER_CALL cusolverSpXcsrpermHost(cusolverSpHandle_t, int m, int n, int count, const cusparseMatDescr_t d, int *starts, int *columns,
                                            const int *p, const int *q, int *map, void *)
{
    const int base = (int)d->base;
    const std::vector<int> first(starts, starts + m + 1), across(columns, columns + count), from(map, map + count);
    const std::vector<int> place = warpline_solver::inverse_of(std::vector<int>(q, q + n));
    for (int i = 0, at = 0; i < m; i++) {
        std::vector<std::pair<int, int>> row;
        for (int t = first[(size_t)p[i]] - base; t < first[(size_t)p[i] + 1] - base; t++)
            row.push_back(std::make_pair(place[(size_t)(across[(size_t)t] - base)], from[(size_t)t]));
        std::sort(row.begin(), row.end());
        starts[i] = at + base;
        for (const std::pair<int, int> &e : row) {
            columns[at] = e.first + base;
            map[at++] = e.second;
        }
    }
    return CUSOLVER_STATUS_SUCCESS;
}
#define WARPLINE_SPARSE_SOLVE(name, T, kind, device)                                                                                           \
    WARPLINE_SOLVER_CALL name(cusolverSpHandle_t h, int n, int count, const cusparseMatDescr_t d, const T *values, const int *starts,          \
                              const int *columns, const T *b, T tolerance, int, T *x, int *singular)                                           \
    {                                                                                                                                          \
        return warpline_solver::solve_sparse<T>(warpline_solver::kind, device, h->stream, n, count, d, values, starts, columns, b, tolerance,  \
                                                x, singular);                                                                                  \
    }
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvluHost, float, band_lu, false)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvluHost, double, band_lu, false)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvcholHost, float, band_cholesky, false)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvcholHost, double, band_cholesky, false)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvqrHost, float, band_qr, false)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvqrHost, double, band_qr, false)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvchol, float, band_cholesky, true)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvchol, double, band_cholesky, true)
WARPLINE_SPARSE_SOLVE(cusolverSpScsrlsvqr, float, band_qr, true)
WARPLINE_SPARSE_SOLVE(cusolverSpDcsrlsvqr, double, band_qr, true)
#undef WARPLINE_SPARSE_SOLVE
#endif
#include "bits/names_shown.h"
#endif
