/* LU factors of a sparse matrix taken out of their band, and factored again with other values, for cusolverSp_LOWLEVEL_PREVIEW.h and cusolverRf.h. */
#ifndef WARPLINE_REFACTOR_H
#define WARPLINE_REFACTOR_H
#include "warpline_factors.h"
#include "bits/names_hidden.h"
namespace warpline_solver {
/* What may be other than zero in L (without its diagonal) and U, row by row: the column, and where the band has the value. It follows from the
 * pattern and the exchanges alone, so that a sum that happens to be zero keeps its place for other values. */
struct lu_parts {
    typedef std::vector<std::pair<int, size_t>> row;
    std::vector<row> lower, upper;
    std::vector<int> from; /* the band's row that came to this place */
    explicit lu_parts(const factors &f) : lower((size_t)f.n), upper((size_t)f.n), from((size_t)f.n)
    {
        std::vector<char> marks(f.bytes<char>(), 0);
        band<char> a = f.view<char>();
        a.values = marks.data();
        std::vector<row> left((size_t)f.n); /* of L, by the band's rows, since later exchanges move them */
        for (int t = 0; t < f.count; t++)
            a.values[((const long long *)f.where.at)[t]] = 1;
        for (int k = 0; k < f.n; k++)
            from[(size_t)k] = k;
        for (int k = 0; k < f.n; k++)
            step(a, k, left);
        for (int k = 0; k < f.n; k++)
            lower[(size_t)k] = left[(size_t)from[(size_t)k]];
    }
    void step(const band<char> &a, int k, std::vector<row> &left)
    {
        const int pivot = a.pivots[k];
        for (int j = k; pivot != k && j <= a.right(k); j++)
            std::swap(a(k, j), a(pivot, j));
        std::swap(from[(size_t)k], from[(size_t)pivot]);
        for (int j = k; j <= a.right(k); j++)
            if (j == k || a(k, j))
                upper[(size_t)k].push_back(std::make_pair(j, (size_t)(&a(k, j) - a.values)));
        for (int i = k + 1; i <= a.last(k); i++) {
            if (!a(i, k))
                continue;
            left[(size_t)from[(size_t)i]].push_back(std::make_pair(k, (size_t)(&a(i, k) - a.values)));
            for (const std::pair<int, size_t> &e : upper[(size_t)k])
                a(i, e.first) = 1;
        }
    }
    static int count(const std::vector<row> &rows)
    {
        size_t sum = 0;
        for (const row &r : rows)
            sum += r.size();
        return (int)sum;
    }
    template <class T> static void give(const std::vector<row> &rows, const T *band_values, int base, T *values, int *starts, int *columns)
    {
        int at = 0;
        for (size_t i = 0; i < rows.size(); i++) {
            starts[i] = at + base;
            for (const std::pair<int, size_t> &e : rows[i]) {
                columns[at] = e.first + base;
                values[at++] = band_values[e.second];
            }
        }
        starts[rows.size()] = at + base;
    }
};
/* L and U in one matrix on the device, L without its diagonal. */
struct joined_factors { int n, *starts, *columns, *diagonal, *spot; double *values; };
enum { refactor_threads = 128 };
__global__ inline void invert_order(int n, const int *order, int *place)
{
    const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < n)
        place[order[k]] = k;
}
/* A thread for each row of A(p, q). What has no place in L + U is told. */
__global__ inline void scatter_rows(joined_factors m, const int *starts, const int *columns, const double *values, const int *p, const int *place, int *missing)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int t = i < m.n ? starts[p[i]] : 0; i < m.n && t < starts[p[i] + 1]; t++) {
        const int column = place[columns[t]];
        int low = m.starts[i], high = m.starts[i + 1];
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (m.columns[middle] <= column)
                low = middle;
            else
                high = middle;
        }
        if (m.columns[low] == column)
            m.values[low] = values[t];
        else
            *missing = 1;
    }
}
/* Row by row; spot has where a column is in the row under way, and an older row's place where it is not. */
__global__ inline void factor_again(joined_factors m, double zero, double boost, int *stopped)
{
    for (int i = 0; i < m.n; i++) {
        const int start = m.starts[i], diagonal = m.diagonal[i];
        for (int t = start + (int)threadIdx.x; t < m.starts[i + 1]; t += refactor_threads)
            m.spot[m.columns[t]] = t;
        __syncthreads();
        for (int t = start; t < diagonal; t++) {
            const int k = m.columns[t], pivot = m.diagonal[k];
            const double factor = m.values[t] / m.values[pivot];
            for (int u = pivot + 1 + (int)threadIdx.x; u < m.starts[k + 1]; u += refactor_threads)
                if (m.spot[m.columns[u]] >= start)
                    m.values[m.spot[m.columns[u]]] -= factor * m.values[u];
            __syncthreads();
            if (threadIdx.x == 0)
                m.values[t] = factor;
        }
        if (threadIdx.x == 0 && boost > 0 && fabs(m.values[diagonal]) < zero)
            m.values[diagonal] = boost;
        if (threadIdx.x == 0 && m.values[diagonal] == 0)
            *stopped = 1;
        __syncthreads();
    }
}
__device__ inline double row_times(const joined_factors &m, int first, int last, const double *x)
{
    double sum = 0;
    for (int t = first + (int)threadIdx.x; t < last; t += 32)
        sum += m.values[t] * x[m.columns[t]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    return sum;
}
/* A warp for each right side. */
__global__ inline void solve_again(joined_factors m, const int *p, const int *q, double *work, int ldt, double *x, int ldx)
{
    double *const y = work + (size_t)blockIdx.x * (size_t)ldt, *const b = x + (size_t)blockIdx.x * (size_t)ldx;
    for (int k = (int)threadIdx.x; k < m.n; k += 32)
        y[k] = b[p[k]];
    __syncwarp();
    for (int step = 0; step < 2 * m.n; step++) {
        const bool down = step < m.n;
        const int i = down ? step : 2 * m.n - 1 - step, diagonal = m.diagonal[i];
        const double sum = row_times(m, down ? m.starts[i] : diagonal + 1, down ? diagonal : m.starts[i + 1], y);
        if (threadIdx.x == 0)
            y[i] = (y[i] - sum) / (down ? 1.0 : m.values[diagonal]);
        __syncwarp();
    }
    for (int k = (int)threadIdx.x; k < m.n; k += 32)
        b[q[k]] = y[k];
}
}
#include "bits/names_shown.h"
#endif
