// LU of a sparse matrix on the host, taken apart, and factored again with other values on the device. nvcc's program would have NVIDIA's machine
// code instead of kernels.
// nvcc: no
#include "check.h"
#include <algorithm>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <vector>
#define WELL(expression) CHECK((expression) == CUSOLVER_STATUS_SUCCESS)
typedef std::vector<double> full; // n x n, row by row
static unsigned state = 1;
static double drawn() { return (state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; }
static const int side = 7, n = side * side;
static std::vector<int> starts, columns;
// A grid whose points have no diagonal here and there, so that rows must be exchanged.
static void make_pattern()
{
    starts.push_back(0);
    for (int i = 0; i < n; i++) {
        const int near[] = {i - side, i % side ? i - 1 : -1, i, i % side < side - 1 ? i + 1 : -1, i + side};
        for (const int j : near)
            if (j >= 0 && j < n && !(i == j && i % 4 == 1))
                columns.push_back(j);
        starts.push_back((int)columns.size());
    }
}
static full spread(const std::vector<int> &s, const std::vector<int> &c, const std::vector<double> &v)
{
    full a((size_t)(n * n), 0);
    for (int i = 0; i < n; i++)
        for (int t = s[i]; t < s[i + 1]; t++)
            a[i * n + c[t]] = v[t];
    return a;
}
struct parts {
    std::vector<int> p, q, starts_l, columns_l, starts_u, columns_u;
    std::vector<double> values_l, values_u;
};
static parts taken_apart(const std::vector<double> &values)
{
    cusolverSpHandle_t h;
    cusparseMatDescr_t d;
    csrluInfoHost_t f;
    size_t kept, work;
    int at = 7, lower = 0, upper = 0;
    std::vector<double> x((size_t)n), b((size_t)n), out((size_t)n);
    CHECK(cusparseCreateMatDescr(&d) == CUSPARSE_STATUS_SUCCESS);
    WELL(cusolverSpCreate(&h));
    WELL(cusolverSpCreateCsrluInfoHost(&f));
    WELL(cusolverSpXcsrluAnalysisHost(h, n, (int)columns.size(), d, starts.data(), columns.data(), f));
    WELL(cusolverSpDcsrluBufferInfoHost(h, n, (int)columns.size(), d, values.data(), starts.data(), columns.data(), f, &kept, &work));
    WELL(cusolverSpDcsrluFactorHost(h, n, (int)columns.size(), d, values.data(), starts.data(), columns.data(), f, 1.0, NULL));
    WELL(cusolverSpDcsrluZeroPivotHost(h, f, 1e-12, &at));
    CHECK(at == -1);
    const full a = spread(starts, columns, values);
    for (double &v : x)
        v = drawn();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i] += a[i * n + j] * x[j];
    WELL(cusolverSpDcsrluSolveHost(h, n, b.data(), out.data(), f, NULL));
    for (int i = 0; i < n; i++)
        CHECK(std::fabs(out[i] - x[i]) < 1e-9);
    WELL(cusolverSpXcsrluNnzHost(h, &lower, &upper, f));
    parts l = {std::vector<int>(n), std::vector<int>(n), std::vector<int>(n + 1), std::vector<int>(lower), std::vector<int>(n + 1),
               std::vector<int>(upper), std::vector<double>(lower), std::vector<double>(upper)};
    WELL(cusolverSpDcsrluExtractHost(h, l.p.data(), l.q.data(), d, l.values_l.data(), l.starts_l.data(), l.columns_l.data(), d, l.values_u.data(),
                                     l.starts_u.data(), l.columns_u.data(), f, NULL));
    const full low = spread(l.starts_l, l.columns_l, l.values_l), up = spread(l.starts_u, l.columns_u, l.values_u);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = up[i * n + j]; // L's diagonal of ones is not among its values
            for (int k = 0; k < i; k++)
                sum += low[i * n + k] * up[k * n + j];
            CHECK(std::fabs(sum - a[l.p[i] * n + l.q[j]]) < 1e-11);
        }
    WELL(cusolverSpDestroyCsrluInfoHost(f));
    WELL(cusolverSpDestroy(h));
    return l;
}
int main()
{
    make_pattern();
    std::vector<double> values(columns.size());
    for (double &v : values)
        v = 1 + drawn();
    parts l = taken_apart(values);
    cusolverRfHandle_t h;
    WELL(cusolverRfCreate(&h));
    WELL(cusolverRfSetNumericProperties(h, 0, 0));
    WELL(cusolverRfSetAlgs(h, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
    CHECK(cusolverRfSetMatrixFormat(h, CUSOLVERRF_MATRIX_FORMAT_CSC, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L) == CUSOLVER_STATUS_NOT_SUPPORTED);
    WELL(cusolverRfSetMatrixFormat(h, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    WELL(cusolverRfSetResetValuesFastMode(h, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
    WELL(cusolverRfSetupHost(n, (int)columns.size(), starts.data(), columns.data(), values.data(), (int)l.columns_l.size(), l.starts_l.data(),
                             l.columns_l.data(), l.values_l.data(), (int)l.columns_u.size(), l.starts_u.data(), l.columns_u.data(), l.values_u.data(),
                             l.p.data(), l.q.data(), h));
    WELL(cusolverRfAnalyze(h));
    int *ds = on_device(starts.data(), starts.size()), *dc = on_device(columns.data(), columns.size()), *dp = on_device(l.p.data(), n),
        *dq = on_device(l.q.data(), n);
    for (int turn = 0; turn < 2; turn++) {
        for (double &v : values)
            v += turn ? 0.02 * drawn() : 0;
        const full a = spread(starts, columns, values);
        std::vector<double> x((size_t)(2 * n)), b((size_t)(2 * n), 0), out((size_t)(2 * n));
        for (double &v : x)
            v = drawn();
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < n; j++)
                b[i] += a[i % n * n + j] * x[i / n * n + j];
        double *dx = on_device(b.data(), b.size());
        WELL(cusolverRfResetValues(n, (int)columns.size(), ds, dc, on_device(values.data(), values.size()), dp, dq, h));
        WELL(cusolverRfRefactor(h));
        WELL(cusolverRfSolve(h, dp, dq, 2, on_device<double>(nullptr, 2 * n), n, dx, n));
        to_host(out.data(), dx, out.size());
        for (int i = 0; i < 2 * n; i++)
            CHECK(std::fabs(out[i] - x[i]) < 1e-8);
    }
    std::fill(values.begin(), values.end(), 0.0);
    WELL(cusolverRfResetValues(n, (int)columns.size(), ds, dc, on_device(values.data(), values.size()), dp, dq, h));
    CHECK(cusolverRfRefactor(h) == CUSOLVER_STATUS_ZERO_PIVOT);
    WELL(cusolverRfDestroy(h));
    return done();
}
