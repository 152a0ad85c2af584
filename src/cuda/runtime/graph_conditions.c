/* graph_conditions.c - nodes that decide: if, while and switch over a word that kernels set. The word lies in the device's memory,
 * and its address is the handle. */
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

struct graph_condition {
    uint64_t handle;
    unsigned int value; /* given to it when a graph is launched, if has_default */
    bool has_default;
    struct graph_condition *next;
};

static struct graph_condition *find(const struct runtime *r, uint64_t handle)
{
    struct graph_condition *c = r->graph_conditions;
    while (c && c->handle != handle)
        c = c->next;
    return c;
}

void condition_forget(struct runtime *r)
{
    while (r->graph_conditions) {
        struct graph_condition *next = r->graph_conditions->next;
        free(r->graph_conditions);
        r->graph_conditions = next;
    }
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned int value,
                                             unsigned int flags)
{
    cudaError_t code;
    struct runtime *r = runtime_enter_device(&code);
    if (code == cudaSuccess && (!handle || !graph || flags > cudaGraphCondAssignDefault))
        code = cudaErrorInvalidValue;
    const uint64_t word = code == cudaSuccess ? device_alloc(runtime_device(r), sizeof value) : 0;
    if (code == cudaSuccess && !word)
        code = cudaErrorMemoryAllocation;
    if (code != cudaSuccess)
        return runtime_leave(code);
    struct graph_condition *c = must_calloc(1, sizeof *c);
    *c = (struct graph_condition){
        .handle = word, .value = value, .has_default = flags == cudaGraphCondAssignDefault, .next = r->graph_conditions
    };
    r->graph_conditions = c;
    *handle = word;
    (void)runtime_leave(cudaSuccess);
    return cudaMemset((void *)(uintptr_t)word, 0, sizeof value);
}

void condition_copy(struct condition_work *to, const struct condition_work *from)
{
    *to = *from;
    to->bodies = must_calloc(from->count, sizeof(struct CUgraph_st *));
    for (unsigned int i = 0; i < from->count; i++)
        to->bodies[i] = graph_copy(from->bodies[i]);
}

void condition_clear(struct condition_work *work)
{
    for (unsigned int i = 0; i < work->count; i++)
        graph_free(work->bodies[i]);
    free(work->bodies);
    *work = (struct condition_work){ 0 };
}

void condition_start(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        if (node->type == cudaGraphNodeTypeGraph)
            condition_start(node->child);
        if (node->type != cudaGraphNodeTypeConditional)
            continue;
        const struct graph_condition *c = find(runtime_state(), node->condition.handle);
        if (c && c->has_default)
            (void)cudaMemcpy((void *)(uintptr_t)c->handle, &c->value, sizeof c->value, cudaMemcpyHostToDevice);
        for (unsigned int k = 0; k < node->condition.count; k++)
            condition_start(node->condition.bodies[k]);
    }
}

static cudaError_t read_word(uint64_t handle, unsigned int *value)
{
    return cudaMemcpy(value, (const void *)(uintptr_t)handle, sizeof *value, cudaMemcpyDeviceToHost);
}

cudaError_t condition_run(const struct condition_work *work)
{
    unsigned int value;
    cudaError_t code = read_word(work->handle, &value);
    if (work->type == cudaGraphCondTypeWhile) {
        while (code == cudaSuccess && value && (code = graph_run(work->bodies[0])) == cudaSuccess)
            code = read_word(work->handle, &value);
        return code;
    }
    const unsigned int which = work->type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
    return code == cudaSuccess && which < work->count ? graph_run(work->bodies[which]) : code;
}

static bool may_add(const cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count)
{
    bool ok = out && graph && (needs || !count);
    for (size_t i = 0; ok && i < count; i++)
        ok = needs[i] && needs[i]->graph == graph;
    return ok;
}

static cudaError_t add_conditional(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                   struct cudaConditionalNodeParams *params)
{
    const struct runtime *r = runtime_enter();
    const unsigned int most = params->type == cudaGraphCondTypeIf ? 2 : params->type == cudaGraphCondTypeWhile ? 1 : UINT32_MAX;
    if (!may_add(out, graph, needs, count) || !find(r, params->handle) || params->type > cudaGraphCondTypeSwitch || !params->size ||
        params->size > most)
        return runtime_leave(cudaErrorInvalidValue);
    *out = graph_add(graph, cudaGraphNodeTypeConditional, needs, count);
    struct condition_work *work = &(*out)->condition;
    *work = (struct condition_work){ .handle = params->handle, .type = params->type, .count = params->size };
    work->bodies = must_calloc(work->count, sizeof(struct CUgraph_st *));
    for (unsigned int i = 0; i < work->count; i++)
        work->bodies[i] = graph_new();
    params->phGraph_out = work->bodies;
    return runtime_leave(cudaSuccess);
}

static cudaError_t add_allocation(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                  struct cudaMemAllocNodeParamsV2 *p)
{
    struct cudaMemAllocNodeParams old = {
        .poolProps = p->poolProps, .accessDescs = p->accessDescs, .accessDescCount = p->accessDescCount, .bytesize = p->bytesize
    };
    const cudaError_t code = cudaGraphAddMemAllocNode(out, graph, needs, count, &old);
    p->dptr = old.dptr;
    return code;
}

/* One call for nodes of all kinds. The data of edges says how early a kernel may begin: here it begins when the other has ended. */
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *p)
{
    (void)edges;
    if (!p)
        return graph_finish(false);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        const struct cudaKernelNodeParams k = { p->kernel.func,           p->kernel.gridDim,      p->kernel.blockDim,
                                                p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra };
        return cudaGraphAddKernelNode(out, graph, needs, count, &k);
    }
    case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(out, graph, needs, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        const struct cudaMemsetParams s = { p->memset.dst,         p->memset.pitch, p->memset.value,
                                            p->memset.elementSize, p->memset.width, p->memset.height };
        return cudaGraphAddMemsetNode(out, graph, needs, count, &s);
    }
    case cudaGraphNodeTypeHost: {
        const struct cudaHostNodeParams h = { p->host.fn, p->host.userData };
        return cudaGraphAddHostNode(out, graph, needs, count, &h);
    }
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(out, graph, needs, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(out, graph, needs, count);
    case cudaGraphNodeTypeWaitEvent: return cudaGraphAddEventWaitNode(out, graph, needs, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord: return cudaGraphAddEventRecordNode(out, graph, needs, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: return add_allocation(out, graph, needs, count, &p->alloc);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(out, graph, needs, count, p->free.dptr);
    case cudaGraphNodeTypeConditional: return add_conditional(out, graph, needs, count, &p->conditional);
    default: return graph_finish(false);
    }
}

/* The names as each version of the runtime has them. */
#if WARPLINE_CUDART_MAJOR >= 13
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                             size_t count, struct cudaGraphNodeParams *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                             size_t count, struct cudaGraphNodeParams *p)
{
    return cudaGraphAddNode_v2(out, graph, needs, edges, count, p);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                                                size_t count, unsigned int flags);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *needs, const cudaGraphEdgeData *edges,
                                                size_t count, unsigned int flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(stream, needs, edges, count, flags);
}
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                             struct cudaGraphNodeParams *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                             struct cudaGraphNodeParams *p)
{
    return cudaGraphAddNode_v2(out, graph, needs, NULL, count, p);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *needs, size_t count, unsigned int flags);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *needs, size_t count, unsigned int flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(stream, needs, NULL, count, flags);
}
#endif
PER_THREAD(cudaStreamUpdateCaptureDependencies, ptsz)
