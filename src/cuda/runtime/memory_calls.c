/* memory_calls.c - allocation: device, pitched, pinned, managed, registered, pools. */
#include <stdio.h>

#include "graphs.h"
#include "run/channel.h"

enum { PITCH_ALIGNMENT = 512 };

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!pointer)
        return runtime_leave(cudaErrorInvalidValue);
    *pointer = NULL;
    if (bytes == 0)
        return runtime_leave(cudaSuccess);
    const uint64_t address = device_alloc(runtime_device(r), bytes);
    *pointer = (void *)(uintptr_t)address;
    if (!address) {
        uint64_t left, all;
        struct refusal refusal = { .name = "cudaMalloc", .bytes = bytes };
        device_memory_info(runtime_device(r), &left, &all);
        (void)snprintf(refusal.reason, sizeof refusal.reason,
                       "%llu bytes asked, %llu of %llu left; --set device.memory gives the device more", (unsigned long long)bytes,
                       (unsigned long long)left, (unsigned long long)all);
        runtime_refused(r, &refusal);
    }
    return runtime_leave(address ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *pointer)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess || !pointer)
        return runtime_leave(code);
    struct host_block *block = runtime_find_block(r, pointer);
    if (graph_memory_use(pointer, false)) /* stays the graphs' */
        return runtime_leave(cudaSuccess);
    if (block && block->kind == BLOCK_MANAGED && block->host == pointer)
        runtime_remove_block(r, block);
    else if (!device_release(runtime_device(r), (uint64_t)(uintptr_t)pointer))
        code = cudaErrorInvalidValue;
    return runtime_leave(code);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    return stream_captures(stream) ? capture_malloc(stream, pointer, bytes) : cudaMalloc(pointer, bytes);
}
PER_THREAD(cudaMallocAsync, ptsz)
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    return stream_captures(stream) ? capture_free(stream, pointer) : cudaFree(pointer);
}
PER_THREAD(cudaFreeAsync, ptsz)

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    size_t padded, bytes;
    if (!pointer || !pitch)
        return cudaErrorInvalidValue;
    if (__builtin_add_overflow(width, PITCH_ALIGNMENT - 1, &padded) ||
        __builtin_mul_overflow(padded / PITCH_ALIGNMENT * PITCH_ALIGNMENT, height, &bytes))
        bytes = SIZE_MAX; /* more than there is */
    *pitch = padded / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    if (!pointer)
        return cudaErrorInvalidValue;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    size_t rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        rows = SIZE_MAX;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

static cudaError_t new_block(void **pointer, size_t bytes, int kind, unsigned int flags)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!pointer || bytes == 0)
        return runtime_leave(cudaErrorInvalidValue);
    *pointer = NULL;
    void *pages = host_pages_new(bytes);
    if (!pages)
        return runtime_leave(cudaErrorMemoryAllocation);
    if (!runtime_add_block(r, pages, bytes, kind, flags)) {
        host_pages_free(pages, bytes);
        return runtime_leave(cudaErrorMemoryAllocation);
    }
    *pointer = pages;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    return new_block(pointer, bytes, BLOCK_PINNED, flags);
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return new_block(pointer, bytes, BLOCK_PINNED, cudaHostAllocDefault);
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    return new_block(pointer, bytes, BLOCK_MANAGED, flags);
}

cudaError_t cudaFreeHost(void *pointer)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess || !pointer)
        return runtime_leave(code);
    struct host_block *block = runtime_find_block(r, pointer);
    if (!block || block->kind != BLOCK_PINNED || block->host != pointer)
        return runtime_leave(cudaErrorInvalidValue);
    runtime_remove_block(r, block);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    if (!pointer || bytes == 0)
        return runtime_leave(cudaErrorInvalidValue);
    if (runtime_find_block(r, pointer))
        return runtime_leave(cudaErrorHostMemoryAlreadyRegistered);
    return runtime_leave(runtime_add_block(r, pointer, bytes, BLOCK_REGISTERED, flags) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    struct host_block *block = code == cudaSuccess ? runtime_find_block(r, pointer) : NULL;
    if (code == cudaSuccess && (!block || block->kind != BLOCK_REGISTERED || block->host != pointer))
        code = cudaErrorHostMemoryNotRegistered;
    else if (block)
        runtime_remove_block(r, block);
    return runtime_leave(code);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    cudaError_t code;
    (void)flags;
    struct runtime *r = runtime_enter_device(&code);
    struct host_block *block = code == cudaSuccess ? runtime_find_block(r, host) : NULL;
    if (code == cudaSuccess && !block)
        code = cudaErrorInvalidValue;
    if (block)
        *device = (void *)(uintptr_t)(block->device + (uint64_t)((uintptr_t)host - (uintptr_t)block->host));
    return runtime_leave(code);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    const struct host_block *block = code == cudaSuccess ? runtime_find_block(r, host) : NULL;
    if (code == cudaSuccess && !block)
        code = cudaErrorInvalidValue;
    if (block)
        *flags = block->flags;
    return runtime_leave(code);
}

/* Managed memory is one memory for both sides here. Nothing moves, so where it is to lie is only remembered for programs that ask.
 */
