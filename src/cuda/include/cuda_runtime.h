/* The CUDA runtime for C++: typed shapes over the C calls. `warpline cc` includes it into every .cu file by itself. */
#ifndef WARPLINE_CUDA_RUNTIME_H
#define WARPLINE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* programs ask for this name */
#include "cuda_runtime_api.h"
#include "vector_functions.h"

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize, size_t ysize)
{
    struct cudaPitchedPtr p = {pointer, pitch, xsize, ysize};
    return p;
}

#if defined(__cplusplus)
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) { return ::cudaMalloc((void **)pointer, bytes); }
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T> static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class T> static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }
/* CUDA 13 names places by a struct where 12 has a device's number; both are taken. */
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(pointer, bytes, advice, location);
}

/* Symbols are passed by name, as references to their host shadows. */
template <class T> static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T> static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                                     size_t offset = 0,
                                                                     enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                                     cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                                       enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                                       cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T> static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *function) { return ::cudaFuncGetName(name, (const void *)function); }
template <class T> static inline cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T> static inline cudaError_t cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class T> static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                                              cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)function, grid, block, args, shared, stream);
}
template <class T> static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args,
                                                                         size_t shared = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, args, shared, stream);
}
/* CUDA 11's shape of the call, which the compiler tells apart by its arguments. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *, size_t)
{
    if (error_node)
        *error_node = 0;
    return ::cudaGraphInstantiate(exec, graph, 0ull);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t code = ::cudaGraphExecUpdate(exec, graph, &info);
    if (error_node)
        *error_node = info.errorNode;
    if (result)
        *result = info.result;
    return code;
}
template <class T> static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                                                            size_t count, const T &symbol, const void *from, size_t bytes,
                                                                            size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, needs, count, (const void *)&symbol, from, bytes, offset, kind);
}
template <class T> static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                                              const cudaGraphNode_t *needs, size_t count, void *to, const T &symbol,
                                                                              size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, needs, count, to, (const void *)&symbol, bytes, offset, kind);
}
template <class... P, class... A> static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                                               void (*function)(P...), A &&...args)
{
    return [&](P... copied) {
        void *pointers[] = {(void *)&copied..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)function, pointers);
    }((P)args...);
}
template <class T> static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads,
                                                                                           size_t dynamic_shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, threads, dynamic_shared, 0);
}
template <class T> static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int threads,
                                                                                                    size_t dynamic_shared, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, threads, dynamic_shared, flags);
}
template <class T> static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T function, int blocks, int threads)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks, threads);
}
/* Tries every whole number of warps and keeps the size that fills an SM best; ties go to the larger block. */
template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block, T function, F shared_of, int limit = 0)
{
    struct cudaFuncAttributes attributes;
    int device = 0, sms = 0, best = 0, best_threads = 0;
    cudaError_t e = ::cudaFuncGetAttributes(&attributes, (const void *)function);
    if (e == cudaSuccess)
        e = cudaGetDevice(&device);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    int largest = e == cudaSuccess ? attributes.maxThreadsPerBlock : 0;
    if (limit > 0 && limit < largest)
        largest = limit;
    for (int threads = largest / 32 * 32; e == cudaSuccess && threads > 0; threads -= 32) {
        int blocks = 0;
        e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)function, threads, shared_of(threads), 0);
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            best = threads;
            *min_grid = blocks * sms;
        }
    }
    *block = best;
    return e;
}
template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block, T function, F shared_of,
                                                                                  int limit = 0, unsigned int = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, function, shared_of, limit);
}
template <class T> static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T function,
                                                                                size_t dynamic_shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, function, [=](int) { return dynamic_shared; }, limit);
}
template <class T> static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, T function,
                                                                                         size_t dynamic_shared = 0, int limit = 0,
                                                                                         unsigned int = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(min_grid, block, function, dynamic_shared, limit);
}

template <class T> struct warpline_channel; /* how many bits of which kind each channel type has */
#define WARPLINE_CHANNEL(type, bits, kind)                                                                                       \
    template <> struct warpline_channel<type> { static cudaChannelFormatDesc desc() { return {bits, 0, 0, 0, kind}; } };
#define WARPLINE_CHANNELS(base, bits, kind)                                                                                      \
    template <> struct warpline_channel<base##1> { static cudaChannelFormatDesc desc() { return {bits, 0, 0, 0, kind}; } };       \
    template <> struct warpline_channel<base##2> { static cudaChannelFormatDesc desc() { return {bits, bits, 0, 0, kind}; } };    \
    template <> struct warpline_channel<base##4> { static cudaChannelFormatDesc desc() { return {bits, bits, bits, bits, kind}; } };
WARPLINE_CHANNEL(char, 8, cudaChannelFormatKindSigned)
WARPLINE_CHANNEL(signed char, 8, cudaChannelFormatKindSigned)
WARPLINE_CHANNEL(unsigned char, 8, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNEL(short, 16, cudaChannelFormatKindSigned)
WARPLINE_CHANNEL(unsigned short, 16, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNEL(int, 32, cudaChannelFormatKindSigned)
WARPLINE_CHANNEL(unsigned int, 32, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNEL(float, 32, cudaChannelFormatKindFloat)
WARPLINE_CHANNELS(char, 8, cudaChannelFormatKindSigned)
WARPLINE_CHANNELS(uchar, 8, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNELS(short, 16, cudaChannelFormatKindSigned)
WARPLINE_CHANNELS(ushort, 16, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNELS(int, 32, cudaChannelFormatKindSigned)
WARPLINE_CHANNELS(uint, 32, cudaChannelFormatKindUnsigned)
WARPLINE_CHANNELS(float, 32, cudaChannelFormatKindFloat)
#undef WARPLINE_CHANNEL
#undef WARPLINE_CHANNELS
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() { return warpline_channel<T>::desc(); }
#endif
#endif
