/* driver_ranges.c - the driver API's address ranges (cuMemAddressReserve, cuMemCreate, cuMemMap). A range is an allocation from the
 * start. Memory that is mapped into it brings its bytes along and takes them away when it is unmapped, so that it may move from
 * place to place; at two addresses at once it would have to be one, and that is refused. Addresses of a range where nothing is
 * mapped can be read: they hold zeros. cuMemGetAddressRange says which allocation an address lies in, whatever made it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cuda.h"
#include "runtime.h"

enum { GRANULARITY = 2 << 20 };

/* What cuMemCreate gives. */
struct physical {
    size_t bytes;
    uint8_t *kept; /* its bytes while nobody has mapped them; NULL: zeros */
    size_t mappings;
    bool released;
    CUmemAllocationProp properties;
};

struct range_mapping {
    CUdeviceptr pointer;
    size_t bytes, offset;
    struct physical *physical;
    struct range_mapping *next;
};
struct address_range {
    CUdeviceptr pointer;
    size_t bytes;
    struct address_range *next;
};

static bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

static void drop_physical(struct physical *p)
{
    if (!p->released || p->mappings)
        return;
    free(p->kept);
    free(p);
}

/* True when the addresses lie in one range and nothing is mapped there. */
static bool is_free(const struct runtime *r, CUdeviceptr pointer, size_t bytes)
{
    const struct address_range *range = r->address_ranges;
    while (range && !(pointer >= range->pointer && bytes <= range->bytes && pointer - range->pointer <= range->bytes - bytes))
        range = range->next;
    bool free = range;
    for (const struct range_mapping *m = r->range_mappings; free && m; m = m->next)
        free = !overlap(pointer, bytes, m->pointer, m->bytes);
    return free;
}

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr pointer)
{
    cudaError_t code;
    uint64_t from = 0, all = 0;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess) {
        const struct host_block *block = runtime_find_block(r, (const void *)(uintptr_t)pointer);
        if (block) { /* pinned memory, named by its address on the host */
            from = (uintptr_t)block->host;
            all = block->bytes;
        } else if (!device_find_range(runtime_device(r), pointer, &from, &all)) {
            (void)runtime_leave(cudaSuccess); /* a question, not an error of the program's */
            return CUDA_ERROR_NOT_FOUND;
        }
    }
    if (code == cudaSuccess && start)
        *start = from;
    if (code == cudaSuccess && bytes)
        *bytes = all;
    return (CUresult)runtime_leave(code);
}
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
    struct physical *p = (struct physical *)(uintptr_t)handle;
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    (void)runtime_enter();
    p->released = true; /* what is mapped stays until it is unmapped */
    drop_physical(p);
    (void)runtime_leave(cudaSuccess);
    return CUDA_SUCCESS;
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
    const CUresult code = cuMemAlloc(pointer, bytes);
    if (code != CUDA_SUCCESS)
        return code;
    struct address_range *range = must_calloc(1, sizeof *range);
    struct runtime *r = runtime_enter();
    *range = (struct address_range){ *pointer, bytes, r->address_ranges };
    r->address_ranges = range;
    (void)runtime_leave(cudaSuccess);
    return cuMemsetD8(*pointer, 0, bytes);
}
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes)
{
    struct runtime *r = runtime_enter();
    struct address_range **link = &r->address_ranges;
    while (*link && (*link)->pointer != pointer)
        link = &(*link)->next;
    struct address_range *found = *link;
    bool ok = found && found->bytes == bytes;
    for (const struct range_mapping *m = r->range_mappings; ok && m; m = m->next)
        ok = !overlap(pointer, bytes, m->pointer, m->bytes);
    if (ok) {
        *link = found->next;
        free(found);
    }
    (void)runtime_leave(cudaSuccess);
    return ok ? cuMemFree(pointer) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    struct physical *p = (struct physical *)(uintptr_t)handle;
    if (!p || !bytes || bytes % GRANULARITY || flags || bytes > p->bytes || offset > p->bytes - bytes)
        return CUDA_ERROR_INVALID_VALUE;
    struct runtime *r = runtime_enter();
    CUresult code = is_free(r, pointer, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (const struct range_mapping *m = r->range_mappings; code == CUDA_SUCCESS && m; m = m->next)
        if (m->physical == p && overlap(offset, bytes, m->offset, m->bytes))
            code = CUDA_ERROR_NOT_SUPPORTED;
    if (code == CUDA_SUCCESS) {
        struct range_mapping *m = must_calloc(1, sizeof *m);
        *m = (struct range_mapping){ pointer, bytes, offset, p, r->range_mappings };
        r->range_mappings = m;
        p->mappings++;
    }
    (void)runtime_leave(cudaSuccess);
    if (code == CUDA_ERROR_NOT_SUPPORTED)
        (void)fprintf(stderr, "warpline: cuMemMap of the same memory at a second address is not supported\n");
    if (code == CUDA_SUCCESS && p->kept)
        code = cuMemcpyHtoD(pointer, p->kept + offset, bytes);
    return code;
}

/* The first mapping inside these addresses, taken out of the list. */
static struct range_mapping *take_mapping(CUdeviceptr pointer, size_t bytes)
{
    struct runtime *r = runtime_enter();
    struct range_mapping **link = &r->range_mappings;
    while (*link && !((*link)->pointer >= pointer && (*link)->pointer + (*link)->bytes <= pointer + bytes))
        link = &(*link)->next;
    struct range_mapping *found = *link;
    if (found)
        *link = found->next;
    (void)runtime_leave(cudaSuccess);
    return found;
}
CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes)
{
    CUresult code = CUDA_ERROR_INVALID_VALUE;
    for (struct range_mapping *m = take_mapping(pointer, bytes); m; m = take_mapping(pointer, bytes)) {
        struct physical *p = m->physical;
        code = CUDA_SUCCESS;
        if (!p->released || p->mappings > 1) { /* somebody may map it again */
            if (!p->kept)
                p->kept = must_calloc(1, p->bytes);
            code = cuMemcpyDtoH(p->kept + m->offset, m->pointer, m->bytes);
        }
        if (code == CUDA_SUCCESS)
            code = cuMemsetD8(m->pointer, 0, m->bytes);
        (void)runtime_enter();
        p->mappings--;
        drop_physical(p);
        (void)runtime_leave(cudaSuccess);
        free(m);
    }
    return code;
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
