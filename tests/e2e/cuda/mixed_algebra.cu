// nvcc: comes without cuBLAS here
// flags: -lcublas -lcublasLt
// Products of matrices in half, bfloat16, bytes and complex numbers; cuBLASLt's with what follows them; triangles and small systems.
#include "check.h"
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp8.h>
#include <vector>

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
enum { M = 21, N = 18, K = 33, LD = 40 };

template <class T> static std::vector<T> filled(size_t n, int by, int most)
{
    std::vector<T> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = T((int)(i * (size_t)by % (size_t)(2 * most + 1)) - most);
    return v;
}
/* sum over k of op(a) op(b), whose values are small whole numbers */
template <class T> static float product(const std::vector<T> &a, bool ta, const std::vector<T> &b, bool tb, int i, int j, size_t first = 0)
{
    float sum = 0;
    for (int x = 0; x < K; x++)
        sum += (float)a[first + (ta ? x + i * LD : i + x * LD)] * (float)b[first + (tb ? j + x * LD : x + j * LD)];
    return sum;
}

template <class T, class C, class S> static void of_types(cublasHandle_t h, cudaDataType in, cudaDataType out, cublasComputeType_t compute)
{
    const std::vector<T> a = filled<T>(2 * LD * LD, 7, 3), b = filled<T>(2 * LD * LD, 5, 2);
    const std::vector<C> c = filled<C>(2 * LD * LD, 3, 4);
    T *da = on_device(a.data(), a.size()), *db = on_device(b.data(), b.size());
    C *dc = on_device(c.data(), c.size());
    const S alpha = S(2), beta = S(-1);
    std::vector<C> got(c.size());
    BLAS(cublasGemmStridedBatchedEx(h, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &alpha, da, in, LD, LD * LD, db, in, LD, LD * LD, &beta, dc, out, LD, LD * LD, 2, compute,
                                    CUBLAS_GEMM_DEFAULT));
    to_host(got.data(), dc, got.size());
    for (size_t batch = 0; batch < 2; batch++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                const size_t at = batch * LD * LD + (size_t)(i + j * LD);
                CHECK((float)got[at] == 2 * product(a, true, b, false, i, j, batch * LD * LD) - (float)c[at]);
            }
    BLAS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &alpha, da, in, LD, db, in, LD, &beta, dc, out, LD, compute, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    std::vector<C> before = got;
    to_host(got.data(), dc, got.size());
    CHECK((float)got[5 + 3 * LD] == 2 * product(a, false, b, true, 5, 3) - (float)before[5 + 3 * LD]);
    CHECK((float)got[M + 3 * LD] == (float)c[M + 3 * LD]); /* outside */
    CALL(cudaFree(da));
    CALL(cudaFree(db));
    CALL(cudaFree(dc));
}

static void halves(cublasHandle_t h)
{
    const std::vector<__half> a = filled<__half>(LD * LD, 7, 3), b = filled<__half>(LD * LD, 5, 2);
    __half *da = on_device(a.data(), a.size()), *db = on_device(b.data(), b.size()), *dc = on_device(a.data(), a.size()), got;
    const __half one = 1.0f, none = 0.0f;
    BLAS(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, da, LD, db, LD, &none, dc, LD));
    to_host(&got, dc + 7 + 2 * LD, 1);
    CHECK((float)got == product(a, false, b, false, 7, 2));
    const __half *pa[2] = { da, db }, *pb[2] = { db, da };
    __half *room = on_device<__half>(nullptr, 2 * LD * LD), *pc[2] = { room, room + LD * LD };
    BLAS(cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, on_device(pa, 2), LD, on_device(pb, 2), LD, &none, on_device(pc, 2), LD, 2));
    to_host(&got, room + LD * LD + 7 + 2 * LD, 1);
    CHECK((float)got == product(b, false, a, false, 7, 2));
}

