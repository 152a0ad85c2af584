// cuBLAS of triangular and symmetric matrices, rotations, and vectors by their types, against plain loops; cufftXtExec.
// nvcc: links cuBLAS
// flags: -lcublas -lcufft
#include "check.h"
#include <cublas_v2.h>
#include <cufftXt.h>
#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
enum { N = 5, LD = 6 };
static bool near(double a, double b) { return std::fabs(a - b) < 1e-4 * (1 + std::fabs(b)); }
static float at(const float *a, int row, int column) { return a[row + column * LD]; }

static void triangles(cublasHandle_t h, const float *host_a, const float *host_b)
{
    const float two = 2;
    float got[LD * N];
    float *a = on_device(host_a, LD * N), *b = on_device(host_b, LD * N);
    for (int way = 0; way < 16; way++) {
        const cublasFillMode_t fill = way & 1 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const cublasOperation_t op = way & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        const cublasDiagType_t diagonal = way & 4 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        const cublasSideMode_t side = way & 8 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
        const auto element = [&](int r, int c) {
            const int row = op == CUBLAS_OP_N ? r : c, column = op == CUBLAS_OP_N ? c : r;
            const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
            return !stored ? 0.0f : row == column && diagonal == CUBLAS_DIAG_UNIT ? 1.0f : at(host_a, row, column);
        };
        CALL(cudaMemcpy(b, host_b, sizeof got, cudaMemcpyHostToDevice));
        BLAS(cublasStrmm(h, side, fill, op, diagonal, N, N, &two, a, LD, b, LD, b, LD)); /* in place */
        to_host(got, b, LD * N);
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++) {
                float sum = 0;
                for (int k = 0; k < N; k++)
                    sum += side == CUBLAS_SIDE_LEFT ? element(r, k) * at(host_b, k, c) : at(host_b, r, k) * element(k, c);
                CHECK(near(at(got, r, c), 2 * sum));
            }
        CALL(cudaMemcpy(b, host_b, sizeof got, cudaMemcpyHostToDevice));
        BLAS(cublasStrmv(h, fill, op, diagonal, N, a, LD, b, 2));
        BLAS(cublasStrsv(h, fill, op, diagonal, N, a, LD, b, 2)); /* there and back */
        to_host(got, b, LD * N);
        for (int i = 0; i < LD * N; i++)
            CHECK(near(got[i], host_b[i]));
    }
}

static void symmetric(cublasHandle_t h, const float *host_a, const float *host_b)
{
    const float two = 2, three = 3;
    float got[LD * N];
    float *a = on_device(host_a, LD * N), *b = on_device(host_b, LD * N), *c = on_device(host_b, LD * N);
    const auto lower = [&](int r, int k) { return r >= k ? at(host_a, r, k) : at(host_a, k, r); };
    const auto upper = [&](int r, int k) { return r <= k ? at(host_a, r, k) : at(host_a, k, r); };
    BLAS(cublasSsymm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, N, &two, a, LD, b, LD, &three, c, LD));
    to_host(got, c, LD * N);
    for (int i = 0; i < N * N; i++) {
        float sum = 0;
        for (int k = 0; k < N; k++)
            sum += lower(i % N, k) * at(host_b, k, i / N);
        CHECK(near(at(got, i % N, i / N), 2 * sum + 3 * at(host_b, i % N, i / N)));
    }
    BLAS(cublasSsymv(h, CUBLAS_FILL_MODE_UPPER, N, &two, a, LD, b, 1, &three, c, 1));
    float before[N];
    std::memcpy(before, got, sizeof before);
    to_host(got, c, LD * N);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = 0; k < N; k++)
            sum += upper(i, k) * host_b[k];
        CHECK(near(got[i], 2 * sum + 3 * before[i]));
    }
    BLAS(cublasSsyr2(h, CUBLAS_FILL_MODE_UPPER, N, &two, b, 1, b + LD, 1, a, LD));
    to_host(got, a, LD * N);
    for (int i = 0; i < N * N; i++) {
        const int r = i % N, k = i / N;
        CHECK(near(at(got, r, k), at(host_a, r, k) + (r > k ? 0 : 2 * (host_b[r] * host_b[LD + k] + host_b[LD + r] * host_b[k]))));
    }
}

static void rotations(cublasHandle_t h)
{
    double p = 3, q = -4, c, s;
    BLAS(cublasDrotg(h, &p, &q, &c, &s));
    CHECK(near(p, -5) && near(c, -0.6) && near(s, 0.8) && near(q, 1 / c));
    const double x[] = { 1, 2, 3 }, y[] = { 4, 5, 6 }, factors[] = { -1, 1, 2, 3, 4 }, half = 0.5;
    double got[3], *dx = on_device(x, 3), *dy = on_device(y, 3);
    BLAS(cublasDrot(h, 3, dx, 1, dy, 1, &c, &s));
    to_host(got, dx, 3);
    CHECK(near(got[2], c * 3 + s * 6));
    to_host(got, dy, 3);
    CHECK(near(got[1], c * 5 - s * 2));
    CALL(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice));
    BLAS(cublasDrotm(h, 3, dx, 1, dy, 1, factors));
    BLAS(cublasScalEx(h, 3, &half, CUDA_R_64F, dx, CUDA_R_64F, 1, CUDA_R_64F));
    BLAS(cublasAxpyEx(h, 3, &half, CUDA_R_64F, dx, CUDA_R_64F, 1, dy, CUDA_R_64F, 1, CUDA_R_64F));
    to_host(got, dx, 3);
    CHECK(near(got[0], 0.5 * (1 * 1 + 3 * 4)));
    to_host(got, dy, 3);
    CHECK(near(got[0], 2 * 1 + 4 * 4 + 0.5 * 6.5));
}

static void transform()
{
    const cufftComplex in[] = { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 } };
    cufftComplex out[4], *d = on_device(in, 4);
    cufftHandle plan;
    CHECK(cufftPlan1d(&plan, 4, CUFFT_C2C, 1) == CUFFT_SUCCESS);
    CHECK(cufftXtExec(plan, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
    to_host(out, d, 4);
    CHECK(near(out[0].x, 10) && near(out[1].x, -2) && near(out[1].y, 2));
}

int main()
{
    float a[LD * N], b[LD * N];
    for (int i = 0; i < LD * N; i++) {
        a[i] = (float)((i * 7 + 3) % 11) - 4.5f;
        b[i] = (float)((i * 5 + 1) % 13) - 5;
    }
    cublasHandle_t h;
    BLAS(cublasCreate(&h));
    triangles(h, a, b);
    symmetric(h, a, b);
    rotations(h);
    transform();
    return done();
}
