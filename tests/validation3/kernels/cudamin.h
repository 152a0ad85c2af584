// What these kernels need of CUDA, for clang -nocudainc -nocudalib.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
#include "__clang_cuda_builtin_vars.h"
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