static void complex_numbers(cublasHandle_t h)
{
    const cuComplex a[2] = { { 1, 2 }, { 3, -1 } }, b[2] = { { 2, 1 }, { -1, 1 } }, one = { 1, 0 }, none = { 0, 0 };
    cuComplex *da = on_device(a, 2), *db = on_device(b, 2), *dc = on_device<cuComplex>(nullptr, 1), got;
    BLAS(cublasCgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 2, &one, da, 2, db, 2, &none, dc, 1));
    to_host(&got, dc, 1); /* (1-2i)(2+i) + (3+i)(-1+i) = (4-3i) + (-4+2i) */
    CHECK(got.x == 0 && got.y == -1);
    BLAS(cublasCdotu(h, 2, da, 1, db, 1, &got)); /* (1+2i)(2+i) + (3-i)(-1+i) = 5i + (-2+4i) */
    CHECK(got.x == -2 && got.y == 9);
    float size;
    BLAS(cublasScasum(h, 2, da, 1, &size));
    CHECK(size == 7);
}

static void systems(cublasHandle_t h)
{
    /* lower triangle, column after column: (2 . ; 1 4) x = (2 6; 9 11) */
    const double a[4] = { 2, 1, -99, 4 }, b[4] = { 2, 9, 6, 11 }, one = 1, half = 0.5, want[4] = { 1, 2, 3, 2 };
    double *da = on_device(a, 4), *db = on_device(b, 4), got[4];
    BLAS(cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 2, &one, da, 2, db, 2));
    to_host(got, db, 4);
    for (int i = 0; i < 4; i++)
        CHECK(got[i] == want[i]);
    double *dx = on_device(b, 4); /* x l^T = b, which is l x^T = b^T: rows of b */
    BLAS(cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2, 2, &one, da, 2, dx, 2));
    to_host(got, dx, 4);
    CHECK(got[0] == 1 && got[2] == 1.25 && got[1] == 4.5 && got[3] == 1.625);
    double *dc = on_device<double>(nullptr, 4);
    BLAS(cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, da, 2, &half, db, 2, dc, 2));
    to_host(got, dc, 4);
    CHECK(got[0] == 2.5 && got[1] == -98 && got[2] == 2.5 && got[3] == 5);
    const double full[9] = { 0, 2, 4, 1, 1, 3, 1, 3, 3 }, side[3] = { 5, 13, 19 }; /* x = (1, 2, 3) */
    double *matrix = on_device(full, 9), *right = on_device(side, 3), *const pm[1] = { matrix }, *const pr[1] = { right };
    int *pivots = on_device<int>(nullptr, 3), *info = on_device<int>(nullptr, 1), state = -1;
    double *const *dm = on_device(pm, 1), *const *dr = on_device(pr, 1);
    BLAS(cublasDgetrfBatched(h, 3, dm, 3, pivots, info, 1));
    BLAS(cublasDgetrsBatched(h, CUBLAS_OP_N, 3, 1, (const double *const *)dm, 3, pivots, dr, 3, &state, 1));
    to_host(got, right, 3);
    CHECK(state == 0 && fabs(got[0] - 1) < 1e-12 && fabs(got[1] - 2) < 1e-12 && fabs(got[2] - 3) < 1e-12);
}

