/* graphs.c - CUDA graphs as data: nodes, what each depends on, and an order that respects it. */
#include "graphs.h"

#include <stdlib.h>
#include <string.h>

cudaError_t graph_finish(bool ok)
{
    (void)runtime_enter();
    return runtime_leave(ok ? cudaSuccess : cudaErrorInvalidValue);
}

struct CUgraph_st *graph_new(void)
{
    return must_calloc(1, sizeof(struct CUgraph_st));
}

void node_clear(cudaGraphNode_t node)
{
    if (node->type == cudaGraphNodeTypeKernel) {
        free(node->kernel.values);
        free(node->kernel.arguments);
        node->kernel.values = NULL;
        node->kernel.arguments = NULL;
    } else if (node->type == cudaGraphNodeTypeGraph && node->child) {
        graph_free(node->child);
        node->child = NULL;
    } else if (node->type == cudaGraphNodeTypeConditional) {
        condition_clear(&node->condition);
    }
}

void graph_free(struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        node_clear(graph->nodes[i]);
        free(graph->nodes[i]->needs);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
}

void graph_add_need(cudaGraphNode_t node, cudaGraphNode_t need)
{
    for (size_t i = 0; i < node->need_count; i++)
        if (node->needs[i] == need)
            return;
    node->needs = must_realloc(node->needs, (node->need_count + 1) * sizeof *node->needs);
    node->needs[node->need_count++] = need;
}

void graph_drop_need(cudaGraphNode_t node, cudaGraphNode_t need)
{
    size_t kept = 0;
    for (size_t k = 0; k < node->need_count; k++)
        if (node->needs[k] != need)
            node->needs[kept++] = node->needs[k];
    node->need_count = kept;
}

static cudaGraphNode_t append(struct CUgraph_st *graph, enum cudaGraphNodeType type)
{
    cudaGraphNode_t node = must_calloc(1, sizeof *node);
    node->type = type;
    node->graph = graph;
    node->position = (uint32_t)graph->count;
    graph->nodes = must_realloc(graph->nodes, (graph->count + 1) * sizeof *graph->nodes);
    graph->nodes[graph->count++] = node;
    return node;
}

cudaGraphNode_t graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type, const cudaGraphNode_t *needs, size_t count)
{
    cudaGraphNode_t node = append(graph, type);
    node->id = ++runtime_state()->last_node;
    for (size_t i = 0; i < count; i++)
        graph_add_need(node, needs[i]);
    return node;
}

void graph_remove(cudaGraphNode_t node)
{
    struct CUgraph_st *graph = node->graph;
    graph->count--;
    for (size_t i = 0; i < graph->count; i++) {
        if (i >= node->position) {
            graph->nodes[i] = graph->nodes[i + 1];
            graph->nodes[i]->position = (uint32_t)i;
        }
        graph_drop_need(graph->nodes[i], node);
    }
    node_clear(node);
    free(node->needs);
    free(node);
}

static void copy_kernel(struct kernel_work *to, const struct kernel_work *from)
{
    *to = *from;
    to->values = must_calloc(1, from->value_bytes + 1);
    to->arguments = must_calloc(from->argument_count + 1, sizeof *to->arguments);
    memcpy(to->values, from->values, from->value_bytes);
    for (size_t i = 0; i < from->argument_count; i++)
        to->arguments[i] = to->values + ((uint8_t *)from->arguments[i] - from->values);
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *graph)
{
    struct CUgraph_st *copy = graph_new();
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *from = graph->nodes[i];
        cudaGraphNode_t to = append(copy, from->type);
        *to = (struct CUgraphNode_st){
            .type = from->type, .id = from->id, .position = to->position, .disabled = from->disabled, .graph = copy
        };
        if (from->type == cudaGraphNodeTypeKernel)
            copy_kernel(&to->kernel, &from->kernel);
        else if (from->type == cudaGraphNodeTypeGraph)
            to->child = graph_copy(from->child);
        else if (from->type == cudaGraphNodeTypeConditional)
            condition_copy(&to->condition, &from->condition);
        else
            to->copy = from->copy; /* the largest of the plain ones */
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->need_count; k++)
            graph_add_need(copy->nodes[i], copy->nodes[graph->nodes[i]->needs[k]->position]);
    return copy;
}

