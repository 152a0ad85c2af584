// nvcc: comes without cuSPARSE here
// flags: -lcusparse
// cuSPARSE: products with vectors and matrices in CSR, CSC and COO, both ways round, triangles, incomplete factors, changes of form.
#include "check.h"
#include <algorithm>
#include <functional>
using namespace std; // which has a `plus` of its own, as our headers have
#include <cusparse.h>
#include <vector>

#define SPARSE(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)
enum { ROWS = 37, COLUMNS = 29, WIDE = 5 };

/* A matrix with a few elements in a row, none in some, many in one, in all forms. */
template <class I> struct forms {
    std::vector<double> full;
    std::vector<I> starts, columns, rows, column_starts, row_of_column;
    std::vector<double> values, by_column;
    forms(int base) : full(ROWS * COLUMNS)
    {
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                if (i == 7 || (i % 5 && (i * 11 + j * 7) % 6 == 0))
                    full[i * COLUMNS + j] = (i + 2 * j) % 9 - 4.5;
        for (int i = 0; i < ROWS; i++) {
            starts.push_back((I)values.size() + base);
            for (int j = 0; j < COLUMNS; j++)
                if (full[i * COLUMNS + j] != 0) {
                    columns.push_back(j + base);
                    rows.push_back(i + base);
                    values.push_back(full[i * COLUMNS + j]);
                }
        }
        starts.push_back((I)values.size() + base);
        for (int j = 0; j < COLUMNS; j++) {
            column_starts.push_back((I)by_column.size() + base);
            for (int i = 0; i < ROWS; i++)
                if (full[i * COLUMNS + j] != 0) {
                    row_of_column.push_back(i + base);
                    by_column.push_back(full[i * COLUMNS + j]);
                }
        }
        column_starts.push_back((I)by_column.size() + base);
    }
};
template <class T> static T *sent(const std::vector<T> &v) { return on_device(v.data(), v.size()); }

