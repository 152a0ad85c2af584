/* graph_calls.c - making, changing and launching graphs. */
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    if (graph && !flags)
        *graph = graph_new();
    return graph_finish(graph && !flags);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph)
        graph_free(graph);
    return graph_finish(graph);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    if (clone && graph)
        *clone = graph_copy(graph);
    return graph_finish(clone && graph);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original, cudaGraph_t clone)
{
    if (!found || !original || !clone)
        return graph_finish(false);
    *found = graph_find(clone, original);
    return graph_finish(*found);
}

static bool named_before(const cudaGraphNode_t *needs, size_t i)
{
    size_t k = 0;
    while (needs[k] != needs[i])
        k++;
    return k < i;
}

/* Adds a node; NULL when a dependency is not of this graph, or named twice. */
static cudaGraphNode_t add(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                           enum cudaGraphNodeType type)
{
    (void)runtime_enter();
    bool ok = out && graph && (needs || !count);
    for (size_t i = 0; ok && i < count; i++)
        ok = needs[i] && needs[i]->graph == graph && !named_before(needs, i);
    cudaGraphNode_t node = ok ? graph_add(graph, type, needs, count) : NULL;
    if (node)
        *out = node;
    (void)runtime_leave(ok ? cudaSuccess : cudaErrorInvalidValue);
    return node;
}

