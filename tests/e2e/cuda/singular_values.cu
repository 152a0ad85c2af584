// cuSOLVER's singular values and eigenvalues, of real and complex matrices, also of those that lack rank: what comes out is multiplied together again.
// nvcc: its program would have NVIDIA's machine code instead of kernels
#include "check.h"
#include <complex>
#include <cusolverDn.h>
#include <vector>
#define SOLVED(call) CHECK((call) == CUSOLVER_STATUS_SUCCESS)
template <class T> struct host_type { typedef T type; };
template <> struct host_type<cuComplex> { typedef std::complex<float> type; };
template <> struct host_type<cuDoubleComplex> { typedef std::complex<double> type; };
static unsigned state = 1;
static double drawn() { return (state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; }
template <class R> static void draw(R &x) { x = (R)drawn(); }
template <class R> static void draw(std::complex<R> &x) { x = std::complex<R>((R)drawn(), (R)drawn()); }
template <class R> static std::complex<double> wide(R x) { return std::complex<double>(x); }
template <class H> static double worst_angle(const std::vector<H> &u, int ld, int m, int columns) // of columns that should be of length one, at right angles
{
    double most = 0;
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < columns; k++) {
            std::complex<double> sum = j == k ? -1 : 0;
            for (int i = 0; i < m; i++)
                sum += std::conj(wide(u[i + j * ld])) * wide(u[i + k * ld]);
            most = std::fmax(most, std::abs(sum));
        }
    return most;
}
template <class T, class R, class Size, class Svd> static void values(Size size, Svd svd, double bound)
{
    typedef typename host_type<T>::type H;
    const int m = 11, n = 6, lda = 13, ldu = 12, ldvt = 7;
    cusolverDnHandle_t h;
    SOLVED(cusolverDnCreate(&h));
    for (const char *job : { "AA", "SS", "OS", "SO", "NN" })
        for (int rank : { n, n - 2 }) {
            std::vector<H> a(lda * n), u(ldu * m), vt(ldvt * n), left(lda * n);
            std::vector<R> s(n);
            for (H &x : a)
                draw(x);
            for (int j = rank; j < n; j++) // two columns that are others again, or nothing
                for (int i = 0; i < m; i++)
                    a[i + j * lda] = j == rank ? a[i] : H(0);
            T *da = on_device((const T *)a.data(), a.size()), *du = on_device((const T *)u.data(), u.size()), *dv = on_device((const T *)vt.data(), vt.size());
            R *ds = on_device(s.data(), n);
            int room = 0, info = -1, *di = on_device(&info, 1);
            SOLVED(size(h, m, n, &room));
            T *work = on_device<T>(nullptr, (size_t)room);
            SOLVED(svd(h, (signed char)job[0], (signed char)job[1], m, n, da, lda, ds, du, ldu, dv, ldvt, work, room, (R *)nullptr, di));
            to_host((T *)u.data(), du, u.size());
            to_host((T *)vt.data(), dv, vt.size());
            to_host((T *)left.data(), da, left.size());
            to_host(s.data(), ds, n);
            to_host(&info, di, 1);
            CHECK(info == 0);
            double squares = 0, of_a = 0;
            for (int j = 0; j < n; j++) {
                CHECK(s[j] >= 0 && (j == 0 || s[j] <= s[j - 1]) && (j < rank || s[j] < bound));
                squares += (double)s[j] * s[j];
                for (int i = 0; i < m; i++)
                    of_a += std::norm(wide(a[i + j * lda]));
            }
            CHECK(std::fabs(squares - of_a) < bound);
            if (job[0] == 'N')
                continue;
            const std::vector<H> &us = job[0] == 'O' ? left : u, &vs = job[1] == 'O' ? left : vt;
            const int lu = job[0] == 'O' ? lda : ldu, lv = job[1] == 'O' ? lda : ldvt;
            CHECK(worst_angle(us, lu, m, job[0] == 'A' ? m : n) < bound);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                    std::complex<double> sum = -wide(a[i + j * lda]);
                    for (int k = 0; k < n; k++)
                        sum += wide(us[i + k * lu]) * (double)s[k] * wide(vs[k + j * lv]);
                    CHECK(std::abs(sum) < bound);
                }
        }
    int info, *di = on_device(&info, 1);
    CHECK(svd(h, 'A', 'A', 3, 4, (T *)nullptr, 3, (R *)nullptr, (T *)nullptr, 3, (T *)nullptr, 4, (T *)nullptr, 100, (R *)nullptr, di) == CUSOLVER_STATUS_INVALID_VALUE);
}
template <class T, class R, class Size, class Eigen> static void vectors(Size size, Eigen eigen, double bound)
{
    typedef typename host_type<T>::type H;
    const int n = 9, lda = 11;
    cusolverDnHandle_t h;
    SOLVED(cusolverDnCreate(&h));
    for (cublasFillMode_t fill : { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER }) {
        std::vector<H> a(lda * n), given(lda * n), v(lda * n);
        std::vector<R> w(n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i <= j; i++) {
                H x;
                draw(x);
                a[i + j * lda] = i == j ? H(std::real(x)) : x;
                a[j + i * lda] = i == j ? H(std::real(x)) : H(x);
            }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < j; i++) {
                const std::complex<double> x = std::conj(wide(a[i + j * lda]));
                memcpy(&a[j + i * lda], &a[i + j * lda], sizeof(H));
                if (sizeof(T) == 2 * sizeof(R))
                    ((R *)&a[j + i * lda])[1] = (R)x.imag();
            }
        for (int j = 0; j < n; j++) // the other half is not read
            for (int i = 0; i < n; i++)
                given[i + j * lda] = (fill == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j) ? a[i + j * lda] : H(99);
        T *da = on_device((const T *)given.data(), given.size());
        R *dw = on_device(w.data(), n);
        int room = 0, info = -1, *di = on_device(&info, 1);
        SOLVED(size(h, CUSOLVER_EIG_MODE_VECTOR, fill, n, da, lda, dw, &room));
        T *work = on_device<T>(nullptr, (size_t)room);
        SOLVED(eigen(h, CUSOLVER_EIG_MODE_VECTOR, fill, n, da, lda, dw, work, room, di));
        to_host((T *)v.data(), da, v.size());
        to_host(w.data(), dw, n);
        to_host(&info, di, 1);
        CHECK(info == 0 && worst_angle(v, lda, n, n) < bound);
        for (int j = 0; j < n; j++) {
            CHECK(j == 0 || w[j] >= w[j - 1]);
            for (int i = 0; i < n; i++) {
                std::complex<double> sum = -(double)w[j] * wide(v[i + j * lda]);
                for (int k = 0; k < n; k++)
                    sum += wide(a[i + k * lda]) * wide(v[k + j * lda]);
                CHECK(std::abs(sum) < bound);
            }
        }
    }
}
int main()
{
    values<float, float>(cusolverDnSgesvd_bufferSize<>, cusolverDnSgesvd<>, 1e-5);
    values<double, double>(cusolverDnDgesvd_bufferSize<>, cusolverDnDgesvd<>, 1e-13);
    values<cuComplex, float>(cusolverDnCgesvd_bufferSize<>, cusolverDnCgesvd<>, 1e-5);
    values<cuDoubleComplex, double>(cusolverDnZgesvd_bufferSize<>, cusolverDnZgesvd<>, 1e-13);
    vectors<float, float>(cusolverDnSsyevd_bufferSize<>, cusolverDnSsyevd<>, 1e-5);
    vectors<double, double>(cusolverDnDsyevd_bufferSize<>, cusolverDnDsyevd<>, 1e-13);
    vectors<cuComplex, float>(cusolverDnCheevd_bufferSize<>, cusolverDnCheevd<>, 1e-5);
    vectors<cuDoubleComplex, double>(cusolverDnZheevd_bufferSize<>, cusolverDnZheevd<>, 1e-13);
    return done();
}
