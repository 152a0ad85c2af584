/* driver_ranges.c - the driver API's address ranges (cuMemAddressReserve, cuMemCreate, cuMemMap): a range is an allocation from the
 * start, and mapping memory into it is only looked at for its order. So memory has one place: what a program wrote at one address
 * would not be there at another, and mapping it a second time elsewhere is refused. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cuda.h"
#include "runtime.h"

enum { GRANULARITY = 2 << 20 };

/* What cuMemCreate gives: how much, and the address that its first byte has had since it was mapped; 0: not yet. */
struct physical {
    size_t bytes;
    CUdeviceptr place;
    CUmemAllocationProp properties;
};

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option)
{
    (void)option;
    *bytes = GRANULARITY;
    return properties && properties->location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                     unsigned long long flags)
{
    if (!handle || !properties || bytes == 0 || bytes % GRANULARITY || flags || properties->location.id != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct physical *p = calloc(1, sizeof *p);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *p = (struct physical){ .bytes = bytes, .properties = *properties };
    *handle = (uintptr_t)p;
    return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    free((void *)(uintptr_t)handle);
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    *properties = ((const struct physical *)(uintptr_t)handle)->properties;
    return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t bytes, size_t alignment, CUdeviceptr address, unsigned long long flags)
{
    (void)alignment;
    (void)address; /* a wish */
    if (bytes == 0 || bytes % GRANULARITY || flags)
        return CUDA_ERROR_INVALID_VALUE;
    return cuMemAlloc(pointer, bytes);
}
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes)
{
    (void)bytes;
    return cuMemFree(pointer);
}
CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    struct physical *p = (struct physical *)(uintptr_t)handle;
    if (!p || !pointer || flags || bytes > p->bytes || offset > p->bytes - bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->place && p->place != pointer - offset) {
        (void)fprintf(stderr, "warpline: cuMemMap of the same memory at a second address is not supported\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    p->place = pointer - offset;
    return CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes)
{
    return pointer && bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    return pointer && bytes && access && count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Memory of other processes. */
static CUresult refuse(const char *call)
{
    (void)fprintf(stderr, "warpline: %s is not supported: programs share no memory of the device\n", call);
    return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemExportToShareableHandle(void *handle, CUmemGenericAllocationHandle from, CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
    (void)handle;
    (void)from;
    (void)type;
    (void)flags;
    return refuse("cuMemExportToShareableHandle");
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *from, CUmemAllocationHandleType type)
{
    (void)handle;
    (void)from;
    (void)type;
    return refuse("cuMemImportFromShareableHandle");
}
