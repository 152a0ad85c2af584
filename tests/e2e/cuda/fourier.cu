// cuFFT's transforms against their definition: lengths that are powers of two and others, one to three dimensions, batches, real signals.
// nvcc: no (cuFFT is not on every machine with nvcc)
// flags: -lcufft
// expect-stdout: ok
// expect-stderr: kernels are warpline's own, in the place of NVIDIA's libraries
#include "check.h"
#include <complex>
#include <cufft.h>
#include <cufftXt.h>
#include <vector>
typedef std::complex<double> cplx;
static double value(int i) { return ((i * 37 + 11) % 101) / 50.0 - 1; }
// The definition, over one transform of n0 x n1 x n2.
static std::vector<cplx> wanted(const std::vector<cplx> &x, int n0, int n1, int n2, int direction)
{
    std::vector<cplx> y(x.size());
    const double turn = direction * 2 * 3.14159265358979323846;
    for (int k = 0; k < n0 * n1 * n2; k++) {
        const int k2 = k % n2, k1 = k / n2 % n1, k0 = k / n2 / n1;
        for (int i = 0; i < n0 * n1 * n2; i++) {
            const int i2 = i % n2, i1 = i / n2 % n1, i0 = i / n2 / n1;
            y[k] += x[i] * std::polar(1.0, turn * ((double)(k0 * i0 % n0) / n0 + (double)(k1 * i1 % n1) / n1 + (double)(k2 * i2 % n2) / n2));
        }
    }
    return y;
}
static void complex_in_three_dimensions(int n0, int n1, int n2, int batch)
{
    const int n = n0 * n1 * n2;
    std::vector<cufftComplex> h(n * batch);
    for (int i = 0; i < n * batch; i++)
        h[i] = make_cuComplex((float)value(i), (float)value(i + 7));
    cufftComplex *d = on_device(h.data(), h.size());
    cufftHandle plan;
    int sizes[3] = { n0, n1, n2 };
    CHECK(cufftPlanMany(&plan, 3, sizes, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, batch) == CUFFT_SUCCESS);
    for (int direction : { CUFFT_FORWARD, CUFFT_INVERSE }) {
        std::vector<cufftComplex> before(h);
        CHECK(cufftExecC2C(plan, d, d, direction) == CUFFT_SUCCESS);
        to_host(h.data(), d, h.size());
        for (int b = 0; b < batch; b++) {
            std::vector<cplx> x(n);
            for (int i = 0; i < n; i++)
                x[i] = cplx(before[b * n + i].x, before[b * n + i].y);
            const std::vector<cplx> y = wanted(x, n0, n1, n2, direction);
            for (int i = 0; i < n; i++)
                CHECK(std::abs(y[i] - cplx(h[b * n + i].x, h[b * n + i].y)) < 2e-5 * n * (direction == CUFFT_FORWARD ? 1 : n));
        }
    }
    CHECK(cufftDestroy(plan) == CUFFT_SUCCESS && cufftExecC2C(plan, d, d, 1) == CUFFT_INVALID_PLAN);
}
static void real_and_back(int n0, int n1)
{
    const int n = n0 * n1, half = n1 / 2 + 1;
    std::vector<double> x(n), back(n);
    std::vector<cplx> full(n);
    for (int i = 0; i < n; i++)
        full[i] = x[i] = value(i);
    double *d = on_device(x.data(), n);
    cufftDoubleComplex *z = on_device<cufftDoubleComplex>(NULL, n0 * half);
    std::vector<cufftDoubleComplex> h(n0 * half);
    cufftHandle there, again;
    CHECK(cufftPlan2d(&there, n0, n1, CUFFT_D2Z) == CUFFT_SUCCESS && cufftPlan2d(&again, n0, n1, CUFFT_Z2D) == CUFFT_SUCCESS);
    long long sizes[2] = { n0, n1 };
    size_t work = 1;
    CHECK(cufftDestroy(there) == CUFFT_SUCCESS && cufftCreate(&there) == CUFFT_SUCCESS && cufftExecD2Z(there, d, z) == CUFFT_INVALID_PLAN);
    CHECK(cufftXtMakePlanMany(there, 2, sizes, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0, CUDA_C_64F, 1, &work, CUDA_C_64F) == CUFFT_SUCCESS && work == 0);
    CHECK(cufftExecD2Z(there, d, z) == CUFFT_SUCCESS);
    to_host(h.data(), z, h.size());
    const std::vector<cplx> y = wanted(full, 1, n0, n1, CUFFT_FORWARD);
    for (int i = 0; i < n0; i++)
        for (int j = 0; j < half; j++)
            CHECK(std::abs(y[i * n1 + j] - cplx(h[i * half + j].x, h[i * half + j].y)) < 1e-10 * n);
    CHECK(cufftExecZ2D(again, z, d) == CUFFT_SUCCESS);
    to_host(back.data(), d, n);
    for (int i = 0; i < n; i++)
        CHECK(std::fabs(back[i] - n * x[i]) < 1e-10 * n * n);
}
/* Arrays that cuFFT describes; of several GPUs there is one here. */
static void described(int n)
{
    int which[2] = { 0, 1 };
    size_t work[2];
    std::vector<cufftComplex> x(n), back(n);
    for (int i = 0; i < n; i++)
        x[i] = make_cuComplex((float)value(i), (float)value(i + 7));
    cufftHandle plan;
    cudaLibXtDesc *a, *b;
    CHECK(cufftCreate(&plan) == CUFFT_SUCCESS && cufftXtSetGPUs(plan, 2, which) == CUFFT_INVALID_DEVICE && cufftXtSetGPUs(plan, 1, which) == CUFFT_SUCCESS);
    CHECK(cufftMakePlan1d(plan, n, CUFFT_C2C, 1, work) == CUFFT_SUCCESS);
    CHECK(cufftXtMalloc(plan, &a, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS && cufftXtMalloc(plan, &b, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS);
    CHECK(a->descriptor->nGPUs == 1 && a->descriptor->GPUs[0] == 0 && a->descriptor->size[0] == n * sizeof(cufftComplex));
    CHECK(cufftXtMemcpy(plan, a, x.data(), CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_SUCCESS && cufftXtExecDescriptorC2C(plan, a, a, CUFFT_FORWARD) == CUFFT_SUCCESS);
    CHECK(cufftXtMemcpy(plan, b, a, CUFFT_COPY_DEVICE_TO_DEVICE) == CUFFT_SUCCESS && cufftXtExecDescriptor(plan, b, b, CUFFT_INVERSE) == CUFFT_SUCCESS);
    CHECK(cufftXtMemcpy(plan, back.data(), b, CUFFT_COPY_DEVICE_TO_HOST) == CUFFT_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK(std::fabs(back[i].x - n * x[i].x) < 1e-3 * n && std::fabs(back[i].y - n * x[i].y) < 1e-3 * n);
    CHECK(cufftXtFree(a) == CUFFT_SUCCESS && cufftXtFree(b) == CUFFT_SUCCESS);
}
int main()
{
    described(16);
    complex_in_three_dimensions(1, 1, 16, 3);
    complex_in_three_dimensions(1, 1, 12, 2);
    complex_in_three_dimensions(4, 2, 8, 1);
    complex_in_three_dimensions(3, 4, 5, 2);
    real_and_back(1, 16);
    real_and_back(4, 6);
    real_and_back(3, 5);
    return done();
}
