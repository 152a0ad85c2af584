// cuSOLVER's sparse part: A x = b on the host and on the device, orders and permutations, and factors step by step. nvcc's program would have NVIDIA's machine code
// instead of kernels.
// nvcc: no
#include "check.h"
#include <algorithm>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <vector>
static unsigned state = 1;
static double drawn() { return (state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; }
#define WELL(expression) CHECK((expression) == CUSOLVER_STATUS_SUCCESS)
template <class T> struct csr {
    int n;
    std::vector<int> starts, columns;
    std::vector<T> values;
    int count() const { return (int)columns.size(); }
};
// A grid of side x side points, each with its four neighbours; not equal both ways when lopsided, and then with zeros on the diagonal.
template <class T> static csr<T> grid(int side, int base, bool lopsided)
{
    csr<T> a = {side * side, {base}, {}, {}};
    for (int i = 0; i < a.n; i++) {
        const int near[] = {i - side, i % side ? i - 1 : -1, i, i % side < side - 1 ? i + 1 : -1, i + side};
        for (const int j : near)
            if (j >= 0 && j < a.n && !(lopsided && i == j && i % 3 == 0) && !(lopsided && j == i + side && i % 5 == 0)) {
                a.columns.push_back(j + base);
                a.values.push_back(i == j ? T(4.5) : lopsided ? T(drawn() - 1) : T(-1));
            }
        a.starts.push_back(base + a.count());
    }
    return a;
}
template <class T> static std::vector<T> times(const csr<T> &a, const std::vector<T> &x)
{
    std::vector<T> y((size_t)a.n, 0);
    const int base = a.starts[0];
    for (int i = 0; i < a.n; i++)
        for (int t = a.starts[i] - base; t < a.starts[i + 1] - base; t++)
            y[i] += a.values[t] * x[a.columns[t] - base];
    return y;
}
template <class T> using solver = cusolverStatus_t (*)(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const T *, const int *, const int *, const T *, T,
                                                       int, T *, int *);
template <class T> static void solves(solver<T> host, solver<T> device, cusolverSpHandle_t h, cusparseMatDescr_t d, csr<T> a, double bound)
{
    std::vector<T> x((size_t)a.n), out((size_t)a.n, 0);
    for (T &v : x)
        v = (T)drawn();
    const std::vector<T> b = times(a, x);
    const T *values = a.values.data(), *right = b.data();
    const int *starts = a.starts.data(), *columns = a.columns.data();
    for (int turn = 0; turn < 2; turn++) {
        const bool there = turn == 1;
        if (there && !device)
            break;
        int singular = 7;
        std::fill(out.begin(), out.end(), T(0));
        T *found = there ? on_device(out.data(), out.size()) : out.data();
        if (there) {
            values = on_device(values, a.values.size());
            right = on_device(right, b.size());
            starts = on_device(starts, a.starts.size());
            columns = on_device(columns, a.columns.size());
        }
        WELL((there ? device : host)(h, a.n, a.count(), d, values, starts, columns, right, T(1e-6), 0, found, &singular));
        CHECK(singular == -1);
        if (there)
            to_host(out.data(), found, out.size());
        for (int i = 0; i < a.n; i++)
            CHECK(std::fabs(out[i] - x[i]) < bound);
    }
}
static void orders(cusolverSpHandle_t h, cusparseMatDescr_t d, int base)
{
    const csr<double> a = grid<double>(9, base, false), b = grid<double>(9, base, true);
    int symmetric = 7;
    WELL(cusolverSpXcsrissymHost(h, a.n, a.count(), d, a.starts.data(), a.starts.data() + 1, a.columns.data(), &symmetric));
    CHECK(symmetric == 1);
    WELL(cusolverSpXcsrissymHost(h, b.n, b.count(), d, b.starts.data(), b.starts.data() + 1, b.columns.data(), &symmetric));
    CHECK(symmetric == 0);
    for (int which = 0; which < 3; which++) {
        std::vector<int> p((size_t)a.n), map;
        if (which == 0)
            WELL(cusolverSpXcsrsymrcmHost(h, a.n, a.count(), d, a.starts.data(), a.columns.data(), p.data()));
        else if (which == 1)
            WELL(cusolverSpXcsrsymamdHost(h, a.n, a.count(), d, a.starts.data(), a.columns.data(), p.data()));
        else
            WELL(cusolverSpXcsrmetisndHost(h, a.n, a.count(), d, a.starts.data(), a.columns.data(), NULL, p.data()));
        std::vector<int> sorted = p;
        std::sort(sorted.begin(), sorted.end());
        for (int i = 0; i < a.n; i++)
            CHECK(sorted[i] == i);
        csr<double> c = b;
        for (int t = 0; t < b.count(); t++)
            map.push_back(t);
        size_t size = 0;
        WELL(cusolverSpXcsrperm_bufferSizeHost(h, b.n, b.n, b.count(), d, c.starts.data(), c.columns.data(), p.data(), p.data(), &size));
        std::vector<char> buffer(size);
        WELL(cusolverSpXcsrpermHost(h, b.n, b.n, b.count(), d, c.starts.data(), c.columns.data(), p.data(), p.data(), map.data(), buffer.data()));
        std::vector<double> x((size_t)b.n), turned((size_t)b.n);
        for (int t = 0; t < b.count(); t++)
            c.values[t] = b.values[map[t]];
        for (int i = 0; i < b.n; i++)
            x[i] = drawn();
        for (int i = 0; i < b.n; i++)
            turned[i] = x[p[i]];
        const std::vector<double> straight = times(b, x), other = times(c, turned);
        for (int i = 0; i < b.n; i++)
            CHECK(std::fabs(other[i] - straight[p[i]]) < 1e-12);
        for (int i = 0, reach = 0; which == 0 && i < c.n; i++)
            for (int t = c.starts[i] - base; t < c.starts[i + 1] - base; t++) {
                reach = std::max(reach, std::abs(i - (c.columns[t] - base)));
                CHECK(reach <= 12); // a grid of 9 has 9 in its own order; a drawn order has about 70
            }
    }
}
// The row and column 3 are zeros; what is not positive definite is told, too.
static void singular_ones(cusolverSpHandle_t h, cusparseMatDescr_t d)
{
    csr<double> a = grid<double>(4, 0, false);
    std::vector<double> b(16, 1), x(16, 5);
    for (int i = 0; i < a.n; i++)
        for (int t = a.starts[i]; t < a.starts[i + 1]; t++)
            if (i == 3 || a.columns[t] == 3)
                a.values[t] = 0;
    int at[3] = {7, 7, 7};
    WELL(cusolverSpDcsrlsvcholHost(h, 16, a.count(), d, a.values.data(), a.starts.data(), a.columns.data(), b.data(), 1e-12, 0, x.data(), &at[0]));
    WELL(cusolverSpDcsrlsvluHost(h, 16, a.count(), d, a.values.data(), a.starts.data(), a.columns.data(), b.data(), 1e-12, 0, x.data(), &at[1]));
    WELL(cusolverSpDcsrlsvqr(h, 16, a.count(), d, on_device(a.values.data(), a.values.size()), on_device(a.starts.data(), a.starts.size()),
                             on_device(a.columns.data(), a.columns.size()), on_device(b.data(), 16), 1e-12, 0, on_device(x.data(), 16), &at[2]));
    CHECK(at[0] == 3 && at[1] == 3 && at[2] == 3 && x[0] == 5);
}
// The same factors solve twice; QR takes 0.25 off the diagonal first. Only the words Host and where the arrays lie differ.
#define STEPS(where, there, fetch)                                                                                                             \
    static void steps##where(cusolverSpHandle_t h, cusparseMatDescr_t d, int base)                                                             \
    {                                                                                                                                          \
        const csr<double> a = grid<double>(8, base, false);                                                                                    \
        std::vector<double> x((size_t)a.n), zeros((size_t)a.n, 0);                                                                             \
        for (double &v : x)                                                                                                                    \
            v = drawn();                                                                                                                       \
        std::vector<double> b = times(a, x), less = b;                                                                                         \
        for (int i = 0; i < a.n; i++)                                                                                                          \
            less[i] -= 0.25 * x[i];                                                                                                            \
        csrcholInfo##where##_t c;                                                                                                              \
        csrqrInfo##where##_t q;                                                                                                                \
        size_t kept = 0, work = 0;                                                                                                             \
        int at = 7;                                                                                                                            \
        const int n = a.n, count = a.count(), *starts = there(a.starts), *columns = there(a.columns);                                          \
        const double *values = there(a.values);                                                                                                \
        double *right = there(b), *other = there(less), *found = there(zeros);                                                                 \
        WELL(cusolverSpCreateCsrcholInfo##where(&c));                                                                                          \
        WELL(cusolverSpXcsrcholAnalysis##where(h, n, count, d, starts, columns, c));                                                           \
        WELL(cusolverSpDcsrcholBufferInfo##where(h, n, count, d, values, starts, columns, c, &kept, &work));                                   \
        CHECK(kept >= (size_t)n * sizeof(double) && work > 0);                                                                                 \
        WELL(cusolverSpDcsrcholFactor##where(h, n, count, d, values, starts, columns, c, NULL));                                               \
        WELL(cusolverSpDcsrcholZeroPivot##where(h, c, 1e-12, &at));                                                                            \
        CHECK(at == -1);                                                                                                                       \
        for (int turn = 0; turn < 2; turn++)                                                                                                   \
            WELL(cusolverSpDcsrcholSolve##where(h, n, right, found, c, NULL));                                                                 \
        near_to(x, fetch(found, zeros));                                                                                                       \
        WELL(cusolverSpCreateCsrqrInfo##where(&q));                                                                                            \
        CHECK(cusolverSpXcsrqrAnalysis##where(h, n + 1, n, count, d, starts, columns, q) == CUSOLVER_STATUS_NOT_SUPPORTED);                    \
        WELL(cusolverSpXcsrqrAnalysis##where(h, n, n, count, d, starts, columns, q));                                                          \
        WELL(cusolverSpDcsrqrBufferInfo##where(h, n, n, count, d, values, starts, columns, q, &kept, &work));                                  \
        WELL(cusolverSpDcsrqrSetup##where(h, n, n, count, d, values, starts, columns, 0.25, q));                                               \
        WELL(cusolverSpDcsrqrFactor##where(h, n, n, count, NULL, NULL, q, NULL));                                                              \
        WELL(cusolverSpDcsrqrZeroPivot##where(h, q, 100.0, &at));                                                                              \
        CHECK(at == 0);                                                                                                                        \
        WELL(cusolverSpDcsrqrZeroPivot##where(h, q, 1e-12, &at));                                                                              \
        CHECK(at == -1);                                                                                                                       \
        WELL(cusolverSpDcsrqrSolve##where(h, n, n, other, found, q, NULL));                                                                    \
        near_to(x, fetch(found, zeros));                                                                                                       \
        WELL(cusolverSpDestroyCsrcholInfo##where(c));                                                                                          \
        WELL(cusolverSpDestroyCsrqrInfo##where(q));                                                                                            \
    }
static void near_to(const std::vector<double> &x, const std::vector<double> &y)
{
    for (size_t i = 0; i < x.size(); i++)
        CHECK(std::fabs(x[i] - y[i]) < 1e-11);
}
template <class T> static T *here(const std::vector<T> &v) { return const_cast<T *>(v.data()); }
template <class T> static T *far(const std::vector<T> &v) { return on_device(v.data(), v.size()); }
static std::vector<double> fetch_here(const double *, const std::vector<double> &v) { return v; }
static std::vector<double> fetch_far(const double *p, std::vector<double> v) { return to_host(v.data(), p, v.size()), v; }
STEPS(Host, here, fetch_here)
STEPS(, far, fetch_far)
int main()
{
    cusolverSpHandle_t h;
    cusparseMatDescr_t d;
    cudaStream_t stream;
    WELL(cusolverSpCreate(&h));
    CALL(cudaStreamCreate(&stream));
    WELL(cusolverSpSetStream(h, stream));
    CHECK(cusparseCreateMatDescr(&d) == CUSPARSE_STATUS_SUCCESS);
    for (int base = 0; base < 2; base++) {
        cusparseSetMatIndexBase(d, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
        orders(h, d, base);
        stepsHost(h, d, base);
        steps(h, d, base);
        solves<double>(cusolverSpDcsrlsvcholHost<>, cusolverSpDcsrlsvchol<>, h, d, grid<double>(9, base, false), 1e-11);
        solves<double>(cusolverSpDcsrlsvqrHost<>, cusolverSpDcsrlsvqr<>, h, d, grid<double>(9, base, true), 1e-9);
        solves<double>(cusolverSpDcsrlsvluHost<>, nullptr, h, d, grid<double>(9, base, true), 1e-9);
    }
    cusparseSetMatIndexBase(d, CUSPARSE_INDEX_BASE_ZERO);
    solves<float>(cusolverSpScsrlsvcholHost<>, cusolverSpScsrlsvchol<>, h, d, grid<float>(6, 0, false), 1e-4);
    solves<float>(cusolverSpScsrlsvqrHost<>, cusolverSpScsrlsvqr<>, h, d, grid<float>(6, 0, true), 1e-3);
    solves<float>(cusolverSpScsrlsvluHost<>, nullptr, h, d, grid<float>(6, 0, true), 1e-3);
    singular_ones(h, d);
    WELL(cusolverSpDestroy(h));
    return done();
}
