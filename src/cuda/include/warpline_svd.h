/* Singular values and eigenvalues of dense matrices for cuSOLVER, by turning pairs of columns until all are at right angles (one-sided Jacobi).
 * One block of threads does it: exact to rounding, the time is not NVIDIA's. */
#ifndef WARPLINE_SVD_H
#define WARPLINE_SVD_H
#include <warpline_gemm.h>

namespace warpline_solver {
enum { svd_threads = 256, svd_sweeps = 60 };
template <class T> using real_of = typename warpline_blas::is_complex<T>::real;
/* What of a number is real, a product by a real, and the number that those two make. */
template <class R> struct parts {
    static __device__ R re(R x) { return x; }
    static __device__ R im(R) { return 0; }
    static __device__ R make(R re, R) { return re; }
};
template <> struct parts<float2> {
    static __device__ float re(float2 x) { return x.x; }
    static __device__ float im(float2 x) { return x.y; }
    static __device__ float2 make(float re, float im) { return make_float2(re, im); }
};
template <> struct parts<double2> {
    static __device__ double re(double2 x) { return x.x; }
    static __device__ double im(double2 x) { return x.y; }
    static __device__ double2 make(double re, double im) { return make_double2(re, im); }
};
template <class T> __device__ inline T by(T x, real_of<T> r) { return parts<T>::make(parts<T>::re(x) * r, parts<T>::im(x) * r); }
template <class T> __device__ inline real_of<T> squared(T x) { return parts<T>::re(x) * parts<T>::re(x) + parts<T>::im(x) * parts<T>::im(x); }
template <class R> __device__ inline R smallest_step() { return sizeof(R) == 4 ? R(1.2e-7) : R(2.3e-16); }
template <class R> struct four { R v[4]; };
template <class R> __device__ inline four<R> sums_of_four(four<R> mine)
{
    __shared__ R room[4][svd_threads];
    const int me = (int)threadIdx.x;
    for (int k = 0; k < 4; k++)
        room[k][me] = mine.v[k];
    __syncthreads();
    for (int d = svd_threads / 2; d; d /= 2) {
        for (int k = 0; me < d && k < 4; k++)
            room[k][me] += room[k][me + d];
        __syncthreads();
    }
    for (int k = 0; k < 4; k++)
        mine.v[k] = room[k][0];
    __syncthreads();
    return mine;
}
/* Squares of two columns, and the first's product with the second. */
template <class T> __device__ inline four<real_of<T>> pair_sums(const T *p, const T *q, int m)
{
    four<real_of<T>> s = {};
    for (int i = (int)threadIdx.x; i < m; i += svd_threads) {
        const T product = warpline_blas::times(warpline_blas::conjugate(p[i]), q[i]);
        s.v[0] += squared(p[i]);
        s.v[1] += squared(q[i]);
        s.v[2] += parts<T>::re(product);
        s.v[3] += parts<T>::im(product);
    }
    return sums_of_four(s);
}
template <class T> __device__ inline void turn(T *p, T *q, int m, real_of<T> c, real_of<T> s, T back)
{
    for (int i = (int)threadIdx.x; i < m; i += svd_threads) {
        const T a = p[i], b = warpline_blas::times(q[i], back);
        p[i] = warpline_blas::plus(by(a, c), by(b, -s));
        q[i] = warpline_blas::plus(by(a, s), by(b, c));
    }
    __syncthreads();
}
/* a v' stays the same while the columns of a become orthogonal; v begins as one. Returns whether they did. */
template <class T> __device__ inline bool make_orthogonal(T *a, int m, int n, int lda, T *v)
{
    typedef real_of<T> R;
    for (long long i = threadIdx.x; i < (long long)n * n; i += svd_threads)
        v[i] = warpline_blas::as<T>::of(i % n == i / n ? 1 : 0);
    __syncthreads();
    bool turned = true;
    for (int sweep = 0; turned && sweep < svd_sweeps; sweep++) {
        turned = false;
        for (int p = 0; p + 1 < n; p++)
            for (int q = p + 1; q < n; q++) {
                T *const x = a + (size_t)p * lda, *const y = a + (size_t)q * lda;
                const four<R> s = pair_sums(x, y, m);
                const R size = sqrt(s.v[2] * s.v[2] + s.v[3] * s.v[3]);
                if (!(size > 4 * smallest_step<R>() * sqrt(s.v[0]) * sqrt(s.v[1])))
                    continue;
                const R zeta = (s.v[1] - s.v[0]) / (2 * size), t = (zeta < 0 ? R(-1) : R(1)) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const R c = 1 / sqrt(1 + t * t);
                const T back = parts<T>::make(s.v[2] / size, -s.v[3] / size);
                turned = true;
                turn(x, y, m, c, c * t, back);
                turn(v + (size_t)p * n, v + (size_t)q * n, n, c, c * t, back);
            }
    }
    return !turned;
}
template <class T> __device__ inline void exchange_columns(T *p, T *q, int m)
{
    for (int i = (int)threadIdx.x; i < m; i += svd_threads) {
        const T t = p[i];
        p[i] = q[i];
        q[i] = t;
    }
}
/* Lengths of the columns, the largest first; the columns go along. */
template <class T> __device__ inline void sort_lengths(T *a, int m, int n, int lda, T *v, real_of<T> *lengths)
{
    for (int j = 0; j < n; j++) {
        const four<real_of<T>> s = pair_sums(a + (size_t)j * lda, a + (size_t)j * lda, m);
        if (threadIdx.x == 0)
            lengths[j] = sqrt(s.v[0]);
    }
    __syncthreads();
    for (int j = 0; j + 1 < n; j++) {
        int best = j;
        for (int k = j + 1; k < n; k++)
            if (lengths[k] > lengths[best])
                best = k;
        __syncthreads();
        if (best != j) {
            exchange_columns(a + (size_t)j * lda, a + (size_t)best * lda, m);
            exchange_columns(v + (size_t)j * n, v + (size_t)best * n, n);
            if (threadIdx.x == 0) {
                const real_of<T> t = lengths[j];
                lengths[j] = lengths[best];
                lengths[best] = t;
            }
        }
        __syncthreads();
    }
}
/* Takes out of column x what lies along the columns before it, and returns the square of the rest. */
template <class T> __device__ inline real_of<T> take_out(const T *u, int ldu, int before, T *x, int m)
{
    for (int k = 0; k < before; k++) {
        const T *const y = u + (size_t)k * ldu;
        const four<real_of<T>> s = pair_sums(y, x, m);
        const T along = parts<T>::make(-s.v[2], -s.v[3]);
        for (int i = (int)threadIdx.x; i < m; i += svd_threads)
            x[i] = warpline_blas::plus(x[i], warpline_blas::times(y[i], along));
        __syncthreads();
    }
    return pair_sums(x, x, m).v[0];
}
/* A column of length one at right angles to those before it: the first unit vector of which enough is left. */
template <class T> __device__ inline void add_column(T *u, int ldu, int m, int column)
{
    typedef real_of<T> R;
    T *const x = u + (size_t)column * ldu;
    for (int unit = 0; unit < m; unit++) {
        for (int i = (int)threadIdx.x; i < m; i += svd_threads)
            x[i] = warpline_blas::as<T>::of(i == unit ? 1 : 0);
        __syncthreads();
        if (take_out(u, ldu, column, x, m) * m < R(0.5))
            continue;
        const R length = sqrt(take_out(u, ldu, column, x, m)); /* a second time, for what rounding left */
        for (int i = (int)threadIdx.x; i < m; i += svd_threads)
            x[i] = by(x[i], 1 / length);
        __syncthreads();
        return;
    }
}
/* a = u s vt. a is used up; u has u_columns columns (0: not wanted) and may be a; vt has vt_rows rows (0: not wanted) and may be a. */
template <class T>
__global__ void singular_values(T *a, int m, int n, int lda, real_of<T> *s, T *u, int ldu, int u_columns, T *vt, int ldvt, int vt_rows, T *v, int *info)
{
    typedef real_of<T> R;
    const bool done = make_orthogonal(a, m, n, lda, v);
    if (threadIdx.x == 0)
        *info = done ? 0 : 1;
    sort_lengths(a, m, n, lda, v, s);
    for (int j = 0; j < u_columns; j++) {
        const R length = j < n ? s[j] : R(0);
        for (int i = (int)threadIdx.x; length > 0 && i < m; i += svd_threads)
            u[i + (size_t)j * ldu] = by(a[i + (size_t)j * lda], 1 / length);
        __syncthreads();
        if (!(length > 0))
            add_column(u, ldu, m, j);
    }
    for (long long i = threadIdx.x; i < (long long)vt_rows * n; i += svd_threads)
        vt[i % vt_rows + i / vt_rows * ldvt] = warpline_blas::conjugate(v[i / vt_rows + i % vt_rows * n]);
}
/* Of a symmetric matrix whose half is given. Moved by more than its size it has no eigenvalue below zero, and they are its singular values. */
template <class T> __global__ void eigenvalues(T *a, int n, int lda, bool upper, real_of<T> *w, bool wanted, T *full, T *v, int *info)
{
    typedef real_of<T> R;
    four<R> sum = {};
    for (long long i = threadIdx.x; i < (long long)n * n; i += svd_threads) {
        const int row = (int)(i % n), column = (int)(i / n);
        const bool there = upper ? row <= column : row >= column;
        const T x = there ? a[row + (size_t)column * lda] : warpline_blas::conjugate(a[column + (size_t)row * lda]);
        full[i] = row == column ? parts<T>::make(parts<T>::re(x), 0) : x;
        sum.v[0] += squared(full[i]);
    }
    const R move = sqrt(sums_of_four(sum).v[0]);
    for (int i = (int)threadIdx.x; i < n; i += svd_threads)
        full[i + (size_t)i * n] = warpline_blas::plus(full[i + (size_t)i * n], parts<T>::make(move, 0));
    __syncthreads();
    const bool done = make_orthogonal(full, n, n, n, v);
    sort_lengths(full, n, n, n, v, w);
    for (int j = (int)threadIdx.x; j < (n + 1) / 2; j += svd_threads) { /* the smallest first */
        const R high = w[j], low = w[n - 1 - j];
        w[j] = low - move;
        w[n - 1 - j] = high - move;
    }
    for (long long i = threadIdx.x; wanted && i < (long long)n * n; i += svd_threads)
        a[i % n + i / n * lda] = v[i % n + (n - 1 - i / n) * n];
    if (threadIdx.x == 0)
        *info = done ? 0 : 1;
}
}
#endif
