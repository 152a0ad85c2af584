// cuBLAS without handles, as programs of before CUDA 4 call it; cublasLt.h, which many only include.
// nvcc: no (cuBLAS is not on every machine with nvcc)
// flags: -lcublas
#include "check.h"
#include <cublas.h>
#include <cublasLt.h>
int main()
{
    enum { N = 20 };
    float a[N * N], b[N * N], c[N * N], *da, *db, *dc;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5) - 2;
    }
    CHECK(cublasInit() == CUBLAS_STATUS_SUCCESS);
    for (float **p : { &da, &db, &dc })
        CHECK(cublasAlloc(N * N, sizeof(float), (void **)p) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasSetMatrix(N, N, sizeof(float), a, N, da, N) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasSetMatrix(N, N, sizeof(float), b, N, db, N) == CUBLAS_STATUS_SUCCESS);
    cublasSgemm('n', 't', N, N, N, 2.0f, da, N, db, N, 0.0f, dc, N);
    CHECK(cublasGetError() == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasGetMatrix(N, N, sizeof(float), dc, N, c, N) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i + k * N] * b[j + k * N];
            CHECK(c[i + j * N] == 2 * sum);
        }
    CHECK(cublasSdot(7, da, 1, da, 1) == 91.0f && cublasIsamax(7, da, 1) == 7);
    cublasLtHandle_t handle;
    CHECK(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS && cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    cublasFree(da);
    CHECK(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
    return done();
}
