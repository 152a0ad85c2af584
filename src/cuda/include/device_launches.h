/* Launches in device code: `k<<<grid, block>>>(arguments)` inside a kernel or a device function is rewritten by `warpline cc` into an object
 * of this file, since clang has no such launches, and the runtime's calls that device code may make. */
#ifndef WARPLINE_DEVICE_LAUNCHES_H
#define WARPLINE_DEVICE_LAUNCHES_H
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000ull)
extern "C" {
/* Provided by the simulator. */
__device__ void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ cudaError_t cudaMalloc(void **pointer, size_t bytes);
__device__ cudaError_t cudaFree(void *pointer);
__device__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
}
template <class T> __device__ inline cudaError_t cudaMalloc(T **pointer, size_t bytes) { return ::cudaMalloc((void **)pointer, bytes); }

namespace warpline_launch {
/* A kernel's address on the device. The initialiser stands outside of functions because clang lets none name a kernel. */
template <class F, F K> struct address { static __device__ const void *const value; };
template <class F, F K> __device__ const void *const address<F, K>::value = (const void *)K;

__device__ inline void put(char *, size_t) {}
template <class P, class... Rest> __device__ inline void put(char *buffer, size_t at, const P &first, const Rest &...rest)
{
    at = (at + alignof(P) - 1) / alignof(P) * alignof(P);
    memcpy(buffer + at, &first, sizeof(P));
    put(buffer, at + sizeof(P), rest...);
}
template <class F, F K> struct kernel;
template <class... P, void (*K)(P...)> struct kernel<void (*)(P...), K> {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    __host__ __device__ kernel(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = 0) : grid(g), block(b), shared(bytes), stream(s) {}
    __host__ __device__ void operator()(P... arguments) const
    {
#if defined(__CUDA_ARCH__)
        char *const buffer = (char *)cudaGetParameterBufferV2((void *)address<void (*)(P...), K>::value, grid, block, (unsigned int)shared);
        if (!buffer)
            return;
        put(buffer, 0, arguments...);
        (void)cudaLaunchDeviceV2(buffer, stream);
#else
        K<<<grid, block, shared, stream>>>(arguments...);
#endif
    }
};
}
#endif
