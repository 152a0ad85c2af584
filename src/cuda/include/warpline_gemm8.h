/* Products of matrices of eight-bit floats for cuBLASLt. One kernel does them all and is told the types by number: a kernel for each combination would
 * be compiled into every program that includes cublasLt.h. */
#ifndef WARPLINE_GEMM8_H
#define WARPLINE_GEMM8_H
#include <cuda_fp8.h>
#include <warpline_gemm.h>

namespace warpline_blas {
inline bool is_eight_bits(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
/* A matrix as in warpline_gemm.h, of a type that is known when the program runs. */
struct told_matrix {
    void *base;
    cudaDataType type;
    long long stride, down, right;
    __device__ long long place(int row, int column) const { return blockIdx.z * stride + row * down + column * right; }
    __device__ float at(int row, int column) const
    {
        const long long i = place(row, column);
        switch (type) {
        case CUDA_R_8F_E4M3: return warpline::float_of_fp8(((const unsigned char *)base)[i], __NV_E4M3);
        case CUDA_R_8F_E5M2: return warpline::float_of_fp8(((const unsigned char *)base)[i], __NV_E5M2);
        case CUDA_R_16F: return (float)((const __half *)base)[i];
        case CUDA_R_16BF: return (float)((const __nv_bfloat16 *)base)[i];
        default: return ((const float *)base)[i];
        }
    }
    __device__ void put(int row, int column, float v) const
    {
        const long long i = place(row, column);
        switch (type) {
        case CUDA_R_8F_E4M3: ((unsigned char *)base)[i] = __nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E4M3); break;
        case CUDA_R_8F_E5M2: ((unsigned char *)base)[i] = __nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E5M2); break;
        case CUDA_R_16F: ((__half *)base)[i] = __half(v); break;
        case CUDA_R_16BF: ((__nv_bfloat16 *)base)[i] = __nv_bfloat16(v); break;
        default: ((float *)base)[i] = v;
        }
    }
};
/* Factors that lie on the device; null: 1. `largest` receives the largest magnitude of the result before its own factor. */
struct scales {
    const float *a, *b, *c, *d;
    float *largest;
};
__device__ inline float scale_at(const float *p) { return p ? *p : 1.0f; }

/* d = scale_d * activation(alpha scale_a scale_b a b + beta scale_c c + bias). A template, so that several files may hold it. */
template <class S>
__global__ void multiply_told(int m, int n, int k, S alpha, told_matrix a, told_matrix b, S beta, told_matrix c, told_matrix d, activation what, told_matrix bias, scales s)
{
    __shared__ S left[tile][tile + 1], right[tile][tile + 1];
    const int row = (int)(blockIdx.x * tile + threadIdx.x), column = (int)(blockIdx.y * tile + threadIdx.y);
    S sum = 0;
    for (int first = 0; first < k; first += tile) {
        const int x = first + (int)threadIdx.x, y = first + (int)threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < m && y < k ? a.at(row, y) : 0;
        right[threadIdx.y][threadIdx.x] = x < k && column < n ? b.at(x, column) : 0;
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum += left[i][threadIdx.x] * right[threadIdx.y][i];
        __syncthreads();
    }
    if (row >= m || column >= n)
        return;
    S v = alpha * scale_at(s.a) * scale_at(s.b) * sum;
    if (beta != 0)
        v += beta * scale_at(s.c) * c.at(row, column);
    if (bias.base)
        v += bias.at(row, 0);
    v = what == RELU ? (v > 0 ? v : 0) : what == GELU ? gelu(v) : v;
    if (s.largest)
        atomicMax((int *)s.largest, __float_as_int(fabsf(v))); /* floats above zero are ordered as their bits are */
    d.put(row, column, v * scale_at(s.d));
}
inline cublasStatus_t launch_told(cudaStream_t stream, int m, int n, int k, float alpha, told_matrix a, told_matrix b, float beta, told_matrix c, told_matrix d,
                                  int batch, activation what, told_matrix bias, scales s)
{
    if (s.largest && cudaMemsetAsync(s.largest, 0, sizeof *s.largest, stream) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (m && n && batch)
        multiply_told<float><<<dim3((unsigned)(m + tile - 1) / tile, (unsigned)(n + tile - 1) / tile, (unsigned)batch), dim3(tile, tile), 0, stream>>>(
            m, n, k, alpha, a, b, beta, c, d, what, bias, s);
    return ended();
}
}
#endif