static cudaError_t set_kernel(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    if (!node || node->type != cudaGraphNodeTypeKernel || !p || p->extra)
        return graph_finish(false); /* arguments as one block (`extra`) are the driver API's */
    return node_set_kernel(node, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaKernelNodeParams *p)
{
    cudaGraphNode_t node = add(out, graph, needs, count, cudaGraphNodeTypeKernel);
    const cudaError_t code = node ? set_kernel(node, p) : cudaErrorInvalidValue;
    if (node && code != cudaSuccess)
        graph_remove(node);
    return code;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return set_kernel(node, p);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeKernel;
    if (ok)
        *p = (struct cudaKernelNodeParams){ (void *)(uintptr_t)node->kernel.function, node->kernel.grid,      node->kernel.block,
                                            (unsigned int)node->kernel.shared,        node->kernel.arguments, NULL };
    return graph_finish(ok);
}

static cudaError_t set_copy(cudaGraphNode_t node, struct copy_work work)
{
    const bool ok = node && node->type == cudaGraphNodeTypeMemcpy;
    if (ok)
        node->copy = work;
    return graph_finish(ok);
}
static struct copy_work flat(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return (struct copy_work){ .flat = true, .to = to, .from = from, .bytes = bytes, .kind = kind };
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaMemcpy3DParms *p)
{
    return p ? set_copy(add(out, graph, needs, count, cudaGraphNodeTypeMemcpy), (struct copy_work){ .box = *p })
             : graph_finish(false);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return set_copy(add(out, graph, needs, count, cudaGraphNodeTypeMemcpy), flat(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                           const void *symbol, const void *from, size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    void *to;
    const cudaError_t code = cudaGetSymbolAddress(&to, symbol);
    return code != cudaSuccess ? code : cudaGraphAddMemcpyNode1D(out, graph, needs, count, (char *)to + offset, from, bytes, kind);
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                             void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    void *from;
    const cudaError_t code = cudaGetSymbolAddress(&from, symbol);
    return code != cudaSuccess ? code : cudaGraphAddMemcpyNode1D(out, graph, needs, count, to, (char *)from + offset, bytes, kind);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    return p ? set_copy(node, (struct copy_work){ .box = *p }) : graph_finish(false);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return set_copy(node, flat(to, from, bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeMemcpy;
    if (!ok)
        return graph_finish(false);
    const struct copy_work *c = &node->copy;
    *p = c->box;
    if (c->flat)
        *p = (struct cudaMemcpy3DParms){ .srcPtr = { (void *)(uintptr_t)c->from, c->bytes, c->bytes, 1 },
                                         .dstPtr = { c->to, c->bytes, c->bytes, 1 },
                                         .extent = { c->bytes, 1, 1 },
                                         .kind = c->kind };
    return graph_finish(true);
}

static cudaError_t set_memset(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeMemset &&
                    (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4) && p->width <= SIZE_MAX / p->elementSize;
    if (ok)
        node->set = *p;
    return graph_finish(ok);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                   const struct cudaMemsetParams *p)
{
    cudaGraphNode_t node = add(out, graph, needs, count, cudaGraphNodeTypeMemset);
    const cudaError_t code = set_memset(node, p);
    if (node && code != cudaSuccess)
        graph_remove(node);
    return code;
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    return set_memset(node, p);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeMemset;
    if (ok)
        *p = node->set;
    return graph_finish(ok);
}

static cudaError_t set_host(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeHost;
    if (ok)
        node->host = *p;
    return graph_finish(ok);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                 const struct cudaHostNodeParams *p)
{
    return p ? set_host(add(out, graph, needs, count, cudaGraphNodeTypeHost), p) : graph_finish(false);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    return set_host(node, p);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *p)
{
    const bool ok = node && p && node->type == cudaGraphNodeTypeHost;
    if (ok)
        *p = node->host;
    return graph_finish(ok);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                       cudaGraph_t child)
{
    struct CUgraph_st *copy = child ? graph_copy(child) : NULL; /* comes first: a graph cannot hold itself */
    cudaGraphNode_t node = copy && graph_sort(copy) ? add(out, graph, needs, count, cudaGraphNodeTypeGraph) : NULL;
    if (node)
        node->child = copy;
    else if (copy)
        graph_free(copy);
    return graph_finish(node);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child)
{
    const bool ok = node && child && node->type == cudaGraphNodeTypeGraph;
    if (ok)
        *child = node->child;
    return graph_finish(ok);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count)
{
    return graph_finish(add(out, graph, needs, count, cudaGraphNodeTypeEmpty));
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                        cudaEvent_t event)
{
    cudaGraphNode_t node = event ? add(out, graph, needs, count, cudaGraphNodeTypeEventRecord) : NULL;
    if (node)
        node->event = event;
    return graph_finish(node);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                      cudaEvent_t event)
{
    cudaGraphNode_t node = event ? add(out, graph, needs, count, cudaGraphNodeTypeWaitEvent) : NULL;
    if (node)
        node->event = event;
    return graph_finish(node);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    if (node)
        graph_remove(node);
    return graph_finish(node);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    struct CUgraph_st *copy = exec && graph ? graph_copy(graph) : NULL;
    if (!copy || !graph_sort(copy)) {
        if (copy)
            graph_free(copy);
        return graph_finish(false);
    }
    *exec = must_calloc(1, sizeof **exec);
    **exec = (struct CUgraphExec_st){ .graph = copy, .flags = flags };
    const cudaError_t code = flags & cudaGraphInstantiateFlagDeviceLaunch ? graph_allow(*exec) : graph_finish(true);
    if (code != cudaSuccess) {
        graph_free(copy);
        free(*exec);
        *exec = NULL;
    }
    return code;
}
/* CUDA 11 passed three more arguments, for reporting errors. They are left untouched. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
PER_THREAD(cudaGraphInstantiate, v12000) /* what CUDA 12's headers turn the name into */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *params)
{
    const cudaError_t code = cudaGraphInstantiateWithFlags(exec, graph, params ? params->flags : 0);
    if (params) {
        params->errNode_out = NULL;
        params->result_out = code == cudaSuccess             ? cudaGraphInstantiateSuccess
                             : code == cudaErrorNotSupported ? cudaGraphInstantiateNodeOperationNotSupported
                                                             : cudaGraphInstantiateInvalidStructure;
    }
    return code;
}
PER_THREAD(cudaGraphInstantiateWithParams, ptsz)

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!exec)
        return graph_finish(false);
    if (!stream_captures(stream))
        return graph_launch(exec);
    struct CUgraphNode_st work = { .type = cudaGraphNodeTypeGraph, .child = graph_copy(exec->graph) };
    const cudaError_t code = capture_add(stream, &work);
    if (code != cudaSuccess)
        node_clear(&work);
    return code;
}
PER_THREAD(cudaGraphLaunch, ptsz)
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)stream;
    return graph_finish(exec);
}
PER_THREAD(cudaGraphUpload, ptsz)
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    if (exec && flags)
        *flags = exec->flags;
    return graph_finish(exec && flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (exec) {
        graph_forbid(exec);
        graph_free(exec->graph);
        free(exec);
    }
    return graph_finish(exec);
}

