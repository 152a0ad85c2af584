/* Products of dense matrices for cuBLAS and cuBLASLt, by one simple kernel of our own: elements of any type, sums in a wider one. */
#ifndef WARPLINE_GEMM_H
#define WARPLINE_GEMM_H
#include <cublas_api.h>
#include <warpline_parallel.h>

namespace warpline_blas {
namespace wp = warpline_parallel;
enum { tile = 16 };
#define WARPLINE_BOTH __host__ __device__ inline
/* Arithmetic that complex numbers have too. */
template <class T> struct is_complex { enum { value = 0 }; typedef T real; };
template <> struct is_complex<float2> { enum { value = 1 }; typedef float real; };
template <> struct is_complex<double2> { enum { value = 1 }; typedef double real; };
template <class To> struct as {
    template <class From> static WARPLINE_BOTH To of(From x) { return (To)x; }
    static WARPLINE_BOTH To of(__half x) { return (To)(float)x; }
    static WARPLINE_BOTH To of(__nv_bfloat16 x) { return (To)(float)x; }
};
template <> struct as<__half> { template <class From> static WARPLINE_BOTH __half of(From x) { return __half((float)x); } };
template <> struct as<__nv_bfloat16> { template <class From> static WARPLINE_BOTH __nv_bfloat16 of(From x) { return __nv_bfloat16((float)x); } };
template <> struct as<signed char> { /* to the nearest, and no further than it goes */
    template <class From> static WARPLINE_BOTH signed char of(From x) { const float f = rintf((float)x); return (signed char)(f > 127 ? 127 : f < -128 ? -128 : f); }
};
template <> struct as<float2> {
    static WARPLINE_BOTH float2 of(float2 x) { return x; }
    template <class From> static WARPLINE_BOTH float2 of(From x) { return make_float2((float)x, 0); }
};
template <> struct as<double2> {
    static WARPLINE_BOTH double2 of(double2 x) { return x; }
    template <class From> static WARPLINE_BOTH double2 of(From x) { return make_double2((double)x, 0); }
};
template <class T> WARPLINE_BOTH T plus(T a, T b) { return a + b; }
WARPLINE_BOTH float2 plus(float2 a, float2 b) { return cuCaddf(a, b); }
WARPLINE_BOTH double2 plus(double2 a, double2 b) { return cuCadd(a, b); }
template <class T> WARPLINE_BOTH T times(T a, T b) { return a * b; }
WARPLINE_BOTH float2 times(float2 a, float2 b) { return cuCmulf(a, b); }
WARPLINE_BOTH double2 times(double2 a, double2 b) { return cuCmul(a, b); }
template <class T> WARPLINE_BOTH T over(T a, T b) { return a / b; }
WARPLINE_BOTH float2 over(float2 a, float2 b) { return cuCdivf(a, b); }
WARPLINE_BOTH double2 over(double2 a, double2 b) { return cuCdiv(a, b); }
template <class T> WARPLINE_BOTH T conjugate(T a) { return a; }
WARPLINE_BOTH float2 conjugate(float2 a) { return cuConjf(a); }
WARPLINE_BOTH double2 conjugate(double2 a) { return cuConj(a); }
template <class T> WARPLINE_BOTH bool is_zero(T a) { return a == T(0); }
WARPLINE_BOTH bool is_zero(float2 a) { return a.x == 0 && a.y == 0; }
WARPLINE_BOTH bool is_zero(double2 a) { return a.x == 0 && a.y == 0; }
template <class T> WARPLINE_BOTH T negative(T a) { return -a; }
WARPLINE_BOTH float2 negative(float2 a) { return make_float2(-a.x, -a.y); }
WARPLINE_BOTH double2 negative(double2 a) { return make_double2(-a.x, -a.y); }

inline cublasStatus_t ended() { return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED; }
template <class T> inline T scalar(cublasPointerMode_t mode, cudaStream_t stream, const T *p)
{
    return mode == CUBLAS_POINTER_MODE_HOST ? *p : wp::fetch(wp::on_device{stream}, p);
}
template <class T> inline T scalar(cublasHandle_t h, const T *p) { return scalar(h->mode, h->stream, p); }
/* A factor that the call knows, or that lies on the device and is read by the kernel: a graph's kernels run later. */
template <class T> struct factor {
    T value;
    const T *at;
    __device__ T get() const { return at ? *at : value; }
};
template <class T> inline factor<T> factor_of(cublasPointerMode_t mode, const T *p)
{
    return mode == CUBLAS_POINTER_MODE_HOST ? factor<T>{*p, nullptr} : factor<T>{as<T>::of(0), p};
}

/* A matrix: element (row, column) is at row * down + column * right. A batch is an array of pointers, or a stride. */
template <class T> struct matrix {
    T *base;
    T *const *each;
    long long stride, down, right;
    bool conjugated;
    __device__ T *place(int row, int column) const
    {
        T *m = each ? each[blockIdx.z] : base + blockIdx.z * stride;
        return m + row * down + column * right;
    }
    template <class S> __device__ S at(int row, int column) const
    {
        const S v = as<S>::of(*place(row, column));
        return conjugated ? conjugate(v) : v;
    }
};
/* As cuBLAS has them: column after column, taken as they lie or turned. */
template <class T> inline matrix<T> columns(T *base, T *const *each, long long stride, int ld, cublasOperation_t op = CUBLAS_OP_N)
{
    const bool turned = op == CUBLAS_OP_T || op == CUBLAS_OP_C;
    return matrix<T>{base, each, stride, turned ? (long long)ld : 1, turned ? 1 : (long long)ld, op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG};
}

/* What cuBLASLt may do with a sum before it is stored. `aux` keeps, or gives, the value before the activation. */
enum activation { NOTHING, RELU, GELU, GELU_BACK };
template <class C> struct finish {
    activation what;
    const C *bias;
    C *aux;
    long long aux_ld;
};
WARPLINE_BOTH float gelu(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }
WARPLINE_BOTH float gelu_slope(float x)
{
    const float t = tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * x * x);
}
template <class S, class C> __device__ inline S finished(S v, const finish<C> &f, int, int, std::true_type) { return (void)f, v; }
template <class S, class C> __device__ inline S finished(S v, const finish<C> &f, int row, int column, std::false_type)
{
    if (f.bias)
        v = plus(v, as<S>::of(f.bias[row]));
    C *const kept = f.aux ? f.aux + row + column * f.aux_ld : nullptr;
    if (f.what == GELU_BACK)
        return (S)((float)v * gelu_slope((float)as<S>::of(*kept)));
    if (kept)
        *kept = as<C>::of(v);
    if (f.what == RELU)
        return v > S(0) ? v : S(0);
    return f.what == GELU ? (S)gelu((float)v) : v;
}

