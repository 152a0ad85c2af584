// Minimal device header for clang-14 -nocudainc -nocudalib
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
#include "__clang_cuda_builtin_vars.h"
__device__ __forceinline__ int atomicAdd(int *p, int v)
{
    return __nvvm_atom_add_gen_i(p, v);
}
__device__ __forceinline__ float sqrtf_(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
__device__ __forceinline__ float rsqrtf_(float x)
{
    return __nvvm_rsqrt_approx_f(x);
}
__device__ __forceinline__ float expf_(float x)
{
    return __nvvm_ex2_approx_f(x * 1.4426950408889634f);
}
__device__ __forceinline__ float logf_(float x)
{
    return __nvvm_lg2_approx_f(x) * 0.6931471805599453f;
}
__device__ __forceinline__ float fabsf_(float x)
{
    return __nvvm_fabs_f(x);
}
__device__ __forceinline__ int min_(int a, int b)
{
    return a < b ? a : b;
}
__device__ __forceinline__ int max_(int a, int b)
{
    return a > b ? a : b;
}
