/* Comes before the first line of every .cu file that `warpline cc` compiles.
 *
 * The names and overloads of CUDA's device functions come from headers that are part of clang itself; those expect NVIDIA's
 * libdevice (__nv_sinf...) and vector types, which are given here by libdevice.h and our runtime headers. The order matters:
 * clang's forward declarations go before <cmath>, its overloads after it. */
#ifndef WARPLINE_CUDA_RUNTIME_PRELUDE_H
#define WARPLINE_CUDA_RUNTIME_PRELUDE_H
#include "bits/names_hidden.h"
#include "cuda.h"
#include "host_defines.h"
#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__ 1 /* libstdc++ leaves out __float128 when it sees this */
#include <climits>
#include <cmath>
#include <cstdlib>
#include <ctype.h>
#include <initializer_list>
#include <limits>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility> /* programs rely on what nvcc brings in by itself */

#include <__clang_cuda_builtin_vars.h>
#include "cuda_runtime.h"
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
/* Provided by the simulator. */
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t char_bytes);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line, const char *function)
{
    __assertfail(message, file, line, function, 1);
}
}
namespace std {
__device__ static inline void *malloc(size_t bytes) { return ::malloc(bytes); }
__device__ static inline void free(void *pointer) { ::free(pointer); }
}

/* Of a class with pure functions on the device the table names it; whoever calls one has called a function that is not there. */
#if defined(__CUDA_ARCH__)
extern "C" __device__ __attribute__((weak)) void __cxa_pure_virtual() { __builtin_trap(); }
#endif
/* Launches from kernels, as Thrust and CUB name them: declared for code that is never called. */
extern "C" {
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block, unsigned int shared, cudaStream_t stream);
}
static __device__ inline const char *cudaGetErrorName(cudaError_t code)
{
    switch ((int)code) {
#define CUDA_ERROR(name, number, text) case number: return #name;
#include "cuda_errors.def"
#undef CUDA_ERROR
    default: return "unrecognized error code";
    }
}
static __device__ inline const char *cudaGetErrorString(cudaError_t code)
{
    switch ((int)code) {
#define CUDA_ERROR(name, number, text) case number: return text;
#include "cuda_errors.def"
#undef CUDA_ERROR
    default: return "unrecognized error code";
    }
}

#include <new> /* clang's: operator new and delete for the device, over malloc */

#define WARPLINE_INDEX(name)                                                        \
    __device__ inline name::operator dim3() const { return dim3(x, y, z); }          \
    __device__ inline name::operator uint3() const { return uint3{x, y, z}; }
WARPLINE_INDEX(__cuda_builtin_threadIdx_t)
WARPLINE_INDEX(__cuda_builtin_blockIdx_t)
WARPLINE_INDEX(__cuda_builtin_blockDim_t)
WARPLINE_INDEX(__cuda_builtin_gridDim_t)
#undef WARPLINE_INDEX

#if !defined(__CUDA_ARCH__)
extern "C" {
extern char __start_warpline_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpline_managed[] __attribute__((weak, visibility("hidden")));
void __cudaWarplineManaged(void *first, void *end);
}
/* Before the registration of variables, which has the default priority. */
static __attribute__((constructor(101))) void warpline_tell_managed()
{
    if (__start_warpline_managed != __stop_warpline_managed)
        __cudaWarplineManaged(__start_warpline_managed, __stop_warpline_managed);
}
#endif

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include "libdevice.h"
#include "device_math_overloads.h"
#include <assert.h>
#include <math.h> /* isnan and its kin without std::, for the host too */
#include "host_math.h"
#include "device_barriers.h"
#include "device_intrinsics.h"
#include "device_atomics.h"
#include "device_minmax.h"
#include "device_textures.h"
#include "device_launches.h"
/* Programs ask for these to choose between nvcc and the host's compiler, and between old and new shuffles. */
#ifndef __NVCC__
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
#include "bits/names_shown.h"
#endif
