// cuSOLVER's dense factors and what solves with them, least squares of batches, and the product of two sparse matrices. nvcc's program would
// have NVIDIA's machine code instead of kernels.
// nvcc: no
#include "check.h"
#include <cmath>
#include <cublasXt.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <vector>
static unsigned state = 1;
static double drawn() { return (state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; }
template <class T> static void solvers(cusolverStatus_t (*potrf)(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, T *, int, int *),
                                       cusolverStatus_t (*potrs)(cusolverDnHandle_t, cublasFillMode_t, int, int, const T *, int, T *, int, int *),
                                       cusolverStatus_t (*getrf)(cusolverDnHandle_t, int, int, T *, int, T *, int *, int *),
                                       cusolverStatus_t (*getrs)(cusolverDnHandle_t, cublasOperation_t, int, int, const T *, int, const int *, T *, int, int *),
                                       cusolverStatus_t (*geqrf)(cusolverDnHandle_t, int, int, T *, int, T *, T *, int, int *),
                                       cusolverStatus_t (*ormqr)(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const T *, int, const T *, T *, int, T *, int, int *),
                                       double bound)
{
    const int n = 37, ld = 40, columns = 3;
    std::vector<T> a(ld * n), spd(ld * n), x(ld * columns), b(ld * columns), out(ld * columns), factors(ld * n);
    for (int i = 0; i < n * ld; i++)
        a[i] = (T)drawn();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 1 : 0;
            for (int k = 0; k < n; k++)
                sum += (double)a[i + k * ld] * a[j + k * ld];
            spd[i + j * ld] = (T)sum;
        }
    for (T &v : x)
        v = (T)drawn();
    cusolverDnHandle_t h;
    CHECK(cusolverDnCreate(&h) == CUSOLVER_STATUS_SUCCESS);
    auto side = [&](const std::vector<T> &m, bool turned) {
        for (int c = 0; c < columns; c++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < n; k++)
                    sum += (double)(turned ? m[k + i * ld] : m[i + k * ld]) * x[k + c * ld];
                b[i + c * ld] = (T)sum;
            }
        return on_device(b.data(), b.size());
    };
    auto same = [&](const T *got, const char *what) {
        to_host(out.data(), got, out.size());
        double most = 0;
        for (int c = 0; c < columns; c++)
            for (int i = 0; i < n; i++)
                most = std::fmax(most, std::fabs((double)out[i + c * ld] - x[i + c * ld]));
        if (most > bound)
            printf("%s: %g\n", what, most);
        CHECK(most <= bound);
    };
    int none = -1, found, *info = on_device(&none, 1), *pivots = on_device((int *)std::vector<int>(n).data(), n);
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        T *d = on_device(spd.data(), spd.size()), *r = side(spd, false);
        CHECK(potrf(h, fill, n, d, ld, nullptr, 0, info) == CUSOLVER_STATUS_SUCCESS && potrs(h, fill, n, columns, d, ld, r, ld, info) == CUSOLVER_STATUS_SUCCESS);
        same(r, "Cholesky");
        to_host(factors.data(), d, factors.size()); // the other triangle is as it was
        CHECK(factors[fill == CUBLAS_FILL_MODE_LOWER ? 3 * ld : 3] == spd[3]);
    }
    std::vector<T> bad = spd;
    bad[5 + 5 * ld] = -1;
    T *d = on_device(bad.data(), bad.size());
    CHECK(potrf(h, CUBLAS_FILL_MODE_LOWER, n, d, ld, nullptr, 0, info) == CUSOLVER_STATUS_SUCCESS);
    to_host(&found, info, 1);
    CHECK(found == 6);
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        T *m = on_device(a.data(), a.size()), *r = side(a, op == CUBLAS_OP_T);
        CHECK(getrf(h, n, n, m, ld, nullptr, pivots, info) == CUSOLVER_STATUS_SUCCESS && getrs(h, op, n, columns, m, ld, pivots, r, ld, info) == CUSOLVER_STATUS_SUCCESS);
        same(r, "LU");
    }
    std::vector<T> zero(ld * n); // no column has a pivot: the first is told
    CHECK(getrf(h, n, n, on_device(zero.data(), zero.size()), ld, nullptr, pivots, info) == CUSOLVER_STATUS_SUCCESS);
    to_host(&found, info, 1);
    CHECK(found == 1);
    /* q'(a x) = r x, and q q' b = b */
    T *m = on_device(a.data(), a.size()), *r = side(a, false), *taus = on_device(b.data(), n);
    CHECK(geqrf(h, n, n, m, ld, taus, nullptr, 0, info) == CUSOLVER_STATUS_SUCCESS);
    CHECK(ormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, columns, n, m, ld, taus, r, ld, nullptr, 0, info) == CUSOLVER_STATUS_SUCCESS);
    to_host(factors.data(), m, factors.size());
    to_host(out.data(), r, out.size());
    double most = 0;
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = i; k < n; k++)
                sum += (double)factors[i + k * ld] * x[k + c * ld];
            most = std::fmax(most, std::fabs(sum - out[i + c * ld]));
        }
    CHECK(most <= bound);
    CHECK(ormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n, columns, n, m, ld, taus, r, ld, nullptr, 0, info) == CUSOLVER_STATUS_SUCCESS);
    to_host(out.data(), r, out.size());
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < n; i++)
            CHECK(std::fabs((double)out[i + c * ld] - b[i + c * ld]) <= bound);
    CHECK(cusolverDnDestroy(h) == CUSOLVER_STATUS_SUCCESS);
}
/* The residual of the answer is orthogonal to every column. */
static void least_squares()
{
    const int m = 9, n = 4, batch = 5;
    std::vector<cuDoubleComplex> a(m * n * batch), c(m * batch), x(m * batch);
    for (auto &v : a)
        v = make_cuDoubleComplex(drawn(), drawn());
    for (auto &v : c)
        v = make_cuDoubleComplex(drawn(), drawn());
    cuDoubleComplex *da = on_device(a.data(), a.size()), *dc = on_device(c.data(), c.size()), *as_[batch], *cs[batch];
    for (int i = 0; i < batch; i++)
        as_[i] = da + i * m * n, cs[i] = dc + i * m;
    cublasHandle_t h;
    int info = -1, zeros[batch], *at = on_device(zeros, batch);
    CHECK(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasZgelsBatched(h, CUBLAS_OP_N, m, n, 1, on_device(as_, batch), m, on_device(cs, batch), m, &info, at, batch) == CUBLAS_STATUS_SUCCESS && info == 0);
    to_host(x.data(), dc, x.size());
    to_host(zeros, at, batch);
    for (int b = 0; b < batch; b++) {
        CHECK(zeros[b] == 0);
        for (int j = 0; j < n; j++) {
            cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
            for (int i = 0; i < m; i++) {
                cuDoubleComplex rest = c[b * m + i];
                for (int k = 0; k < n; k++)
                    rest = cuCsub(rest, cuCmul(a[b * m * n + i + k * m], x[b * m + k]));
                sum = cuCadd(sum, cuCmul(cuConj(a[b * m * n + i + j * m]), rest));
            }
            CHECK(cuCabs(sum) < 1e-12);
        }
    }
    CHECK(cublasZgelsBatched(h, CUBLAS_OP_N, n, m, 1, nullptr, m, nullptr, m, &info, at, batch) != CUBLAS_STATUS_SUCCESS && info == -3);
}
static void sparse_product()
{
    // a is 3 by 4 with an empty row, b 4 by 3; base one in b
    const int a_starts[] = {0, 2, 2, 5}, a_columns[] = {0, 3, 0, 1, 2}, b_starts[] = {1, 3, 4, 4, 6}, b_columns[] = {1, 3, 2, 1, 2};
    const float a_values[] = {1, 2, 3, 4, 5}, b_values[] = {1, -1, 2, 3, 7};
    const int wanted_starts[] = {0, 3, 3, 6}, wanted_columns[] = {0, 1, 2, 0, 1, 2};
    const float wanted[] = {14, 28, -2, 6, 16, -6}; // twice a b
    cusparseHandle_t h;
    cusparseSpMatDescr_t a, b, c;
    cusparseSpGEMMDescr_t work;
    size_t bytes;
    int64_t rows, columns, nnz;
    const float alpha = 2, beta = 0;
    cusparseCreate(&h);
    int *starts = on_device(a_starts, 4);
    cusparseCreateCsr(&a, 3, 4, 5, on_device(a_starts, 4), on_device(a_columns, 5), on_device(a_values, 5), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateCsr(&b, 4, 3, 5, on_device(b_starts, 5), on_device(b_columns, 5), on_device(b_values, 5), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
    cusparseCreateCsr(&c, 3, 3, 0, starts, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    CHECK(cusparseSpGEMM_createDescr(&work) == CUSPARSE_STATUS_SUCCESS);
    const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
    CHECK(cusparseSpGEMM_workEstimation(h, as_is, as_is, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, nullptr) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSpGEMM_compute(h, as_is, as_is, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, nullptr) == CUSPARSE_STATUS_SUCCESS && bytes > 0);
    CHECK(cusparseSpGEMM_compute(h, as_is, as_is, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, starts) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSpMatGetSize(c, &rows, &columns, &nnz) == CUSPARSE_STATUS_SUCCESS && rows == 3 && columns == 3 && nnz == 6);
    int *across = on_device(wanted_starts, 4), got_starts[4], got_columns[6];
    float *values = on_device(wanted, 6), got[6];
    across = on_device((const int *)std::vector<int>(6).data(), 6);
    CHECK(cusparseCsrSetPointers(c, starts, across, values) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSpGEMM_copy(h, as_is, as_is, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work) == CUSPARSE_STATUS_SUCCESS);
    to_host(got_starts, starts, 4);
    to_host(got_columns, across, 6);
    to_host(got, values, 6);
    for (int i = 0; i < 4; i++)
        CHECK(got_starts[i] == wanted_starts[i]);
    for (int i = 0; i < 6; i++)
        CHECK(got_columns[i] == wanted_columns[i] && got[i] == wanted[i]);
    CHECK(cusparseSpGEMM_compute(h, CUSPARSE_OPERATION_TRANSPOSE, as_is, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, starts) == CUSPARSE_STATUS_NOT_SUPPORTED);
    CHECK(cusparseSpGEMM_destroyDescr(work) == CUSPARSE_STATUS_SUCCESS);
}
/* A pivot that becomes zero in the last row, which nobody divides by; and one that is not stored. */
static void zero_pivots()
{
    const int starts[] = {0, 2, 4}, columns[] = {0, 1, 0, 1}, lone_starts[] = {0, 1, 2}, lone_columns[] = {0, 0};
    const double values[] = {1, 2, 3, 6}, lone[] = {1, 1};
    cusparseHandle_t h;
    cusparseMatDescr_t d;
    csrilu02Info_t info;
    int at = 7;
    cusparseCreate(&h), cusparseCreateMatDescr(&d), cusparseCreateCsrilu02Info(&info);
    CHECK(cusparseDcsrilu02(h, 2, 4, d, on_device(values, 4), on_device(starts, 3), on_device(columns, 4), info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseXcsrilu02_zeroPivot(h, info, &at) == CUSPARSE_STATUS_ZERO_PIVOT && at == 1);
    cusparseDestroyCsrilu02Info(info), cusparseCreateCsrilu02Info(&info);
    CHECK(cusparseDcsrilu02(h, 2, 2, d, on_device(lone, 2), on_device(lone_starts, 3), on_device(lone_columns, 2), info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseXcsrilu02_zeroPivot(h, info, &at) == CUSPARSE_STATUS_ZERO_PIVOT && at == 1);
}
/* Of the host's memory, as cuBLAS over several GPUs takes it: one of the two is turned. */
static void host_product()
{
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 0, 1, -1}, alpha = 2, beta = 1; // 2 by 3; 3 by 2 as its transpose's rows
    float c[] = {1, 1, 1, 1};
    cublasXtHandle_t h;
    int none[] = {0}, block;
    CHECK(cublasXtCreate(&h) == CUBLAS_STATUS_SUCCESS && cublasXtDeviceSelect(h, 1, none) == CUBLAS_STATUS_SUCCESS && cublasXtDeviceSelect(h, 2, none) != CUBLAS_STATUS_SUCCESS);
    CHECK(cublasXtSetBlockDim(h, 64) == CUBLAS_STATUS_SUCCESS && cublasXtGetBlockDim(h, &block) == CUBLAS_STATUS_SUCCESS && block == 64);
    CHECK(cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &alpha, a, 2, b, 2, &beta, c, 2) == CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == 1 + 2 * (1 * 1 + 3 * 2 + 5 * 1) && c[1] == 1 + 2 * (2 + 8 + 6) && c[2] == 1 + 2 * -5 && c[3] == 1 + 2 * -6);
    CHECK(cublasXtDestroy(h) == CUBLAS_STATUS_SUCCESS);
}
int main()
{
    host_product();
    solvers<float>(cusolverDnSpotrf<>, cusolverDnSpotrs<>, cusolverDnSgetrf<>, cusolverDnSgetrs<>, cusolverDnSgeqrf<>, cusolverDnSormqr<>, 2e-3);
    solvers<double>(cusolverDnDpotrf<>, cusolverDnDpotrs<>, cusolverDnDgetrf<>, cusolverDnDgetrs<>, cusolverDnDgeqrf<>, cusolverDnDormqr<>, 1e-11);
    least_squares();
    sparse_product();
    zero_pivots();
    return done();
}
