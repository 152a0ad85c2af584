// nvcc: comes without cuSPARSE here
// flags: -lcusparse -lcublas
// Calls of cuBLAS and cuSPARSE whose factors and results lie on the device, captured into a graph: its kernels read the factors when they run.
#include "check.h"
#include <cublas_v2.h>
#include <cusparse.h>

#define GOOD(call) CHECK((call) == 0)
enum { N = 600 };
int main()
{
    double x[N], y[N], values[N], numbers[4] = { 0, 2, 3, 0 }, got[4], out[N];
    int starts[N + 1], across[N];
    for (int i = 0; i < N; i++) {
        x[i] = i % 7 - 3;
        y[i] = i % 5;
        values[i] = i % 3 + 1;
        starts[i] = across[i] = i;
    }
    starts[N] = N;
    double *dx = on_device(x, N), *dy = on_device(y, N), *dz = on_device(y, N), *d = on_device(numbers, 4);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cublasHandle_t blas;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vz;
    CALL(cudaStreamCreate(&stream));
    GOOD(cublasCreate(&blas));
    GOOD(cublasSetStream(blas, stream));
    GOOD(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    GOOD(cusparseCreate(&sparse));
    GOOD(cusparseSetStream(sparse, stream));
    GOOD(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE));
    GOOD(cusparseCreateCsr(&a, N, N, N, on_device(starts, N + 1), on_device(across, N), on_device(values, N), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    GOOD(cusparseCreateDnVec(&vx, N, dx, CUDA_R_64F));
    GOOD(cusparseCreateDnVec(&vz, N, dz, CUDA_R_64F));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(cublasDscal(blas, N, d + 1, dx, 1));      // x = 2 x
    GOOD(cublasDaxpy(blas, N, d + 2, dx, 1, dy, 1)); // y += 3 x
    GOOD(cublasDdot(blas, N, dx, 1, dy, 1, d));    // into the first number
    GOOD(cublasDasum(blas, N, dx, 1, d + 3));
    GOOD(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, d + 2, a, vx, d + 1, vz, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    const double later[3] = { 0, -1, 0.5 }; // the factors of the second run
    for (int run = 0; run < 2; run++) {
        const double first = run ? later[1] : numbers[1], second = run ? later[2] : numbers[2];
        double dot = 0, sum = 0;
        if (run)
            CALL(cudaMemcpy(d, later, sizeof later, cudaMemcpyHostToDevice));
        CALL(cudaGraphLaunch(ready, stream));
        CALL(cudaStreamSynchronize(stream));
        double z[N];
        to_host(z, dz, N);
        to_host(got, d, 4);
        to_host(out, dy, N);
        static double kept[N];
        for (int i = 0; i < N; i++) {
            x[i] *= first;
            y[i] += second * x[i];
            dot += x[i] * y[i];
            sum += std::fabs(x[i]);
            kept[i] = second * values[i] * x[i] + first * (run ? kept[i] : i % 5);
            CHECK(z[i] == kept[i] && out[i] == y[i]);
        }
        CHECK(std::fabs(got[0] - dot) < 1e-9 * std::fabs(dot) && got[3] == sum);
    }
    return done();
}
