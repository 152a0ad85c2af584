/* pool_calls.c - memory pools. All take from the device's memory and keep nothing back, so their settings change nothing;
 * they remember them for programs that ask. */
#include <stdlib.h>

#include "runtime.h"

static bool is_pool(const struct CUmemPoolHandle_st *pool)
{
    const struct runtime *r = runtime_state();
    const struct CUmemPoolHandle_st *p = r->pools;
    while (p && p != pool)
        p = p->next;
    return pool && (p || pool == &r->pool);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    (void)runtime_enter();
    if (!pool || device != 0)
        return runtime_leave(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = &runtime_state()->pool;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    (void)runtime_enter();
    if (!pool || device != 0)
        return runtime_leave(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = runtime_state()->pool_in_use;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    (void)runtime_enter();
    if (device != 0 || !is_pool(pool))
        return runtime_leave(cudaErrorInvalidValue);
    runtime_state()->pool_in_use = pool;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    (void)runtime_enter();
    if (!pool || !props || props->location.id != 0 || props->handleTypes != cudaMemHandleTypeNone)
        return runtime_leave(cudaErrorInvalidValue);
    *pool = must_calloc(1, sizeof **pool);
    **pool = (struct CUmemPoolHandle_st){ .access = cudaMemAccessFlagsProtReadWrite, .next = runtime_state()->pools };
    runtime_state()->pools = *pool;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    struct runtime *r = runtime_enter();
    struct CUmemPoolHandle_st **p = &r->pools;
    while (*p && *p != pool)
        p = &(*p)->next;
    if (!pool || !*p)
        return runtime_leave(cudaErrorInvalidValue);
    *p = pool->next;
    if (r->pool_in_use == pool)
        r->pool_in_use = &r->pool;
    free(pool);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    (void)runtime_enter();
    if (!is_pool(pool) || !value)
        return runtime_leave(cudaErrorInvalidValue);
    if (attr == cudaMemPoolAttrReleaseThreshold)
        pool->threshold = *(const uint64_t *)value;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    size_t left, total;
    const cudaError_t code = cudaMemGetInfo(&left, &total);
    (void)runtime_enter();
    if (code != cudaSuccess || !is_pool(pool) || !value)
        return runtime_leave(code != cudaSuccess ? code : cudaErrorInvalidValue);
    if (attr >= cudaMemPoolAttrReservedMemCurrent)
        *(uint64_t *)value = total - left;
    else if (attr == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = pool->threshold;
    else
        *(int *)value = 1;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    (void)runtime_enter();
    return runtime_leave(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

/* The device itself can always read and write its pools. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
    (void)runtime_enter();
    bool good = is_pool(pool) && (list || count == 0);
    for (size_t i = 0; good && i < count; i++)
        good = list[i].location.type != cudaMemLocationTypeDevice ||
               (list[i].location.id == 0 && list[i].flags == cudaMemAccessFlagsProtReadWrite);
    return runtime_leave(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    (void)runtime_enter();
    if (!flags || !location || !is_pool(pool))
        return runtime_leave(cudaErrorInvalidValue);
    *flags = pool->access;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    (void)runtime_enter();
    const cudaError_t code = runtime_leave(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
    return code == cudaSuccess ? cudaMallocAsync(pointer, bytes, stream) : code;
}
PER_THREAD(cudaMallocFromPoolAsync, ptsz)