static void light()
{
    const std::vector<float> a = filled<float>(LD * LD, 7, 3), b = filled<float>(LD * LD, 5, 2), bias = filled<float>(M, 1, 4);
    float *da = on_device(a.data(), a.size()), *db = on_device(b.data(), b.size()), *dd = on_device<float>(nullptr, LD * LD), *aux = on_device<float>(nullptr, LD * LD);
    float *dbias = on_device(bias.data(), bias.size());
    std::vector<float> got(LD * LD), kept(LD * LD);
    const float alpha = 0.125f, beta = 0;
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t la, lb, lc;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    const int32_t turn = CUBLAS_OP_T, rows = CUBLASLT_ORDER_ROW;
    BLAS(cublasLtCreate(&h));
    BLAS(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &turn, sizeof turn));
    BLAS(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, K, M, LD));
    BLAS(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, K, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, M, N, LD));
    BLAS(cublasLtMatmulPreferenceCreate(&preference));
    BLAS(cublasLtMatmulAlgoGetHeuristic(h, d, la, lb, lc, lc, preference, 1, &found, &count));
    CHECK(count == 1);
    for (const uint32_t e : { CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS }) {
        const int64_t ld = LD;
        BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &e, sizeof e));
        BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias, sizeof dbias));
        BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux));
        BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld));
        BLAS(cublasLtMatmul(h, d, &alpha, da, la, db, lb, &beta, dd, lc, dd, lc, &found.algo, nullptr, 0, 0));
        to_host(got.data(), dd, got.size());
        to_host(kept.data(), aux, kept.size());
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                const float sum = 0.125f * product(a, true, b, false, i, j), x = sum + bias[(size_t)i];
                const float bent = 0.5f * x * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * (x + 0.044715f * x * x * x)));
                const float want = e == CUBLASLT_EPILOGUE_DEFAULT ? sum : e == CUBLASLT_EPILOGUE_RELU_BIAS ? (x > 0 ? x : 0) : bent;
                CHECK(fabsf(got[(size_t)(i + j * LD)] - want) <= 1e-5f * (1 + fabsf(want)));
                CHECK(e != CUBLASLT_EPILOGUE_GELU_AUX_BIAS || kept[(size_t)(i + j * LD)] == x);
            }
    }
    const uint32_t plain = CUBLASLT_EPILOGUE_DEFAULT, gradient = CUBLASLT_EPILOGUE_BGRADB;
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &plain, sizeof plain));
    BLAS(cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_ORDER, &rows, sizeof rows));
    BLAS(cublasLtMatmul(h, d, &alpha, da, la, db, lb, &beta, dd, lc, dd, lc, nullptr, nullptr, 0, 0));
    to_host(got.data(), dd, got.size());
    CHECK(got[3 * LD + 5] == 0.125f * product(a, true, b, false, 3, 5));
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &gradient, sizeof gradient));
    CHECK(cublasLtMatmul(h, d, &alpha, da, la, db, lb, &beta, dd, lc, dd, lc, nullptr, nullptr, 0, 0) == CUBLAS_STATUS_NOT_SUPPORTED);
    BLAS(cublasLtDestroy(h));
}

/* Eight-bit floats: a factor for each matrix lies on the device, and the largest magnitude comes back as it was before the result's factor. */
template <class C, class D> static void eight_bits(cudaDataType c_type, cudaDataType d_type, bool bent)
{
    const std::vector<__nv_fp8_e4m3> a = filled<__nv_fp8_e4m3>(LD * LD, 7, 3);
    const std::vector<__nv_fp8_e5m2> b = filled<__nv_fp8_e5m2>(LD * LD, 5, 2);
    const std::vector<C> c = filled<C>(LD * LD, 3, 4), bias = filled<C>(M, 1, 4);
    const float scale[4] = { 0.5f, 2, 4, 0.125f }, alpha = 0.25f, beta = 1, before = 1e9f;
    const float *ds = on_device(scale, 4), *const each[4] = { ds, ds + 1, ds + 2, ds + 3 };
    float *largest = on_device(&before, 1), most = 0, got_most;
    auto *da = on_device(a.data(), a.size());
    auto *db = on_device(b.data(), b.size());
    C *dc = on_device(c.data(), c.size()), *dbias = on_device(bias.data(), bias.size());
    D *dd = on_device<D>(nullptr, LD * LD);
    std::vector<D> got(LD * LD);
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t la, lb, lc, ld;
    const int32_t turn = CUBLAS_OP_T;
    const uint32_t epilogue = bent ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    const bool small = sizeof(D) == 1;
    BLAS(cublasLtCreate(&h));
    BLAS(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &turn, sizeof turn));
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias, sizeof dbias));
    for (int i = 0; i < (small ? 4 : 3); i++)
        BLAS(cublasLtMatmulDescSetAttribute(d, (cublasLtMatmulDescAttributes_t)(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER + i), &each[i], sizeof each[i]));
    if (small)
        BLAS(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, &largest, sizeof largest));
    BLAS(cublasLtMatrixLayoutCreate(&la, CUDA_R_8F_E4M3, K, M, LD));
    BLAS(cublasLtMatrixLayoutCreate(&lb, CUDA_R_8F_E5M2, K, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&lc, c_type, M, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&ld, d_type, M, N, LD));
    BLAS(cublasLtMatmul(h, d, &alpha, da, la, db, lb, &beta, dc, lc, dd, ld, nullptr, nullptr, 0, 0));
    to_host(got.data(), dd, got.size());
    to_host(&got_most, largest, 1);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float want = 0;
            for (int x = 0; x < K; x++)
                want += (float)a[(size_t)(x + i * LD)] * (float)b[(size_t)(x + j * LD)];
            want = alpha * scale[0] * scale[1] * want + beta * scale[2] * (float)c[(size_t)(i + j * LD)] + (bent ? (float)bias[(size_t)i] : 0);
            want = bent && want < 0 ? 0 : want;
            most = fmaxf(most, fabsf(want));
            CHECK((float)got[(size_t)(i + j * LD)] == (float)D(small ? want * scale[3] : want));
        }
    CHECK(got_most == (small ? most : before));
    const int32_t blocks = CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
    CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &blocks, sizeof blocks) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasLtMatmul(h, d, &alpha, dc, lc, dc, lc, &beta, dc, lc, dc, lc, nullptr, nullptr, 0, 0) == CUBLAS_STATUS_NOT_SUPPORTED); /* factors of other types */
    BLAS(cublasLtDestroy(h));
}

