/* Part of cublas_v2.h: triangular and symmetric matrices, rotations, and vectors of any type. */
#ifndef WARPLINE_CUBLAS_MORE_H
#define WARPLINE_CUBLAS_MORE_H
namespace warpline_blas {
/* The element of a symmetric (or Hermitian) matrix of which one half is stored. */
template <class T> __device__ inline T mirrored(const T *a, int ld, cublasFillMode_t fill, bool hermitian, long long row, long long column)
{
    const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
    const T v = stored ? a[row + column * ld] : a[column + row * ld];
    if (!hermitian)
        return v;
    return row == column ? times(as<T>::of(0.5), plus(v, conjugate(v))) : stored ? v : conjugate(v);
}
template <class T>
inline cublasStatus_t symv(cublasHandle_t h, cublasFillMode_t fill, bool hermitian, int n, const T *alpha, const T *a, int lda, const T *x, int x_step, const T *beta, T *y, int y_step)
{
    const T al = scalar(h, alpha), be = scalar(h, beta);
    return each(h, n, [=] __device__(size_t i) {
        T sum = as<T>::of(0);
        for (int j = 0; j < n; j++)
            sum = plus(sum, times(mirrored(a, lda, fill, hermitian, (long long)i, j), x[(size_t)j * x_step]));
        T *const out = y + i * y_step;
        *out = is_zero(be) ? times(al, sum) : plus(times(al, sum), times(be, *out));
    });
}
/* c = alpha a b + beta c, or alpha b a + beta c */
template <class T>
inline cublasStatus_t symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, bool hermitian, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb,
                           const T *beta, T *c, int ldc)
{
    const T al = scalar(h, alpha), be = scalar(h, beta);
    const bool left = side == CUBLAS_SIDE_LEFT;
    return each(h, (long long)m * n, [=] __device__(size_t i) {
        const long long row = (long long)i % m, column = (long long)i / m;
        T sum = as<T>::of(0);
        for (int k = 0; k < (left ? m : n); k++)
            sum = plus(sum, left ? times(mirrored(a, lda, fill, hermitian, row, k), b[k + column * ldb])
                                 : times(b[row + (long long)k * ldb], mirrored(a, lda, fill, hermitian, k, column)));
        T *const out = c + row + column * ldc;
        *out = is_zero(be) ? times(al, sum) : plus(times(al, sum), times(be, *out));
    });
}
/* One line of op(a) x, or x op(a): in an order in which `to` may be `from`. */
template <class T>
__device__ inline void multiply_line(T al, const T *a, int lda, bool left, bool upper, cublasOperation_t op, bool unit, int n, const T *from, long long from_step, T *to, long long step)
{
    const bool ascending = (upper != (op != CUBLAS_OP_N)) == left;
    for (int s = 0; s < n; s++) {
        const int r = ascending ? s : n - 1 - s;
        T sum = unit ? from[r * from_step] : times(element(a, lda, op, r, r), from[r * from_step]);
        for (int q = ascending ? r + 1 : 0; q < (ascending ? n : r); q++)
            sum = plus(sum, times(left ? element(a, lda, op, r, q) : element(a, lda, op, q, r), from[q * from_step]));
        to[r * step] = times(al, sum);
    }
}
template <class T>
inline cublasStatus_t trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *a,
                           int lda, const T *b, int ldb, T *c, int ldc)
{
    const T al = scalar(h, alpha);
    const bool left = side == CUBLAS_SIDE_LEFT, upper = fill == CUBLAS_FILL_MODE_UPPER, unit = diagonal == CUBLAS_DIAG_UNIT;
    return each(h, left ? n : m, [=] __device__(size_t i) {
        multiply_line<T>(al, a, lda, left, upper, op, unit, left ? m : n, left ? b + i * ldb : b + i, left ? 1 : ldb, left ? c + i * ldc : c + i, left ? 1 : ldc);
    });
}
template <class T>
inline cublasStatus_t trmv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int step)
{
    return each(h, 1, [=] __device__(size_t) {
        multiply_line<T>(as<T>::of(1), a, lda, true, fill == CUBLAS_FILL_MODE_UPPER, op, diagonal == CUBLAS_DIAG_UNIT, n, x, step, x, step);
    });
}
template <class T>
inline cublasStatus_t trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int step)
{
    const bool forward = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
    return each(h, 1, [=] __device__(size_t) {
        for (int s = 0; s < n; s++) {
            const int r = forward ? s : n - 1 - s;
            T sum = x[(long long)r * step];
            for (int q = forward ? 0 : r + 1; q < (forward ? r : n); q++)
                sum = plus(sum, negative(times(element(a, lda, op, r, q), x[(long long)q * step])));
            x[(long long)r * step] = diagonal == CUBLAS_DIAG_UNIT ? sum : over(sum, element(a, lda, op, r, r));
        }
    });
}
/* a += alpha (x y^T + y x^T), or alpha x x^T where there is no y; the half that `fill` names. */
template <class T> inline cublasStatus_t syr(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int x_step, const T *y, int y_step, T *a, int lda)
{
    const T al = scalar(h, alpha);
    return each(h, (long long)n * n, [=] __device__(size_t i) {
        const long long row = (long long)i % n, column = (long long)i / n;
        if (fill == CUBLAS_FILL_MODE_LOWER ? row < column : row > column)
            return;
        T sum = times(x[row * x_step], y ? y[column * y_step] : x[column * x_step]);
        if (y)
            sum = plus(sum, times(y[row * y_step], x[column * x_step]));
        a[row + column * lda] = plus(a[row + column * lda], times(al, sum));
    });
}
template <class T, class R> inline cublasStatus_t rot(cublasHandle_t h, int n, T *x, int x_step, T *y, int y_step, const R *cosine, const R *sine)
{
    const T c = as<T>::of(scalar(h, cosine)), s = as<T>::of(scalar(h, sine));
    return each(h, n, [=] __device__(size_t i) {
        const T a = x[i * x_step], b = y[i * y_step];
        x[i * x_step] = plus(times(c, a), times(s, b));
        y[i * y_step] = plus(times(c, b), negative(times(s, a)));
    });
}
/* The rotation that takes (a, b) to (r, 0): r in a's place, and in b's a number that tells the rotation. */
template <class T> __host__ __device__ inline void make_rotation(T *a, T *b, T *c, T *s)
{
    const bool larger = fabs(*a) > fabs(*b);
    const T scale = fabs(*a) + fabs(*b);
    if (scale == 0) {
        *c = 1;
        *s = *a = *b = 0;
        return;
    }
    const T length = scale * sqrt((*a / scale) * (*a / scale) + (*b / scale) * (*b / scale)), r = (larger ? *a : *b) < 0 ? -length : length;
    *c = *a / r;
    *s = *b / r;
    *b = larger ? *s : *c != 0 ? 1 / *c : 1;
    *a = r;
}
template <class T> inline cublasStatus_t rotg(cublasHandle_t h, T *a, T *b, T *c, T *s)
{
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE)
        return each(h, 1, [=] __device__(size_t) { make_rotation(a, b, c, s); });
    make_rotation(a, b, c, s);
    return CUBLAS_STATUS_SUCCESS;
}
/* What of the four numbers counts is said by the first of five. */
template <class T> inline cublasStatus_t rotm(cublasHandle_t h, int n, T *x, int x_step, T *y, int y_step, const T *parameters)
{
    T p[5];
    for (int i = 0; i < 5; i++)
        p[i] = scalar(h, parameters + i);
    if (p[0] == -2)
        return CUBLAS_STATUS_SUCCESS;
    const T xx = p[0] == 0 ? 1 : p[1], yx = p[0] == 1 ? -1 : p[2], xy = p[0] == 1 ? 1 : p[3], yy = p[0] == 0 ? 1 : p[4];
    return each(h, n, [=] __device__(size_t i) {
        const T a = x[i * x_step], b = y[i * y_step];
        x[i * x_step] = xx * a + xy * b;
        y[i * y_step] = yx * a + yy * b;
    });
}
inline cublasStatus_t no_such_type(const char *call, cudaDataType type)
{
    (void)fprintf(stderr, "warpline: %s: the type %d (cudaDataType), or a factor of another type, is not part of warpline's cuBLAS\n", call, (int)type);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
}