/* d = finish(alpha a b + beta c) */
template <class A, class B, class C, class S>
__global__ void multiply(int m, int n, int k, S alpha, matrix<const A> a, matrix<const B> b, S beta, matrix<const C> c, matrix<C> d, finish<C> f)
{
    __shared__ __align__(16) unsigned char bytes[2 * tile * (tile + 1) * sizeof(S)];
    typedef S line[tile + 1];
    line *const left = (line *)bytes, *const right = left + tile;
    const int row = (int)(blockIdx.x * tile + threadIdx.x), column = (int)(blockIdx.y * tile + threadIdx.y);
    S sum = as<S>::of(0);
    for (int first = 0; first < k; first += tile) {
        const int x = first + (int)threadIdx.x, y = first + (int)threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < m && y < k ? a.template at<S>(row, y) : as<S>::of(0);
        right[threadIdx.y][threadIdx.x] = x < k && column < n ? b.template at<S>(x, column) : as<S>::of(0);
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum = plus(times(left[i][threadIdx.x], right[threadIdx.y][i]), sum);
        __syncthreads();
    }
    if (row >= m || column >= n)
        return;
    S v = times(alpha, sum);
    if (!is_zero(beta))
        v = plus(v, times(beta, c.template at<S>(row, column)));
    *d.place(row, column) = as<C>::of(finished(v, f, row, column, std::integral_constant<bool, is_complex<S>::value>()));
}
template <class A, class B, class C, class S>
inline cublasStatus_t launch(cudaStream_t stream, int m, int n, int k, S alpha, matrix<const A> a, matrix<const B> b, S beta, matrix<const C> c, matrix<C> d,
                             int batch, finish<C> f = finish<C>())
{
    if (m && n && batch)
        multiply<A, B, C, S><<<dim3((unsigned)(m + tile - 1) / tile, (unsigned)(n + tile - 1) / tile, (unsigned)batch), dim3(tile, tile), 0, stream>>>(
            m, n, k, alpha, a, b, beta, c, d, f);
    return ended();
}
inline bool too_small(int ld, int rows) { return ld < (rows > 1 ? rows : 1); }
inline bool wrong_sizes(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int lda, int ldb, int ldc, int batch)
{
    return m < 0 || n < 0 || k < 0 || batch < 0 || too_small(lda, ta == CUBLAS_OP_N ? m : k) || too_small(ldb, tb == CUBLAS_OP_N ? k : n) || too_small(ldc, m);
}
/* Of one type throughout; halves are added up in float, of which alpha and beta are then. */
template <class T, class S>
inline cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a, const T *const *as_, int lda,
                           long long a_stride, const T *b, const T *const *bs, int ldb, long long b_stride, const T *beta, T *c, T *const *cs, int ldc,
                           long long c_stride, int batch)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (wrong_sizes(ta, tb, m, n, k, lda, ldb, ldc, batch))
        return CUBLAS_STATUS_INVALID_VALUE;
    return launch<T, T, T, S>(h->stream, m, n, k, as<S>::of(scalar(h, alpha)), columns<const T>(a, as_, a_stride, lda, ta),
                              columns<const T>(b, bs, b_stride, ldb, tb), as<S>::of(scalar(h, beta)),
                              columns<const T>((const T *)c, (const T *const *)cs, c_stride, ldc), columns<T>(c, cs, c_stride, ldc), batch);
}