/* Sizes of 64 bits, and a matrix by a diagonal. */
static void wide_sizes(cublasHandle_t h)
{
    const cuComplex a[6] = { { 1, 2 }, { 3, 0 }, { 0, 5 }, { 7, 1 }, { 2, 2 }, { 0, 1 } }, x[3] = { { 1, 0 }, { 0, 1 }, { 2, 0 } };
    cuComplex *da = on_device(a, 6), *dx = on_device(x, 3), *dc = on_device(a, 6), got[6];
    const int64_t rows = 2, columns = 3, one = 1, huge = (int64_t)1 << 32;
    int64_t place = -1, *on = on_device(&place, 1);
    float norm = 0;
    BLAS(cublasCdgmm_64(h, CUBLAS_SIDE_RIGHT, rows, columns, da, rows, dx, one, dc, rows));
    to_host(got, dc, 6);
    CHECK(got[1].x == 3 && got[2].x == -5 && got[2].y == 0 && got[3].x == -1 && got[3].y == 7 && got[4].x == 4 && got[5].y == 2);
    BLAS(cublasCdgmm(h, CUBLAS_SIDE_LEFT, 2, 3, da, 2, dx + 1, -1, dc, 2)); // from the last element back to the first
    to_host(got, dc, 6);
    CHECK(got[0].x == 1 && got[0].y == 2 && got[1].x == 0 && got[1].y == 3 && got[5].x == -1);
    BLAS(cublasIcamax_64(h, rows * columns, da, one, &place));
    BLAS(cublasScnrm2_64(h, rows, da, one, &norm));
    CHECK(place == 4 && fabsf(norm - std::sqrt(14.0f)) < 1e-6f);
    CHECK(cublasScnrm2_64(h, huge, da, one, &norm) == CUBLAS_STATUS_NOT_SUPPORTED);
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasIcamax_64(h, rows * columns, da, one, on));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    to_host(&place, on, 1);
    CHECK(place == 4);
}

/* Macros that say what failed name the library's versions. */
static void versions(cublasHandle_t h)
{
    int whole = 0, part[3] = { -1, -1, -1 };
    BLAS(cublasGetVersion(h, &whole));
    BLAS(cublasGetProperty(MAJOR_VERSION, &part[0]));
    BLAS(cublasGetProperty(MINOR_VERSION, &part[1]));
    BLAS(cublasGetProperty(PATCH_LEVEL, &part[2]));
    CHECK(whole == part[0] * 10000 + part[1] * 100 + part[2] && part[0] == CUBLAS_VER_MAJOR);
    CHECK(cublasGetProperty((libraryPropertyType)7, &whole) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasGetCudartVersion() == CUDART_VERSION);
}

int main()
{
    cublasHandle_t h;
    BLAS(cublasCreate(&h));
    versions(h);
    of_types<__half, __half, float>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    of_types<__half, __half, __half>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    of_types<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    of_types<__nv_bfloat16, float, float>(h, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    of_types<signed char, int, int>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    of_types<double, double, double>(h, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    halves(h);
    complex_numbers(h);
    systems(h);
    light();
    wide_sizes(h);
    eight_bits<__nv_bfloat16, __nv_fp8_e4m3>(CUDA_R_16BF, CUDA_R_8F_E4M3, false);
    eight_bits<__half, __nv_fp8_e5m2>(CUDA_R_16F, CUDA_R_8F_E5M2, true);
    eight_bits<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, true);
    CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, CUDA_R_4I, 1, nullptr, CUDA_R_4I, 1, nullptr, nullptr, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    BLAS(cublasDestroy(h));
    return done();
}