/* What conditional nodes may run is filled after the node was made. */
static bool sort_bodies(const struct CUgraph_st *graph)
{
    bool ok = true;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->type == cudaGraphNodeTypeConditional)
            for (unsigned int k = 0; ok && k < graph->nodes[i]->condition.count; k++)
                ok = graph_sort(graph->nodes[i]->condition.bodies[k]);
    return ok;
}

bool graph_sort(struct CUgraph_st *graph)
{
    cudaGraphNode_t *sorted = must_calloc(graph->count + 1, sizeof(cudaGraphNode_t));
    bool *placed = must_calloc(graph->count + 1, sizeof *placed);
    size_t count = 0, before;
    do { /* one round when nodes were added in order */
        before = count;
        for (size_t i = 0; i < graph->count; i++) {
            bool ready = !placed[i];
            for (size_t k = 0; ready && k < graph->nodes[i]->need_count; k++)
                ready = placed[graph->nodes[i]->needs[k]->position];
            if (ready) {
                placed[i] = true;
                sorted[count++] = graph->nodes[i];
            }
        }
    } while (count > before && count < graph->count);
    const bool whole = count == graph->count;
    for (size_t i = 0; whole && i < count; i++) {
        graph->nodes[i] = sorted[i];
        sorted[i]->position = (uint32_t)i;
    }
    free(sorted);
    free(placed);
    return whole && sort_bodies(graph);
}

cudaGraphNode_t graph_find(struct CUgraph_st *graph, const struct CUgraphNode_st *original)
{
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->id == original->id)
            return graph->nodes[i];
    cudaGraphNode_t found = NULL;
    for (size_t i = 0; i < graph->count && !found; i++)
        if (graph->nodes[i]->type == cudaGraphNodeTypeConditional)
            for (unsigned int k = 0; k < graph->nodes[i]->condition.count && !found; k++)
                found = graph_find(graph->nodes[i]->condition.bodies[k], original);
    return found;
}

cudaError_t node_set_kernel(cudaGraphNode_t node, const void *function, dim3 grid, dim3 block, void **args, size_t shared)
{
    struct kernel_work work = { .function = function, .grid = grid, .block = block, .shared = shared };
    const cudaError_t code = kernel_work_keep(&work, args);
    if (code != cudaSuccess)
        return code;
    node_clear(node);
    node->kernel = work;
    return cudaSuccess;
}

static cudaError_t run_node(const struct CUgraphNode_st *node)
{
    switch (node->type) {
    case cudaGraphNodeTypeKernel: {
        const struct kernel_work *k = &node->kernel;
        const cudaError_t code = k->cooperative
                                     ? cudaLaunchCooperativeKernel(k->function, k->grid, k->block, k->arguments, k->shared, 0)
                                     : cudaLaunchKernel(k->function, k->grid, k->block, k->arguments, k->shared, 0);
        return code == cudaSuccess ? graph_launch_asked() : code;
    }
    case cudaGraphNodeTypeMemcpy:
        return node->copy.flat ? cudaMemcpy(node->copy.to, node->copy.from, node->copy.bytes, node->copy.kind)
                               : cudaMemcpy3D(&node->copy.box);
    case cudaGraphNodeTypeMemset: return runtime_fill(&node->set);
    case cudaGraphNodeTypeHost: return cudaLaunchHostFunc(0, node->host.fn, node->host.userData);
    case cudaGraphNodeTypeGraph: return graph_run(node->child);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        return graph_memory_use(node->memory.pointer, node->type == cudaGraphNodeTypeMemAlloc) ? cudaSuccess
                                                                                               : cudaErrorInvalidValue;
    case cudaGraphNodeTypeConditional: return condition_run(&node->condition);
    case cudaGraphNodeTypeEventRecord: return cudaEventRecord(node->event, 0);
    default: return cudaSuccess; /* empty, and waits for what has happened */
    }
}

cudaError_t graph_run(const struct CUgraph_st *graph)
{
    cudaError_t code = cudaSuccess;
    for (size_t i = 0; i < graph->count && code == cudaSuccess; i++)
        code = graph->nodes[i]->disabled ? cudaSuccess : run_node(graph->nodes[i]);
    return code;
}