#define WARPLINE_BLAS(S, T)                                                                                                                    \
    WARPLINE_BLAS_CALL cublas##S##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *a, int lda, const T *x, int xs, const T *beta, T *y, int ys) \
    { return warpline_blas::symv<T>(h, fill, false, n, alpha, a, lda, x, xs, beta, y, ys); }                                                   \
    WARPLINE_BLAS_CALL cublas##S##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb, \
                                       const T *beta, T *c, int ldc)                                                                           \
    { return warpline_blas::symm<T>(h, side, fill, false, m, n, alpha, a, lda, b, ldb, beta, c, ldc); }                                        \
    WARPLINE_BLAS_CALL cublas##S##trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, \
                                       const T *alpha, const T *a, int lda, const T *b, int ldb, T *c, int ldc)                                \
    { return warpline_blas::trmm<T>(h, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc); }                                       \
    WARPLINE_BLAS_CALL cublas##S##trmv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int xs) \
    { return warpline_blas::trmv<T>(h, fill, op, diagonal, n, a, lda, x, xs); }                                                                \
    WARPLINE_BLAS_CALL cublas##S##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a, int lda, T *x, int xs) \
    { return warpline_blas::trsv<T>(h, fill, op, diagonal, n, a, lda, x, xs); }                                                                \
    WARPLINE_BLAS_CALL cublas##S##syr(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int xs, T *a, int lda)       \
    { return warpline_blas::syr<T>(h, fill, n, alpha, x, xs, nullptr, 0, a, lda); }                                                            \
    WARPLINE_BLAS_CALL cublas##S##syr2(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *x, int xs, const T *y, int ys, T *a, int lda) \
    { return warpline_blas::syr<T>(h, fill, n, alpha, x, xs, y, ys, a, lda); }
