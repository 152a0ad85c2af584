/* Names for devices, streams and events of the runtime, for tools that watch a program: there is none here, and the names go nowhere. */
#ifndef WARPLINE_NVTX_CUDA_RT_H
#define WARPLINE_NVTX_CUDA_RT_H
#include <cuda_runtime_api.h>
#include <nvToolsExt.h>
WARPLINE_NVTX_NAME(CudaDevice, int)
WARPLINE_NVTX_NAME(CudaStream, cudaStream_t)
WARPLINE_NVTX_NAME(CudaEvent, cudaEvent_t)
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