/* The same with types told by number: calls `with` for the combination, or says that there is none. */
template <class F> inline cublasStatus_t by_types(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType scale, const char *call, F with)
{
    const bool f32 = scale == CUDA_R_32F;
#define WARPLINE_TYPES(A, B, C, wide, at, bt, ct, st) if (a == A && b == B && c == C && (wide)) return with((at *)0, (bt *)0, (ct *)0, (st *)0);
    WARPLINE_TYPES(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, f32, float, float, float, float)
    WARPLINE_TYPES(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, scale == CUDA_R_64F, double, double, double, double)
    WARPLINE_TYPES(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, f32, __half, __half, __half, float)
    WARPLINE_TYPES(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, scale == CUDA_R_16F, __half, __half, __half, __half)
    WARPLINE_TYPES(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, f32, __half, __half, float, float)
    WARPLINE_TYPES(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, f32, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float)
    WARPLINE_TYPES(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, f32, __nv_bfloat16, __nv_bfloat16, float, float)
    WARPLINE_TYPES(CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, scale == CUDA_R_32I, signed char, signed char, int, int)
    WARPLINE_TYPES(CUDA_R_8I, CUDA_R_8I, CUDA_R_8I, f32, signed char, signed char, signed char, float)
    WARPLINE_TYPES(CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, f32, signed char, signed char, float, float)
    WARPLINE_TYPES(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, scale == CUDA_C_32F, float2, float2, float2, float2)
    WARPLINE_TYPES(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, scale == CUDA_C_64F, double2, double2, double2, double2)
#undef WARPLINE_TYPES
    (void)fprintf(stderr, "warpline: %s: the types %d x %d to %d with scalars of %d (cudaDataType) are not part of warpline's cuBLAS\n", call, (int)a, (int)b,
                  (int)c, (int)scale);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
/* Of which type alpha and beta are. */
inline cudaDataType scale_of(cublasComputeType_t compute, cudaDataType c)
{
    const bool complex = c == CUDA_C_32F || c == CUDA_C_64F;
    switch (compute) {
    case CUBLAS_COMPUTE_16F: case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F: case CUBLAS_COMPUTE_64F_PEDANTIC: return complex ? CUDA_C_64F : CUDA_R_64F;
    case CUBLAS_COMPUTE_32I: case CUBLAS_COMPUTE_32I_PEDANTIC: return c == CUDA_R_8I ? CUDA_R_32F : CUDA_R_32I;
    default: return complex ? CUDA_C_32F : CUDA_R_32F;
    }
}
template <class T> struct sums_in { typedef T type; };
template <> struct sums_in<__half> { typedef float type; };
template <> struct sums_in<__nv_bfloat16> { typedef float type; };
#undef WARPLINE_BOTH
}
#endif
