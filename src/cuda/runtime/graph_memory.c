/* graph_memory.c - nodes that allocate and free memory. A node's memory is taken when the node is made, since its address must be
 * known then, and stays the graphs' until the program ends: a launch finds it at the same place each time. What is freed counts as
 * unused. */
#include <stdlib.h>

#include "graphs.h"

struct graph_memory {
    uint64_t address, bytes;
    bool in_use;
    struct graph_memory *next;
};

static struct graph_memory *find(const struct runtime *r, const void *pointer)
{
    struct graph_memory *m = r->graph_memory;
    while (m && m->address != (uint64_t)(uintptr_t)pointer)
        m = m->next;
    return m;
}

/* NULL: there is no memory left. */
static void *take(struct runtime *r, size_t bytes)
{
    const uint64_t address = bytes ? device_alloc(runtime_device(r), bytes) : 0;
    if (!address)
        return NULL;
    struct graph_memory *m = must_calloc(1, sizeof *m);
    *m = (struct graph_memory){ .address = address, .bytes = bytes, .next = r->graph_memory };
    r->graph_memory = m;
    return (void *)(uintptr_t)address;
}

bool graph_memory_use(const void *pointer, bool in_use)
{
    struct graph_memory *m = find(runtime_state(), pointer);
    if (m)
        m->in_use = in_use;
    return m;
}

void graph_memory_forget(struct runtime *r)
{
    while (r->graph_memory) {
        struct graph_memory *next = r->graph_memory->next;
        free(r->graph_memory);
        r->graph_memory = next;
    }
}

static bool may_add(const cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count)
{
    bool ok = out && graph && (needs || !count);
    for (size_t i = 0; ok && i < count; i++)
        ok = needs[i] && needs[i]->graph == graph;
    return ok;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                     struct cudaMemAllocNodeParams *params)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && (!params || !may_add(out, graph, needs, count)))
        code = cudaErrorInvalidValue;
    if (code == cudaSuccess && !(params->dptr = take(r, params->bytesize)))
        code = cudaErrorMemoryAllocation;
    if (code == cudaSuccess) {
        *out = graph_add(graph, cudaGraphNodeTypeMemAlloc, needs, count);
        (*out)->memory = (struct memory_work){ params->dptr, params->bytesize };
    }
    return runtime_leave(code);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                    void *pointer)
{
    const struct runtime *r = runtime_enter();
    if (!may_add(out, graph, needs, count) || !find(r, pointer))
        return runtime_leave(cudaErrorInvalidValue);
    *out = graph_add(graph, cudaGraphNodeTypeMemFree, needs, count);
    (*out)->memory = (struct memory_work){ pointer, 0 };
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *out)
{
    (void)runtime_enter();
    if (!node || !out || node->type != cudaGraphNodeTypeMemAlloc)
        return runtime_leave(cudaErrorInvalidValue);
    *out = (struct cudaMemAllocNodeParams){ .bytesize = node->memory.bytes, .dptr = node->memory.pointer };
    out->poolProps.allocType = cudaMemAllocationTypePinned;
    out->poolProps.location.type = cudaMemLocationTypeDevice;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    (void)runtime_enter();
    if (!node || !out || node->type != cudaGraphNodeTypeMemFree)
        return runtime_leave(cudaErrorInvalidValue);
    *(void **)out = node->memory.pointer;
    return runtime_leave(cudaSuccess);
}

cudaError_t capture_malloc(cudaStream_t stream, void **pointer, size_t bytes)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    void *taken = code == cudaSuccess && pointer ? take(r, bytes) : NULL;
    (void)runtime_leave(code);
    if (!taken)
        return code != cudaSuccess ? code : pointer ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    const struct CUgraphNode_st work = { .type = cudaGraphNodeTypeMemAlloc, .memory = { taken, bytes } };
    *pointer = taken;
    return capture_add(stream, &work);
}

cudaError_t capture_free(cudaStream_t stream, void *pointer)
{
    const struct CUgraphNode_st work = { .type = cudaGraphNodeTypeMemFree, .memory = { pointer, 0 } };
    return find(runtime_state(), pointer) ? capture_add(stream, &work) : capture_refuse(stream);
}

/* What is used now, and what is kept: nothing is given back, so that the most is what there is. */
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    const struct runtime *r = runtime_enter();
    uint64_t used = 0, kept = 0;
    if (device != 0 || !value)
        return runtime_leave(cudaErrorInvalidValue);
    for (const struct graph_memory *m = r->graph_memory; m; m = m->next) {
        kept += m->bytes;
        used += m->in_use ? m->bytes : 0;
    }
    *(uint64_t *)value = attr == cudaGraphMemAttrUsedMemCurrent ? used : kept;
    return runtime_leave(cudaSuccess);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    (void)attr;
    (void)runtime_enter();
    return runtime_leave(device == 0 && value ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceGraphMemTrim(int device)
{
    (void)runtime_enter();
    return runtime_leave(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