/* The node of an executable graph that stands for one of the graph it was made from. */
static cudaGraphNode_t in_exec(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    return exec && node ? graph_find(exec->graph, node) : NULL;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return set_kernel(in_exec(exec, node), p);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    return cudaGraphMemcpyNodeSetParams(in_exec(exec, node), p);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    return set_copy(in_exec(exec, node), flat(to, from, bytes, kind));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    return set_memset(in_exec(exec, node), p);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    return set_host(in_exec(exec, node), p);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled)
{
    cudaGraphNode_t own = in_exec(exec, node);
    if (own)
        own->disabled = !enabled;
    return graph_finish(own);
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *enabled)
{
    cudaGraphNode_t own = in_exec(exec, node);
    if (own && enabled)
        *enabled = !own->disabled;
    return graph_finish(own && enabled);
}

/* True when both depend on the nodes at the same places. No dependency is named twice. */
static bool same_needs(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
    for (size_t i = 0; i < a->need_count; i++) {
        size_t k = 0;
        while (k < b->need_count && b->needs[k]->position != a->needs[i]->position)
            k++;
        if (k == b->need_count)
            return false;
    }
    return a->need_count == b->need_count;
}

/* Takes over everything when the shapes agree: as many nodes, of the same kinds, each with the same dependencies. Nodes that
 * were disabled stay disabled. */
static enum cudaGraphExecUpdateResult update(cudaGraphExec_t exec, cudaGraph_t graph)
{
    struct CUgraph_st *copy = graph_copy(graph);
    enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    if (!graph_sort(copy) || copy->count != exec->graph->count)
        result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; result == cudaGraphExecUpdateSuccess && i < copy->count; i++) {
        cudaGraphNode_t new_node = copy->nodes[i], old = exec->graph->nodes[i];
        if (new_node->type != old->type)
            result = cudaGraphExecUpdateErrorNodeTypeChanged;
        else if (!same_needs(new_node, old))
            result = cudaGraphExecUpdateErrorTopologyChanged;
        new_node->id = old->id; /* its originals stay those of the first graph */
        new_node->disabled = old->disabled;
    }
    if (result != cudaGraphExecUpdateSuccess) {
        graph_free(copy);
        return result;
    }
    graph_free(exec->graph);
    exec->graph = copy;
    return result;
}
static cudaError_t finish_update(enum cudaGraphExecUpdateResult result)
{
    (void)runtime_enter();
    return runtime_leave(result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}
#if WARPLINE_CUDART_MAJOR < 12
cudaError_t cudaGraphExecUpdate_v11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                    enum cudaGraphExecUpdateResult *result) __asm__("cudaGraphExecUpdate");
cudaError_t cudaGraphExecUpdate_v11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                    enum cudaGraphExecUpdateResult *result)
{
    if (!exec || !graph || !node || !result)
        return graph_finish(false);
    *node = NULL;
    *result = update(exec, graph);
    return finish_update(*result);
}
#else
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    if (!exec || !graph)
        return graph_finish(false);
    const enum cudaGraphExecUpdateResult result = update(exec, graph);
    if (info)
        *info = (cudaGraphExecUpdateResultInfo){ .result = result };
    return finish_update(result);
}
#endif
