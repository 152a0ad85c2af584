/* driver_queries.c - the driver API's names of errors, and what an address is. */
#include "runtime.h"

#include <cuda.h>

static const struct {
    CUresult code;
    const char *name;
} errors[] = {
#define ROW(name)                                                                                                                  \
    {                                                                                                                              \
        name, #name                                                                                                                \
    }
    ROW(CUDA_SUCCESS),
    ROW(CUDA_ERROR_INVALID_VALUE),
    ROW(CUDA_ERROR_OUT_OF_MEMORY),
    ROW(CUDA_ERROR_NOT_INITIALIZED),
    ROW(CUDA_ERROR_DEINITIALIZED),
    ROW(CUDA_ERROR_NO_DEVICE),
    ROW(CUDA_ERROR_INVALID_DEVICE),
    ROW(CUDA_ERROR_INVALID_IMAGE),
    ROW(CUDA_ERROR_INVALID_CONTEXT),
    ROW(CUDA_ERROR_NO_BINARY_FOR_GPU),
    ROW(CUDA_ERROR_INVALID_PTX),
    ROW(CUDA_ERROR_INVALID_SOURCE),
    ROW(CUDA_ERROR_FILE_NOT_FOUND),
    ROW(CUDA_ERROR_INVALID_HANDLE),
    ROW(CUDA_ERROR_NOT_FOUND),
    ROW(CUDA_ERROR_NOT_READY),
    ROW(CUDA_ERROR_ILLEGAL_ADDRESS),
    ROW(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    ROW(CUDA_ERROR_LAUNCH_TIMEOUT),
    ROW(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    ROW(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    ROW(CUDA_ERROR_ASSERT),
    ROW(CUDA_ERROR_LAUNCH_FAILED),
    ROW(CUDA_ERROR_NOT_PERMITTED),
    ROW(CUDA_ERROR_NOT_SUPPORTED),
    ROW(CUDA_ERROR_UNKNOWN)
#undef ROW
};

/* CUDA's answer for a number that is no error: no name, and an error itself. */
CUresult cuGetErrorName(CUresult code, const char **name)
{
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult code, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)code);
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    struct cudaPointerAttributes a;
    CUdeviceptr first = 0;
    size_t bytes = 0;
    if (!data)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t code = cudaPointerGetAttributes(&a, (const void *)(uintptr_t)pointer);
    if (code != cudaSuccess || a.type == cudaMemoryTypeUnregistered)
        return code == cudaSuccess ? CUDA_ERROR_INVALID_VALUE : (CUresult)code;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return cuCtxGetCurrent(data);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned int *)data = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)data = (CUdeviceptr)(uintptr_t)a.devicePointer; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)data = a.hostPointer;
        return a.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned int *)data = a.type == cudaMemoryTypeManaged; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = a.device; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    const CUresult result = cuMemGetAddressRange(&first, &bytes, pointer);
    if (result == CUDA_SUCCESS && attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE)
        *(size_t *)data = bytes;
    else if (result == CUDA_SUCCESS)
        *(CUdeviceptr *)data = first;
    return result;
}
