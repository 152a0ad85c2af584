// nvcc: comes without cuBLAS here
// flags: -lcublas
// cuBLAS as programs compare themselves with it: products of matrices in every orientation, batches, vectors.
#include "check.h"
#include <cublas_v2.h>
#include <vector>

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
template <class T> static T at(const std::vector<T> &a, int ld, bool turned, int row, int column)
{
    return turned ? a[column + row * ld] : a[row + column * ld];
}

static void products(cublasHandle_t h)
{
    const int m = 21, n = 35, k = 50, ld = 64, batch = 2;
    std::vector<float> a(ld * ld * batch), b(ld * ld * batch), c(ld * ld * batch), got(c.size());
    for (size_t i = 0; i < a.size(); i++) {
        a[i] = (float)(i * 7 % 13) - 6;
        b[i] = (float)(i * 5 % 11) - 5;
        c[i] = (float)(i % 3);
    }
    const float alpha = 2, beta = -1;
    float *da = on_device(a.data(), a.size()), *db = on_device(b.data(), b.size());
    for (int way = 0; way < 4; way++) {
        float *dc = on_device(c.data(), c.size());
        const bool ta = way & 1, tb = way & 2;
        BLAS(cublasSgemmStridedBatched(h, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &alpha, da, ld, ld * ld, db, ld, ld * ld,
                                       &beta, dc, ld, ld * ld, batch));
        to_host(got.data(), dc, got.size());
        const std::vector<float> a1(a.begin() + ld * ld, a.end()), b1(b.begin() + ld * ld, b.end());
        for (int i = 0; i < ld; i++)
            for (int j = 0; j < ld; j++) {
                float first = 0, second = 0;
                for (int x = 0; x < k && i < m && j < n; x++) {
                    first += at(a, ld, ta, i, x) * at(b, ld, tb, x, j);
                    second += at(a1, ld, ta, i, x) * at(b1, ld, tb, x, j);
                }
                const int place = i + j * ld;
                const bool inside = i < m && j < n;
                CHECK(got[place] == (inside ? 2 * first - c[place] : c[place]));
                CHECK(got[ld * ld + place] == (inside ? 2 * second - c[ld * ld + place] : c[ld * ld + place]));
            }
        CALL(cudaFree(dc));
    }
    const float zero = 0;
    BLAS(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, ld, db, ld, &zero, da + ld * ld, ld));
    CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, m - 1, db, ld, &zero, da, ld) == CUBLAS_STATUS_INVALID_VALUE);
}

static void vectors(cublasHandle_t h)
{
    const int n = 1000;
    std::vector<double> x(n), y(n), got(n);
    for (int i = 0; i < n; i++) {
        x[i] = i % 17 - 8;
        y[i] = i % 5;
    }
    x[777] = -100;
    double *dx = on_device<double>(nullptr, n), *dy = on_device<double>(nullptr, n), result, dot = 0, sum = 0, squares = 0;
    BLAS(cublasSetVector(n, sizeof(double), x.data(), 1, dx, 1));
    BLAS(cublasSetVector(n, sizeof(double), y.data(), 1, dy, 1));
    for (int i = 0; i < n; i++) {
        dot += x[i] * y[i];
        sum += std::fabs(x[i]);
        squares += x[i] * x[i];
    }
    BLAS(cublasDdot(h, n, dx, 1, dy, 1, &result));
    CHECK(result == dot);
    BLAS(cublasDasum(h, n, dx, 1, &result));
    CHECK(result == sum);
    BLAS(cublasDnrm2(h, n, dx, 1, &result));
    CHECK(std::fabs(result - std::sqrt(squares)) < 1e-9);
    int place;
    BLAS(cublasIdamax(h, n, dx, 1, &place));
    CHECK(place == 778);
    const double alpha = 3, beta = 0.5;
    BLAS(cublasDaxpy(h, n, &alpha, dx, 1, dy, 1));
    BLAS(cublasGetVector(n, sizeof(double), dy, 1, got.data(), 1));
    CHECK(got[777] == y[777] - 300 && got[3] == y[3] + 3 * x[3]);
    BLAS(cublasDgemv(h, CUBLAS_OP_T, 10, 20, &alpha, dx, 10, dy, 1, &beta, dx + 500, 2));
    double row = 0;
    for (int j = 0; j < 10; j++)
        row += x[40 + j] * got[j];
    BLAS(cublasGetVector(1, sizeof(double), dx + 508, 1, &result, 1));
    CHECK(result == 3 * row + 0.5 * x[508]);
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    products(handle);
    vectors(handle);
    BLAS(cublasDestroy(handle));
    return done();
}
