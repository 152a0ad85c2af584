/* A sparse matrix's factors, as cuSOLVER's sparse part (cusolverSp.h) keeps them from one call to the next, on the host or on the device. */
#ifndef WARPLINE_FACTORS_H
#define WARPLINE_FACTORS_H
#include <cusolver_common.h>
#include <cusparse.h>
#include "warpline_band.h"
#include "bits/names_hidden.h"
namespace warpline_solver {
/* Memory of the host or of the device, which ends with its owner. */
struct room {
    void *at = nullptr;
    bool device = false;
    room() = default;
    room(const room &) = delete;
    room &operator=(const room &) = delete;
    ~room() { drop(); }
    void drop()
    {
        if (device)
            (void)cudaFree(at);
        else
            std::free(at);
        at = nullptr;
    }
    bool make(bool on_device, size_t bytes)
    {
        drop();
        device = on_device;
        if (!device)
            return (at = std::calloc(bytes + 1, 1)) != nullptr;
        return cudaMalloc(&at, bytes + 1) == cudaSuccess && cudaMemset(at, 0, bytes + 1) == cudaSuccess;
    }
    bool take(const void *from, size_t bytes) { return cudaMemcpy(at, from, bytes, cudaMemcpyDefault) == cudaSuccess; }
};
struct factors {
    const band_kind kind;
    const bool device;
    int n = 0, reach = 0, count = 0, stopped = -1;
    std::vector<int> order;
    room order_room, where, values, taus, pivots, work, flag;
    factors(band_kind k, bool d) : kind(k), device(d) {}
    template <class T> band<T> view() const
    {
        return {(T *)values.at, (T *)taus.at, (int *)pivots.at, n, reach, kind == band_cholesky ? 0 : 2 * reach};
    }
    template <class T> size_t bytes() const { return (size_t)n * (size_t)(view<T>().below + view<T>().above + 1) * sizeof(T); }
    cusolverStatus_t analyse(int rows, int nonzeros, int base, const int *starts, const int *columns)
    {
        std::vector<int> s((size_t)rows + 1), c((size_t)nonzeros);
        if (rows < 0 || nonzeros < 0)
            return CUSOLVER_STATUS_INVALID_VALUE;
        if (device && (cudaMemcpy(s.data(), starts, s.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess ||
                       cudaMemcpy(c.data(), columns, c.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess))
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        if (!device) {
            std::copy(starts, starts + rows + 1, s.begin());
            std::copy(columns, columns + nonzeros, c.begin());
        }
        n = rows;
        count = nonzeros;
        order = narrow_order(neighbours_of(n, base, s.data(), c.data()));
        return lay_out(base, s, c);
    }
    /* Where each value goes in the band. Cholesky keeps the lower half; an exchange of rows or a reflection fills as much again above. */
    cusolverStatus_t lay_out(int base, const std::vector<int> &s, const std::vector<int> &c)
    {
        const std::vector<int> place = inverse_of(order);
        std::vector<long long> spots((size_t)count, -1);
        reach = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int row = 0; row < n; row++)
                for (int t = s[(size_t)row] - base; t < s[(size_t)row + 1] - base; t++) {
                    const int i = place[(size_t)row], j = place[(size_t)(c[(size_t)t] - base)];
                    const band<char> shape = view<char>();
                    if (pass == 0)
                        reach = std::max(reach, std::abs(i - j));
                    else if (kind != band_cholesky || i >= j)
                        spots[(size_t)t] = (long long)j * (shape.below + shape.above + 1) + i - j + shape.above;
                }
        const bool ok = where.make(device, spots.size() * sizeof spots[0]) && where.take(spots.data(), spots.size() * sizeof spots[0]) &&
                        order_room.make(device, order.size() * sizeof(int)) && order_room.take(order.data(), order.size() * sizeof(int)) &&
                        flag.make(device, sizeof(int)) && (kind != band_lu || pivots.make(device, (size_t)n * sizeof(int)));
        return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
    }
    template <class T> cusolverStatus_t fill(cudaStream_t stream, const T *from, T mu)
    {
        if (!values.make(device, bytes<T>()) || !taus.make(device, (size_t)n * sizeof(T)) ||
            !work.make(device, (size_t)n * sizeof(T)))
            return CUSOLVER_STATUS_ALLOC_FAILED;
        if (device)
            band_fill<T><<<1, band_threads, 0, stream>>>(view<T>(), from, (const long long *)where.at, count, mu);
        else
            fill_band(view<T>(), from, (const long long *)where.at, count, mu);
        return ended(stream);
    }
    template <class T> cusolverStatus_t factor(cudaStream_t stream)
    {
        stopped = -1;
        if (device) {
            band_factor<T><<<1, band_threads, 0, stream>>>(view<T>(), kind, (int *)flag.at);
            const cusolverStatus_t end = ended(stream);
            return end == CUSOLVER_STATUS_SUCCESS && cudaMemcpy(&stopped, flag.at, sizeof stopped, cudaMemcpyDeviceToHost) != cudaSuccess
                       ? CUSOLVER_STATUS_EXECUTION_FAILED : end;
        }
        if (kind == band_cholesky)
            stopped = factor_cholesky(view<T>());
        else if (kind == band_lu)
            factor_lu(view<T>());
        else
            factor_qr(view<T>());
        return CUSOLVER_STATUS_SUCCESS;
    }
    /* The first row whose pivot is not above the tolerance, or -1. */
    template <class T> cusolverStatus_t zero_pivot(T tolerance, int *position) const
    {
        const band<T> shape = view<T>();
        const size_t pitch = (size_t)(shape.below + shape.above + 1);
        std::vector<T> diagonal((size_t)n);
        if (n > 0 && cudaMemcpy2D(diagonal.data(), sizeof(T), shape.values + shape.above, pitch * sizeof(T), sizeof(T), (size_t)n, cudaMemcpyDefault) != cudaSuccess)
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        *position = stopped < 0 ? -1 : order[(size_t)stopped];
        for (int k = 0; k < (stopped < 0 ? n : stopped); k++)
            if (!(std::fabs(diagonal[(size_t)k]) > tolerance) && (*position < 0 || order[(size_t)k] < *position))
                *position = order[(size_t)k];
        return CUSOLVER_STATUS_SUCCESS;
    }
    template <class T> cusolverStatus_t solve(cudaStream_t stream, const T *b, T *x) const
    {
        if (device) {
            band_solve<T><<<1, band_threads, 0, stream>>>(view<T>(), kind, b, (T *)work.at, x, (const int *)order_room.at);
            return ended(stream);
        }
        gather(b, (T *)work.at, order.data(), n, false);
        solve_band(view<T>(), kind, (T *)work.at);
        gather((const T *)work.at, x, order.data(), n, true);
        return CUSOLVER_STATUS_SUCCESS;
    }
    cusolverStatus_t ended(cudaStream_t stream) const
    {
        return !device || (cudaGetLastError() == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess) ? CUSOLVER_STATUS_SUCCESS
                                                                                                              : CUSOLVER_STATUS_EXECUTION_FAILED;
    }
};
/* A x = b at one go. With a pivot of zero, x stays as it is. */
template <class T> inline cusolverStatus_t solve_sparse(band_kind kind, bool device, cudaStream_t stream, int n, int count, const cusparseMatDescr_t m,
                                                        const T *values, const int *starts, const int *columns, const T *b, T tolerance, T *x, int *singular)
{
    if (m->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    factors f(kind, device);
    cusolverStatus_t end = f.analyse(n, count, (int)m->base, starts, columns);
    if (end == CUSOLVER_STATUS_SUCCESS)
        end = f.fill<T>(stream, values, T(0));
    if (end == CUSOLVER_STATUS_SUCCESS)
        end = f.factor<T>(stream);
    if (end == CUSOLVER_STATUS_SUCCESS)
        end = f.zero_pivot<T>(tolerance, singular);
    return end == CUSOLVER_STATUS_SUCCESS && *singular < 0 ? f.solve<T>(stream, b, x) : end;
}
}
#include "bits/names_shown.h"
#endif
