/* Names for devices, contexts, streams and events of the driver API: they go nowhere, as those of nvToolsExtCudaRt.h. */
#ifndef WARPLINE_NVTX_CUDA_H
#define WARPLINE_NVTX_CUDA_H
#include <cuda.h>
#include <nvToolsExt.h>
WARPLINE_NVTX_NAME(CuDevice, CUdevice)
WARPLINE_NVTX_NAME(CuContext, CUcontext)
WARPLINE_NVTX_NAME(CuStream, CUstream)
WARPLINE_NVTX_NAME(CuEvent, CUevent)
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif
