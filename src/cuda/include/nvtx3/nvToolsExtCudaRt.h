/* Names for devices, streams and events of the runtime, for tools that watch a program: there is none here, and the names go nowhere. */
#ifndef WARPLINE_NVTX_CUDA_RT_H
#define WARPLINE_NVTX_CUDA_RT_H
#include <cuda_runtime_api.h>
#include <nvToolsExt.h>
#define WARPLINE_NVTX_NAME(what, type)                                                                          \
    static inline __attribute__((unused)) void nvtxNameCuda##what##A(type thing, const char *name) { (void)thing, (void)name; } \
    static inline __attribute__((unused)) void nvtxNameCuda##what##W(type thing, const wchar_t *name) { (void)thing, (void)name; }
WARPLINE_NVTX_NAME(Device, int)
WARPLINE_NVTX_NAME(Stream, cudaStream_t)
WARPLINE_NVTX_NAME(Event, cudaEvent_t)
#undef WARPLINE_NVTX_NAME
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