WARPLINE_BLAS(S, float)
WARPLINE_BLAS(D, double)
WARPLINE_BLAS(C, cuComplex)
WARPLINE_BLAS(Z, cuDoubleComplex)
#undef WARPLINE_BLAS
#define WARPLINE_BLAS(S, T)                                                                                                                    \
    WARPLINE_BLAS_CALL cublas##S##hemv(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, const T *a, int lda, const T *x, int xs, const T *beta, T *y, int ys) \
    { return warpline_blas::symv<T>(h, fill, true, n, alpha, a, lda, x, xs, beta, y, ys); }                                                    \
    WARPLINE_BLAS_CALL cublas##S##hemm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb, \
                                       const T *beta, T *c, int ldc)                                                                           \
    { return warpline_blas::symm<T>(h, side, fill, true, m, n, alpha, a, lda, b, ldb, beta, c, ldc); }
WARPLINE_BLAS(C, cuComplex)
WARPLINE_BLAS(Z, cuDoubleComplex)
#undef WARPLINE_BLAS
#define WARPLINE_BLAS(name, T, R)                                                                                                              \
    WARPLINE_BLAS_CALL cublas##name(cublasHandle_t h, int n, T *x, int xs, T *y, int ys, const R *c, const R *s)                               \
    { return warpline_blas::rot<T, R>(h, n, x, xs, y, ys, c, s); }
WARPLINE_BLAS(Srot, float, float)
WARPLINE_BLAS(Drot, double, double)
WARPLINE_BLAS(Csrot, cuComplex, float)
WARPLINE_BLAS(Zdrot, cuDoubleComplex, double)
#undef WARPLINE_BLAS
#define WARPLINE_BLAS(S, T)                                                                                                                    \
    WARPLINE_BLAS_CALL cublas##S##rotg(cublasHandle_t h, T *a, T *b, T *c, T *s) { return warpline_blas::rotg<T>(h, a, b, c, s); }             \
    WARPLINE_BLAS_CALL cublas##S##rotm(cublasHandle_t h, int n, T *x, int xs, T *y, int ys, const T *p) { return warpline_blas::rotm<T>(h, n, x, xs, y, ys, p); }
WARPLINE_BLAS(S, float)
WARPLINE_BLAS(D, double)
#undef WARPLINE_BLAS
WARPLINE_BLAS_CALL cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType at, void *x, cudaDataType xt, int xs, cudaDataType)
{
    switch (at == xt ? xt : CUDA_R_8I) {
    case CUDA_R_32F: return cublasSscal(h, n, (const float *)alpha, (float *)x, xs);
    case CUDA_R_64F: return cublasDscal(h, n, (const double *)alpha, (double *)x, xs);
    case CUDA_C_32F: return cublasCscal(h, n, (const cuComplex *)alpha, (cuComplex *)x, xs);
    case CUDA_C_64F: return cublasZscal(h, n, (const cuDoubleComplex *)alpha, (cuDoubleComplex *)x, xs);
    default: return warpline_blas::no_such_type("cublasScalEx", xt);
    }
}
WARPLINE_BLAS_CALL cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType at, const void *x, cudaDataType xt, int xs, void *y, cudaDataType yt, int ys, cudaDataType)
{
    switch (at == xt && xt == yt ? xt : CUDA_R_8I) {
    case CUDA_R_32F: return cublasSaxpy(h, n, (const float *)alpha, (const float *)x, xs, (float *)y, ys);
    case CUDA_R_64F: return cublasDaxpy(h, n, (const double *)alpha, (const double *)x, xs, (double *)y, ys);
    case CUDA_C_32F: return cublasCaxpy(h, n, (const cuComplex *)alpha, (const cuComplex *)x, xs, (cuComplex *)y, ys);
    case CUDA_C_64F: return cublasZaxpy(h, n, (const cuDoubleComplex *)alpha, (const cuDoubleComplex *)x, xs, (cuDoubleComplex *)y, ys);
    default: return warpline_blas::no_such_type("cublasAxpyEx", xt);
    }
}
WARPLINE_BLAS_CALL cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType xt, int xs, void *result, cudaDataType rt, cudaDataType)
{
    if (xt == CUDA_R_32F && rt == CUDA_R_32F)
        return cublasSnrm2(h, n, (const float *)x, xs, (float *)result);
    if (xt == CUDA_R_64F && rt == CUDA_R_64F)
        return cublasDnrm2(h, n, (const double *)x, xs, (double *)result);
    if (xt == CUDA_C_32F && rt == CUDA_R_32F)
        return cublasScnrm2(h, n, (const cuComplex *)x, xs, (float *)result);
    if (xt == CUDA_C_64F && rt == CUDA_R_64F)
        return cublasDznrm2(h, n, (const cuDoubleComplex *)x, xs, (double *)result);
    return warpline_blas::no_such_type("cublasNrm2Ex", xt);
}
#endif