static cudaError_t enter_managed(const void *pointer, struct host_block **block)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    *block = code == cudaSuccess ? runtime_find_block(r, pointer) : NULL;
    if (code == cudaSuccess && (!*block || (*block)->kind != BLOCK_MANAGED)) {
        *block = NULL;
        code = cudaErrorInvalidValue;
    }
    return code;
}
static cudaError_t prefetch(const void *pointer, int place)
{
    struct host_block *block;
    const cudaError_t code = enter_managed(pointer, &block);
    if (block)
        block->prefetched = place;
    return runtime_leave(code);
}
/* CUDA 13 passes the location as a struct of two ints, its kind first, in the register where CUDA 12 passes a device. There is
 * device 0 alone, so the two can be told apart. */
static int place_of(int device)
{
    return device == cudaMemLocationTypeDevice ? 0 : device == cudaMemLocationTypeHost ? cudaCpuDeviceId : device;
}
static int location_of(struct cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    (void)bytes, (void)stream;
    return prefetch(pointer, place_of(device));
}
PER_THREAD(cudaMemPrefetchAsync, ptsz)
cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream)
{
    (void)bytes, (void)flags, (void)stream;
    return prefetch(pointer, location_of(location));
}
PER_THREAD(cudaMemPrefetchAsync_v2, ptsz)
static cudaError_t advise(const void *pointer, enum cudaMemoryAdvise advice, int place)
{
    struct host_block *block;
    const cudaError_t code = enter_managed(pointer, &block);
    if (!block)
        return runtime_leave(code);
    switch (advice) {
    case cudaMemAdviseSetReadMostly: block->read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: block->read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: block->preferred = place; break;
    case cudaMemAdviseUnsetPreferredLocation: block->preferred = cudaInvalidDeviceId; break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
        *(place == cudaCpuDeviceId ? &block->by_host : &block->by_device) = advice == cudaMemAdviseSetAccessedBy;
        break;
    default: return runtime_leave(cudaErrorInvalidValue);
    }
    return runtime_leave(code);
}
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
    (void)bytes;
    return advise(pointer, advice, place_of(device));
}
cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location)
{
    (void)bytes;
    return advise(pointer, advice, location_of(location));
}
/* The answer is a list of ints; only the devices that access the memory may be more than one. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute, const void *pointer,
                                     size_t bytes)
{
    struct host_block *block;
    int *const answer = data;
    const cudaError_t code = enter_managed(pointer, &block);
    const size_t room = size / sizeof *answer;
    if (!block || !data || room == 0 || size % sizeof *answer || bytes == 0)
        return runtime_leave(block ? cudaErrorInvalidValue : code);
    for (size_t i = 0; i < room; i++)
        answer[i] = cudaInvalidDeviceId;
    size_t known = 0;
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly: answer[0] = block->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation: answer[0] = block->preferred; break;
    case cudaMemRangeAttributeLastPrefetchLocation: answer[0] = block->prefetched; break;
    case cudaMemRangeAttributeAccessedBy:
        if (block->by_device)
            answer[known++] = 0;
        if (block->by_host && known < room)
            answer[known] = cudaCpuDeviceId;
        break;
    default: return runtime_leave(cudaErrorInvalidValue);
    }
    return runtime_leave(cudaSuccess);
}
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, enum cudaMemRangeAttribute *attributes, size_t count,
                                      const void *pointer, size_t bytes)
{
    cudaError_t code = cudaSuccess;
    for (size_t i = 0; i < count && code == cudaSuccess; i++)
        code = cudaMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, bytes);
    return code;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags)
{
    struct host_block *block;
    (void)stream, (void)bytes, (void)flags;
    return runtime_leave(enter_managed(pointer, &block));
}
PER_THREAD(cudaStreamAttachMemAsync, ptsz)

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess) {
        uint64_t free_bytes, total_bytes;
        device_memory_info(runtime_device(r), &free_bytes, &total_bytes);
        *left = free_bytes;
        *total = total_bytes;
    }
    return runtime_leave(code);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code != cudaSuccess)
        return runtime_leave(code);
    const struct host_block *block = runtime_find_block(r, pointer);
    *a = (struct cudaPointerAttributes){ .type = cudaMemoryTypeUnregistered, .device = cudaInvalidDeviceId };
    if (block) {
        const uint64_t inside = (uint64_t)((uintptr_t)pointer - (uintptr_t)block->host);
        *a = (struct cudaPointerAttributes){ .type = block->kind == BLOCK_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeHost,
                                             .devicePointer = (void *)(uintptr_t)(block->device + inside),
                                             .hostPointer = (void *)(uintptr_t)pointer };
    } else if (device_is_valid(runtime_device(r), (uint64_t)(uintptr_t)pointer, 1)) {
        *a = (struct cudaPointerAttributes){ .type = cudaMemoryTypeDevice, .devicePointer = (void *)(uintptr_t)pointer };
    } else {
        a->hostPointer = (void *)(uintptr_t)pointer;
    }
    return runtime_leave(cudaSuccess);
}
