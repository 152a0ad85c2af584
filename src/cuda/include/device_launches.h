/* Launches in device code: `k<<<grid, block>>>(arguments)` inside a kernel or a device function is rewritten by `warpline cc` into an object
 * of this file, since clang has no such launches, and the runtime's calls that device code may make. */
#ifndef WARPLINE_DEVICE_LAUNCHES_H
#define WARPLINE_DEVICE_LAUNCHES_H
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000ull)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000ull)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000ull)
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
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
}
template <class T> __device__ inline cudaError_t cudaMalloc(T **pointer, size_t bytes) { return ::cudaMalloc((void **)pointer, bytes); }

static __device__ inline cudaGraphExec_t cudaGetCurrentGraphExec(void)
{
    unsigned long long exec;
    asm("mov.u64 %0, %%current_graph_exec;" : "=l"(exec));
    return (cudaGraphExec_t)exec;
}

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
/* Of several kernels of one name the number of arguments chooses. clang resolves such a name in a function of both sides only, and only C++17
 * takes what that returns for a template's argument: before, there must be one kernel of a name. */
template <unsigned N> struct count {};
template <class C, class... P> __host__ __device__ constexpr auto chosen(C, void (*k)(P...)) -> void (*)(P...) { return k; }
template <class P1> __host__ __device__ constexpr auto chosen(count<1>, void (*k)(P1)) -> void (*)(P1) { return k; }
template <class P1, class P2> __host__ __device__ constexpr auto chosen(count<2>, void (*k)(P1, P2)) -> void (*)(P1, P2) { return k; }
template <class P1, class P2, class P3> __host__ __device__ constexpr auto chosen(count<3>, void (*k)(P1, P2, P3)) -> void (*)(P1, P2, P3) { return k; }
template <class P1, class P2, class P3, class P4> __host__ __device__ constexpr auto chosen(count<4>, void (*k)(P1, P2, P3, P4)) -> void (*)(P1, P2, P3, P4) { return k; }
template <class P1, class P2, class P3, class P4, class P5> __host__ __device__ constexpr auto chosen(count<5>, void (*k)(P1, P2, P3, P4, P5)) -> void (*)(P1, P2, P3, P4, P5) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6> __host__ __device__ constexpr auto chosen(count<6>, void (*k)(P1, P2, P3, P4, P5, P6)) -> void (*)(P1, P2, P3, P4, P5, P6) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7> __host__ __device__ constexpr auto chosen(count<7>, void (*k)(P1, P2, P3, P4, P5, P6, P7)) -> void (*)(P1, P2, P3, P4, P5, P6, P7) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8> __host__ __device__ constexpr auto chosen(count<8>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9> __host__ __device__ constexpr auto chosen(count<9>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10> __host__ __device__ constexpr auto chosen(count<10>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11> __host__ __device__ constexpr auto chosen(count<11>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11, class P12> __host__ __device__ constexpr auto chosen(count<12>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11, class P12, class P13> __host__ __device__ constexpr auto chosen(count<13>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11, class P12, class P13, class P14> __host__ __device__ constexpr auto chosen(count<14>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11, class P12, class P13, class P14, class P15> __host__ __device__ constexpr auto chosen(count<15>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15) { return k; }
template <class P1, class P2, class P3, class P4, class P5, class P6, class P7, class P8, class P9, class P10, class P11, class P12, class P13, class P14, class P15, class P16> __host__ __device__ constexpr auto chosen(count<16>, void (*k)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16)) -> void (*)(P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16) { return k; }
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
template <class F, F K> struct at {
    __host__ __device__ kernel<F, K> operator()(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = 0) const { return kernel<F, K>(g, b, bytes, s); }
};
}
#if __cplusplus >= 201703L
#define WARPLINE_LAUNCH(arguments, name)                                                                                                    \
    ({                                                                                                                                      \
        struct warpline_named {                                                                                                             \
            static constexpr __host__ __device__ auto kernel() { return ::warpline_launch::chosen(::warpline_launch::count<arguments>(), &name); } \
        };                                                                                                                                  \
        ::warpline_launch::at<decltype(warpline_named::kernel()), warpline_named::kernel()>();                                              \
    })
#else
#define WARPLINE_LAUNCH(arguments, name) ::warpline_launch::kernel<decltype(&name), &name>
#endif
#endif