template <class I> static void products(cusparseHandle_t h, cusparseIndexType_t index, cusparseIndexBase_t base)
{
    const forms<I> f(base);
    const int64_t nnz = (int64_t)f.values.size();
    cusparseSpMatDescr_t a[3];
    SPARSE(cusparseCreateCsr(&a[0], ROWS, COLUMNS, nnz, sent(f.starts), sent(f.columns), sent(f.values), index, index, base, CUDA_R_64F));
    SPARSE(cusparseCreateCoo(&a[1], ROWS, COLUMNS, nnz, sent(f.rows), sent(f.columns), sent(f.values), index, base, CUDA_R_64F));
    SPARSE(cusparseCreateCsc(&a[2], ROWS, COLUMNS, nnz, sent(f.column_starts), sent(f.row_of_column), sent(f.by_column), index, index, base, CUDA_R_64F));
    std::vector<double> x(ROWS * WIDE), y(ROWS * WIDE), got(ROWS * WIDE);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = (double)(i % 7) - 2;
        y[i] = (double)(i % 4);
    }
    const double alpha = 2, beta = -0.5;
    for (int form = 0; form < 3; form++)
        for (int turned = 0; turned < 2; turned++) {
            const int to = turned ? COLUMNS : ROWS, from = turned ? ROWS : COLUMNS;
            const cusparseOperation_t op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
            auto want = [&](int i, int column, int step) {
                double sum = 0;
                for (int j = 0; j < from; j++)
                    sum += (turned ? f.full[j * COLUMNS + i] : f.full[i * COLUMNS + j]) * x[j * step + column];
                return 2 * sum - 0.5 * y[i * step + column];
            };
            double *dx = sent(x), *dy = sent(y);
            cusparseDnVecDescr_t vx, vy;
            size_t bytes;
            SPARSE(cusparseCreateDnVec(&vx, from, dx, CUDA_R_64F));
            SPARSE(cusparseCreateDnVec(&vy, to, dy, CUDA_R_64F));
            SPARSE(cusparseSpMV_bufferSize(h, op, &alpha, a[form], vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
            SPARSE(cusparseSpMV(h, op, &alpha, a[form], vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
            to_host(got.data(), dy, got.size());
            for (int i = 0; i < to; i++)
                CHECK(got[i] == want(i, 0, 1));
            CHECK(got[to] == y[to]);
            SPARSE(cusparseDnVecSetValues(vy, dx));
            CHECK(form || turned || cusparseSpMV(h, op, &alpha, a[form], vy, &beta, vx, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
            cusparseDnMatDescr_t mx, my; /* row after row */
            dy = sent(y);
            SPARSE(cusparseCreateDnMat(&mx, from, WIDE, WIDE, dx, CUDA_R_64F, CUSPARSE_ORDER_ROW));
            SPARSE(cusparseCreateDnMat(&my, to, WIDE, WIDE, dy, CUDA_R_64F, CUSPARSE_ORDER_ROW));
            SPARSE(cusparseSpMM(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a[form], mx, &beta, my, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
            to_host(got.data(), dy, got.size());
            for (int i = 0; i < to; i++)
                for (int c = 0; c < WIDE; c++)
                    CHECK(got[i * WIDE + c] == want(i, c, WIDE));
        }
    /* to dense, column after column, and back */
    double *dense = on_device<double>(nullptr, ROWS * COLUMNS);
    std::vector<double> whole(ROWS * COLUMNS), values(f.values.size());
    std::vector<I> starts(f.starts.size()), columns(f.columns.size());
    cusparseDnMatDescr_t d;
    cusparseSpMatDescr_t back;
    int64_t rows, across, count;
    SPARSE(cusparseCreateDnMat(&d, ROWS, COLUMNS, ROWS, dense, CUDA_R_64F, CUSPARSE_ORDER_COL));
    for (int form = 0; form < 3; form++) {
        SPARSE(cusparseSparseToDense(h, a[form], d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
        to_host(whole.data(), dense, whole.size());
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                CHECK(whole[i + j * ROWS] == f.full[i * COLUMNS + j]);
    }
    I *ds = on_device<I>(nullptr, ROWS + 1), *dj = on_device<I>(nullptr, f.columns.size());
    double *dv = on_device<double>(nullptr, f.values.size());
    SPARSE(cusparseCreateCsr(&back, ROWS, COLUMNS, 0, ds, nullptr, nullptr, index, index, base, CUDA_R_64F));
    SPARSE(cusparseDenseToSparse_analysis(h, d, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    SPARSE(cusparseSpMatGetSize(back, &rows, &across, &count));
    CHECK(rows == ROWS && across == COLUMNS && count == nnz);
    SPARSE(cusparseCsrSetPointers(back, ds, dj, dv));
    SPARSE(cusparseDenseToSparse_convert(h, d, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    to_host(starts.data(), ds, starts.size());
    to_host(columns.data(), dj, columns.size());
    to_host(values.data(), dv, values.size());
    CHECK(starts == f.starts && columns == f.columns && values == f.values);
    /* the product of ones at the places of a: each is 2 * WIDE - 0.5 a */
    const std::vector<double> ones(ROWS * WIDE, 1);
    cusparseDnMatDescr_t left, right;
    SPARSE(cusparseCreateDnMat(&left, ROWS, WIDE, WIDE, sent(ones), CUDA_R_64F, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseCreateDnMat(&right, WIDE, COLUMNS, WIDE, sent(ones), CUDA_R_64F, CUSPARSE_ORDER_COL));
    SPARSE(cusparseSDDMM(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, left, right, &beta, back, CUDA_R_64F,
                         CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    to_host(values.data(), dv, values.size());
    for (size_t i = 0; i < values.size(); i++)
        CHECK(values[i] == 2 * WIDE - 0.5 * f.values[i]);
}

/* The five-point matrix of a 4 by 4 grid: its incomplete factors, and triangles of it. */
static void triangles(cusparseHandle_t h)
{
    enum { N = 16 };
    std::vector<double> full(N * N), values;
    std::vector<int> starts, columns;
    for (int i = 0; i < N; i++) {
        starts.push_back((int)values.size());
        for (int j = 0; j < N; j++) {
            const int dx = abs(i % 4 - j % 4), dy = abs(i / 4 - j / 4);
            full[i * N + j] = dx + dy == 0 ? 4 + i * 0.25 : dx + dy == 1 ? -1 : 0;
            if (dx + dy <= 1) {
                columns.push_back(j);
                values.push_back(full[i * N + j]);
            }
        }
    }
    starts.push_back((int)values.size());
    int *ds = sent(starts), *dj = sent(columns), bytes, pivot = 5;
    double *dv = sent(values);
    cusparseMatDescr_t general;
    csrilu02Info_t info;
    SPARSE(cusparseCreateMatDescr(&general));
    SPARSE(cusparseCreateCsrilu02Info(&info));
    SPARSE(cusparseDcsrilu02_bufferSize(h, N, (int)values.size(), general, dv, ds, dj, info, &bytes));
    SPARSE(cusparseDcsrilu02(h, N, (int)values.size(), general, dv, ds, dj, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    SPARSE(cusparseXcsrilu02_zeroPivot(h, info, &pivot));
    CHECK(pivot == -1);
    std::vector<double> factors = full, got(values.size());
    for (int i = 1; i < N; i++)
        for (int k = 0; k < i; k++)
            if (full[i * N + k] != 0) {
                factors[i * N + k] /= factors[k * N + k];
                for (int j = k + 1; j < N; j++)
                    if (full[i * N + j] != 0)
                        factors[i * N + j] -= factors[i * N + k] * factors[k * N + j];
            }
    to_host(got.data(), dv, got.size());
    for (int i = 0; i < N; i++)
        for (int p = starts[i]; p < starts[i + 1]; p++)
            CHECK(fabs(got[p] - factors[i * N + columns[p]]) < 1e-12);
    /* op(t) x = 3 b for all four triangles, from the x that is to come out */
    for (int upper = 0; upper < 2; upper++)
        for (int turned = 0; turned < 2; turned++) {
            const cusparseFillMode_t fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
            const cusparseDiagType_t diag = upper ? CUSPARSE_DIAG_TYPE_NON_UNIT : CUSPARSE_DIAG_TYPE_UNIT;
            const double alpha = 3;
            std::vector<double> b(2 * N), x(2 * N);
            for (int c = 0; c < 2; c++)
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < N; j++) {
                        const int r = turned ? j : i, q = turned ? i : j;
                        const double t = r == q ? (upper ? factors[r * N + r] : 1) : (upper ? q > r : q < r) ? factors[r * N + q] : 0;
                        b[c * N + i] += t * (j + 1 + c * 10) / 3;
                    }
            double *db = sent(b), *dx = on_device<double>(nullptr, 2 * N);
            cusparseSpMatDescr_t a;
            cusparseDnVecDescr_t vb, vx;
            cusparseDnMatDescr_t mb, mx;
            cusparseSpSVDescr_t one;
            cusparseSpSMDescr_t many;
            const cusparseOperation_t op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
            SPARSE(cusparseCreateCsr(&a, N, N, (int64_t)values.size(), ds, dj, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
            SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, (void *)&fill, sizeof fill));
            SPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&diag, sizeof diag));
            SPARSE(cusparseCreateDnVec(&vb, N, db, CUDA_R_64F));
            SPARSE(cusparseCreateDnVec(&vx, N, dx, CUDA_R_64F));
            SPARSE(cusparseSpSV_createDescr(&one));
            SPARSE(cusparseSpSV_solve(h, op, &alpha, a, vb, vx, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, one));
            to_host(x.data(), dx, x.size());
            for (int i = 0; i < N; i++)
                CHECK(fabs(x[i] - (i + 1)) < 1e-9);
            SPARSE(cusparseCreateDnMat(&mb, N, 2, N, db, CUDA_R_64F, CUSPARSE_ORDER_COL));
            SPARSE(cusparseCreateDnMat(&mx, N, 2, N, dx, CUDA_R_64F, CUSPARSE_ORDER_COL));
            SPARSE(cusparseSpSM_createDescr(&many));
            SPARSE(cusparseSpSM_solve(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mb, mx, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, many));
            to_host(x.data(), dx, x.size());
            for (int i = 0; i < N; i++)
                CHECK(fabs(x[N + i] - (i + 11)) < 1e-9);
        }
}

/* To columns, and a row whose columns are out of order. */
static void other_orders(cusparseHandle_t h)
{
    const forms<int> f(1);
    const int nnz = (int)f.values.size(), starts[3] = { 1, 4, 6 }, mixed[5] = { 9, 2, 5, 7, 3 };
    int *to_starts = on_device<int>(nullptr, COLUMNS + 1), *to_rows = on_device<int>(nullptr, nnz), *order = on_device<int>(nullptr, 5), *columns = on_device(mixed, 5);
    double *to_values = on_device<double>(nullptr, nnz);
    size_t bytes;
    SPARSE(cusparseCsr2cscEx2_bufferSize(h, ROWS, COLUMNS, nnz, sent(f.values), sent(f.starts), sent(f.columns), to_values, to_starts, to_rows, CUDA_R_64F,
                                         CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, &bytes));
    SPARSE(cusparseCsr2cscEx2(h, ROWS, COLUMNS, nnz, sent(f.values), sent(f.starts), sent(f.columns), to_values, to_starts, to_rows, CUDA_R_64F,
                              CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, nullptr));
    std::vector<int> got_starts(COLUMNS + 1), got_rows(nnz), got(5);
    std::vector<double> got_values(nnz);
    to_host(got_starts.data(), to_starts, got_starts.size());
    to_host(got_rows.data(), to_rows, got_rows.size());
    to_host(got_values.data(), to_values, got_values.size());
    CHECK(got_starts == f.column_starts && got_rows == f.row_of_column && got_values == f.by_column);
    cusparseMatDescr_t general;
    SPARSE(cusparseCreateMatDescr(&general));
    SPARSE(cusparseSetMatIndexBase(general, CUSPARSE_INDEX_BASE_ONE));
    SPARSE(cusparseCreateIdentityPermutation(h, 5, order));
    SPARSE(cusparseXcsrsort(h, 2, 9, 5, general, on_device(starts, 3), columns, order, nullptr));
    to_host(got.data(), columns, 5);
    CHECK((got == std::vector<int>{ 2, 5, 9, 3, 7 }));
    to_host(got.data(), order, 5);
    CHECK((got == std::vector<int>{ 1, 2, 0, 4, 3 }));
    /* Of a symmetric matrix one half is stored, which would be taken for all of it. */
    const double one = 1;
    SPARSE(cusparseSetMatType(general, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    CHECK(cusparseDcsrmm(h, CUSPARSE_OPERATION_NON_TRANSPOSE, 2, 1, 2, 0, &one, general, nullptr, nullptr, nullptr, nullptr, 2, &one, nullptr, 2) ==
          CUSPARSE_STATUS_NOT_SUPPORTED);
}

static void vectors_and_halves(cusparseHandle_t h)
{
    const int places[3] = { 1, 4, 6 };
    const float few[3] = { 10, 20, 30 }, all[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, two = 2, half = 0.5f;
    float *dv = on_device(few, 3), *dy = on_device(all, 8), got[8];
    cusparseSpVecDescr_t x;
    cusparseDnVecDescr_t y;
    SPARSE(cusparseCreateSpVec(&x, 8, 3, on_device(places, 3), dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    SPARSE(cusparseCreateDnVec(&y, 8, dy, CUDA_R_32F));
    SPARSE(cusparseAxpby(h, &two, x, &half, y));
    to_host(got, dy, 8);
    CHECK(got[0] == 0 && got[1] == 20.5f && got[4] == 42 && got[6] == 63 && got[7] == 3.5f);
    SPARSE(cusparseGather(h, y, x));
    to_host(got, dv, 3);
    CHECK(got[0] == 20.5f && got[1] == 42 && got[2] == 63);
    /* halves in, floats out */
    const int starts[3] = { 0, 2, 3 }, columns[3] = { 0, 2, 1 };
    const __half values[3] = { 1.5f, 2.0f, -1.0f }, from[3] = { 2.0f, 4.0f, 0.25f };
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    float *out = on_device<float>(nullptr, 2);
    const float none = 0;
    SPARSE(cusparseCreateCsr(&a, 2, 3, 3, on_device(starts, 3), on_device(columns, 3), on_device(values, 3), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F));
    SPARSE(cusparseCreateDnVec(&vx, 3, on_device(from, 3), CUDA_R_16F));
    SPARSE(cusparseCreateDnVec(&vy, 2, out, CUDA_R_32F));
    SPARSE(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, a, vx, &none, vy, CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1, nullptr));
    to_host(got, out, 2);
    CHECK(got[0] == 7 && got[1] == -8);
}

int main()
{
    cusparseHandle_t h;
    SPARSE(cusparseCreate(&h));
    products<int>(h, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
    products<int64_t>(h, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE);
    triangles(h);
    other_orders(h);
    vectors_and_halves(h);
    CHECK(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)[16] == 'Z');
    SPARSE(cusparseDestroy(h));
    return done();
}
